"""How fast and how evenly a board was played: what a human hand hardly does is marked, and never refused
(findings L12, reliability S20).

Lives here: flags from the times of a log. Lives elsewhere: what else is flagged (`integrity`), what is done about
a flag (people decide).

Times are those of receipt: after a line has hung, up to 16 moves come in at one instant. So nothing is said of
fewer than 30 moves in a row, and a median alone says nothing either.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

QUICK: Final = "quick"
"""In 30 moves in a row half came less than `QUICK_MS` after the one before, and they all in less than twice that."""
RAPID: Final = "rapid"
"""30 moves in a row came at more than `RAPID_RATE` a second."""
STEADY: Final = "steady"
"""30 moves in a row came as evenly as a clock ticks: deviation below one in `STEADY_PART` of the pause."""
QUICK_MS: Final = 120
RAPID_RATE: Final = 8
STEADY_PART: Final = 20
LEAST_MOVES: Final = 30
"""Shorter games say nothing."""


class _Stretch(NamedTuple):
    """The pauses between 31 moves in a row."""

    median: int
    total: int
    squares: int

    def marks(self) -> Iterator[str]:
        if self.median < QUICK_MS and self.total < 2 * QUICK_MS * LEAST_MOVES:
            yield QUICK
        if self.total * RAPID_RATE < 1000 * LEAST_MOVES:
            yield RAPID
        # variance / mean² below 1 / part², all in whole numbers
        if self.total and (self.squares * LEAST_MOVES - self.total**2) * STEADY_PART**2 < self.total**2:
            yield STEADY


def flags(times_ms: Sequence[int]) -> tuple[str, ...]:
    """Flags of a log whose entries were made at these times (ms since the gun, in order), sorted."""
    found: set[str] = set()
    for stretch in _stretches([after - before for before, after in zip((0, *times_ms), times_ms, strict=False)]):
        found.update(stretch.marks())
    return tuple(sorted(found))


def _stretches(gaps: Sequence[int]) -> Iterator[_Stretch]:
    if len(gaps) < LEAST_MOVES:
        return
    window = sorted(gaps[:LEAST_MOVES])
    total, squares = sum(window), sum(gap * gap for gap in window)
    yield _Stretch(window[LEAST_MOVES // 2], total, squares)
    for old, new in zip(gaps, gaps[LEAST_MOVES:], strict=False):
        del window[bisect_left(window, old)]
        insort(window, new)
        total += new - old
        squares += new * new - old * old
        yield _Stretch(window[LEAST_MOVES // 2], total, squares)
