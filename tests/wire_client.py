"""A client for tests: speaks the wire over a real socket, reads frames with `msgpack`, an independent decoder.

Every frame in and out is recorded, so that a test can ask what ever reached this player.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from engine.moves import Move
from engine.ruleset import RULESETS
from server.bot_client import OwnBoard
from server.core import bots
from server.wire.messages import COMMANDS, EVENTS, PROTOCOL_VERSION

TAGS = {kind.__name__: kind.__struct_config__.tag for kind in COMMANDS}
NAMES = {kind.__struct_config__.tag: kind.__name__ for kind in EVENTS}
FIELDS = {kind.__name__: kind.__struct_fields__ for kind in EVENTS}
OPTIONS = {
    "ruleset": "DS1-D1N", "goal": "first", "minutes": 3, "seats": 4, "undo": "all", "hints": True, "public": False,
    "best_of": 1, "code": "", "match": False, "certified": False,
}  # fmt: skip
DRAW, RECYCLE, TRANSFER, UNDO, AUTO, RESIGN = range(1, 7)
ANSWERS = ("Moved", "Restored", "Denied")
"""To moves."""
BROKEN = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake)
"""What a connection that is gone, or a server that is, looks like."""

Frame = dict[str, Any]


class Unexpected(AssertionError):
    """The server answered something else."""


def options(**changed: Any) -> list[Any]:
    """Room options as they go over the wire."""
    return list({**OPTIONS, **changed}.values())


def parsed(data: bytes) -> Frame:
    """A frame as a dictionary with its name under `event`."""
    tag, *values = msgpack.unpackb(data)
    name = NAMES.get(tag, "?")
    return {"event": name, **dict(zip(FIELDS.get(name, ()), values, strict=False))}


@dataclass
class WireClient:
    """One person with one socket at a time."""

    url: str
    name: str = "Ann"
    token: str = ""
    player: str = ""
    room: str = ""
    seen: dict[str, Frame] = field(default_factory=dict)
    """The last event of each name on this socket."""
    heard: list[tuple[float, Frame]] = field(default_factory=list)
    """Everything on all sockets, with monotonic seconds."""
    raw: list[bytes] = field(default_factory=list)
    board: OwnBoard | None = None
    """The own board as it was shown; lasts over sockets."""
    played: list[tuple[int, Move, str]] = field(default_factory=list)
    """Moves that were answered, on all sockets: ply, move, name of the answer."""
    sent: list[tuple[int, Move]] = field(default_factory=list)
    """Moves that went out, on all sockets."""
    codes: list[int] = field(default_factory=list)
    """With which the server closed sockets."""
    origin: str = ""
    """Of the page that opens the socket; empty: the server's own."""
    query: str = ""
    """What is said with the address of the socket: `?room=CODE`."""
    _alone: str = ""
    """Ruleset of a game outside of rooms."""
    _n: int = 0
    _socket: ClientConnection | None = None
    _out: dict[int, Move] = field(default_factory=dict)
    _memory: bots.Memory = field(default_factory=lambda: bots.Memory(1))

    # ------------------------------------------------------------ the socket

    async def come(self) -> Frame:
        """Open a socket and say hello; returns the `Welcome`."""
        await self.open()
        welcome = await self.ask("Hello", PROTOCOL_VERSION, self.token, self.name, "en", answer="Welcome")
        self.token, self.player = welcome["token"] or self.token, welcome["player"]
        return welcome

    async def open(self) -> None:
        """Open a socket and say nothing."""
        self.seen.clear()
        self._out.clear()
        origin = self.origin or self.url.replace("ws", "http", 1)
        self._socket = await connect(f"{self.url}/ws{self.query}", origin=origin, compression=None, open_timeout=5)  # type: ignore[arg-type]

    @property
    def socket(self) -> ClientConnection:
        """The socket; AssertionError before `come`."""
        assert self._socket is not None
        return self._socket

    async def go(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            await self._socket.close()

    async def closed(self, within_s: float = 5.0) -> int:
        """Read until the server closes the socket; returns its code."""
        try:
            async with asyncio.timeout(within_s):
                while True:
                    await self.next(within_s)
        except ConnectionClosed:
            return self.codes[-1]

    async def back(self, within_s: float = 10.0) -> Frame:
        """After a broken socket: come and enter again, as a browser would; returns the `Dealt`."""
        until = time.monotonic() + within_s
        while True:
            try:
                await self.come()
                await self.enter()
                return await self.latest("Dealt", 5)
            except BROKEN as error:
                if time.monotonic() > until:
                    raise Unexpected(f"{self.name} did not get back: {error!r}") from error
                await asyncio.sleep(0.05)

    # ------------------------------------------------------------ frames

    async def send(self, command: str, *values: object) -> None:
        """One frame out."""
        await self.socket.send(msgpack.packb([TAGS[command], *values]))

    async def next(self, within_s: float = 10.0) -> Frame:
        """The next event."""
        try:
            async with asyncio.timeout(within_s):
                data = await self.socket.recv()
        except ConnectionClosed as end:
            self.codes.append(end.rcvd.code if end.rcvd is not None else 1006)
            raise
        assert isinstance(data, bytes)
        self.raw.append(data)
        event = parsed(data)
        self.seen[event["event"]] = event
        self.heard.append((time.monotonic(), event))
        self._follow(event)
        return event

    def _follow(self, event: Frame) -> None:
        """Keep the own board."""
        name = event["event"]
        if name in ("DailyGame", "SoloGame"):
            self._alone = event["ruleset"]
        if name in ("Dealt", "Restored", "DailyGame", "SoloGame"):
            self.board = OwnBoard(self._ruleset, event["view"])
        if name in ANSWERS:
            move = self._out.pop(event["ply"], None)
            if move is not None:
                self.played.append((event["ply"], move, name))
                if name == "Moved" and self.board is not None and self.board.ply == event["ply"]:
                    self.board.moved(move, event["turned"], auto=event["auto"])

    @property
    def _ruleset(self) -> str:
        return str(self.seen["RoomInfo"]["options"][0]) if "RoomInfo" in self.seen else self._alone

    async def hear(self, wanted: str | Callable[[Frame], bool], within_s: float = 10.0) -> Frame:
        """The first event from now on that is `wanted` (a name or a test)."""
        async with asyncio.timeout(within_s):
            while True:
                event = await self.next(within_s)
                if event["event"] == wanted if isinstance(wanted, str) else wanted(event):
                    return event

    async def latest(self, name: str, within_s: float = 10.0) -> Frame:
        """The last event of this name on this socket, or the next one when there was none yet."""
        return self.seen.get(name) or await self.hear(name, within_s)

    async def settle(self) -> None:
        """Read everything that the server sent before this."""
        self._n += 1
        number = self._n
        await self.send("Ping", number)
        await self.hear(lambda e: e["event"] == "Pong" and e["sent_ms"] == number)

    def all(self, name: str) -> list[Frame]:
        """Every event of this name, on all sockets."""
        return [event for _, event in self.heard if event["event"] == name]

    # ------------------------------------------------------------ commands

    async def ask(self, command: str, *values: object, answer: str = "Done") -> Frame:
        """Send a numbered command and wait for its answer, which must be `answer`."""
        self._n += 1
        number = self._n
        await self.send(command, number, *values)
        event = await self.hear(lambda e: e.get("n") == number)
        if event["event"] != answer:
            raise Unexpected(f"{self.name}: {command} was answered {event}")
        return event

    async def refused(self, command: str, *values: object) -> str:
        """Send a numbered command that is to be refused; returns the code."""
        return str((await self.ask(command, *values, answer="Refused"))["code"])

    async def create(self, *bots: int, ready: bool = False, **changed: Any) -> str:
        """Make a room with these options; returns its code."""
        entered = await self.ask("CreateRoom", options(**changed), list(bots), ready, answer="Entered")
        self.room = entered["code"]
        return self.room

    async def enter(self, code: str = "", watch: bool = False) -> Frame:
        """Go into a room (again)."""
        self.room = code or self.room
        return await self.ask("EnterRoom", self.room, watch, answer="Entered")

    # ------------------------------------------------------------ moves

    async def push(self, ply: int, kind: int, source: int = 0, target: int = 0, count: int = 0) -> None:
        """One move out, not waited for."""
        self._out[ply] = Move(kind, source, target, count)
        self.sent.append((ply, self._out[ply]))
        await self.send("Play", ply, kind, source, target, count)

    async def answer(self, ply: int) -> Frame:
        """The answer to the move that was sent under this ply."""
        return await self.hear(lambda e: e["event"] in ANSWERS and e["ply"] == ply)

    async def play(self, ply: int, kind: int, source: int = 0, target: int = 0, count: int = 0) -> Frame:
        """One move, until it is answered; returns Moved, Restored or Denied."""
        await self.push(ply, kind, source, target, count)
        return await self.answer(ply)

    async def burst(self, ply: int, moves: Iterable[tuple[int, ...]]) -> list[Frame]:
        """Moves from this ply on, all sent before any answer is read; returns the answers as they came."""
        count = 0
        for count, move in enumerate(moves, 1):
            await self.push(ply + count - 1, *move)
        return [await self.hear(lambda e: e["event"] in ANSWERS) for _ in range(count)]

    async def think(self, moves: int) -> int:
        """Play so many sensible moves one after the other, fewer when there are none; returns how many."""
        for done in range(moves):
            assert self.board is not None
            turn = bots.next_move(self.board.seen(), RULESETS[self._ruleset], 3, self._memory)
            if turn.move is None:
                return done
            self._memory = turn.memory
            answer = await self.play(self.board.ply, *turn.move)
            if answer["event"] != "Moved":
                raise Unexpected(f"{self.name}: {turn.move} was answered {answer}")
        return moves
