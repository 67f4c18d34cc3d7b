"""Flags of closed heats, for operators to look at (reliability S19, S20): an effect of the projector.

Lives here: collecting what is flagged from a heat's logs and addresses. Lives elsewhere: what is flagged
(core.integrity), where it is kept (store.flags). Nobody is refused or banned by a flag.
"""

from __future__ import annotations

from server.core import integrity
from server.core.closed_heat import ClosedHeat
from server.store import keys
from server.store.connect import Store


class Flagger:
    """Flags a closed heat whose deal was secret. Safe to repeat; raises StoreAway."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(self, heat: ClosedHeat) -> None:
        """Flag superhuman play, and people who came from one address."""
        if heat.open:
            return
        flags = []
        people: dict[str, int] = {one.player: one.seat for one in heat.seats if one.player}
        lengths = {one.seat: length for one, length in zip(heat.seats, heat.lengths, strict=True)}
        for player, seat in people.items():
            entries = await self._store.logs.load(keys.board_log(heat.room, heat.heat, seat))
            flags += integrity.of_pace(heat.judged_ms, player, heat.heat, entries[: lengths[seat]], heat.room)
        known = await self._store.rooms.addresses(heat.room)
        addresses = {player: known.get(player, "") for player in people}
        flags += integrity.of_addresses(heat.judged_ms, heat.heat, heat.room, addresses)
        await self._store.flags.add(flags)
