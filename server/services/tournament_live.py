"""How far the running heats of a tournament are: counts and who is there, for hosts and screens (T4).

Lives here: reading the rows that boards leave in the store, once a second for everybody who asks. Lives
elsewhere: what a row is made of (counts), pages (tournament_pages).
"""

from __future__ import annotations

from typing import Any, Final

from server.core.ids import PlayerId, TournamentId
from server.core.state import Member
from server.core.tournament.record import TournamentHeat
from server.core.tournament.state import TournamentState
from server.services.counts import STATES, unpack_row
from server.services.hub import Hub

FRESH_MS: Final = 1000
"""What was read is good for so long."""
MOST_KEPT: Final = 64
MOST_ROOMS: Final = 64
"""In how many rooms it is looked up who is there; in a bigger round that is left out."""

Live = dict[str, Any]


class LiveHeats:
    """The running heats, as read lately."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._kept: dict[TournamentId, tuple[int, Live]] = {}

    async def of(self, state: TournamentState) -> Live:
        """`{heats: [{round, room, rows: [{entrant, out, score, moves, ended, there}]}]}`: heats without a result, rows
        by seat. `there`: yes, away, never (has not come yet), or empty when it is not looked up. Raises StoreAway."""
        now_ms = self._hub.shared.clock.now_ms()
        at_ms, live = self._kept.get(state.tournament, (0, {}))
        if now_ms - at_ms < FRESH_MS:
            return live
        running = [(number.number, heat) for number in state.open_rounds() for heat in number.heats if heat.open]
        looks = len(running) <= MOST_ROOMS
        live = {"heats": [await self._heat(number, heat, looks) for number, heat in running]}
        self._kept.pop(state.tournament, None)
        while len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[state.tournament] = (now_ms, live)
        return live

    async def _heat(self, number: int, heat: TournamentHeat, looks: bool) -> Live:
        found = await self._hub.shared.store.rooms.progress(heat.room)
        rows = {int(field.rpartition(":")[2]): unpack_row(row) for field, row in found.items()}
        there = await self._there(heat) if looks else {}
        told = []
        for seat, entrant in enumerate(heat.entrants):
            here = "yes" if entrant.startswith("bot-") else there.get(PlayerId(entrant), "")
            told.append({"entrant": entrant, "there": here, **_counts(rows.get(seat, (0, 0, 0, 0)))})
        return {"round": number, "room": heat.code, "rows": told}

    async def _there(self, heat: TournamentHeat) -> dict[PlayerId, str]:
        host = await self._hub.host(heat.room)
        members = host.state.members if host is not None else {}
        return {who: _there(one) for who, one in members.items()}


def _there(member: Member) -> str:
    if member.present:
        return "yes"
    return "away" if member.seen else "never"


def _counts(row: tuple[int, int, int, int]) -> dict[str, int | str]:
    out, score, moves, state = row
    return {"out": out, "score": score, "moves": moves, "ended": STATES[state]}
