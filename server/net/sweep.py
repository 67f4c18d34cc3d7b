"""Visits every connection twice a second, a few at a time.

What lives here: whose turn it is. What does not: what a visit does (connection). Spread over the
connections, so that keepalive never comes as a burst of pings to everybody (performance, ways and traps).
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from server.clock import Clock

PERIOD_MS: Final = 500
"""Each connection is visited once in so many milliseconds."""
SLOTS: Final = 10


class Visited(Protocol):
    """What is visited."""

    def visit(self, now_ms: int) -> None:
        """Look at deadlines and silence."""
        ...


class Sweep:
    """Connections in `SLOTS` groups of about the same size; one group is visited at each tick."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._groups: list[set[Visited]] = [set() for _ in range(SLOTS)]
        self._of: dict[Visited, int] = {}
        self._next_group = 0
        self._next_visit = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, visited: Visited) -> None:
        """Visit it from now on."""
        self._of[visited] = self._next_group
        self._groups[self._next_group].add(visited)
        self._next_group = (self._next_group + 1) % SLOTS

    def discard(self, visited: Visited) -> None:
        """Visit it no more."""
        group = self._of.pop(visited, None)
        if group is not None:
            self._groups[group].discard(visited)

    def tick(self) -> None:
        """Visit the group whose turn it is."""
        now_ms = self._clock.now_ms()
        for visited in tuple(self._groups[self._next_visit]):
            visited.visit(now_ms)
        self._next_visit = (self._next_visit + 1) % SLOTS

    def start(self) -> None:
        """Tick from now on, in the running loop."""
        self._arm(asyncio.get_running_loop())

    def stop(self) -> None:
        """Tick no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = loop.call_later(PERIOD_MS / SLOTS / 1000, self._run, loop)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        self._arm(loop)
        self.tick()
