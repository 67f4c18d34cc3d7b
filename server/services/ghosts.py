"""Ghost races: who may race against which recorded boards, and who has (product P8, ruling 9).

Lives here: challenges and chases as rooms of the lobby, answers, GET /api/ghost/<heat>. Lives elsewhere: such rooms
(core.ghosts), playing a ghost (ghost_driver), the recorded heats (recordings).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec

from server.core import ghosts
from server.core.closed_heat import ClosedHeat
from server.core.machine import Refusal, RefusalCode
from server.net.pages import PageRequest, Pages, Reply
from server.services.api import NotThere, json, query, route
from server.services.lobby import Lobby
from server.services.ports import Guest
from server.services.recordings import Recordings
from server.services.room_host import RoomHost
from server.store.connect import Store
from server.store.ghosts import Answer
from server.store.players import Player
from server.wire.messages import RoomOptions

PATH: Final = "/api/ghost/"


class Ghosts:
    """Ghost races for this process's connections. Methods raise StoreAway, StoreBusy."""

    def __init__(self, lobby: Lobby, store: Store) -> None:
        self._lobby = lobby
        self._recordings = Recordings(store)

    async def challenge(self, player: Player, guest: Guest, options: RoomOptions, address: str) -> RoomHost | Refusal:
        """A room in which this person races alone, to be raced against."""
        return await self._lobby.make(player, guest, partial(ghosts.challenge, options=options), address)

    async def chase(
        self, player: Player, guest: Guest, heat: str, seats: Sequence[int], address: str
    ) -> RoomHost | Refusal:
        """A room in which this person races against boards of a heat: `noroom` when there is none to be had,
        `not_now` for who has raced on that deal."""
        found = await self._recordings.to_chase(heat)
        if found is None:
            return Refusal(RefusalCode.NOROOM)
        if player.id in await self._recordings.who_knows(found):
            return Refusal(RefusalCode.NOT_NOW)
        return await self._lobby.make(player, guest, partial(ghosts.chase, heat=found, ghosts=seats), address)


class Answered:
    """Notes who has raced against recorded boards: an effect of the projector. Safe to repeat."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(self, heat: ClosedHeat) -> None:
        """A chase is over: its deal is open from now on, if it was a challenge's. Raises StoreAway."""
        names = {row.seat: row.name for row in heat.rows}
        for one in heat.seats if heat.chase else ():
            if one.player:
                answer = Answer(heat.heat, names.get(one.seat) or one.name, heat.judged_ms)
                await self._store.ghosts.answer(heat.chase, one.player, answer)


class GhostPages:
    """GET /api/ghost/<heat>: what can be raced against, without what it came to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._recordings = Recordings(store)

    def add_to(self, pages: Pages) -> None:
        """Answer the addresses of ghost races."""
        pages.route(PATH, route(self._answer))

    async def _answer(self, request: PageRequest) -> Reply:
        query(request)
        found = await self._recordings.to_chase(request.path.removeprefix(PATH))
        if found is None:
            raise NotThere
        found = await self._recordings.opened(found)
        answers = await self._store.ghosts.answers(found.heat)
        options = msgspec.structs.asdict(found.options)
        return json(
            {
                "heat": found.heat,
                "ruleset": found.ruleset,
                **{name: options[name] for name in ("goal", "minutes", "undo", "hints")},
                "challenge": found.challenge,
                "open": not found.sealed,
                "ghosts": [_ghost(found, row.seat, row.name) for row in sorted(found.rows, key=lambda row: row.seat)],
                "answers": [
                    {"player": player, "name": one.name, "heat": one.heat, "at_ms": one.at_ms}
                    for player, one in sorted(answers.items(), key=lambda each: each[1].at_ms)
                ],
            }
        )


def _ghost(heat: ClosedHeat, seat: int, name: str) -> dict[str, Any]:
    taken = heat.taken(seat)
    return {"seat": seat, "player": taken.player, "name": name or taken.name, "bot": taken.bot_level}
