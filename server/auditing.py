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
from server.services import audit
from server.services.audit import Difference, Report, Step
from server.services.board_pages import BoardPages
from server.services.board_query import BoardQuery
from server.services.daily_deals import DailyDeals
from server.services.name_book import NameBook

SHOWN = 20
"""Differences that are printed; JSON has all."""


async def board(config: Config, ruleset: str, tab: Tab, day: Day | None, rows: int) -> dict[str, Any]:
    """The first rows of a day's leaderboard, as `/api/board` answers it. Raises CannotStart, StoreAway."""
    async with store_of(config) as store:
        day = day or daily.day_of(store.clock.now_ms())
        pages = BoardPages(store.boards, NameBook(store.players, store.clock), store.clock)
        return await pages.piece(BoardQuery(Period.DAY, day, ruleset, tab, 1, "", ""), rows)


async def check(config: Config, *, repair: bool, step: Step) -> tuple[Report, int]:
    """Audit all leaderboards; with `repair`, mend what differs and audit again. Answers the last report and how
    much was mended. Raises CannotStart, StoreAway."""
    async with store_of(config) as store:
        deals = DailyDeals(store.dailies, store.clock)
        report = await audit.audit(store, deals, store.clock, step)
        if not repair or not report.differences:
            return report, 0
        mended = len(report.differences)
        await audit.repair(store, report.differences)
        return await audit.audit(store, deals, store.clock, step), mended


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
    }


def _plain(each: Difference) -> dict[str, Any]:
    def values(row: Any) -> dict[str, Any] | None:
        return None if row is None else {name: getattr(row, name) for name in row.__struct_fields__}

    return {
        "board": each.board, "player": each.player, "expected": values(each.expected), "found": values(each.found)
    }  # fmt: skip


def as_text(report: Report, mended: int) -> list[str]:
    """The report for people."""
    lines = [f"{report.logs} logs replayed, {report.rows} rows on {report.boards} leaderboards compared"]
    if report.pending:
        lines.append(f"{report.pending} results are on their way to the leaderboards")
    if mended:
        lines.append(f"{mended} rows mended")
    for name, why in report.unreadable[:SHOWN]:
        lines.append(f"cannot be replayed: {name}: {why}")
    for each in report.differences[:SHOWN]:
        lines.append(f"{each.board} {each.player}: the logs say {each.expected}, the store says {each.found}")
    hidden = max(0, len(report.differences) - SHOWN) + max(0, len(report.unreadable) - SHOWN)
    if hidden:
        lines.append(f"and {hidden} more (--json shows all)")
    lines.append("everything agrees" if report.clean else f"{len(report.differences)} rows differ from the logs")
    return lines
