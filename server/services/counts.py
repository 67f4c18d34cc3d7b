"""What rivals see of each other during a heat: counts, and no card (A6).

Lives here: the latest row of every seat, whoever plays it, sent on coalesced. Rows of boards that this
process writes come with their confirmation; those of others with the bell (ruling 8), and are read from the store
by who has just come or may have missed one. Lives elsewhere: who plays what (heat_host).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Coroutine
from typing import Any, Final

from engine.board import Board
from server.clock import Clock
from server.core.heat import Heat
from server.core.ids import PlayerId
from server.core.interest import ALL_UP_TO, live_order, of_interest
from server.core.options import SCORE
from server.services.audience import NOBODY, Audience, Viewer
from server.services.wheel import Waiting, Wheel
from server.store.errors import StoreAway
from server.store.rooms import Rooms
from server.wire.codec import frame
from server.wire.messages import Progress

EVERY_S = 0.1
"""Progress goes out at most 10 times a second,"""
EVERY_BIG_S = 0.22
"""and 5 in heats of more than `BIG` seats: a little more than a fifth, that no second has six of them."""
QUIET_S = 0.8
"""What no place hangs on may wait so long, or goes along with what may not: the number of moves, and in a race for the
first to be done the score of who has other cards out than everybody else."""
BIG = 8
FRESH_MS = 200
"""What was read is good for so long for others who come: hundreds may come within a second."""
STATES = ("", "won", "resigned", "abandoned", "time_up")
ROW_FORMAT: Final = "HiHB"
"""Of `struct`, big-endian: a seat's row of the progress hash."""
_ROW = struct.Struct(">" + ROW_FORMAT)
_SCORE_AT = struct.calcsize(">H")
_MOVES_AT = struct.calcsize(">Hi")
"""Where a stored row has score and number of moves; its last byte is the state, its first are the cards out."""

Row = tuple[int, int, int, int]
"""Cards out, score, moves, index into STATES."""


def pack_row(board: Board) -> bytes:
    """The seat's row of the progress hash: how far this board is."""
    ended = board.ended
    return _ROW.pack(board.out, board.score, board.moves, STATES.index(ended) if ended else 0)


def unpack_row(row: bytes) -> Row:
    """The four numbers of a progress row."""
    out, score, moves, state = _ROW.unpack(row)
    return out, score, moves, state


def field_of(heat: str, seat: int) -> str:
    """The field of a seat's row in the progress hash."""
    return f"{heat}:{seat}"


