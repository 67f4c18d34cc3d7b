"""How often something may happen: token buckets as plain values.

What lives here: the arithmetic of rates, per thing and per key. What does not: a clock (each call is
told the time), the rates themselves (settings, constants of the shell) and what happens to the excess.

A bucket holds up to `burst` tokens and gains `per_s` a second. It is kept as one number, the instant at
which it will be full again (the "generic cell rate algorithm"), so a bucket costs one int and no timer.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """`per_s` (> 0) tokens a second, at most `burst` (≥ 1) saved up."""

    per_s: float
    burst: int

    def __post_init__(self) -> None:
        if self.per_s <= 0 or self.burst < 1:
            raise ValueError("a rate is positive and lets at least one through")


class Bucket:
    """One bucket, full at first. Times are milliseconds of any clock that never goes back.

    Kept in microseconds as floats, which hold whole numbers of such times exactly (below 2⁵³: for 285 years).
    """

    __slots__ = ("_each_us", "_full_at_us", "_span_us")

    def __init__(self, rate: Rate) -> None:
        self._each_us = float(round(1_000_000 / rate.per_s))
        self._span_us = self._each_us * rate.burst
        self._full_at_us = 0.0

    def take(self, at_ms: int, n: int = 1) -> bool:
        """Take `n` (≥ 0) tokens at `at_ms` if so many are there; False changes nothing."""
        at_us = at_ms * 1000.0
        full_at_us = self._full_at_us
        if full_at_us < at_us:
            full_at_us = at_us
        full_at_us += self._each_us * n
        if full_at_us - at_us > self._span_us:
            return False
        self._full_at_us = full_at_us
        return True

    def wait_ms(self, at_ms: int, n: int = 1) -> int:
        """Milliseconds from `at_ms` until `n` tokens are there; 0 when they are.

        `n` above the burst is never to be had; the answer then is when the bucket would owe them.
        """
        at_us = at_ms * 1000.0
        lacking_us = max(self._full_at_us, at_us) + self._each_us * n - at_us - self._span_us
        return max(0, -(-int(lacking_us) // 1000))

    def is_full(self, at_ms: int) -> bool:
        """Whether nothing was taken lately: a full bucket may be forgotten."""
        return self._full_at_us <= at_ms * 1000.0


def take_both(first: Bucket, second: Bucket, at_ms: int) -> bool:
    """Take one token of each; when `first` has none, `second` keeps its own. Written out: asked at every move."""
    at_us = at_ms * 1000.0
    full_at_us = first._full_at_us
    full_at_us = (full_at_us if full_at_us > at_us else at_us) + first._each_us
    if full_at_us - at_us > first._span_us:
        return False
    first._full_at_us = full_at_us
    full_at_us = second._full_at_us
    full_at_us = (full_at_us if full_at_us > at_us else at_us) + second._each_us
    if full_at_us - at_us > second._span_us:
        return False
    second._full_at_us = full_at_us
    return True


class Keyed:
    """A bucket for each key. Buckets that are full again are forgotten, so memory follows traffic."""

    __slots__ = ("_buckets", "_most", "_rate")

    def __init__(self, rate: Rate, most: int = 100_000) -> None:
        """`most` keys are remembered at once; beyond that new keys are refused until some are full again."""
        self._rate = rate
        self._most = most
        self._buckets: dict[str, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, at_ms: int, n: int = 1) -> bool:
        """Take `n` tokens of the bucket of `key`, as `Bucket.take` does."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._new(key, at_ms)
            if bucket is None:
                return False
        return bucket.take(at_ms, n)

    def _new(self, key: str, at_ms: int) -> Bucket | None:
        """A fresh bucket for `key`. The oldest keys go first, as far as they are full."""
        for old in [old for old, _ in zip(self._buckets, range(4), strict=False)]:
            bucket = self._buckets.pop(old)
            if not bucket.is_full(at_ms):
                self._buckets[old] = bucket
        if len(self._buckets) >= self._most:
            return None
        bucket = self._buckets[key] = Bucket(self._rate)
        return bucket
