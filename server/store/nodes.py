"""Which server processes live: `kupa:node:<id>`, renewed every two seconds, gone after six.

With it goes how far their common clock is from the store's time, while it is: `kupa:ahead`. It stands there within
a sample of the clock and a sign of life after that time jumped.
"""

from __future__ import annotations

from server.clock import Clock
from server.store import keys
from server.store.errors import StoreError
from server.store.guard import guarded
from server.store.schema import KNOWN
from server.store.topology import Client

EVERY_S = 2.0
"""How often a process renews its sign of life."""
ALIVE_MS = 6_000
AHEAD_MS = 50
"""A clock that is nearer to the store's time than this agrees with it."""


class Nodes:
    """Signs of life. Every method raises StoreAway when the store does not answer."""

    def __init__(self, client: Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self.away_since: int | None = None
        """Since which ms the store takes no sign of life; None: it does."""
        self.trouble = ""
        """Why it does not."""

    async def beat(self, node: str, ahead_ms: float = 0.0) -> None:
        """The process `node` lives, for the next `ALIVE_MS`, and knows this schema.

        `ahead_ms`: of its clock before the store's time; whoever starts meanwhile begins there too.
        """
        try:
            await self._beat(node, ahead_ms)
        except StoreError as error:
            self.away_since, self.trouble = self.away_since or self._clock.now_ms(), str(error)
            raise
        self.away_since, self.trouble = None, ""

    @guarded
    async def _beat(self, node: str, ahead_ms: float) -> None:
        await self._client.execute_command("SET", keys.node(node), KNOWN, "PX", ALIVE_MS)
        if abs(ahead_ms) >= AHEAD_MS:
            await self._client.execute_command("SET", keys.AHEAD, round(ahead_ms), "PX", ALIVE_MS)

    @guarded
    async def ahead_ms(self) -> int:
        """By how much the clocks of the living processes are ahead of the store's time; 0: they agree with it."""
        return int(await self._client.execute_command("GET", keys.AHEAD) or 0)

    @guarded
    async def alive(self, node: str) -> bool:
        """Whether `node` gave a sign of life within `ALIVE_MS`."""
        return bool(await self._client.execute_command("EXISTS", keys.node(node)))

    @guarded
    async def gone(self, node: str) -> None:
        """The process ends in good order: others need not wait for its sign of life to expire."""
        await self._client.execute_command("DEL", keys.node(node))
