"""A connection that has just broken is a lost connection, however redis-py or the event loop says so.

What lives here: two things that redis-py does not know. On uvloop writing to a closed transport raises RuntimeError.
And where a send may take only so long, it begins a step of the loop late: another task that disconnects in between
(the client of a cluster does so to all that was free when one has failed) leaves it without anything to write to.
Every kind of connection (of pools, of Sentinel and of clusters, too) sends through the one function that is wrapped
here. What does not: what becomes of a lost connection (guard, outlet, bells).
"""

from __future__ import annotations

from collections.abc import Iterable

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError

_send = AbstractConnection.send_packed_command


async def _send_or_lost(
    self: AbstractConnection, command: bytes | str | Iterable[bytes], check_health: bool = True
) -> None:
    try:
        await _send(self, command, check_health)
    except RuntimeError as error:
        if "closed" not in str(error):
            raise
        raise RedisConnectionError("the connection is closed") from error
    except AttributeError as error:
        if error.obj is not None or error.name != "writelines":
            raise
        raise RedisConnectionError("the connection was closed meanwhile") from error


def known() -> None:
    """Make it known to redis-py; doing so twice changes nothing."""
    AbstractConnection.send_packed_command = _send_or_lost  # type: ignore[method-assign]
