"""Sees when the event loop stands still, and says where (reliability F21).

What lives here: a heartbeat in the loop, a thread that watches it, and the counts. What does not: mending.
Whatever holds the loop for longer than `STUCK_MS` is logged with its stack, from outside, while it does so; and
afterwards with the lines where the loop was found meanwhile. One look is not enough: it comes when the loop lets
other threads run, which is when it waits. Time in which it was ready to run and the machine ran others (scheduled) is
no stall of ours, wherever the loop was found meanwhile; nor is one in which it is only ever found waiting and has used
next to no processor. That is counted and told apart (`loop.starved`, no warning).
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from types import FrameType

import structlog

from server.scheduled import Scheduled
from server.spread import Spread

BEAT_S = 0.05
STUCK_MS = 250
LATE_MS = 100
"""From then on the loop is looked at closely."""
WATCH_S, LOOK_S = 0.1, 0.02
"""Between two looks, while all is well and closely."""
LOOKS = 50
"""Close looks at one stall: longer ones cost no more."""
LINES = 3
"""So many lines are named."""
WORKED = 0.25
"""Who used less of a stall than this share of it did not work in it."""
HANGS_MS = 2_000
"""A loop that is only found waiting for so long is told like one that stands: it may never come back."""
DEEP = 6
"""So much of a stack is told."""

_LOOP = ("run_until_complete", "run_forever", "_run_once")
"""Functions of a loop that wait, or call what is ours."""
_WAITS = ("/selectors.py", "/asyncio/runners.py")
"""Where a loop waits: asyncio's, and one that has no Python of its own (uvloop)."""

_log = structlog.get_logger(__name__)


class Watchdog:
    """Lag of one event loop: how late its beats were."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.lag = Spread()
        self.longest_ms = 0.0
        self.stuck = 0
        """How often something of ours held the loop for longer than `STUCK_MS`."""
        self.starved = 0
        """How often the machine gave it no time for so long."""
        self._monotonic = monotonic
        self._due = monotonic() + BEAT_S
        self._cpu_s = self._denied_s = 0.0
        self._scheduled: Scheduled | None = None
        self._told = 0.0
        """The beat that was last told to be late."""
        self._looks = 0
        self._seen: Counter[str] = Counter()
        self._stack: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop_thread = 0

    def start(self) -> None:
        """Begin; call it inside the event loop."""
        self._loop_thread = threading.get_ident()
        self._due = self._monotonic() + BEAT_S
        self._scheduled = Scheduled(threading.get_native_id())
        self._cpu_s, self._denied_s = time.thread_time(), self._scheduled.denied_s()
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
        if self._scheduled is not None:
            self._scheduled.close()

    def _beat(self) -> None:
        now, cpu_s, denied_ms = self._monotonic(), time.thread_time(), self._denied_ms()
        self.note((now - self._due) * 1000, (cpu_s - self._cpu_s) * 1000, denied_ms)
        self._due, self._cpu_s, self._denied_s = now + BEAT_S, cpu_s, self._denied_s + denied_ms / 1000
        self._timer = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def _denied_ms(self) -> float:
        """For how long the loop could have run since the last beat, and was not let."""
        return 0.0 if self._scheduled is None else max(0.0, self._scheduled.denied_s() - self._denied_s) * 1000

    def note(self, late_ms: float, cpu_ms: float = 0.0, denied_ms: float = 0.0) -> None:
        """A beat came so late; since the last one the loop used the processor for `cpu_ms`, and could have used it for
        `denied_ms` more."""
        late_ms = max(0.0, late_ms)
        self.longest_ms = max(self.longest_ms, late_ms)
        self.lag.note(late_ms)
        seen, self._seen = self._seen, Counter()
        if late_ms > STUCK_MS:
            tell = _log.bind(late_ms=round(late_ms), cpu_ms=round(cpu_ms), denied_ms=round(denied_ms))
            waited = not seen and cpu_ms < WORKED * late_ms
            if waited or late_ms - denied_ms <= STUCK_MS:
                self.starved += 1
                tell.info("loop.starved", why="the machine gave no time")
            else:
                self.stuck += 1
                tell.warning("loop.stuck", where=[f"{line} ×{count}" for line, count in seen.most_common(LINES)])
        self._looks, self._stack = 0, []

    # ------------------------------------------------------------ from outside

    def _watch(self) -> None:
        pause_s = WATCH_S
        while not self._over.wait(pause_s):
            pause_s = self._watched()

    def _watched(self) -> float:
        """One look; seconds until the next."""
        due = self._due
        late_ms = (self._monotonic() - due) * 1000
        close = late_ms > LATE_MS and self._looks < LOOKS
        if close:
            self._look()
        if (late_ms > HANGS_MS or (self._seen and late_ms - self._denied_ms() > STUCK_MS)) and due != self._told:
            self._told = due
            _log.warning("loop.stands", stack="".join(self._stack))
        return LOOK_S if close else WATCH_S

    def _look(self) -> None:
        """Where the loop is now; a stack that names somebody is kept until one comes that does so too."""
        self._looks += 1
        frame = sys._current_frames().get(self._loop_thread)
        if frame is None:
            return
        waits = frame.f_code.co_name in _LOOP or frame.f_code.co_filename.endswith(_WAITS)
        if not waits:
            self._seen[_line(frame)] += 1
        if not waits or not self._stack:
            self._stack = _stack(frame)


def _stack(frame: FrameType) -> list[str]:
    """Where the innermost calls are, the innermost last. Not what stands there: the sources would be read while the
    loop stands, and stay in memory for ever."""
    found: list[str] = []
    call: FrameType | None = frame
    while call is not None and len(found) < DEEP:
        found.append(f'  File "{call.f_code.co_filename}", line {call.f_lineno}, in {call.f_code.co_name}\n')
        call = call.f_back
    return found[::-1]


def _line(frame: FrameType) -> str:
    """The innermost line of our own that the loop has called: file, line and function; where there is none, the
    very innermost."""
    own: FrameType | None = frame
    while own is not None and any(part in own.f_code.co_filename for part in ("site-packages", "/lib/python")):
        own = None if own.f_code.co_name in _LOOP else own.f_back
    found = own or frame
    return f"{'/'.join(found.f_code.co_filename.split('/')[-2:])}:{found.f_lineno} {found.f_code.co_name}"
