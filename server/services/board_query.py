"""Which piece of which leaderboard somebody asks for.

Lives here: reading the query of `/api/board`. Lives elsewhere: answering it (board_pages).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from engine.ruleset import RULESETS
from server.core import boards, daily
from server.core.boards import Period, Tab
from server.core.daily import Day
from server.net.pages import PageRequest
from server.services.api import BadRequest, query
from server.store import keys

E = TypeVar("E", Period, Tab)
MOST_PAGE = 1_000_000
PARAMETERS = ("period", "date", "ruleset", "tab", "page", "around", "player")


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """A piece of a leaderboard."""

    period: Period
    day: Day
    """A day that the board covers; today where the board has no bounds."""
    ruleset: str
    tab: Tab
    page: int
    """From 1."""
    around: str
    """Whose neighbours are wanted instead of a page; empty: nobody's."""
    player: str
    """Whose own row is wanted beside the page; empty: nobody's."""

    @property
    def board(self) -> str:
        """Name of the board."""
        return boards.name(self.period, self.day, self.ruleset, self.tab)


def read(request: PageRequest, now_ms: int) -> BoardQuery:
    """The query of a request. Raises BadRequest with the code of the first parameter that cannot be used."""
    asked = query(request, *PARAMETERS)
    period = _one_of(Period, asked.get("period", Period.DAY), "bad_period")
    tab = _one_of(Tab, asked.get("tab", Tab.TIME), "bad_tab")
    if period is Period.RACE and tab is not Tab.TIME:
        raise BadRequest("bad_tab")
    around, player = (_player(asked.get(name, "")) for name in ("around", "player"))
    if around and "page" in asked:
        raise BadRequest("bad_query")
    return BoardQuery(
        period, _day(asked, period, now_ms), _ruleset(asked, period), tab, _page(asked.get("page", "1")), around,
        player or around,
    )  # fmt: skip


def _one_of(kind: type[E], text: str, code: str) -> E:
    try:
        return kind(text)
    except ValueError as error:
        raise BadRequest(code) from error


def _day(asked: dict[str, str], period: Period, now_ms: int) -> Day:
    today = daily.day_of(now_ms)
    if "date" not in asked:
        return today
    day = daily.parse_day(asked["date"])
    if day is None or day > today or boards.span(period, day) is None:
        raise BadRequest("bad_date")
    return day


def _ruleset(asked: dict[str, str], period: Period) -> str:
    ruleset = asked.get("ruleset", daily.HEADLINE)
    if ruleset not in (RULESETS if period is Period.RACE else daily.DAILY):
        raise BadRequest("bad_ruleset")
    return ruleset


def _page(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 7 or not 1 <= int(text) <= MOST_PAGE:
        raise BadRequest("bad_page")
    return int(text)


def _player(text: str) -> str:
    if text and not keys.is_id(text):
        raise BadRequest("bad_player")
    return text
