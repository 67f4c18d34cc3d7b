"""Newcomers a few at a time: ten thousand who come back at once do not hold up those who play.

What lives here: how many requests are read in one turn of the loop. What does not: what a request is.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Protocol

PER_TURN: Final = 32
"""Requests read in one turn: about 3 ms, after which frames of open sockets have theirs."""


class Newcomer(Protocol):
    """A connection whose request has come, wholly or in part."""

    def admitted(self) -> None:
        """It is its turn."""
        ...


class Pacer:
    """First come, first served, `PER_TURN` in a turn."""

    __slots__ = ("_armed", "_loop", "_queue", "_used")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: deque[Newcomer] = deque()
        self._used = 0
        self._armed = False

    def admits(self, newcomer: Newcomer) -> bool:
        """Whether there is time for it in this turn; if not, its `admitted` is called in a later one."""
        if not self._armed:
            self._armed = True
            self._loop.call_soon(self._turn)
        if self._used < PER_TURN and not self._queue:
            self._used += 1
            return True
        self._queue.append(newcomer)
        return False

    def _turn(self) -> None:
        self._used = min(PER_TURN, len(self._queue))
        for _ in range(self._used):
            self._queue.popleft().admitted()
        self._armed = self._used > 0
        if self._armed:
            self._loop.call_soon(self._turn)
