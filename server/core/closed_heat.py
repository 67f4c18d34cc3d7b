"""A heat that is over, as its room's log tells it: what leaderboards, histories and ratings are made from.

Lives here: finding one heat in the events of a room. Lives elsewhere: the room (`fold`), what is made of it
(services).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from server.core import events as log
from server.core.events import SeatTaken
from server.core.ids import HeatId, RoomId
from server.wire.messages import ResultRow, RoomOptions


@dataclass(frozen=True, slots=True)
class ClosedHeat:
    """One closed and judged heat."""

    room: RoomId
    heat: HeatId
    ruleset: str
    options: RoomOptions
    """Of the room when the heat was drawn."""
    series: str
    """Id of the tournament of the room; empty for none."""
    open: bool
    """The deal was known before."""
    gun_ms: int
    """Shifted by credits, like the deadline."""
    deadline_ms: int
    judged_ms: int
    seats: tuple[SeatTaken, ...]
    lengths: tuple[int, ...]
    """Entries of each board, in the order of `seats`."""
    rows: tuple[ResultRow, ...]
    """In order of places."""
    code: str
    """Empty while other heats of a tournament's round, which share the deal, are not closed (ruling 9)."""
    nonce: str

    def taken(self, seat: int) -> SeatTaken:
        """Who raced on this seat. KeyError when nobody did."""
        for one in self.seats:
            if one.seat == seat:
                return one
        raise KeyError(seat)


def closed_heat(events: Iterable[log.RoomEvent], heat: HeatId) -> ClosedHeat | None:
    """The heat of this id, from the whole log of its room; None when it is not there or not judged yet."""
    created: log.RoomCreated | None = None
    options = RoomOptions()
    drawn: log.HeatDrawn | None = None
    played = options
    shift_ms = extra_ms = 0
    lengths: tuple[int, ...] = ()
    found: ClosedHeat | None = None
    for event in events:
        match event:
            case log.RoomCreated():
                created, options = event, event.options
            case log.OptionsSet():
                options = event.options
            case log.HeatDrawn() if event.heat == heat:
                drawn, played = event, options
            case log.Credited() if event.heat == heat:
                shift_ms += event.to_ms - event.from_ms
            case log.Extended() if event.heat == heat:
                extra_ms = event.extra_ms
            case log.HeatClosed() if event.heat == heat:
                lengths = tuple(event.lengths)
            case log.HeatJudged() if event.heat == heat and drawn is not None and created is not None:
                found = ClosedHeat(
                    created.room, heat, drawn.ruleset, played, created.series, drawn.open, drawn.gun_ms + shift_ms,
                    drawn.deadline_ms + shift_ms + extra_ms, event.at_ms, tuple(drawn.seats), lengths,
                    tuple(event.rows), event.code, event.nonce,
                )  # fmt: skip
            case log.Revealed() if event.heat == heat and found is not None:
                found = replace(found, code=event.code, nonce=event.nonce)
    return found
