"""Which server processes live: `kupa:node:<id>`, renewed every two seconds, gone after six."""

from __future__ import annotations

from server.store import keys
from server.store.guard import guarded
from server.store.schema import KNOWN
from server.store.topology import Client

EVERY_S = 2.0
"""How often a process renews its sign of life."""
ALIVE_MS = 6_000


class Nodes:
    """Signs of life. Every method raises StoreAway when the store does not answer."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def beat(self, node: str) -> None:
        """The process `node` lives, for the next `ALIVE_MS`, and knows this schema."""
        await self._client.execute_command("SET", keys.node(node), KNOWN, "PX", ALIVE_MS)

    @guarded
    async def alive(self, node: str) -> bool:
        """Whether `node` gave a sign of life within `ALIVE_MS`."""
        return bool(await self._client.execute_command("EXISTS", keys.node(node)))

    @guarded
    async def gone(self, node: str) -> None:
        """The process ends in good order: others need not wait for its sign of life to expire."""
        await self._client.execute_command("DEL", keys.node(node))
