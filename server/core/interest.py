"""Which rows of a big heat a viewer is shown: the first five, the own one and its neighbours (ruling 8).

What lives here: the live order of a heat from counts alone, and the choice out of it. What does not: places
for good (`standings`), and sending. The order is a picture of the moment: equals stand by seat.
"""

from __future__ import annotations

from collections.abc import Mapping

from server.core.options import SCORE

Counts = tuple[int, int, int, int]
"""Cards out, score, moves, state (1: won)."""

ALL_UP_TO = 16
"""In heats of up to so many seats everybody is shown every row."""
FIRST = 5
NEIGHBOURS = 1
_WON = 1


def live_order(rows: Mapping[int, Counts], goal: str, won_ms: Mapping[int, int]) -> list[int]:
    """The seats in order of the race as it stands. `won_ms`: times of the boards known to be won."""

    def rank(seat: int) -> tuple[int, int, int, int, int]:
        out, score, _, state = rows[seat]
        if goal == SCORE:
            return (0, -score, 0, 0, seat)
        if state == _WON:
            return (0, won_ms.get(seat, 2**53), 0, 0, seat)
        return (1, 0, -out, -score, seat)

    return sorted(rows, key=rank)


def of_interest(order: list[int], own: int | None) -> list[int]:
    """The seats to show to whose board is number `own` in the order, from 0 (None: watches), in that order."""
    if own is None or own < FIRST:
        return order[: max(FIRST, 0 if own is None else own + NEIGHBOURS + 1)]
    return order[:FIRST] + order[max(FIRST, own - NEIGHBOURS) : own + NEIGHBOURS + 1]
