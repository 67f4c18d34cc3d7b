"""How long a leaderboard of a million rows takes to answer: `python tests/bench/bench_boards.py [--rows N]`.

A local store of its own is filled (bounded; about half a minute for a million rows), then random players ask for
their place, random pages and neighbourhoods are read, one after the other over one client. Prints the median and
the 99th percentile of each in milliseconds, and those of a bare command, so that a figure of a busy machine can be
read; exit status 1 when one of them misses the goal and is not explained by that.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import msgspec  # noqa: E402

from server.core import boards, daily  # noqa: E402
from server.core.boards import Period, Row, Tab  # noqa: E402
from server.core.chart import chart, least  # noqa: E402
from server.services.board_pages import BoardPages  # noqa: E402
from server.services.board_query import BoardQuery  # noqa: E402
from server.services.name_book import NameBook  # noqa: E402
from server.store import keys  # noqa: E402
from server.store.boards import Rule  # noqa: E402
from server.store.connect import Store, open_store  # noqa: E402
from server.store.ids import new_id  # noqa: E402
from tests.store_fixture import Server  # noqa: E402

GAME = "DS1-D1N"
CHUNK = 1_000
GOAL_MS = 5.0
"""99 of 100 answers of the store. What `/api/board` makes of them is printed beside: names, chart and JSON."""
BUSY = 5.0
"""So many bare commands may an answer take on a machine that has other work."""


async def filled(store: Store, board: str, rows: int, chance: random.Random) -> list[str]:
    """Fill the board the quick way; returns a thousand of its players."""
    sample: list[str] = []
    for first in range(0, rows, CHUNK):
        ranking: list[object] = ["ZADD", keys.ranking(board)]
        details: list[object] = ["HSET", keys.ranking_rows(board)]
        for _ in range(min(CHUNK, rows - first)):
            player = new_id()
            row = Row(chance.randrange(1500), chance.randrange(60_000, 7_200_000), 0, 60, 200, game=player)
            ranking += (boards.packed(Period.DAY, Tab.SCORE, row), player)
            details += (player, msgspec.msgpack.encode(row))
        sample.append(str(ranking[-1]))
        await store.client.execute_command(*ranking)
        await store.client.execute_command(*details)
    return sample


async def timed(name: str, calls: int, ask: Callable[[], Awaitable[object]]) -> float:
    """Ask so often; print and return the 99th percentile in ms."""
    took = []
    for _ in range(calls):
        began = time.perf_counter()
        await ask()
        took.append((time.perf_counter() - began) * 1000)
    median, p99 = statistics.median(took), statistics.quantiles(took, n=100)[98]
    print(f"{name:<44} p50 {median:7.3f} ms   p99 {p99:7.3f} ms   ({calls} calls)")
    return p99


async def measured(store: Store, rows: int, calls: int) -> tuple[float, float]:
    """Fill and ask; the 99th percentile of a bare command and the worst of all others."""
    chance = random.Random(1)
    day = daily.day_of(store.clock.now_ms())
    board = boards.name(Period.DAY, day, GAME, Tab.SCORE)
    began = time.perf_counter()
    players = await filled(store, board, rows, chance)
    used = (await store.client.execute_command("INFO", "memory"))["used_memory"]
    print(f"{rows:,} rows in {time.perf_counter() - began:.0f} s, {used / rows:.0f} bytes a row")
    bars = [least(Tab.SCORE, bar) for bar in chart(Tab.SCORE, GAME)]
    pages = BoardPages(store.boards, NameBook(store.players, store.clock), store.clock)
    last = max(1, rows // 50)

    def query(page: int, around: str) -> BoardQuery:
        return BoardQuery(Period.DAY, day, GAME, Tab.SCORE, page, around, around)

    async def put() -> None:
        row = Row(chance.randrange(1500), chance.randrange(60_000, 7_200_000), 0, 60, 200)
        await store.boards.put(board, new_id(), boards.packed(Period.DAY, Tab.SCORE, row), row, Rule.FIRST)

    some = calls // 5
    bare = await timed("a bare command", calls, store.ping)
    worst = max(
        await timed("place of a player", calls, lambda: store.boards.row(board, chance.choice(players))),
        await timed("a page of 50", calls, lambda: store.boards.page(board, 50 * chance.randrange(last), 50)),
        await timed("25 before and after", calls, lambda: store.boards.around(board, chance.choice(players), 25)),
        await timed("the chart", some, lambda: store.boards.at_least(board, bars)),
        await timed("a new row", calls, put),
    )
    await timed(
        "/api/board: any page, chart, names", some, lambda: pages.piece(query(chance.randrange(1, last), ""), 50)
    )
    await timed("/api/board: around a player", some, lambda: pages.piece(query(1, chance.choice(players)), 50))
    return bare, worst


async def run(rows: int, calls: int) -> int:
    """The whole measurement on a store of its own."""
    with tempfile.TemporaryDirectory(prefix="kupa") as folder:
        server = Server(Path(folder))
        server.start()
        try:
            store = await open_store(server.url, check=False)
            bare, worst = await measured(store, rows, calls)
            await store.close()
        finally:
            server.kill()
    reached = worst <= max(GOAL_MS, BUSY * bare)
    print(f"goal {GOAL_MS:.0f} ms, or {BUSY:.0f} times a bare command: {'reached' if reached else 'missed'}")
    return 0 if reached else 1


def main() -> int:
    """Read the flags and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the board (1,000,000)")
    parser.add_argument("--calls", type=int, default=2_000, help="calls of each kind (2,000)")
    asked = parser.parse_args()
    return asyncio.run(run(max(1_000, asked.rows), max(500, asked.calls)))


if __name__ == "__main__":
    sys.exit(main())
