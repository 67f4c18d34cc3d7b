"""Closed heats as others may see them or race against them (rulings 9, 22).

Lives here: finding a heat by its id, whether its deal is open, who knows the deal. Lives elsewhere: what is in the log
of a room (core.closed_heat), replays, ghost races.
"""

from __future__ import annotations

from dataclasses import replace

from server.core import events as log
from server.core.closed_heat import ClosedHeat, closed_heat
from server.core.ghosts import SEALED_MS
from server.core.ids import HeatId
from server.store import keys
from server.store.connect import Store


class Recordings:
    """Closed heats as they may be raced against. Methods raise StoreAway."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def found(self, heat: str) -> ClosedHeat | None:
        """The closed heat of this id, sealed or not; None when there is none."""
        room_id = await self._store.rooms.room_of_heat(heat)
        if room_id is None:
            return None
        entries = await self._store.logs.load(keys.room_log(room_id))
        return closed_heat(log.decode_log(entries), HeatId(heat))

    async def opened(self, heat: ClosedHeat) -> ClosedHeat:
        """The heat with its deal, if that is open: a challenge's is when it was answered, or after seven days."""
        if not heat.sealed or not heat.challenge:
            return heat
        over = self._store.clock.now_ms() >= heat.judged_ms + SEALED_MS
        stored = await self._store.rooms.get_deal(heat.room, heat.heat)
        if stored is None or not (over or await self._store.ghosts.answers(heat.heat)):
            return heat
        return replace(heat, code=stored.code, nonce=stored.nonce)

    async def to_chase(self, heat: str) -> ClosedHeat | None:
        """The heat if it can be raced against: one whose deal is open, or a challenge; its boards are still there."""
        found = await self.found(heat)
        if found is None or (found.sealed and not found.challenge):
            return None
        seat = found.seats[0].seat
        there = await self._store.logs.length(keys.board_log(found.room, found.heat, seat))
        return found if there or not found.lengths[0] else None

    async def who_knows(self, heat: ClosedHeat) -> set[str]:
        """The people who have raced on this deal: in the heat, against its boards, or in those it was a chase of."""
        known: set[str] = set()
        at: ClosedHeat | None = heat
        while at is not None:
            known |= {one.player for one in at.seats if one.player}
            known |= (await self._store.ghosts.answers(at.heat)).keys()
            at = await self.found(at.chase) if at.chase else None
        return known
