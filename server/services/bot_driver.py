"""A bot at the table: plays a board of this process at human speed, from its own view only.

Lives here: when it moves. Lives elsewhere: what it moves (core.bots), the path of a move (played_board). A
bot's next time follows from its log and its seed, so any process can go on where another stopped (ruling 4).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from engine import view
from engine.moves import Kind, Move
from server.clock import Clock
from server.core import bots
from server.services.played_board import PlayedBoard

RESIGN = Move(Kind.RESIGN, 0, 0, 0)
BUSY_S = 0.5
"""When the store takes nothing more, or does not confirm, the bot tries again after this."""
HELD_MS = 300
"""What is not confirmed for so long waits for a store that is away."""


def longest_pause_ms(level: int) -> int:
    """A bot of this level makes no longer pause between two moves."""
    return bots.LEVELS[level].pace_ms * 5 // 2


class Driver:
    """Whatever plays a board that is no person's, by one timer; `_plan` sets it to what comes next, or not at all."""

    def __init__(self, played: PlayedBoard, clock: Clock, gives_up: Callable[[int], bool]) -> None:
        self._played = played
        self._clock = clock
        self._gives_up = gives_up
        self._timer: asyncio.TimerHandle | None = None
        self._wrote_ms = 0

    def start(self) -> None:
        """Begin to play, at the gun if it has not fired."""
        self._plan()

    def stop(self) -> None:
        """Play no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _plan(self) -> None:
        raise NotImplementedError

    def _unconfirmed(self, now_ms: int) -> bool:
        """What was written last waits for a store that seems to be away: then the heat's clock stands still, and who
        went on would play for nothing (ruling 21)."""
        return self._played.in_flight > 0 and now_ms - self._wrote_ms >= HELD_MS

    def _over(self) -> bool:
        """The board has ended or was taken over."""
        return self._played.board.ended is not None or self._played.lost_by is not None


class BotDriver(Driver):
    """Moves one board until it has ended or was taken over."""

    def __init__(
        self,
        played: PlayedBoard,
        level: int,
        memory: bots.Memory,
        clock: Clock,
        gives_up: Callable[[int], bool],
        haste: int = 1,
    ) -> None:
        """`gives_up(at_ms)`: nobody waits for this bot any more, so it resigns. `haste`: times human speed, ≥ 1."""
        super().__init__(played, clock, gives_up)
        self._level = level
        self._memory = memory
        self._haste = haste

    def _plan(self) -> None:
        """Set the timer to the next move."""
        board = self._played.board
        if self._over():
            return
        turn = bots.next_move(view.own(board), board.ruleset, self._level, self._memory)
        since_ms = max(self._played.course.gun_ms, self._played.zero_ms + board.elapsed_ms)
        at_ms = since_ms + turn.delay_ms // self._haste
        pause_s = max(0, at_ms - self._clock.now_ms()) / 1000
        self._timer = asyncio.get_running_loop().call_later(pause_s, self._move, turn)

    def _move(self, turn: bots.Turn) -> None:
        played, now_ms = self._played, self._clock.now_ms()
        if self._over() or now_ms >= played.course.deadline_ms:
            return
        if now_ms < played.course.gun_ms:
            self._plan()
            return
        if self._unconfirmed(now_ms):
            self._timer = asyncio.get_running_loop().call_later(BUSY_S, self._move, turn)
            return
        move = RESIGN if turn.move is None or self._gives_up(now_ms) else turn.move
        if played.write(move, now_ms):
            self._wrote_ms = now_ms
            self._memory = turn.memory
            self._plan()
        else:
            self._timer = asyncio.get_running_loop().call_later(BUSY_S, self._move, turn)
