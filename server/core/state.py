"""What a room is at one length of its log.

What lives here: the values of `RoomState` and questions about them. What does not: changing them (`fold`),
rules (`decide`, `ready`, `endings`, `upkeep`) and what of it may be shown (`projection`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from server.core.events import HeatDrawn, HeatJudged, SeriesSlot
from server.core.heat import Heat, Phase, phase
from server.core.ids import SERVER, NodeId, PlayerId, RoomCode, RoomId
from server.core.match import Places, Racer, decided, points
from server.wire.messages import RoomOptions

WATCHES = -1
"""In place of a seat: a watcher."""
NOWHERE = NodeId("")
"""In place of a process: not connected."""


@dataclass(slots=True)
class Member:
    """A person in the room, connected or not."""

    name: str
    tag: str
    node: NodeId
    """The process with the newest connection, or `NOWHERE`."""
    joined_ms: int
    since_ms: int
    """Since when connected, or since when away."""
    seat: int = WATCHES
    waits: bool = False
    """A watcher who takes the next free seat."""
    seen: bool = True
    """Has been connected at some time; only in a tournament's room somebody may not have been."""

    @property
    def present(self) -> bool:
        """Connected to some process."""
        return self.node != NOWHERE


@dataclass(slots=True)
class Seat:
    """A playing place that is taken."""

    player: PlayerId
    """Empty for a bot."""
    bot: int
    """Level of the bot, `GHOST`, or 0 for a person."""
    sat_ms: int
    ready_ms: int | None = None
    """Since when ready for the next heat; a bot always is, without this."""
    willing_ms: int | None = None
    """Since when counted in for the next heat: ready, or new in a quick-match room."""
    name: str = ""
    """Who played the recorded board of a ghost."""
    source: int = 0
    """Of a ghost: its seat in the heat that is chased."""


@dataclass(frozen=True, slots=True)
class JudgedHeat:
    """The last heat that was judged."""

    drawn: HeatDrawn
    judged: HeatJudged


@dataclass(slots=True)
class RoomState:
    """A room; a plain value that `fold` makes and `apply` changes, and nobody else."""

    room: RoomId
    code: RoomCode
    options: RoomOptions
    host: PlayerId
    """Empty while nobody is in the room."""
    series: str
    at_ms: int
    """Time of the last event."""
    quiet_ms: int | None
    """Since when nobody has been connected and no heat was on; None while somebody is connected."""
    version: int = 0
    """Number of events folded: the length of the log."""
    members: dict[PlayerId, Member] = field(default_factory=dict)
    """In the order in which they came."""
    seats: dict[int, Seat] = field(default_factory=dict)
    kicked: set[PlayerId] = field(default_factory=set)
    """Kept out until the host opens the room again."""
    locked: bool = False
    start_asked_ms: int | None = None
    drawn: HeatDrawn | None = None
    """The event behind `heat`."""
    heat: Heat | None = None
    last: JudgedHeat | None = None
    match: list[Places] = field(default_factory=list)
    """Places of the heats of the match that runs or was decided last."""
    heats: int = 0
    """Heats judged in this room so far."""
    closed: bool = False
    slot: SeriesSlot | None = None
    """In a tournament's room."""
    challenge: bool = False
    """See `RoomCreated`, as for `chase`."""
    chase: str = ""

    @property
    def ghostly(self) -> bool:
        """A challenge or a chase: a room for one heat under fixed rules."""
        return self.challenge or bool(self.chase)

    def phase(self, at_ms: int) -> Phase:
        """The phase of the room at an instant."""
        return phase(self.heat, at_ms)

    def people(self) -> list[tuple[int, Seat, Member]]:
        """Seated persons by seat."""
        return [(no, seat, self.members[seat.player]) for no, seat in sorted(self.seats.items()) if not seat.bot]

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat this person holds, or None."""
        member = self.members.get(player)
        return None if member is None or member.seat == WATCHES else self.seats[member.seat]

    def free_seats(self) -> list[int]:
        """Free seats, lowest first. A tournament's room has none: its seats are given by the draw."""
        if self.series:
            return []
        return [no for no in range(self.options.seats) if no not in self.seats]

    def anybody_present(self) -> bool:
        """Somebody is connected."""
        return any(member.present for member in self.members.values())

    def racer(self, no: int) -> Racer:
        """Who collects the points of a seat that is taken: survives a change of seat, not that of a bot."""
        seat = self.seats[no]
        return Racer(seat.player if seat.player != SERVER else f"bot {no} {seat.sat_ms}")

    def decided(self) -> bool:
        """The match is over; the next heat begins a new one."""
        return bool(self.match) and decided(self.match, self.options.best_of)

    def deal_number(self) -> int:
        """Number of the running deal of the match, or else of the next one."""
        if self.heat is not None:
            return self.heat.number
        return 1 if self.decided() else len(self.match) + 1

    def points(self) -> dict[Racer, int]:
        """Points in the match so far."""
        return points(self.match)
