"""From a heat's result in its room to the rows of its tournament.

What lives here: who sat where, no-shows who were not even drawn, and where a board stands in the whole field of its
deal (ruling 26). What does not: places (`server.core.judging`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from server.core.boards import percentile
from server.core.ids import EntrantId
from server.core.tournament.record import ABANDONED, Round, Row, rank
from server.wire.messages import ResultRow


def rows_of(entrants: tuple[EntrantId, ...], found: Iterable[ResultRow]) -> tuple[Row, ...]:
    """The rows by entrant, seat i being that of entrant i; who had left before the draw was not there."""
    rows = [
        Row(entrants[row.seat], row.place, row.ended, row.out, row.score, row.moves, row.at_ms) for row in found
    ]  # fmt: skip
    there = {row.entrant for row in rows}
    last = len(rows) + 1
    return (*rows, *(Row(one, last, ABANDONED, 0, 0, 0, 0) for one in entrants if one not in there))


def percentiles(number: Round, goal: str) -> dict[EntrantId, int]:
    """Of all others who had the round's deal, in whichever heat, how many in a hundred did worse, rounded down
    (ruling 26); −1: there was nobody else. Empty while the deal is sealed; who never came has no board."""
    boards = [row for row in number.rows() if not row.absent] if number.code else []
    ranks = sorted(rank(row, goal) for row in boards)
    return {row.entrant: percentile(len(ranks) - bisect_right(ranks, rank(row, goal)), len(ranks)) for row in boards}
