"""Ratings as they come about: a closed heat is rated, and those who are in its room are told (product P9).

Lives here: an effect of the projector, and its news. Lives elsewhere: arithmetic (core.rating), storage
(store.ratings), what a player's page shows (rating_pages), the comparison with the log (rating_audit).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from server.core import rating
from server.core.closed_heat import ClosedHeat
from server.core.rating import RatedHeat
from server.services.room_host import RoomHost
from server.store.connect import Store
from server.store.ratings import Ratings
from server.wire.messages import RatingChanged, RatingRow

LOOKS: Final = 15
"""How often a process looks for the ratings of a heat before it takes the heat for unrated."""


class Rater:
    """Rates closed heats; one of the projector's effects."""

    def __init__(self, store: Store, then: Callable[[ClosedHeat, RatedHeat], None] = lambda *_: None) -> None:
        """`then` is told of each heat that was rated, or had been."""
        self._store = store
        self._then = then

    async def __call__(self, heat: ClosedHeat) -> None:
        """Change the ratings of who raced, once. Raises StoreAway."""
        people = rating.racers(heat)
        if not people:
            return
        await self._store.rooms.keep_heat(heat.room, heat.heat, [one.seat for one in heat.seats])
        rated = await self._store.ratings.rate(heat.ruleset, heat.heat, heat.room, heat.judged_ms, people)
        self._then(heat, rated)


# ---------------------------------------------------------------- telling


def changed(rated: RatedHeat) -> RatingChanged:
    """What the people of a room are told of a rated heat."""
    rows = [
        RatingRow(
            one.seat, one.after.points, one.after.points - one.before.points, one.after.deviation, one.after.games
        )
        for one in rated.changes
    ]
    return RatingChanged(rated.heat, rows)


@dataclass(slots=True)
class _Sought:
    heat: str
    looks: int = 0


class RatingNews:
    """Tells the rooms of this process what their last heats did to ratings, whichever process rated them."""

    def __init__(self, ratings: Ratings, rooms: Callable[[], Iterable[RoomHost]]) -> None:
        self._ratings = ratings
        self._rooms = rooms
        self._sought: dict[str, _Sought] = {}

    def rated(self, heat: ClosedHeat, rated: RatedHeat) -> None:
        """This process has rated a heat: its room here is told at once."""
        for host in self._rooms():
            if host.room == heat.room and _last(host) == heat.heat:
                _tell(host, rated)

    async def look(self) -> None:
        """Every so often: what other processes have rated, or what was rated before this one came. Raises StoreAway."""
        hosts = {str(host.room): host for host in self._rooms()}
        for room in self._sought.keys() - hosts.keys():
            del self._sought[room]
        for room, host in hosts.items():
            heat = _last(host)
            sought = self._sought.get(room)
            if sought is None or sought.heat != heat:
                sought = self._sought[room] = _Sought(heat)
            if heat and sought.looks < LOOKS and not _told(host, heat):
                sought.looks += 1
                await self._look_for(host, heat)

    async def _look_for(self, host: RoomHost, heat: str) -> None:
        assert host.state.last is not None
        drawn = host.state.last.drawn
        people = [one.player for one in drawn.seats if one.player]
        if len(people) < 2 or not rating.counts(host.state.options, host.state.series, is_open=drawn.open):
            return
        rated = await self._ratings.of_heat(drawn.ruleset, heat)
        if rated is not None and _last(host) == heat:
            _tell(host, rated)


def _last(host: RoomHost) -> str:
    """The heat whose result the room shows."""
    state = host.state
    return "" if state.last is None or state.heat is not None else state.last.drawn.heat


def _told(host: RoomHost, heat: str) -> bool:
    told = host.audience.ratings
    return told is not None and told.heat == heat


def _tell(host: RoomHost, rated: RatedHeat) -> None:
    if not _told(host, rated.heat):
        host.audience.ratings = changed(rated)
        host.audience.tell(host.audience.ratings)
