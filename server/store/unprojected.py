"""What has ended and is not yet on the leaderboards: `kupa:unprojected` (architecture A5, ruling 18).

What lives here: a sorted set of attempts and heats by when to look at them. What does not: what is made of
them (services.projector). A member is put before the entry that ends its board or heat, and goes only
after everything that follows from it is stored: a process that dies repeats, and loses nothing. Taking lends
a member out, so that processes do not all do the same work at once.
"""

from __future__ import annotations

from server.store import keys
from server.store.guard import guarded, run_script
from server.store.lua import DUE_TAKE
from server.store.topology import Client

LEASE_MS = 10_000


class Unprojected:
    """Members are `keys.attempt_member` or `keys.heat_member`. Methods raise StoreAway."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def expect(self, member: str, at_ms: int) -> None:
        """Look at it at `at_ms` at the latest; an earlier or later look that is planned already stays."""
        await self._client.execute_command("ZADD", keys.UNPROJECTED, "NX", at_ms, member)

    @guarded
    async def put(self, member: str, at_ms: int) -> None:
        """Look at it at `at_ms`, whatever was planned. (An append that ends a board carries its own.)"""
        await self._client.execute_command("ZADD", keys.UNPROJECTED, at_ms, member)

    @guarded
    async def take(self, now_ms: int, limit: int = 64, lease_ms: int = LEASE_MS) -> list[str]:
        """What is due by `now_ms`, the longest waiting first, lent for `lease_ms`."""
        found = await run_script(self._client, DUE_TAKE, [keys.UNPROJECTED], now_ms, limit, lease_ms)
        assert isinstance(found, list)
        return [member.decode() for member in found]

    @guarded
    async def done(self, member: str) -> None:
        """All that follows from it is stored."""
        await self._client.execute_command("ZREM", keys.UNPROJECTED, member)

    @guarded
    async def waiting(self, member: str) -> int | None:
        """When it will be looked at; None when it is done (or was never put)."""
        found = await self._client.execute_command("ZSCORE", keys.UNPROJECTED, member)
        return None if found is None else int(float(found))
