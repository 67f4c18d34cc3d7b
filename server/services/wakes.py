"""When somebody looks at a room or tournament next: this process by a timer, any process by `kupa:due` (ruling 18).

Lives here: how long to wait, and noting it for the others. Lives elsewhere: what is due (core).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

from server.clock import Clock
from server.services.weakly import weakly
from server.store.due import Due
from server.store.errors import StoreError

WAKE_MS = 600_000
"""At the latest after this somebody looks at every one, whatever happened to the processes."""
OTHERS_MS = 700
"""What another process can do as well is left to it for so long."""
SLACK_MS = 1_000
"""An instant that others know of is good enough when it is not later than this."""


class Wakes:
    """The timer of one room or tournament in one process."""

    def __init__(
        self,
        owner: str,
        due: Due,
        clock: Clock,
        tick: Callable[[], None],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`owner`: as in `kupa:due`. `tick()` is called when the time has come; `spawn` runs work in its name. Both are
        methods of the host, which is not held."""
        self._owner = owner
        self._due = due
        self._clock = clock
        self._tick = weakly(tick)
        self._spawn = weakly(spawn)
        self._timer: asyncio.TimerHandle | None = None
        self._noted_ms = 0

    def arm(self, due_ms: int | None, *, afar: bool, at_least_ms: int = 0) -> None:
        """Look at `due_ms` (None: nothing is due), but not before `at_least_ms` from now; what is due already
        is left to others for a moment where there are any (`afar`)."""
        self.stop()
        now_ms = self._clock.now_ms()
        wait_ms = WAKE_MS if due_ms is None else max(due_ms - now_ms, at_least_ms)
        if at_least_ms == 0 and due_ms is not None and due_ms <= now_ms and afar:
            wait_ms = int(OTHERS_MS * random.random())
        self._timer = asyncio.get_running_loop().call_later(wait_ms / 1000, self._tick)
        wake_ms = min(due_ms or now_ms + WAKE_MS, now_ms + WAKE_MS)
        if self._noted_ms <= now_ms or wake_ms < self._noted_ms - SLACK_MS:
            self._noted_ms = wake_ms
            self._spawn(self._note(wake_ms))

    async def _note(self, wake_ms: int) -> None:
        try:
            await self._due.put(self._owner, wake_ms)
        except StoreError:
            self._noted_ms = 0
            raise

    def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
