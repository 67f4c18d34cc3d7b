"""Ratings of people, one for each ruleset (product P9): Plackett–Luce, as the package `openskill` has it.

Lives here: which heats are rated, what one heat changes, and the fold of a log, by which all ratings can be
computed again. Lives elsewhere: keeping and telling them (store.ratings, services.ratings).

A rating is a normal distribution: `mu` is where a player's strength is thought to lie, `sigma` how sure that is.
Both are kept in whole thousandths of a point, so that what is stored, sent and folded again is one number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from openskill.models import PlackettLuce

from server.core.closed_heat import ClosedHeat
from server.wire.messages import RoomOptions

UNIT: Final = 1_000
"""Parts of a point."""
START_MU: Final = 1_500 * UNIT
START_SIGMA: Final = 500 * UNIT
PROVISIONAL: Final = 10
"""A rating of fewer heats is provisional."""
TOLERANCE: Final = 2
"""How far a rating may be from what is computed again, in parts of a point: exponentials of two machines differ
in the last digit."""

_MODEL: Final = PlackettLuce(mu=START_MU / UNIT, sigma=START_SIGMA / UNIT, beta=250.0, tau=5.0)
"""The package's own proportions on a scale of 60 points to one."""


class Rating(msgspec.Struct, array_like=True, frozen=True):
    """What is thought of a player's strength in one ruleset."""

    mu: int = START_MU
    """In parts of a point."""
    sigma: int = START_SIGMA
    """One standard deviation, in parts of a point."""
    games: int = 0
    """Heats it is made from."""

    @property
    def points(self) -> int:
        """As shown, e.g. 1512."""
        return round(self.mu / UNIT)

    @property
    def deviation(self) -> int:
        """As shown behind ±: in two of three cases the strength lies within."""
        return round(self.sigma / UNIT)

    @property
    def provisional(self) -> bool:
        """Too few heats to rely on."""
        return self.games < PROVISIONAL


class Racer(NamedTuple):
    """A person in a rated heat."""

    seat: int
    player: str
    place: int
    """From 1; equals share it. Bots have places too, which do not count."""


class Change(msgspec.Struct, array_like=True, frozen=True):
    """What a heat did to one player's rating."""

    seat: int
    player: str
    place: int
    before: Rating
    after: Rating


class RatedHeat(msgspec.Struct, array_like=True, frozen=True):
    """One entry of the log of a ruleset. Ratings are the fold of that log."""

    heat: str
    room: str
    at_ms: int
    """When the heat was judged."""
    changes: tuple[Change, ...]


def counts(options: RoomOptions, series: str, *, is_open: bool) -> bool:
    """Whether heats of such a room are rated: anybody could come in, and nobody knew the deal."""
    return (options.public or options.match) and not is_open and not series


def racers(heat: ClosedHeat) -> list[Racer]:
    """The people whose ratings a heat changes, by seat; none when it is not rated."""
    if not counts(heat.options, heat.series, is_open=heat.open):
        return []
    places = {row.seat: row.place for row in heat.rows}
    people = [Racer(one.seat, one.player, places[one.seat]) for one in heat.seats if one.player]
    return people if len(people) > 1 else []


def changes(people: Sequence[Racer], before: Mapping[str, Rating]) -> tuple[Change, ...]:
    """What a heat of at least two people does to their ratings; who has none yet begins at the start."""
    old = [before.get(one.player, Rating()) for one in people]
    teams = [[_MODEL.rating(mu=rating.mu / UNIT, sigma=rating.sigma / UNIT)] for rating in old]
    rated = _MODEL.rate(teams, ranks=[float(one.place) for one in people])
    return tuple(
        Change(one.seat, one.player, one.place, rating, _kept(team[0].mu, team[0].sigma, rating.games + 1))
        for one, rating, team in zip(people, old, rated, strict=True)
    )


def _kept(mu: float, sigma: float, games: int) -> Rating:
    return Rating(round(mu * UNIT), round(sigma * UNIT), games)


class Fold:
    """All ratings of one ruleset, from its log, entry by entry."""

    def __init__(self) -> None:
        self.now: dict[str, Rating] = {}
        self.heats: dict[str, int] = {}
        """Index in the log by heat."""
        self.curves: dict[str, list[tuple[RatedHeat, Rating]]] = {}
        self.entries: list[RatedHeat] = []
        """The log as it should be."""

    def add(self, entry: RatedHeat, people: Sequence[Racer] | None = None) -> list[str]:
        """Take the next entry in, as it should be; what is wrong with it, as words for the operator.

        `people`: who raced and their places, where the heat itself is known; None: the entry is believed.
        """
        if entry.heat in self.heats:
            return [f"heat {entry.heat} is rated twice"]
        told = [Racer(one.seat, one.player, one.place) for one in entry.changes]
        if people is None:
            people = told
        if not people:
            return [f"heat {entry.heat} is not to be rated"]
        due = changes(people, self.now)
        if list(people) != told:
            faults = [f"heat {entry.heat}: it gives other places"]
        else:
            faults = [
                f"heat {entry.heat}, player {one.player}: {one.after} is stored, computed {right.after}"
                for one, right in zip(entry.changes, due, strict=True)
                if not (same(one.before, right.before) and same(one.after, right.after))
            ]
        self._append(msgspec.structs.replace(entry, changes=due) if faults else entry)
        return faults

    def _append(self, entry: RatedHeat) -> None:
        self.heats[entry.heat] = len(self.entries)
        self.entries.append(entry)
        for one in entry.changes:
            self.now[one.player] = one.after
            self.curves.setdefault(one.player, []).append((entry, one.after))


def same(one: Rating, other: Rating) -> bool:
    """Whether two ratings are the same but for the last digit of an exponential."""
    far = max(abs(one.mu - other.mu), abs(one.sigma - other.sigma))
    return far <= TOLERANCE and one.games == other.games


def folded(entries: Iterable[RatedHeat]) -> tuple[Fold, list[str]]:
    """All ratings of a log, and what is wrong with it."""
    fold = Fold()
    faults = [fault for entry in entries for fault in fold.add(entry)]
    return fold, faults
