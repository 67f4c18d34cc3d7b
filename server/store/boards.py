"""Leaderboards in the store: a sorted set of packed numbers and a hash of rows, written by one script.

What lives here: putting a row, reading a page, counting. What does not: what a packed number means and which
board a result goes to (core.boards). Equal numbers share a place: 1 + how many have more (1, 2, 2, 4); among
equals the order means nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import msgspec

from server.core.boards import DAYS_FIELD, Row
from server.store import keys
from server.store.guard import guarded, run_script
from server.store.lua import BOARD_COUNTS, BOARD_PAGE, BOARD_PUT
from server.store.topology import Client

_encode = msgspec.msgpack.encode
_decode = msgspec.msgpack.Decoder(Row).decode


class Rule(Enum):
    """When a row replaces the one that stands."""

    FIRST = "first"
    """Never: the first result counts."""
    BEST = "best"
    """When its number is bigger."""
    GROWN = "grown"
    """When it adds up at least as many days: sums of one player only grow, so more days have seen more."""
    SET = "set"
    """Always (repair)."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A row with its place."""

    place: int
    """From 1; equals share it."""
    player: str
    number: int
    """The packed number."""
    row: Row


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of a leaderboard, best first."""

    players: int
    """Of the whole board."""
    rows: list[Placed]
    first: int = 0
    """Rank of the first row, from 0."""


class Boards:
    """All leaderboards. Methods raise StoreAway, BadKey for what is no board's name."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def put(self, board: str, player: str, number: int, row: Row, rule: Rule) -> bool:
        """Put a row if the rule lets it; whether this very row stands there now. Safe to repeat.

        The row of a player who was taken off the board (removals) is kept up to date out of sight.
        """
        args = (player, number, _encode(row), rule.value, row.days, DAYS_FIELD)
        shadow = [keys.removed(board), keys.shadow(board), keys.shadow_rows(board)]
        return bool(await run_script(self._client, BOARD_PUT, [*_keys(board), *shadow], *args))

    @guarded
    async def remove(self, board: str, player: str) -> None:
        """Take a row off (repair)."""
        await self._client.execute_command("ZREM", keys.ranking(board), player)
        await self._client.execute_command("HDEL", keys.ranking_rows(board), player)

    @guarded
    async def page(self, board: str, first: int, count: int) -> Page:
        """`count` rows (1 to 1000) from rank `first` (≥ 0) on."""
        return _page(await run_script(self._client, BOARD_PAGE, _keys(board), "page", first, count))

    @guarded
    async def around(self, board: str, player: str, each: int) -> Page | None:
        """The row of a player with up to `each` rows before and after it; None: not on the board."""
        answer = await run_script(self._client, BOARD_PAGE, _keys(board), "around", player, each)
        page = _page(answer)
        return page if page.rows else None

    async def row(self, board: str, player: str) -> Placed | None:
        """The row of a player; None: not on the board."""
        found = await self.around(board, player, 0)
        return None if found is None else found.rows[0]

    @guarded
    async def removed(self, board: str) -> dict[str, tuple[int, Row]]:
        """Rows that were taken off: packed number and row by player."""
        numbers = await self._client.execute_command("ZRANGE", keys.shadow(board), 0, -1, "WITHSCORES")
        rows = await self._client.execute_command("HGETALL", keys.shadow_rows(board))
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return {player.decode(): (int(float(number)), _row(rows.get(player, b""))) for player, number in pairs}

    @guarded
    async def players(self, board: str) -> int:
        """How many stand on the board."""
        return int(await self._client.execute_command("ZCARD", keys.ranking(board)))

    @guarded
    async def at_least(self, board: str, numbers: Sequence[int]) -> tuple[int, list[int]]:
        """Players in all, and for each number how many have it or more."""
        answer = await run_script(self._client, BOARD_COUNTS, [keys.ranking(board)], *numbers)
        assert isinstance(answer, list)
        return int(answer[0]), [int(count) for count in answer[1:]]


def _keys(board: str) -> list[str]:
    return [keys.ranking(board), keys.ranking_rows(board)]


def _page(answer: object) -> Page:
    assert isinstance(answer, list)
    players, first, place = answer[:3]
    rows: list[Placed] = []
    for at in range(3, len(answer), 3):
        number = int(float(answer[at + 1]))
        if rows:
            # Further down, whoever has less than the row before has as many before them as their rank says.
            place = rows[-1].place if number == rows[-1].number else first + len(rows) + 1
        rows.append(Placed(place, answer[at].decode(), number, _row(answer[at + 2])))
    return Page(players, rows, max(first, 0))


def _row(value: bytes) -> Row:
    """The row; an empty one where somebody removed it by hand (the audit says so)."""
    return _decode(value) if value else Row(0, 0, 0, 0, 0)
