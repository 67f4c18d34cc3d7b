"""How long something takes, as counts in buckets: for the operator's numbers.

What lives here: counting. What does not: giving it out (metrics).
"""

from __future__ import annotations

from bisect import bisect_left

BUCKETS_MS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500)


class Spread:
    """`counts[i]` of the values were at most `BUCKETS_MS[i]`, the last ones more."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS_MS) + 1)
        self.total_ms = 0.0

    def note(self, ms: float) -> None:
        """One more value (≥ 0)."""
        self.total_ms += ms
        self.counts[bisect_left(BUCKETS_MS, ms)] += 1
