"""`kupa daily` and `kupa audit`: leaderboards on the terminal, and whether they say what the logs say.

What lives here: opening the store for them, and their reports as text or JSON. What does not: boards and audits
(server.services).
"""

from __future__ import annotations

from typing import Any

from server.app import store_of
from server.config import Config
from server.core import daily
from server.core.boards import Period, Tab
from server.core.daily import Day
from server.plural import number_of
from server.services import audit, rating_audit
from server.services.audit import Difference, Report, Step
from server.services.board_pages import BoardPages
from server.services.board_query import BoardQuery
from server.services.daily_deals import DailyDeals
from server.services.name_book import NameBook
from server.services.replays import Replays
from server.shown import harmless
from server.store.connect import Store

SHOWN = 20
"""Differences that are printed; JSON has all."""


async def board(config: Config, ruleset: str, tab: Tab, day: Day | None, rows: int) -> dict[str, Any]:
    """The first rows of a day's leaderboard, as `/api/board` answers it. Raises CannotStart, StoreAway."""
    async with store_of(config) as store:
        day = day or daily.day_of(store.clock.now_ms())
        pages = BoardPages(store.boards, NameBook(store.players, store.clock), store.clock)
        return await pages.piece(BoardQuery(Period.DAY, day, ruleset, tab, 1, "", ""), rows)


async def check(config: Config, *, repair: bool, step: Step) -> tuple[Report, int]:
    """Audit all leaderboards and ratings; with `repair`, mend what differs and audit again. Answers the last report
    and how much was mended. Raises CannotStart, StoreAway."""
    async with store_of(config) as store:
        report = await _audit(store, step)
        mended = len(report.differences) + len(report.ratings)
        if not repair or not mended:
            return report, 0
        await audit.repair(store, report.differences)
        await rating_audit.differences(store.ratings, Replays(store).heat, repair=True)
        return await _audit(store, step), mended


async def _audit(store: Store, step: Step) -> Report:
    report = await audit.audit(store, DailyDeals(store.dailies, store.clock), store.clock, step)
    report.ratings = await rating_audit.differences(store.ratings, Replays(store).heat)
    return report


def as_json(report: Report, mended: int) -> dict[str, Any]:
    """The report for programs."""
    return {
        "boards": report.boards,
        "rows": report.rows,
        "logs": report.logs,
        "pending": report.pending,
        "mended": mended,
        "unreadable": [{"log": name, "why": why} for name, why in report.unreadable],
        "differences": [_plain(each) for each in report.differences],
        "ratings": report.ratings,
    }


def _plain(each: Difference) -> dict[str, Any]:
    def values(row: Any) -> dict[str, Any] | None:
        return None if row is None else {name: getattr(row, name) for name in row.__struct_fields__}

    return {
        "board": each.board, "player": each.player, "expected": values(each.expected), "found": values(each.found)
    }  # fmt: skip


def as_text(report: Report, mended: int) -> list[str]:
    """The report for people."""
    compared = f"{number_of(report.rows, 'row')} on {number_of(report.boards, 'leaderboard')} compared"
    lines = [f"{number_of(report.logs, 'log')} replayed, {compared}"]
    if report.pending:
        lines.append(f"{number_of(report.pending, 'result is', 'results are')} on the way to the leaderboards")
    if mended:
        lines.append(f"{number_of(mended, 'row')} mended")
    for name, why in report.unreadable[:SHOWN]:
        lines.append(f"cannot be replayed: {name}: {why}")
    for each in report.differences[:SHOWN]:
        lines.append(f"{each.board} {each.player}: the logs say {each.expected}, the store says {each.found}")
    lines += report.ratings[:SHOWN]
    hidden = sum(max(0, len(each) - SHOWN) for each in (report.differences, report.unreadable, report.ratings))
    if hidden:
        lines.append(f"and {hidden} more (--json shows all)")
    differing = len(report.differences) + len(report.ratings)
    differ = f"{number_of(differing, 'row differs', 'rows differ')} from the logs"
    lines.append("everything agrees" if report.clean else differ)
    return [harmless(line) for line in lines]
