"""A heat that is over, as its room's log tells it: what leaderboards, histories, ratings and replays are made from.

Lives here: finding one heat in the events of a room. Lives elsewhere: the room (`fold`), what is made of it
(services).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from server.core import events as log
from server.core.credits import Credit
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
    """Empty while other heats with the same deal are not over (ruling 9)."""
    nonce: str
    commitment: str = ""
    """What was said of the deal before; empty when it was open."""
    number: int = 1
    """Of the deal in its match."""
    rules: int = 1
    """Number of the rules by which it was played (`engine.terms.RULES`)."""
    challenge: bool = False
    """Raced alone, to be raced against (`core.ghosts`)."""
    chase: str = ""
    """Id of the heat whose recorded boards were raced against; empty for none."""
    difficulty: str = ""
    """Of a certified deal; empty: not certified."""
    credits: tuple[Credit, ...] = ()
    """By which times of entries are read (`core.credits`)."""

    def credits_of(self, taken: SeatTaken) -> tuple[Credit, ...]:
        """By which the times of this seat's entries are read."""
        return () if taken.has_own_time else self.credits

    @property
    def ranks(self) -> bool:
        """It counts for leaderboards: nobody knew the deal, and it was no ghost race (rulings 9, 22)."""
        return not self.open and not self.challenge and not self.chase

    @property
    def sealed(self) -> bool:
        """The deal is not open yet: nothing may be told of the boards but the result."""
        return not self.code

    def taken(self, seat: int) -> SeatTaken:
        """Who raced on this seat. KeyError when nobody did."""
        for one in self.seats:
            if one.seat == seat:
                return one
        raise KeyError(seat)


def closed_heat(events: Iterable[log.RoomEvent], heat: HeatId) -> ClosedHeat | None:
    """The heat of this id, from the whole log of its room; None when it is not there or not judged yet."""
    search = _Search(heat)
    for event in events:
        search.see(event)
    return search.found()


class _Search:
    """What a log says of one heat, event by event."""

    def __init__(self, heat: HeatId) -> None:
        self._heat = heat
        self._created: log.RoomCreated | None = None
        self._options = RoomOptions()
        self._drawn: log.HeatDrawn | None = None
        self._played = self._options
        self._credits: list[Credit] = []
        self._extra_ms = 0
        self._closed: log.HeatClosed | None = None
        self._judged: log.HeatJudged | None = None
        self._sealed = ("", "")

    def see(self, event: log.RoomEvent) -> None:
        """Take in the next event."""
        match event:
            case log.RoomCreated():
                self._created, self._options = event, event.options
            case log.OptionsSet():
                self._options = event.options
            case log.HeatDrawn() if event.heat == self._heat:
                self._drawn, self._played = event, self._options
            case log.Credited() if event.heat == self._heat and self._closed is None:
                self._credits.append((event.from_ms, event.to_ms))
            case log.Extended() if event.heat == self._heat and self._closed is None:
                self._extra_ms = event.extra_ms
            case log.HeatClosed() if event.heat == self._heat:
                self._closed = event
            case log.HeatJudged() if event.heat == self._heat:
                self._judged, self._sealed = event, (event.code, event.nonce)
            case log.Revealed() if event.heat == self._heat:
                self._sealed = (event.code, event.nonce)

    def found(self) -> ClosedHeat | None:
        """The heat, when all there is to know of it has been seen."""
        created, drawn, closed, judged = self._created, self._drawn, self._closed, self._judged
        if created is None or drawn is None or closed is None or judged is None:
            return None
        credit_ms = sum(to_ms - from_ms for from_ms, to_ms in self._credits)
        gun_ms = drawn.gun_ms + credit_ms
        deadline_ms = drawn.deadline_ms + credit_ms + self._extra_ms
        zero_ms, read_by = drawn.gun_ms, self._credits if drawn.as_drawn else []
        code, nonce = self._sealed
        return ClosedHeat(
            created.room, self._heat, drawn.ruleset, self._played, created.series, drawn.open, gun_ms, deadline_ms,
            judged.at_ms, tuple(drawn.seats), tuple(closed.lengths), tuple(judged.rows), code, nonce,
            drawn.commitment, drawn.number, drawn.rules, created.challenge, created.chase,
            drawn.difficulty, tuple((from_ms - zero_ms, to_ms - zero_ms) for from_ms, to_ms in read_by),
        )  # fmt: skip
