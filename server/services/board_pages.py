"""`/api/board`: a piece of a leaderboard as JSON or CSV, readable by everybody (P6).

Lives here: rows with places and names, the chart of a day. Lives elsewhere: what is asked (board_query), the boards
(store.boards), their order (core.boards).
"""

from __future__ import annotations

import csv
import io
from typing import Any

from server.clock import Clock
from server.core import boards, daily
from server.core.boards import Period
from server.core.chart import chart, least
from server.net.pages import PageRequest, Pages, Reply
from server.services import board_query
from server.services.api import FRESH, Brief, json, route
from server.services.board_query import BoardQuery
from server.services.name_book import NameBook
from server.store.boards import Boards, Page, Placed

PAGE_ROWS = 50
CSV_ROWS = 1_000
AROUND = 25
KEEP_MS = 1_000
"""A place that was told is the place on the board a second later (findings L6)."""
COLUMNS = ("place", "player", "name", "tag", "score", "time_ms", "won", "out", "moves", "days", "game")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A name that begins so would be a formula in a spreadsheet."""

Json = dict[str, Any]


class BoardPages:
    """The pages of the leaderboards."""

    def __init__(self, store: Boards, names: NameBook, clock: Clock) -> None:
        self._store = store
        self._names = names
        self._clock = clock
        self._brief: Brief[Json] = Brief(clock, KEEP_MS)

    def add_to(self, pages: Pages) -> None:
        """Answer the addresses of the leaderboards."""
        pages.route("/api/board", route(self._json))
        pages.route("/api/board.csv", route(self._csv))

    # ------------------------------------------------------------ pages

    async def _json(self, request: PageRequest) -> Reply:
        asked = board_query.read(request, self._clock.now_ms())
        return json(await self._brief.get(asked, lambda: self.piece(asked, PAGE_ROWS)))

    async def _csv(self, request: PageRequest) -> Reply:
        asked = board_query.read(request, self._clock.now_ms())
        piece = await self._brief.get((asked, "csv"), lambda: self.piece(asked, CSV_ROWS))
        out = io.StringIO()
        table = csv.writer(out)
        table.writerow(COLUMNS)
        for row in piece["rows"]:
            table.writerow(_cell(row[column]) for column in COLUMNS)
        name = f"{asked.board}.csv"
        headers = (*FRESH, ("Content-Disposition", f'attachment; filename="{name}"'))
        return Reply(200, out.getvalue().encode(), "text/csv; charset=utf-8", headers)

    async def piece(self, asked: BoardQuery, size: int) -> Json:
        """What is asked for, `size` rows a page. Raises StoreAway."""
        page = await self._page(asked, size)
        mine = await self._store.row(asked.board, asked.player) if asked.player else None
        shown = await self.rows(asked.period, asked.day, [*page.rows, *([mine] if mine else [])])
        covers = boards.span(asked.period, asked.day)
        return {
            "board": asked.board,
            "period": asked.period,
            "date": asked.day,
            "ruleset": asked.ruleset,
            "tab": asked.tab,
            "from": covers[0] if covers else None,
            "to": covers[1] if covers else None,
            "final": covers is not None and daily.is_final(covers[1], self._clock.now_ms()),
            "players": page.players,
            "page": page.first // size + 1,
            "pages": max(1, -(-page.players // size)),
            "rows": shown[: len(page.rows)],
            "you": shown[-1] if mine else None,
            "chart": await self._chart(asked) if asked.period is Period.DAY else [],
        }

    async def _page(self, asked: BoardQuery, size: int) -> Page:
        if asked.around:
            around = await self._store.around(asked.board, asked.around, AROUND)
            if around is not None:
                return around
        return await self._store.page(asked.board, (asked.page - 1) * size, size)

    # ------------------------------------------------------------ rows

    async def rows(self, period: Period, day: daily.Day, placed: list[Placed]) -> list[Json]:
        """Rows as they are shown: with names, and with their game where it may be replayed."""
        names = await self._names.of(each.player for each in placed)
        replayed = period is Period.RACE or (period is Period.DAY and daily.is_final(day, self._clock.now_ms()))
        return [
            {
                "place": each.place,
                "player": each.player,
                "name": names[each.player].name,
                "tag": names[each.player].tag,
                "score": each.row.score,
                "time_ms": each.row.time_ms,
                "won": each.row.won,
                "out": each.row.out,
                "moves": each.row.moves,
                "days": each.row.days,
                "game": each.row.game if replayed else "",
                "flags": each.row.flags,
            }
            for each in placed
        ]

    async def _chart(self, asked: BoardQuery) -> list[Json]:
        """How many reached what, from left to right."""
        bars = chart(asked.tab, asked.ruleset)
        best_first = bars if asked.tab is boards.Tab.TIME else bars[::-1]
        _, reached = await self._store.at_least(asked.board, [least(asked.tab, bar) for bar in best_first])
        counts = [count - before for count, before in zip(reached, [0, *reached], strict=False)]
        if asked.tab is not boards.Tab.TIME:
            counts.reverse()
        return [{"from": bar.low, "to": bar.high, "count": count} for bar, count in zip(bars, counts, strict=True)]


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
