"""What can be set about the network, and the constants that cannot.

What lives here: values with their units and where they come from. What does not: reading the
environment (server.config, which the application maps onto this).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from typing import Final

from server.core.limits import Rate

ACCEPTED_PROTOCOLS: Final = frozenset({1})
"""Versions of the protocol that are spoken here: this one and, once there is one, the one before."""

SOCKET_PATH: Final = "/ws"
BACKLOG: Final = 4096
OPEN_MS: Final = 5_000
"""From the connection to a complete request."""
HELLO_MS: Final = 5_000
"""From the opened socket to `Hello`."""
PAGE_MS: Final = 10_000
"""From a page's request to the client having taken it."""
CLOSE_MS: Final = 2_000
"""From a close frame to the end of the connection."""
SLOW_CLOSE_MS: Final = 1_000
"""The same for a client that does not read."""
PING_AFTER_MS: Final = 9_500
DEAD_AFTER_MS: Final = 19_500
"""Silence before a ping, and before the end (10 s and 20 s; a visit comes every half second)."""
PROGRESS_BYTES: Final = 64 * 1024
SLOW_BYTES: Final = 256 * 1024
"""Unread bytes above which progress is left out, and above which the client is too slow."""
LAST_BYTES: Final = 16 * 1024
"""Looked at behind our close frame, for the other side's: what `BYTES` gives in that time. Above it the connection is
cut, as no rate holds what comes then."""
REASON_BYTES: Final = 123
"""Most a close frame has room for."""
ABNORMAL: Final = 1006
"""Close code of a connection that ended without a close frame."""
FRAGMENTS: Final = 64
"""Fragments of one message; above it 1009."""
STRIKES: Final = 3
"""Unknown commands until the connection is closed."""
HELD: Final = 64
"""Commands kept back for a client that is too fast; what comes beyond them is refused with `slow`."""


MOVES: Final = Rate(10, 30)
COMMANDS: Final = Rate(20, 60)
REACTIONS: Final = Rate(0.5, 3)
BYTES: Final = Rate(8 * 1024, 32 * 1024)
REFUSALS: Final = Rate(1, 60)
HANDSHAKES: Final = Rate(60, 240)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Rates of one connection (reliability S7, ruling 27)."""

    moves: Rate = MOVES
    """Above it moves are kept back, and nothing more is read."""
    commands: Rate = COMMANDS
    """Moves above it are kept back, other commands refused."""
    reactions: Rate = REACTIONS
    bytes: Rate = BYTES
    """Bytes of any kind, control frames included; above it the connection is closed."""
    refusals: Rate = REFUSALS
    """How often `slow` is answered before the connection is closed."""


@dataclass(frozen=True, slots=True)
class NetSettings:
    """The operator's settings."""

    origins: frozenset[str] = frozenset()
    """Origins besides the host that was asked for, e.g. the public address behind a proxy."""
    base: str = ""
    """Path of the public address (`/kupa`): what lies below it is answered as if it lay at the top, so that a proxy
    may pass the path on or take it off."""
    allow_no_origin: bool = False
    """Let clients in that send no Origin: programs, no browsers."""
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    max_connections: int = 10_000
    """Open sockets of this process; above it 503."""
    address_connections: int = 200
    address_handshakes: Rate = HANDSHAKES
    """A hall behind one router comes in at once: the burst is more than its sockets."""
    connection: ConnectionLimits = field(default_factory=ConnectionLimits)
