"""Between a connection and its listener.

What lives here: the phases of a connection, and what it needs from the listener, as a type.
"""

from __future__ import annotations

from collections.abc import Awaitable
from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

from websockets.http11 import Request, Response

from server.clock import Clock
from server.net.gather import Gather
from server.net.handler import Session
from server.net.pacer import Pacer
from server.net.settings import ConnectionLimits

if TYPE_CHECKING:
    from server.net.connection import Connection


class Phase(IntEnum):
    """Where a connection stands."""

    REQUEST = 0
    """The request is awaited."""
    PAGE = 1
    """It was for a page, or refused; the answer is made or on its way."""
    OPEN = 2
    """A WebSocket."""
    CLOSING = 3
    """A close frame went out, or the other side broke the protocol."""
    GONE = 4


class Gate(Protocol):
    """What a connection needs from its listener."""

    @property
    def clock(self) -> Clock:
        """What stamps commands."""
        ...

    @property
    def gather(self) -> Gather:
        """What writes once a turn."""
        ...

    @property
    def pacer(self) -> Pacer:
        """What lets newcomers speak."""
        ...

    @property
    def limits(self) -> ConnectionLimits:
        """The rates of each connection."""
        ...

    def respond(self, connection: Connection, request: Request) -> Response | Awaitable[Response]:
        """The answer to a request; status 101 opens the socket."""
        ...

    def opened(self, connection: Connection) -> Session:
        """The socket is open: the session behind it."""
        ...

    def gives(self, connection: Connection, data: bytes) -> bool:
        """Whether a connection that began with `data` was handed to another worker, and is nobody's here."""
        ...

    def made(self, connection: Connection) -> None:
        """A connection came in."""
        ...

    def gone(self, connection: Connection) -> None:
        """The connection is no more."""
        ...