class Counts(Waiting):
    """The rows of one heat."""

    def __init__(
        self,
        room: str,
        heat: Heat,
        goal: str,
        audience: Audience,
        rooms: Rooms,
        clock: Clock,
        wheel: Wheel,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        super().__init__()
        self._rows: dict[int, Row] = {}
        self.heard_ms: dict[int, int] = {}
        """When the row of a seat that others play changed last."""
        self._room = room
        self._heat = heat
        self._goal = goal
        self._is_big = len(heat.seats) > ALL_UP_TO
        self._by_score = goal == SCORE or self._is_big
        """Any score may make a place; in a big heat nobody looks whether it does."""
        self._every_s = EVERY_S if len(heat.seats) <= BIG else EVERY_BIG_S
        self._audience = audience
        self._rooms = rooms
        self._clock = clock
        self._spawn = spawn
        self._changed: set[int] = set()
        self._own: dict[int, bytes] = {}
        """Of the boards that this process writes: their rows as they are stored."""
        self._fresh: set[int] = set()
        """Seats of `_own` whose rows nobody has looked at yet: they change with every move and are sent coalesced."""
        self._lengths: dict[int, int] = {}
        """Of the boards that others play: how long the log was at the last bell that told a row."""
        self._shown: dict[PlayerId, Progress] = {}
        """What each viewer of a big heat was sent last."""
        self._read_ms: int | None = None
        self._wheel = wheel
        self._rung = self._soon = False
        """Soon: what is to be told has more in it than what may wait."""
        self._open = True

    def own(self, seat: int, row: bytes) -> None:
        """The row of a board that this process writes."""
        before = self._own.get(seat, b"")
        self._own[seat] = row
        self._fresh.add(seat)
        if not self._soon:
            out = row[:_SCORE_AT]
            self._schedule(
                soon=out != before[:_SCORE_AT]
                or row[-1:] != before[-1:]
                or (row[_SCORE_AT:_MOVES_AT] != before[_SCORE_AT:_MOVES_AT] and self._score_places(seat, out))
            )

    def _score_places(self, seat: int, out: bytes) -> bool:
        """Whether a place hangs on the score of this seat, which has so many cards out (as a row has it)."""
        if self._by_score:
            return True
        for other, row in self._own.items():
            if row[:_SCORE_AT] == out and other != seat:
                return True
        number = int.from_bytes(out, "big")
        for other, known in self._rows.items():
            if known[0] == number and other != seat and other not in self._own:
                return True
        return False

    def let_go(self, seat: int) -> None:
        """This process does not write the seat's board any more."""
        self._look()
        self._own.pop(seat, None)

    @property
    def rows(self) -> dict[int, Row]:
        """The latest row of every seat that is known."""
        self._look()
        return self._rows

    def _look(self) -> None:
        """Read the rows of own boards that have moved since."""
        for seat in self._fresh:
            row = unpack_row(self._own[seat])
            if self._rows.get(seat) != row:
                self._rows[seat] = row
                self._changed.add(seat)
        self._fresh.clear()

    def rung(self, seat: int, length: int, row: bytes) -> None:
        """Another process wrote to this seat's board, whose log has this length now and whose row is this.
        (A process of an older version tells no row: then it is read.)"""
        if seat in self._own:
            return
        if len(row) != _ROW.size:
            self._rung = True
            self._schedule()
        elif length > self._lengths.get(seat, 0):
            self._lengths[seat] = length
            self._heard(seat, unpack_row(row))

    async def read(self) -> None:
        """The rows of boards that other processes write. Raises StoreAway."""
        before = dict(self._lengths)
        read_ms = self._read_ms
        self._read_ms = self._clock.now_ms()
        try:
            stored = await self._rooms.progress(self._room)
        except StoreAway:
            self._read_ms = read_ms
            raise
        for taken in self._heat.seats:
            seat = taken.seat
            row = stored.get(field_of(self._heat.id, seat))
            if row is not None and seat not in self._own and self._lengths.get(seat) == before.get(seat):
                self._lengths.pop(seat, None)  # the store may have lost its tail
                self._heard(seat, unpack_row(row))

    def _heard(self, seat: int, row: Row) -> None:
        before = self._rows.get(seat)
        if before != row:
            self.heard_ms[seat] = self._clock.now_ms()
            self._changed.add(seat)
            self._rows[seat] = row
            moved = before is None or before[0] != row[0] or before[3] != row[3]
            scored = before is None or before[1] != row[1]
            self._schedule(soon=moved or (scored and self._score_places(seat, row[0].to_bytes(_SCORE_AT, "big"))))

    async def show(self, player: PlayerId, viewer: Viewer) -> None:
        """The rows for who has just come, or asks again: in a big heat those of interest, with what is sent next.
        Raises StoreAway."""
        if self._read_ms is None or self._clock.now_ms() - self._read_ms >= FRESH_MS:
            await self.read()
        if self._is_big:
            self._shown.pop(player, None)
            self._schedule()
        else:
            viewer.send(frame(Progress([number for seat, row in sorted(self.rows.items()) for number in (seat, *row)])))

    def stop(self) -> None:
        """Nothing is sent any more."""
        self._open = False
        self.due = 0

    def _schedule(self, *, soon: bool = True) -> None:
        if not self._open or self._soon or (self.due and not soon):
            return
        self._soon = soon
        self._wheel.ask(self, self._every_s if soon else QUIET_S)

    def tell(self) -> None:
        """Send what has changed (the wheel calls)."""
        self._soon = False
        self._look()
        if self._rung:
            self._rung = False
            self._spawn(self.read())
        if self._is_big:
            self._changed.clear()
            self._send_some()
        elif self._changed:
            self._send_changed()

    def _send_changed(self) -> None:
        """To everybody, made once. Who alone has moved knows it: in many small rooms that is a frame of four."""
        numbers = [number for seat in sorted(self._changed) for number in (seat, *self._rows[seat])]
        mover = self._heat.taken(numbers[0]) if len(self._changed) == 1 else None
        but = NOBODY if mover is None else mover.player
        self._changed.clear()
        data = frame(Progress(numbers))
        for player, viewer in self._audience.viewers.items():
            if player != but:
                viewer.send_progress(data)

    def _send_some(self) -> None:
        """To each viewer the rows that matter to them, and their place (ruling 8)."""
        heat = self._heat
        won_ms = {seat: heat.ended_ms(one) for seat, one in heat.ended.items() if one.ended == "won"}
        order = live_order(self.rows, self._goal, won_ms)
        at = {seat: index for index, seat in enumerate(order)}
        for player, viewer in list(self._audience.viewers.items()):
            seat = self._heat.board_of(player)
            own = None if seat is None else at.get(seat)
            shown = of_interest(order, own)
            place = 0 if own is None else own + 1
            progress = Progress([number for one in shown for number in (one, *self._rows[one])], place)
            if self._shown.get(player) != progress and viewer.send_progress(frame(progress)):
                self._shown[player] = progress
