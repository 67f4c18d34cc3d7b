"""A client that can say anything: bytes on a socket, frames right and wrong.

What lives here: the client, and a service that remembers what it heard. What does not: any expectation.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from server.net.handler import Peer
from server.wire.codec import decode_event, encode, frame
from server.wire.messages import Command, Done, Event, Hello, Moved, Play

PATIENCE_S = 5.0
"""No test waits longer for a byte; a green run never does."""
HELLO = Hello(1, 1, "", "Ada", "en")
MASK = b"\x01\x02\x03\x04"


def client_frame(
    payload: bytes, opcode: int = 2, *, fin: bool = True, rsv: int = 0, mask: bytes | None = MASK, length: bytes = b""
) -> bytes:
    """A frame as a client writes it; `length` overrides how the length is written (its first byte unmasked)."""
    size = len(payload)
    if not length:
        if size < 126:
            length = bytes((size,))
        elif size < 65536:
            length = b"\x7e" + size.to_bytes(2, "big")
        else:
            length = b"\x7f" + size.to_bytes(8, "big")
    head = bytes(((0x80 if fin else 0) | rsv << 4 | opcode, length[0] | (0x80 if mask else 0))) + length[1:]
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def command(message: Command) -> bytes:
    """A command as a client frames it."""
    return client_frame(encode(message))


@dataclass
class Heard:
    """What one session heard; `answer` decides what it says to a command."""

    peer: Peer
    answer: Callable[[Heard, Command, int], None]
    changed: asyncio.Event
    commands: list[tuple[Command, int]] = field(default_factory=list)
    closings: int = 0
    owes: int = 0

    def received(self, command: Command, at_ms: int) -> None:
        self.commands.append((command, at_ms))
        self.changed.set()
        self.answer(self, command, at_ms)

    def owed(self) -> int:
        return self.owes

    def closed(self) -> None:
        self.closings += 1
        self.changed.set()


def polite(session: Heard, command: Command, at_ms: int) -> None:
    """Every command gets one answer."""
    if isinstance(command, Play):
        session.peer.send(frame(Moved(command.ply, 0, b"")))
    else:
        session.peer.send(frame(Done(getattr(command, "n", 0))))


@dataclass
class Service:
    """A handler; its sessions in the order they were opened."""

    answer: Callable[[Heard, Command, int], None] = polite
    sessions: list[Heard] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def open(self, peer: Peer) -> Heard:
        self.sessions.append(Heard(peer, self.answer, self.changed))
        return self.sessions[-1]


class Raw:
    """A TCP connection to the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, port: int) -> Raw:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def upgrade(self, port: int, headers: str = "") -> None:
        """Make it a WebSocket."""
        self.write(handshake(port, headers))
        head = await self.head()
        assert head.startswith("HTTP/1.1 101 "), head

    async def greet(self) -> None:
        """Say Hello and hear the answer."""
        self.say(HELLO)
        assert await self.event() == Done(1)

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    def say(self, message: Command) -> None:
        self.write(command(message))

    async def head(self) -> str:
        """The head of an HTTP response; empty when the connection ends without one."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                return (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            except (asyncio.IncompleteReadError, ConnectionResetError):
                return ""

    async def frame(self, within_s: float = PATIENCE_S) -> tuple[int, bytes]:
        """The next frame: opcode and payload; (−1, b"") at the end."""
        async with asyncio.timeout(within_s):
            try:
                first, size = await self.reader.readexactly(2)
                if size == 126:
                    size = int.from_bytes(await self.reader.readexactly(2), "big")
                elif size == 127:
                    size = int.from_bytes(await self.reader.readexactly(8), "big")
                assert first & 0xF0 == 0x80
                return first & 0x0F, await self.reader.readexactly(size)
            except (asyncio.IncompleteReadError, ConnectionResetError):
                return -1, b""

    async def event(self) -> Event:
        """The next event; pings are passed over."""
        opcode, payload = await self.frame()
        while opcode == 9:
            opcode, payload = await self.frame()
        assert opcode == 2, (opcode, payload)
        return decode_event(payload)

    async def close_code(self) -> int:
        """The code of the close frame that ends what comes; 1006 when none does."""
        while True:
            opcode, payload = await self.frame()
            if opcode == -1:
                return 1006
            if opcode == 8:
                return int.from_bytes(payload[:2], "big")

    async def ended(self) -> None:
        """The server has ended the stream."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                assert await self.reader.read() == b""
            except ConnectionResetError:
                return

    def cut(self) -> None:
        """Reset the connection."""
        self.writer.transport.abort()

    async def leave(self) -> None:
        """Reset it and wait until that is done."""
        self.cut()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


def handshake(port: int, headers: str = "", *, origin: str | None = None, path: str = "/ws") -> bytes:
    """A correct opening handshake, with `headers` (each with its CRLF) added."""
    if origin is None:
        origin = f"Origin: http://127.0.0.1:{port}\r\n"
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{origin}{headers}\r\n"
    ).encode("latin-1")
