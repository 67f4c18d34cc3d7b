"""One heat: one deal, one gun, one deadline, several boards.

What lives here: the value that a room keeps of its heat from the draw to the judging, its phases, which
follow from time alone, and when it is to be closed. What does not: the boards (their logs are the truth,
ruling 1), and who is connected (`endings`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from server.core.credits import Credit, raced_ms
from server.core.events import BoardEnded, SeatTaken
from server.core.ids import HeatId, PlayerId
from server.core.match import Racer

COUNTDOWN_MS = 3_000
"""From the draw to the gun (P2)."""
CAP_MINUTES = 60
"""What "no limit" means (ruling 2)."""
CLOSE_AFTER_MS = 2_000
"""From the deadline to the closing: entries on their way may still arrive (ruling 1)."""
MINUTE_MS = 60_000


class Phase(StrEnum):
    """Phases of a room, as on the wire."""

    OPEN = "open"
    """No heat: people sit, watch, get ready."""
    COUNTDOWN = "countdown"
    RUNNING = "running"
    CLOSING = "closing"
    """No move counts any more; the places are being found."""


@dataclass(slots=True)
class Heat:
    """A heat that is drawn and not yet judged."""

    id: HeatId
    number: int
    """Number of the deal in its match, from 1."""
    ruleset: str
    commitment: str
    gun_ms: int
    """Shifted by credits, like the deadline."""
    deadline_ms: int
    seats: list[SeatTaken]
    open: bool
    racers: dict[int, Racer]
    """Who collects the points of a seat."""
    drawn_ms: int
    """When it was drawn: from then on outages of the store are credited."""
    as_drawn: bool = True
    """See `HeatDrawn.as_drawn`."""
    away: list[tuple[int, int]] = field(default_factory=list)
    """From when to when the store was away, as far as it was credited."""
    extra_ms: int = 0
    """What a tournament's host has added to the time limit."""
    certified: bool = False
    """The deal is known to be winnable."""
    ended: dict[int, BoardEnded] = field(default_factory=dict)
    """News of boards that have ended, by seat."""
    gone: dict[int, int] = field(default_factory=dict)
    """Seats whose player has left the room for good, and when: their boards count as resigned."""
    lengths: list[int] | None = None
    """Length of each board's log once the heat is closed."""
    closed_ms: int = 0
    _by_seat: dict[int, SeatTaken] = field(init=False, repr=False, compare=False)
    _by_player: dict[PlayerId, int] = field(init=False, repr=False, compare=False)
    """Seats stay as they were drawn: hundreds are looked up many times a second."""

    zero_ms: int = field(init=False)
    """Times of entries count from here."""

    def __post_init__(self) -> None:
        self.zero_ms = self.gun_ms
        self._by_seat = {one.seat: one for one in self.seats}
        self._by_player = {one.player: one.seat for one in self.seats if one.player}

    def credit(self, from_ms: int, to_ms: int) -> None:
        """The store was away between these two instants: the clock stood still."""
        self.gun_ms += to_ms - from_ms
        self.deadline_ms += to_ms - from_ms
        self.away.append((from_ms, to_ms))
        if not self.as_drawn:
            self.zero_ms = self.gun_ms

    @property
    def credits(self) -> list[Credit]:
        """By which times of entries are read; none in heats that are not `as_drawn`."""
        zero_ms = self.zero_ms
        return [(from_ms - zero_ms, to_ms - zero_ms) for from_ms, to_ms in self.away] if self.as_drawn else []

    def credits_of(self, taken: SeatTaken) -> Sequence[Credit]:
        """By which the times of this seat's entries are read."""
        return () if taken.has_own_time else self.credits

    def ended_ms(self, news: BoardEnded) -> int:
        """Where its clock stood when this board ended."""
        taken = self.taken(news.seat)
        return news.elapsed_ms if taken is None else raced_ms(self.credits_of(taken), news.elapsed_ms)

    @property
    def closed(self) -> bool:
        """All boards are sealed; only the judging is missing."""
        return self.lengths is not None

    @property
    def over(self) -> bool:
        """There is news of every board's end."""
        return len(self.ended) >= len(self.seats)

    def taken(self, seat: int) -> SeatTaken | None:
        """Who races on this seat."""
        return self._by_seat.get(seat)

    def board_of(self, player: PlayerId) -> int | None:
        """The seat whose board this person may play; None who does not race or has left since the draw."""
        seat = self._by_player.get(player)
        return None if seat in self.gone else seat

    def playing(self) -> list[SeatTaken]:
        """Seats of whose end there is no news."""
        return [one for one in self.seats if one.seat not in self.ended]


def phase(heat: Heat | None, at_ms: int) -> Phase:
    """The phase at an instant: no event marks the gun or the deadline."""
    if heat is None:
        return Phase.OPEN
    if heat.closed or at_ms >= heat.deadline_ms or heat.over:
        return Phase.CLOSING
    return Phase.COUNTDOWN if at_ms < heat.gun_ms else Phase.RUNNING


def length_ms(minutes: int) -> int:
    """From the gun to the deadline for an option of minutes; 0 is no limit, which has a cap."""
    return (minutes or CAP_MINUTES) * MINUTE_MS


def close_due(heat: Heat | None) -> int | None:
    """From when on the closing script is to run: every board has ended, or deadline + 2 s."""
    if heat is None or heat.closed:
        return None
    late = heat.deadline_ms + CLOSE_AFTER_MS
    if not heat.over:
        return late
    return min(late, max((news.at_ms for news in heat.ended.values()), default=late))


def judge_due(heat: Heat | None) -> int | None:
    """From when on the closed heat is to be judged."""
    return heat.closed_ms if heat is not None and heat.closed else None
