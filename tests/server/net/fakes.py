"""A connection without a network: a transport that remembers, a gate that lets everything in."""

from __future__ import annotations

import asyncio
from typing import Any

from websockets.http11 import Request, Response

from server.clock import ManualClock
from server.net.connection import Connection
from server.net.gather import Gather
from server.net.handler import Session
from server.net.pacer import Pacer
from server.net.settings import ConnectionLimits
from tests.server.net.raw import HELLO, Service, command, handshake


class Transport(asyncio.Transport):
    """Keeps every write apart; `unread` is what the other side has not taken."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []
        self.unread = 0
        self.ended = self.aborted = self.closing = False
        self.reading = True

    def write(self, data: Any) -> None:
        assert not self.closing
        assert not self.ended, "bytes after the end of the stream"
        self.writes.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        return self.unread

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.ended = True

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.aborted = self.closing = True

    def pause_reading(self) -> None:
        assert self.reading
        self.reading = False

    def resume_reading(self) -> None:
        assert not self.reading
        self.reading = True


class OpenGate:
    """A listener that accepts every handshake."""

    def __init__(self, service: Service | None = None, limits: ConnectionLimits | None = None) -> None:
        self.clock = ManualClock()
        self.gather = Gather(asyncio.get_running_loop())
        self.pacer = Pacer(asyncio.get_running_loop())
        self.limits = limits if limits is not None else ConnectionLimits()
        self.service = service if service is not None else Service()
        self.lost = 0

    def respond(self, connection: Connection, request: Request) -> Response:
        return connection.protocol.accept(request)

    def opened(self, connection: Connection) -> Session:
        return self.service.open(connection)

    def gives(self, connection: Connection, data: bytes) -> bool:
        return False

    def made(self, connection: Connection) -> None:
        assert connection.phase == 0

    def gone(self, connection: Connection) -> None:
        self.lost += 1


def connected(gate: OpenGate, *, greet: bool = True) -> tuple[Connection, Transport]:
    """An open connection; what was written for the handshake and Hello is forgotten."""
    connection, transport = Connection(gate), Transport()
    connection.connection_made(transport)
    connection.data_received(handshake(1))
    if greet:
        connection.data_received(command(HELLO))
        connection.flush()
    transport.writes.clear()
    return connection, transport


async def turn() -> None:
    """Let the loop go round, so that what was gathered is written."""
    done = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(done.set_result, None)
    await done
