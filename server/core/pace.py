"""How fast a board was played: what a human hand hardly does is marked, and never refused (findings L12).

Lives here: flags from the times of a log. Lives elsewhere: what is done about a flag (people decide).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

QUICK: Final = "quick"
"""Half of the moves came less than `QUICK_MS` after the one before."""
QUICK_MS: Final = 120
LEAST_MOVES: Final = 30
"""Shorter games say nothing."""


def flags(times_ms: Sequence[int]) -> tuple[str, ...]:
    """Flags of a log whose entries were made at these times (ms since the gun, in order)."""
    if len(times_ms) < LEAST_MOVES:
        return ()
    gaps = sorted(after - before for before, after in zip((0, *times_ms[:-1]), times_ms, strict=True))
    return (QUICK,) if gaps[len(gaps) // 2] < QUICK_MS else ()
