"""What a format is: a few functions over plain values. One file in this folder and a line in the registry.

What lives here: the values that a format gets and answers. What does not: any format, and when a round is
drawn (`server.core.tournament.upkeep`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from server.core.ids import EntrantId
from server.core.tournament.record import Record
from server.wire.messages import TournamentOptions


@dataclass(frozen=True, slots=True)
class Runner:
    """An entrant who may be drawn now: takes part, is not absent and in no open heat."""

    entrant: EntrantId
    seed: int
    """Rank before the first round, from 1 (the best); every entrant has another."""
    free_ms: int
    """Since when they have been waiting for a heat."""


@dataclass(frozen=True, slots=True)
class Field:
    """What a format draws from."""

    options: TournamentOptions
    runners: tuple[Runner, ...]
    """By seed."""
    record: Record
    points: dict[EntrantId, int]
    """Of everybody, with what the host has given or taken."""
    at_ms: int
    started_ms: int
    racing: int = 0
    """Entrants who are in an open heat."""

    @property
    def next_round(self) -> int:
        """Number of the round that would be drawn."""
        return len(self.record.rounds) + 1


@dataclass(frozen=True, slots=True)
class Draw:
    """A round as drawn: who races whom, and who goes on without a race."""

    heats: tuple[tuple[EntrantId, ...], ...]
    byes: tuple[EntrantId, ...] = ()


NOBODY = Draw(())
"""No heat can be made now."""


@dataclass(frozen=True, slots=True)
class Format:
    """One way to hold a tournament."""

    id: str
    sound: Callable[[TournamentOptions], bool]
    """Whether its own options go together; those common to all are checked before."""
    draw: Callable[[Field], Draw]
    """The next round, the same for every order of the input; `NOBODY` when there is none to be had now.
    Everybody in it is one of the runners, once, and no heat has fewer than two."""
    over: Callable[[Field], bool]
    """No further round is to come, given that none is open."""
    points: Callable[[Record], dict[EntrantId, int]]
    """Points from heats and byes; who is missing has none."""
    tie_breaks: tuple[str, ...]
    """Keys of `TIEBREAKS`, applied in this order to equal points."""
    late_entry: bool = True
    """Whether somebody may come in after the first draw."""
    overlapping: bool = False
    """Rounds are drawn while others run, each with a deal of its own."""
    wakes: Callable[[Field], int | None] = lambda _: None
    """Overlapping formats: from when on a heat is to be had if nothing else happens."""
    ends: Callable[[Field], int | None] = lambda _: None
    """When nothing more is drawn, for formats that end by the clock."""
    prepare: Callable[[], object] | None = None
    """Gets ready what drawing needs, which takes a moment: to be called aside before the first draw, or that one is
    slow. May be called from any thread, as often as one likes."""


def ordered(runners: Iterable[Runner], points: dict[EntrantId, int]) -> list[Runner]:
    """Most points first, equals by seed."""
    return sorted(runners, key=lambda one: (-points.get(one.entrant, 0), one.seed))


def shuffled(seed: int, entrants: Iterable[EntrantId]) -> list[EntrantId]:
    """An order that nobody can wish for: it follows from the tournament's seed and who they are."""
    return sorted(entrants, key=lambda one: hashlib.sha256(f"{seed}:{one}".encode()).digest())
