"""A client for tests: speaks the wire over a real socket, reads frames with `msgpack`, an independent decoder.

Every frame in and out is recorded, so that a test can ask what ever reached this player.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect

from server.wire.messages import COMMANDS, EVENTS, PROTOCOL_VERSION

TAGS = {kind.__name__: kind.__struct_config__.tag for kind in COMMANDS}
NAMES = {kind.__struct_config__.tag: kind.__name__ for kind in EVENTS}
FIELDS = {kind.__name__: kind.__struct_fields__ for kind in EVENTS}
OPTIONS = {
    "ruleset": "DS1-D1N", "goal": "first", "minutes": 3, "seats": 4, "undo": "all", "hints": True, "public": False,
    "best_of": 1, "code": "", "match": False,
}  # fmt: skip
DRAW, RECYCLE, TRANSFER, UNDO, AUTO, RESIGN = range(1, 7)

Frame = dict[str, Any]


class Unexpected(AssertionError):
    """The server answered something else."""


def options(**changed: Any) -> list[Any]:
    """Room options as they go over the wire."""
    return list({**OPTIONS, **changed}.values())


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
    _n: int = 0
    _socket: ClientConnection | None = None

    async def come(self) -> Frame:
        """Open a socket and say hello; returns the `Welcome`."""
        self.seen.clear()
        origin = self.url.replace("ws", "http", 1)
        self._socket = await connect(f"{self.url}/ws", origin=origin, compression=None, open_timeout=5)  # type: ignore[arg-type]
        welcome = await self.ask("Hello", PROTOCOL_VERSION, self.token, self.name, "en", answer="Welcome")
        self.token, self.player = welcome["token"] or self.token, welcome["player"]
        return welcome

    @property
    def socket(self) -> ClientConnection:
        """The socket; AssertionError before `come`."""
        assert self._socket is not None
        return self._socket

    async def go(self) -> None:
        """Close the socket."""
        await self.socket.close()

    async def send(self, command: str, *values: object) -> None:
        """One frame out."""
        await self.socket.send(msgpack.packb([TAGS[command], *values]))

    async def next(self, within_s: float = 10.0) -> Frame:
        """The next event."""
        async with asyncio.timeout(within_s):
            data = await self.socket.recv()
        assert isinstance(data, bytes)
        self.raw.append(data)
        tag, *values = msgpack.unpackb(data)
        name = NAMES.get(tag, "?")
        event = {"event": name, **dict(zip(FIELDS.get(name, ()), values, strict=False))}
        self.seen[name] = event
        self.heard.append((time.monotonic(), event))
        return event

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

    async def play(self, ply: int, kind: int, source: int = 0, target: int = 0, count: int = 0) -> Frame:
        """One move, until it is answered; returns Moved, Restored or Denied."""
        await self.send("Play", ply, kind, source, target, count)
        return await self.hear(lambda e: e["event"] in ("Moved", "Restored", "Denied") and e["ply"] == ply)

    async def back(self, within_s: float = 10.0) -> Frame:
        """After a broken socket: come and enter again, as a browser would; returns the `Dealt`."""
        until = time.monotonic() + within_s
        while True:
            try:
                await self.come()
                await self.enter()
                return await self.latest("Dealt", 5)
            except (OSError, TimeoutError, ConnectionError) as error:
                if time.monotonic() > until:
                    raise Unexpected(f"{self.name} did not get back: {error!r}") from error
                await asyncio.sleep(0.05)
