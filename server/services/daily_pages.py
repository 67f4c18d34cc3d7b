"""`/api/daily`: the state of today, and what a day was once it is final (P6, rulings 9 and 25).

Lives here: three pages, and that nothing of a deal is told before its day is final. Lives elsewhere: the deals
(daily_deals), the boards (board_pages).
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

from engine.moves import Move, move_text, unpack_entry
from server.clock import Clock
from server.core import boards, daily
from server.core.boards import Period, Tab
from server.core.daily import Day
from server.net.pages import PageRequest, Pages, Reply
from server.services import attempts
from server.services.api import Brief, NotThere, json, query, route
from server.services.attempts import Entry
from server.services.board_pages import BoardPages
from server.services.daily import DailyPlay
from server.services.daily_deals import Daily, DailyDeals
from server.services.name_book import NameBook
from server.services.player_pages import PlayerPages
from server.services.projector import Projector
from server.store import keys
from server.store.connect import Store

KEEP_MS = 1_000
READY_S = 1.0
MOVE_BYTES = 4
_PATH = re.compile(r"/api/daily/([0-9-]{10})/([A-Z0-9-]{7})(?:/([A-Z]{10}))?")

Json = dict[str, Any]


class DailyPages:
    """The pages of the daily deals."""

    def __init__(
        self, store: Store, deals: DailyDeals, projector: Projector, rows: BoardPages, names: NameBook, clock: Clock
    ) -> None:
        self._store = store
        self._deals = deals
        self._projector = projector
        self._rows = rows
        self._names = names
        self._clock = clock
        self._brief: Brief[Json] = Brief(clock, KEEP_MS)

    def add_to(self, pages: Pages) -> None:
        """Answer the addresses of the daily deals."""
        pages.route("/api/daily", route(self._today))
        pages.route("/api/daily/", route(self._day))

    # ------------------------------------------------------------ today

    async def _today(self, request: PageRequest) -> Reply:
        query(request)
        day = daily.day_of(self._clock.now_ms())
        state = await self._brief.get(day, lambda: self._state(day))
        return json({"now_ms": self._clock.now_ms(), **state})

    async def _state(self, day: Day) -> Json:
        """The state of a day. Who asks first has its deals drawn, and waits a moment, longest for the headline."""
        drawing = [self._deals.soon(ruleset) for ruleset in daily.DAILY]
        await asyncio.wait(drawing[:1], timeout=READY_S)
        await asyncio.wait(drawing, timeout=READY_S / 10)
        return {
            "date": day,
            "ends_ms": daily.end_ms(day),
            "final_ms": daily.final_ms(day),
            "rulesets": [await self._ruleset(day, ruleset) for ruleset in daily.DAILY],
        }

    async def _ruleset(self, day: Day, ruleset: str) -> Json:
        deal = await self._deals.of(day, ruleset)
        best = {tab: await self._best(day, ruleset, tab) for tab in Tab}
        return {
            "headline": ruleset == daily.HEADLINE,
            "ready": deal is not None,
            **await self._counted(day, ruleset, deal),
            "best_score": best[Tab.SCORE],
            "best_time": best[Tab.TIME],
        }

    async def _counted(self, day: Day, ruleset: str, deal: Daily | None) -> Json:
        by_score, by_time = (boards.name(Period.DAY, day, ruleset, tab) for tab in Tab)
        return {
            "ruleset": ruleset,
            "certified": deal is not None and deal.certified,
            "id": deal.id if deal is not None else "",
            "commitment": deal.commitment if deal is not None else "",
            "players": await self._store.dailies.begun(day, ruleset),
            "finished": await self._store.boards.players(by_score),
            "won": await self._store.boards.players(by_time),
        }

    async def _best(self, day: Day, ruleset: str, tab: Tab) -> Json | None:
        page = await self._store.boards.page(boards.name(Period.DAY, day, ruleset, tab), 0, 1)
        shown = await self._rows.rows(Period.DAY, day, page.rows)
        return shown[0] if shown else None

    # ------------------------------------------------------------ one day

    async def _day(self, request: PageRequest) -> Reply:
        query(request)
        found = _PATH.fullmatch(request.path)
        day = None if found is None else daily.parse_day(found[1])
        if found is None or day is None or found[2] not in daily.DAILY:
            raise NotThere
        deal = await self._deals.of(day, found[2])
        if deal is None and (found[3] is not None or day != daily.day_of(self._clock.now_ms())):
            raise NotThere
        if deal is None:  # not drawn yet: it comes, and who looks again sees it
            return json({"date": day, "final": False, "ready": False, **await self._counted(day, found[2], None)})
        if found[3] is not None:
            return json(await self._replay(deal, found[3]))
        return json(await self._brief.get((day, found[2]), lambda: self._shown(deal)))

    async def _shown(self, deal: Daily) -> Json:
        revealed = await self._deals.revealed(deal.day, deal.ruleset)
        shown = {
            "date": deal.day,
            "final": revealed is not None,
            "ready": True,
            **await self._counted(deal.day, deal.ruleset, deal),
        }
        if revealed is None:
            return shown
        way = revealed.solution
        moves = [move_text(Move(*way[at : at + MOVE_BYTES])) for at in range(0, len(way), MOVE_BYTES)]
        opened = {"code": revealed.code, "nonce": revealed.nonce, "difficulty": revealed.difficulty}
        return {**shown, **opened, "solution": moves or None}

    async def _replay(self, deal: Daily, player: str) -> Json:
        """Everything about one attempt, once nobody can profit from it. NotThere before."""
        entry = Entry(deal.day, deal.ruleset, player)
        revealed = await self._deals.revealed(deal.day, deal.ruleset)
        if revealed is None or not keys.is_id(player):
            raise NotThere
        attempt = await self._store.dailies.attempt(deal.day, deal.ruleset, player)
        result = None if attempt is None else await self._projector.attempt(entry)
        if attempt is None or result is None:
            raise NotThere
        called = (await self._names.of([player]))[player]
        return {
            "date": deal.day,
            "ruleset": deal.ruleset,
            "code": revealed.code,
            "rules": revealed.rules,
            "undo": attempts.UNDO,
            "ranked": True,
            "player": player,
            "name": called.name,
            "tag": called.tag,
            "game": attempt.id,
            "deadline_ms": daily.final_ms(deal.day) - attempt.gun_ms,
            "ended": result.ended,
            "out": result.out,
            "score": result.score,
            "moves": result.moves,
            "elapsed_ms": result.elapsed_ms,
            "flags": result.flags,
            "entries": [_entry(each) for each in await self._store.logs.load(attempt.log)],
        }


def _entry(entry: bytes) -> list[int]:
    move, at_ms = unpack_entry(entry)
    return [*move, at_ms]


def add_pages(pages: Pages, play: DailyPlay, store: Store, clock: Clock) -> None:
    """Answer all addresses of dailies, leaderboards and players."""
    names = NameBook(store.players, clock)
    rows = BoardPages(store.boards, names, clock)
    rows.add_to(pages)
    DailyPages(store, play.deals, play.projector, rows, names, clock).add_to(pages)
    PlayerPages(store, clock).add_to(pages)
