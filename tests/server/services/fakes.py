"""A board without a store and a socket: a writer that decides what the log says, a viewer that remembers."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import msgpack

from engine.board import Board
from server.core.heat import Heat
from server.core.ids import HeatId
from server.services.played_board import PlayedBoard
from server.services.room_host import RoomHost
from server.store.lane import Carried, Verdict
from server.wire.codec import ServerFrame
from server.wire.errors import CloseCode
from server.wire.messages import Play
from tests.wire_client import Frame, parsed

GUN_MS = 1_000_000


@dataclass
class Course:
    """A heat of three minutes, as a board sees it."""

    id: str = "ABCDEFGHJK"
    gun_ms: int = GUN_MS
    deadline_ms: int = GUN_MS + 180_000
    closed: bool = False


def heat() -> Heat:
    """The same as a heat is."""
    return Heat(
        id=HeatId("ABCDEFGHJK"), number=1, ruleset="DS1-D1N", commitment="", gun_ms=GUN_MS,
        deadline_ms=GUN_MS + 180_000, seats=[], open=True, racers={}, drawn_ms=0,
    )  # fmt: skip


@dataclass
class Person:
    """`audience.Viewer`: remembers every frame."""

    frames: list[bytes] = field(default_factory=list)
    board: PlayedBoard | None = None
    room: RoomHost | None = None
    code: CloseCode | None = None

    def send(self, data: ServerFrame) -> None:
        self.frames.append(bytes(data))

    def send_progress(self, data: ServerFrame) -> bool:
        self.frames.append(bytes(data))
        return True

    def plays(self, board: PlayedBoard) -> None:
        self.board = board

    def enters(self, host: RoomHost) -> None:
        self.room = host

    def leave_room(self) -> None:
        self.board = self.room = None

    def close(self, code: CloseCode, reason: str = "") -> None:
        self.code = code

    def heard(self) -> list[Frame]:
        """Everything so far, read by an independent decoder."""
        return [parsed(_payload(data)) for data in self.frames]


def _payload(data: bytes) -> bytes:
    """Of an unmasked frame of a server."""
    assert data[0] == 0x82
    return data[2:] if data[1] < 126 else data[4:]


class Writer:
    """`LogWriter`, as far as a board needs it: `waiting` until told what became of it."""

    def __init__(self, *, at_once: bool) -> None:
        self.waiting: deque[Carried] = deque()
        self.log: list[bytes] = []
        self.rows: list[bytes] = []
        self.full = False
        self._at_once = at_once

    def push(self, append: Carried) -> bool:
        self.waiting.append(append)
        if self._at_once:
            self.settle()
        return True

    def settle(self, verdict: Verdict = Verdict.OK, count: int = 1) -> None:
        """The store answers the oldest appends."""
        for _ in range(count):
            append = self.waiting.popleft()
            if verdict is Verdict.OK:
                assert append.at == len(self.log)
                *_, entries, row, _ = msgpack.unpackb(append.packed, raw=True)
                self.log += entries
                self.rows.append(row)
            append.settle(verdict, len(self.log))


class Table:
    """A `PlayedBoard` with its person and its writer."""

    def __init__(self, board: Board, *, at_once: bool = True, heat: Heat | None = None) -> None:
        self.person = Person()
        self.writer = Writer(at_once=at_once)
        self.course = heat or Course()
        self.lost: list[Verdict] = []
        self.settled = 0
        self.now = GUN_MS
        self.played = PlayedBoard(
            0, board, self.course, log="log", progress="rows", epoch=1,
            writer=self.writer, settled=self._settled, lost=self._lost,
        )  # fmt: skip
        self.played.peer = self.person

    def _settled(self, _: PlayedBoard) -> None:
        self.settled += 1

    def _lost(self, _: PlayedBoard, verdict: Verdict) -> None:
        self.lost.append(verdict)

    def play(self, ply: int, *move: int) -> list[Frame]:
        """Send a move; what is heard at once."""
        before = len(self.person.frames)
        self.now += 500
        self.played.play(Play(ply, *(*move, 0, 0, 0)[:4]), self.now)
        return self.person.heard()[before:]

    def heard(self) -> list[Any]:
        """Names, plies and codes of everything heard."""
        return [tuple(one[key] for key in ("event", "ply", "code") if key in one) for one in self.person.heard()]
