"""From a heat's result in its room to the rows of its tournament.

What lives here: who sat where, and no-shows who were not even drawn. What does not: places (`server.core.judging`).
"""

from __future__ import annotations

from collections.abc import Iterable

from server.core.ids import EntrantId
from server.core.tournament.record import ABANDONED, Row
from server.wire.messages import ResultRow


def rows_of(entrants: tuple[EntrantId, ...], found: Iterable[ResultRow]) -> tuple[Row, ...]:
    """The rows by entrant, seat i being that of entrant i; who had left before the draw was not there."""
    rows = [
        Row(entrants[row.seat], row.place, row.ended, row.out, row.score, row.moves, row.at_ms) for row in found
    ]  # fmt: skip
    there = {row.entrant for row in rows}
    last = len(rows) + 1
    return (*rows, *(Row(one, last, ABANDONED, 0, 0, 0, 0) for one in entrants if one not in there))
