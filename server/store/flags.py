"""What operators may want to look at: flags by time (reliability S19, S20).

What lives here: adding and reading. What does not: what is flagged (core.integrity). Flags are for people: nothing
in the server acts on them.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from server.core.integrity import Flag
from server.store import keys
from server.store.guard import guarded
from server.store.topology import Client

MOST = 10_000
"""Flags that are kept, the newest."""

_encode = msgspec.msgpack.encode
_decode = msgspec.msgpack.Decoder(Flag).decode


class Flags:
    """Flags of all games. Methods raise StoreAway."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def add(self, flags: Sequence[Flag]) -> None:
        """Keep these flags; what is there already is not there twice."""
        if not flags:
            return
        words = [word for flag in flags for word in (flag.at_ms, _encode(flag))]
        await self._client.execute_command("ZADD", keys.FLAGS, *words)
        await self._client.execute_command("ZREMRANGEBYRANK", keys.FLAGS, 0, -MOST - 1)

    @guarded
    async def latest(self, count: int, player: str = "") -> list[Flag]:
        """The newest flags (of one player), newest first."""
        found = await self._client.execute_command("ZRANGE", keys.FLAGS, 0, MOST if player else count - 1, "REV")
        flags = [_decode(value) for value in found]
        return [flag for flag in flags if player in ("", flag.player)][:count]
