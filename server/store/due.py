"""What has a deadline: rooms and tournaments that somebody must look at, even when nobody is connected (ruling 18).

What lives here: the sorted set `kupa:due`. What does not: deciding what a deadline means (server.core).
A member is an owner *and* an instant, so a later deadline never replaces an earlier one; one that has
become pointless wakes somebody for nothing, which is harmless. Taking lends a member out: unless it
is reported done it comes back after the lease, so a process that dies loses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from server.store import keys
from server.store.guard import guarded, run_script
from server.store.lua import DUE_TAKE
from server.store.topology import Client

LEASE_MS = 5_000


@dataclass(frozen=True, slots=True)
class DueItem:
    """Look at `owner`: it asked for it at `at_ms`."""

    owner: str
    """A room's id, or `t:` and a tournament's."""
    at_ms: int

    @property
    def kind(self) -> str:
        """Empty for a room, `t` for a tournament."""
        return self.owner.rpartition(":")[0]

    @property
    def id(self) -> str:
        """Id of the room or tournament."""
        return self.owner.rpartition(":")[2]


def _item(member: bytes) -> DueItem:
    owner, _, at_ms = member.decode().rpartition(":")
    return DueItem(owner, int(at_ms))


class Due:
    """The deadlines of all rooms and tournaments. Every method raises StoreAway when the store does not answer."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def put(self, owner: str, at_ms: int) -> None:
        """Look at `owner` at `at_ms`. (An append carries its own `due`; this is for everything else.)"""
        await self._client.execute_command("ZADD", keys.DUE, at_ms, keys.due_member(owner, at_ms))

    @guarded
    async def take(self, now_ms: int, limit: int = 64, lease_ms: int = LEASE_MS) -> list[DueItem]:
        """What is due by `now_ms`, earliest first, lent for `lease_ms`: nobody else gets it meanwhile."""
        found = await run_script(self._client, DUE_TAKE, [keys.DUE], now_ms, limit, lease_ms)
        assert isinstance(found, list)
        return [_item(member) for member in found]

    @guarded
    async def done(self, item: DueItem) -> None:
        """It was looked at, and what follows from it is in a log (and in `kupa:due`)."""
        await self._client.execute_command("ZREM", keys.DUE, keys.due_member(item.owner, item.at_ms))

    @guarded
    async def peek(self, limit: int = 64) -> list[DueItem]:
        """The earliest members, lent out or not, without taking them."""
        found = await self._client.execute_command("ZRANGE", keys.DUE, 0, limit - 1)
        return [_item(member) for member in found]
