"""One timer for all that rooms have to say a little later: a thousand rooms need not set a thousand.

Lives here: whose turn comes when, in ticks. Lives elsewhere: what is said then (counts), and how long it may wait.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

TICK_S: Final = 0.02
"""Short: what comes due in one tick is written in one go, and everybody's moves wait so long."""
SLOTS: Final = 64
"""Ticks in a turn of the wheel: nothing waits longer."""
_log = logging.getLogger(__name__)


class Waiting:
    """Who may have something to say."""

    def __init__(self) -> None:
        self.due = 0
        """The tick in which it wants to be called; 0: none."""

    def tell(self) -> None:
        """Its tick has come."""
        raise NotImplementedError


class Wheel:
    """Calls back within the tick that was asked for, never before it, and not while nobody waits. Who is asked for
    another tick meanwhile is passed over in the old one."""

    def __init__(self) -> None:
        self._slots: list[list[Waiting]] = [[] for _ in range(SLOTS)]
        self._tick = 0
        """The last one that was."""
        self._waiting = 0
        """How many stand in the slots."""
        self._timer: asyncio.TimerHandle | None = None

    def ask(self, waiting: Waiting, wait_s: float) -> None:
        """Call `waiting.tell` after so many seconds (at most a turn), instead of when it was asked for before."""
        due = self._tick + min(max(1, round(wait_s / TICK_S)), SLOTS - 1)
        waiting.due = due
        self._slots[due % SLOTS].append(waiting)
        self._waiting += 1
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TICK_S, self._turn)

    def _turn(self) -> None:
        self._tick += 1
        at = self._tick % SLOTS
        called, self._slots[at] = self._slots[at], []
        self._waiting -= len(called)
        self._timer = asyncio.get_running_loop().call_later(TICK_S, self._turn) if self._waiting else None
        for waiting in called:
            if waiting.due == self._tick:
                waiting.due = 0
                _tell(waiting)


def _tell(waiting: Waiting) -> None:
    """A fault in what one has to say keeps nobody else's back."""
    try:
        waiting.tell()
    except Exception:
        _log.exception("what was due could not be told")
