"""The time of the store, for everybody (rulings 20, 21; reliability 2.7).

What lives here: the `Clock` protocol, `StoreClock` (follows the store's `TIME`) and `ManualClock`
(for tests). What does not: the command that reads `TIME` (server.store hands in a coroutine), and
every decision about time (server.core). A cluster
has as many clocks as primaries; all processes follow the same one (store.connect says which and why).

A clock answers integer milliseconds since the Unix epoch *on the store's timeline*. It never goes
back and never steps: it runs on the monotonic clock, and when the store's time is found to differ,
it runs a little faster or slower until it agrees again. So a jump of this machine's wall clock, or
a store that is slow to answer, is charged to nobody. Where the store's own time jumps (somebody set it, or
another machine took over), all processes bend towards it alike, and one that starts meanwhile begins where
the others are: `start(ahead_ms)`, which they tell each other (store.nodes).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

import structlog

from server.tasks import ended

_log = structlog.get_logger(__name__)

SAMPLES = 5
"""Readings a sample takes; the one with the shortest way there and back counts."""
EVERY_S = 10.0
"""Seconds between samples."""
SLEW = 0.005
"""By how much faster or slower the clock may run than real time: 5 ms in a second."""


class Clock(Protocol):
    """What tells the time on the store's timeline."""

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch; never less than what it said before."""
        ...


class ManualClock:
    """A clock for tests: stands still until it is moved."""

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        """Starts at `now_ms`."""
        self._now_ms = now_ms

    def now_ms(self) -> int:
        """The time it was last moved to."""
        return self._now_ms

    def advance(self, ms: int) -> None:
        """Go `ms` (≥ 0) ahead; a clock never goes back (ValueError)."""
        if ms < 0:
            raise ValueError("a clock never goes back")
        self._now_ms += ms


class StoreClock:
    """Follows the store's time: sampled, slewed, never stepped.

    It is not set until `sample` (or `start`) was awaited. `read_ms` asks the store for its time in
    milliseconds (a float is welcome); it may raise, and the clock then runs on as it is. `monotonic`
    answers seconds and never goes back.
    """

    def __init__(
        self, read_ms: Callable[[], Awaitable[float]], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._read_ms = read_ms
        self._monotonic = monotonic
        self._offset_ms: float | None = None
        self._target_ms = 0.0
        self._slewed_at_ms = 0.0
        self._soon = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def skew_ms(self) -> float:
        """How far the clock still is from the store's time as last sampled (for metrics)."""
        self._slew()
        return self._target_ms - (self._offset_ms or 0.0)

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch on the store's timeline. RuntimeError before the first sample."""
        if self._offset_ms is None:
            raise RuntimeError("the clock was not set: sample() comes first")
        if self._offset_ms != self._target_ms:
            self._slew()
        return int(self._monotonic() * 1000 + self._offset_ms)

    def _slew(self) -> None:
        """Move the offset towards the target, as far as the time since the last move allows."""
        if self._offset_ms is None:
            return
        mono_ms = self._monotonic() * 1000
        allowed = (mono_ms - self._slewed_at_ms) * SLEW
        self._slewed_at_ms = mono_ms
        missing = self._target_ms - self._offset_ms
        self._offset_ms += max(-allowed, min(allowed, missing))

    async def sample(self) -> None:
        """Read the store's time `SAMPLES` times and aim at the best reading.

        Raises what reading raises when not a single reading came through.
        """
        best_rtt, best_offset = float("inf"), 0.0
        failure: Exception | None = None
        for _ in range(SAMPLES):
            sent = self._monotonic() * 1000
            try:
                answer = await self._read_ms()
            except Exception as error:
                failure = error
                break
            back = self._monotonic() * 1000
            if back - sent < best_rtt:
                best_rtt, best_offset = back - sent, answer - (sent + back) / 2
        if best_rtt == float("inf"):
            assert failure is not None
            raise failure
        self._aim(best_offset)

    def _aim(self, offset_ms: float) -> None:
        """The first sample sets the clock; later ones only bend it."""
        self._slew()
        self._target_ms = offset_ms
        if self._offset_ms is None:
            self._offset_ms = offset_ms
        self._slewed_at_ms = self._monotonic() * 1000

    async def start(self, ahead_ms: float = 0.0) -> None:
        """Set the clock and keep it true from now on. Raises when the first sample fails.

        `ahead_ms`: by how much the clocks of the processes that run already are ahead of the store's time
        (negative: behind): this one begins there, and bends as they do.
        """
        await self.sample()
        assert self._offset_ms is not None
        self._offset_ms += ahead_ms
        self._task = asyncio.create_task(self._keep(), name="kupa-clock")

    def again(self) -> None:
        """Sample now: the store was away, and what answers may be another machine."""
        self._soon.set()

    async def _keep(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY_S):
                    await self._soon.wait()
            self._soon.clear()
            try:
                await self.sample()
            except Exception as error:
                _log.warning("the store's time was not read; the clock runs on", why=repr(error))

    async def close(self) -> None:
        """Stop sampling; the clock still tells the time."""
        if self._task is not None:
            await ended(self._task)
            self._task = None
