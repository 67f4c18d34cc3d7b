"""What a tournament is at one length of its log.

What lives here: the values of `TournamentState` and questions about them. What does not: changing them
(`fold`), rules (`entry`, `hosting`, `settling`, `upkeep`) and the order of entrants (`table`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from server.core.formats import FORMATS, Format
from server.core.heat import length_ms
from server.core.ids import EntrantId, RoomId, TournamentId
from server.core.tournament.events import Edited
from server.core.tournament.record import Round, TournamentHeat
from server.wire.messages import TournamentOptions

SECOND_MS = 1_000


class Status(StrEnum):
    """How an entrant stands to the tournament; different words for different things."""

    IN = "in"
    """Takes part."""
    WAITING = "waiting"
    """On the waiting list."""
    ABSENT = "absent"
    """Missed a heat: not drawn until they are there again."""
    OUT = "out"
    """Has withdrawn."""
    DROPPED = "dropped"
    """Was taken out by a host."""
    UNCHECKED = "unchecked"
    """Did not check in."""


class Phase(StrEnum):
    """Phases of a tournament; they follow from time alone between events."""

    ENTRY = "entry"
    CHECK_IN = "check_in"
    BREAK = "break"
    """Between two rounds, or before the first one that can be drawn."""
    PAUSED = "paused"
    ROUND = "round"
    ENDED = "ended"


@dataclass(slots=True)
class Entrant:
    """Somebody who takes part or did."""

    id: EntrantId
    name: str
    tag: str
    bot: int
    number: int
    """In the order of coming, from 1."""
    status: Status
    checked: bool
    free_ms: int
    """Since when they could be drawn."""
    points: int = 0
    """Given (or taken) by a host."""
    seed: int = 0
    """Set by a host: comes before the others in the order of the first round; 0: by lot."""

    @property
    def plays(self) -> bool:
        """Holds one of the places."""
        return self.status in (Status.IN, Status.ABSENT)


@dataclass(slots=True)
class TournamentState:
    """A tournament; a plain value that `fold` makes and `apply` changes, and nobody else."""

    tournament: TournamentId
    code: str
    options: TournamentOptions
    """As created; what a host may change later stands in the fields below."""
    maker: str
    seed: int
    at_ms: int
    """Time of the last event."""
    start_ms: int
    check_in_ms: int
    rounds_limit: int
    late_round: int
    version: int = 1
    """Number of events folded: the length of the log."""
    created_ms: int = 0
    entrants: dict[EntrantId, Entrant] = field(default_factory=dict)
    """In the order in which they came."""
    rounds: list[Round] = field(default_factory=list)
    edits: list[Edited] = field(default_factory=list)
    """Every edit of a host; number n is at n − 1."""
    undone: set[int] = field(default_factory=set)
    """Numbers of the edits that were taken back."""
    breaks_ms: dict[int, int] = field(default_factory=dict)
    """Pause after a round, where a host has set another; 0: before the first."""
    paused: bool = False
    ending: bool = False
    """A host has ended it early: no further round is drawn."""
    started_ms: int | None = None
    ended_ms: int | None = None
    announced: tuple[int, int] | None = None
    """The last announcement: its sentence, and when."""

    @property
    def format(self) -> Format:
        """How it is held."""
        return FORMATS[self.options.format]

    def phase(self, at_ms: int) -> Phase:
        """The phase at an instant."""
        if self.ended_ms is not None:
            return Phase.ENDED
        if self.started_ms is None:
            opens = self.check_in_from()
            return Phase.CHECK_IN if opens is not None and at_ms >= opens else Phase.ENTRY
        if self.open_rounds():
            return Phase.ROUND
        return Phase.PAUSED if self.paused else Phase.BREAK

    def check_in_from(self) -> int | None:
        """From when on one can check in; None: nobody has to, or the start is not fixed."""
        if not self.check_in_ms or not self.start_ms:
            return None
        return self.start_ms - self.check_in_ms

    def open_rounds(self) -> list[Round]:
        """Rounds that are not closed; more than one only where the format lets them overlap."""
        return [number for number in self.rounds if number.open]

    def heat_of(self, room: RoomId) -> tuple[Round, TournamentHeat] | None:
        """The round and heat of a room."""
        for number in reversed(self.rounds):
            for heat in number.heats:
                if heat.room == room:
                    return number, heat
        return None

    def racing(self, entrant: EntrantId) -> tuple[Round, TournamentHeat] | None:
        """The open heat that an entrant is drawn for."""
        for number in self.open_rounds():
            for heat in number.heats:
                if heat.open and entrant in heat.entrants:
                    return number, heat
        return None

    def taken(self) -> int:
        """How many places are taken."""
        return sum(entrant.plays for entrant in self.entrants.values())

    def late_open(self) -> bool:
        """Somebody may (still) come in: for the first round, or for one up to the late round."""
        if self.ended_ms is not None:
            return False
        return not self.rounds or (self.format.late_entry and len(self.rounds) < self.late_round)


def deadline_ms(number: Round) -> int:
    """When time is up in a round's heats, if its rooms were credited nothing."""
    return number.stopped_ms or number.gun_ms + length_ms(number.minutes) + number.extra_ms
