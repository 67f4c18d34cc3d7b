"""What people are called now, for pages that show many of them.

Lives here: looking names up, and remembering them for a moment. Lives elsewhere: the names (store.players).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from server.clock import Clock
from server.services.api import Brief
from server.store.players import Player, Players, tag_of

KEEP_MS = 15_000


@dataclass(frozen=True, slots=True)
class Called:
    """How a player is shown."""

    name: str
    """Empty for somebody who is not known any more."""
    tag: str


class NameBook:
    """Names by player id. Methods raise StoreAway."""

    def __init__(self, players: Players, clock: Clock) -> None:
        self._players = players
        self._brief: Brief[Player | None] = Brief(clock, KEEP_MS)

    async def of(self, ids: Iterable[str]) -> dict[str, Called]:
        """How each of these is shown."""
        wanted = list(dict.fromkeys(ids))
        found = await asyncio.gather(*(self._one(each) for each in wanted))
        return {
            each: Called(player.name if player is not None else "", tag_of(each))
            for each, player in zip(wanted, found, strict=True)
        }

    async def _one(self, player: str) -> Player | None:
        return await self._brief.get(player, lambda: self._players.by_id(player))
