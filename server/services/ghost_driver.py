"""A ghost at the table: a recorded board that is played again, entry by entry, when it was played.

Lives here: when each entry is written, and what becomes of a ghost that nobody races any more. Lives elsewhere: whose
board it is (core.ghosts), the path of an entry (played_board). The log of the ghost's board is as long as what was
played again of the recording, so any process can go on where another stopped (ruling 4).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from engine.moves import Kind, Move, unpack_entry
from server.clock import Clock
from server.services.bot_driver import BUSY_S, RESIGN, Driver
from server.services.played_board import PlayedBoard

LONGEST_PAUSE_MS = 60_000
"""A ghost of which nothing is heard for so long is looked after; the one who was recorded may just have thought."""
LOOK_S = 1.0
"""Whether anybody still races is looked at this often."""


class GhostDriver(Driver):
    """Plays one board again until it has ended or was taken over."""

    def __init__(
        self, played: PlayedBoard, recorded: Sequence[bytes], clock: Clock, gives_up: Callable[[int], bool]
    ) -> None:
        """`gives_up(at_ms)`: nobody races this ghost any more, so it shows at once all that it has."""
        super().__init__(played, clock, gives_up)
        self._recorded = [unpack_entry(entry) for entry in recorded]

    def _plan(self, least_s: float = 0) -> None:
        if self._over():
            return
        at_ms = self._next_ms()
        wait_s = LOOK_S if at_ms is None else (at_ms - self._clock.now_ms()) / 1000
        pause_s = max(0.0, least_s, min(wait_s, LOOK_S))
        self._timer = asyncio.get_running_loop().call_later(pause_s, self._go_on)

    def _next_ms(self) -> int | None:
        """When the next entry is due; None: there is no more."""
        ply = self._played.board.ply
        return self._played.course.gun_ms + self._recorded[ply][1] if ply < len(self._recorded) else None

    def _go_on(self) -> None:
        """Write what is due by now; all of it, and the end, when nobody races any more."""
        now_ms = self._clock.now_ms()
        if self._over():
            return
        if self._unconfirmed(now_ms):
            self._plan(BUSY_S)
            return
        hurries = now_ms >= self._played.course.gun_ms and self._gives_up(now_ms)
        while not self._over():
            at_ms = self._next_ms()
            if at_ms is None or (at_ms > now_ms and not hurries):
                break
            if not self._write(self._recorded[self._played.board.ply][0], at_ms):
                self._plan(BUSY_S)
                return
        if hurries and not self._over():
            self._write(RESIGN, now_ms)  # the recorded board had run out of time
        self._plan()

    def _write(self, move: Move, at_ms: int) -> bool:
        """One entry, bearing the time on the heat's clock, as it was recorded by one (`SeatTaken.has_own_time`). What
        completes a board is written by itself, and was so recorded."""
        assert move.kind != Kind.AUTO
        played, self._wrote_ms = self._played, self._clock.now_ms()
        return played.write(move, played.zero_ms + at_ms - played.course.gun_ms)
