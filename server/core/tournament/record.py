"""What was played in a tournament so far: rounds, heats and their rows, as formats and tie-breaks read them.

What lives here: plain values and questions about them. What does not: changing them (`fold`), points and
pairing (`server.core.formats`), the order of entrants (`table`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from server.core.ids import EntrantId, HeatId, RoomCode, RoomId
from server.core.options import SCORE
from server.core.standings import WON

ABANDONED = "abandoned"
UNKNOWN = HeatId("")
"""In place of a heat's id, which its room draws."""
Rank: TypeAlias = tuple[int, ...]
"""Lower is better."""


class Row(msgspec.Struct, array_like=True, frozen=True):
    """One entrant's board in a reported heat."""

    entrant: EntrantId
    place: int
    """In the heat, from 1; equals share a place."""
    ended: str
    """won, resigned, abandoned or time_up."""
    out: int
    score: int
    moves: int
    at_ms: int
    """From the gun: when it was won, else when the board came to what ranks it."""

    @property
    def absent(self) -> bool:
        """A no-show: the board was never touched, and given up by the server."""
        return self.ended == ABANDONED and self.moves == 0


def rank(row: Row, goal: str) -> Rank:
    """What orders boards of one deal, also across heats (P3). Equal ranks are ties."""
    if goal == SCORE:
        return (-row.score, row.at_ms)
    if row.ended == WON:
        return (0, row.at_ms)
    return (1, -row.out, -row.score, row.at_ms)


@dataclass(slots=True)
class TournamentHeat:
    """One heat of a round: its room, its entrants by seat, and its rows once it is reported."""

    room: RoomId
    code: RoomCode
    entrants: tuple[EntrantId, ...]
    heat: HeatId = UNKNOWN
    """Known once it is reported."""
    rows: tuple[Row, ...] | None = None
    """None: not reported. Empty: it was given up and counts for nobody."""
    reported_ms: int = 0

    @property
    def open(self) -> bool:
        """Not reported yet."""
        return self.rows is None


@dataclass(slots=True)
class Round:
    """A round: all its heats share one deal (ruling 9)."""

    number: int
    """From 1."""
    drawn_ms: int
    gun_ms: int
    minutes: int
    heats: list[TournamentHeat]
    byes: tuple[EntrantId, ...]
    extra_ms: int = 0
    """What the host added to the time limit."""
    stopped_ms: int | None = None
    """When time is up since a host closed it before its time."""
    closed_ms: int | None = None
    code: str = ""
    """The deal, once the round is closed."""
    nonce: str = ""

    @property
    def open(self) -> bool:
        """Its deal is sealed and results may still come."""
        return self.closed_ms is None

    @property
    def reported(self) -> bool:
        """Every heat has its result."""
        return not any(heat.open for heat in self.heats)

    def entrants(self) -> set[EntrantId]:
        """Everybody who was drawn for a heat of it; byes are not."""
        return {entrant for heat in self.heats for entrant in heat.entrants}

    def rows(self) -> list[Row]:
        """The rows of its reported heats."""
        return [row for heat in self.heats for row in heat.rows or ()]


@dataclass(frozen=True, slots=True)
class Record:
    """What counts so far, in one value for formats and tie-breaks."""

    rounds: Sequence[Round]
    goal: str
    points: str
    """`place` or `score` (League)."""
    ends_ms: int | None = None
    """Heats reported later do not count (Arena with late races off)."""
    entrants: frozenset[EntrantId] = field(default_factory=frozenset)

    def counted(self) -> Iterator[TournamentHeat]:
        """The reported heats that count, in the order in which they were drawn."""
        for number in self.rounds:
            for heat in number.heats:
                if heat.rows and (self.ends_ms is None or heat.reported_ms <= self.ends_ms):
                    yield heat

    def meetings(self) -> set[frozenset[EntrantId]]:
        """Every pair that was drawn into one heat, played or not."""
        return {
            frozenset((one, other))
            for number in self.rounds
            for heat in number.heats
            for one in heat.entrants
            for other in heat.entrants
            if one != other
        }

    def byes(self) -> dict[EntrantId, int]:
        """How many byes each entrant who had one has had."""
        total: dict[EntrantId, int] = {}
        for number in self.rounds:
            for entrant in number.byes:
                total[entrant] = total.get(entrant, 0) + 1
        return total


def round_places(number: Round, goal: str) -> dict[EntrantId, int]:
    """Places over all heats of a round, which share a deal; no-shows have none. Equals share a place."""
    ordered = sorted((rank(row, goal), row.entrant) for row in number.rows() if not row.absent)
    places: dict[EntrantId, int] = {}
    above: tuple[Rank, int] | None = None
    for index, (here, entrant) in enumerate(ordered, start=1):
        place = above[1] if above is not None and above[0] == here else index
        places[entrant] = place
        above = (here, place)
    return places
