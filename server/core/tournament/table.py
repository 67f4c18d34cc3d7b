"""Who stands where: points, tie-breaks, places; and the field that the next round is drawn from.

What lives here: pure questions to a `TournamentState`. The order depends on what was played alone: never on
names, ids or the order in which anything came in. Equal on all counts is a shared place (1, 2, 2, 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from server.core.formats import Field, Runner
from server.core.formats.base import shuffled
from server.core.ids import EntrantId
from server.core.tiebreaks import TIEBREAKS
from server.core.tournament.record import Record
from server.core.tournament.state import Status, TournamentState

Points: TypeAlias = dict[EntrantId, int]


@dataclass(frozen=True, slots=True)
class TableLine:
    """One entrant in the standings."""

    entrant: EntrantId
    place: int
    """From 1; equals share a place."""
    points: int
    values: tuple[int, ...]
    """Of the tie-breaks that were needed to tell this entrant from others, in the format's order."""
    decided_by: str
    """What put this entrant behind the one before: first, points, the id of a tie-break, or tie."""


def record(state: TournamentState) -> Record:
    """What was played and counts."""
    ends = None
    if not state.options.late_counts and state.started_ms is not None:
        ends = state.format.ends(_bare_field(state, state.at_ms))
    return Record(state.rounds, state.options.goal, state.options.points, ends, frozenset(state.entrants))


def points(state: TournamentState) -> Points:
    """Points of everybody who ever came in, with what hosts have given or taken."""
    won = state.format.points(record(state))
    return {one.id: won.get(one.id, 0) + one.points for one in state.entrants.values()}


def begun(state: TournamentState) -> bool:
    """Something has counted: a heat has its result, or somebody a bye. Before that nobody has a place."""
    return any(number.byes or number.rows() for number in state.rounds)


def standings(state: TournamentState) -> list[TableLine]:
    """Everybody who takes part or has raced, by place; equals in no order that means anything."""
    total, played = points(state), record(state)
    listed = {one.id for one in state.entrants.values() if one.plays}
    for number in state.rounds:
        listed |= number.entrants() | set(number.byes)
    lines: list[TableLine] = []
    for value in sorted({total[entrant] for entrant in listed}, reverse=True):
        group = frozenset(entrant for entrant in listed if total[entrant] == value)
        first = "points" if lines else "first"
        lines.extend(_split(state, played, total, group, 0, len(lines) + 1, (), first))
    return lines


def _split(
    state: TournamentState, played: Record, total: Points, group: frozenset[EntrantId],
    at: int, place: int, values: tuple[int, ...], first: str,
) -> list[TableLine]:  # fmt: skip
    """A group that is equal so far, told apart by the tie-breaks from number `at` on."""
    names = state.format.tie_breaks
    if len(group) == 1 or at == len(names):
        alike = shuffled(state.seed, group)
        return [
            TableLine(one, place, total[one], values, first if index == 0 else "tie") for index, one in enumerate(alike)
        ]
    found = TIEBREAKS[names[at]].values(played, total, group)
    lines: list[TableLine] = []
    for value in sorted(set(found.values()), reverse=True):
        part = frozenset(one for one in group if found[one] == value)
        why = names[at] if lines else first
        lines.extend(_split(state, played, total, part, at + 1, place + len(lines), (*values, value), why))
    return lines


def seeding(state: TournamentState) -> list[EntrantId]:
    """Everybody in the order before the first round: those whom a host has seeded, then by lot."""
    lot = shuffled(state.seed, state.entrants)
    return sorted(lot, key=lambda one: state.entrants[one].seed or len(state.entrants) + 1000)


def _bare_field(state: TournamentState, at_ms: int) -> Field:
    return Field(state.options, (), Record((), "", ""), {}, at_ms, state.started_ms or 0)


def field(state: TournamentState, at_ms: int) -> Field:
    """What the next round is drawn from at an instant."""
    racing = {
        entrant for number in state.open_rounds() for heat in number.heats if heat.open for entrant in heat.entrants
    }
    runners = [
        Runner(entrant, seed, state.entrants[entrant].free_ms)
        for seed, entrant in enumerate(seeding(state), start=1)
        if state.entrants[entrant].status is Status.IN and entrant not in racing
    ]
    options = msgspec.structs.replace(state.options, rounds=state.rounds_limit)
    return Field(
        options, tuple(runners), record(state), points(state), at_ms, state.started_ms or 0, len(racing)
    )  # fmt: skip
