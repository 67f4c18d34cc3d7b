"""Sees when the event loop stands still, and says where (reliability F21).

What lives here: a heartbeat in the loop, a thread that watches it, and the counts. What does not: mending.
Whatever holds the loop for longer than `STUCK_MS` is logged with the stack of that moment, from outside.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import traceback
from collections.abc import Callable

import structlog

from server.spread import Spread

BEAT_S = 0.05
STUCK_MS = 250

_log = structlog.get_logger(__name__)


class Watchdog:
    """Lag of one event loop: how late its beats were."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.lag = Spread()
        self.longest_ms = 0.0
        self.stuck = 0
        """How often the loop stood still for longer than `STUCK_MS`."""
        self._monotonic = monotonic
        self._due = monotonic() + BEAT_S
        self._told = False
        self._timer: asyncio.TimerHandle | None = None
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop_thread = 0

    def start(self) -> None:
        """Begin; call it inside the event loop."""
        self._loop_thread = threading.get_ident()
        self._due = self._monotonic() + BEAT_S
        self._timer = asyncio.get_running_loop().call_later(BEAT_S, self._beat)
        self._thread = threading.Thread(target=self._watch, name="kupa-watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; the thread is gone when this returns."""
        if self._timer is not None:
            self._timer.cancel()
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _beat(self) -> None:
        now = self._monotonic()
        self.note((now - self._due) * 1000)
        self._due = now + BEAT_S
        self._timer = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def note(self, late_ms: float) -> None:
        """A beat came so late."""
        late_ms = max(0.0, late_ms)
        self.longest_ms = max(self.longest_ms, late_ms)
        self.lag.note(late_ms)
        if late_ms > STUCK_MS:
            self.stuck += 1
            _log.warning("loop.stuck", late_ms=round(late_ms))
        self._told = False

    def _watch(self) -> None:
        while not self._over.wait(STUCK_MS / 2000):
            if not self._told and (self._monotonic() - self._due) * 1000 > STUCK_MS:
                self._told = True
                frame = sys._current_frames().get(self._loop_thread)
                where = traceback.format_stack(frame)[-6:] if frame is not None else []
                _log.warning("loop.stands", stack="".join(where))
