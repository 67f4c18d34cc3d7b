"""What the network shell and the services promise each other.

What lives here: the three protocols between them, as types. What does not: any socket, any game.
The shell owns frames, limits, timeouts and closing; services own what commands mean. Everything here
is synchronous: a command is handled where it arrives, without a task.
"""

from __future__ import annotations

from typing import Protocol

from server.wire.codec import ServerFrame
from server.wire.errors import CloseCode
from server.wire.messages import Command


class Peer(Protocol):
    """One open connection, as services see it."""

    @property
    def address(self) -> str:
        """The client's address, behind trusted proxies too; empty when it is not known (a local socket)."""
        ...

    @property
    def address_key(self) -> str:
        """What limits per address count: an IPv4 address, or the /64 of an IPv6 address."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether frames still go out."""
        ...

    @property
    def buffered(self) -> int:
        """Bytes that were sent and not yet taken by the network."""
        ...

    def send(self, frame: ServerFrame) -> None:
        """Send a frame in this turn of the loop, together with the others of the turn.

        Does nothing once the connection is not open. A client that leaves more than 256 KiB unread is
        closed with 4013.
        """
        ...

    def send_progress(self, frame: ServerFrame) -> bool:
        """Send a frame that may be left out: False, and nothing sent, while more than 64 KiB is unread."""
        ...

    def close(self, code: CloseCode, reason: str = "") -> None:
        """Close; what was sent before goes out first. Further calls do nothing."""
        ...


class Session(Protocol):
    """What a service keeps for one connection."""

    def received(self, command: Command, at_ms: int) -> None:
        """A command came in at `at_ms` (the clock's time of receipt).

        The first is `Hello` with a version of the protocol that is spoken here; no second one follows.
        An exception is answered `internal` for this command and logged; the connection lives on.
        """
        ...

    def owed(self) -> int:
        """How many commands still wait for their answer; a drain closes when it is 0, or after 2 s."""
        ...

    def closed(self) -> None:
        """The connection is gone, whoever closed it. Called exactly once, and last."""
        ...


class Handler(Protocol):
    """What services give to the listener."""

    def open(self, peer: Peer) -> Session:
        """A connection is open; its `Hello` has not come yet."""
        ...
