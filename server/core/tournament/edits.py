"""What a host may change, as a table of fields that are read and written by name.

What lives here: `read`, `write` and the event that sets a field. As an edit is "this field from this to
that", its inverse is the same with the two exchanged. What does not: which edits are allowed (`hosting`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from server.core.ids import EntrantId
from server.core.tournament.events import Edited, Value
from server.core.tournament.state import Entrant, Status, TournamentState


@dataclass(frozen=True, slots=True)
class _Field:
    read: Callable[[TournamentState, str], Value]
    write: Callable[[TournamentState, str, Value], None]


def _of_state(name: str, kind: type[int]) -> _Field:
    def read(state: TournamentState, _: str) -> Value:
        return int(getattr(state, name))

    def write(state: TournamentState, _: str, value: Value) -> None:
        setattr(state, name, kind(value))

    return _Field(read, write)


def _entrant(state: TournamentState, key: str) -> Entrant:
    return state.entrants[EntrantId(key)]


def _of_entrant(name: str, kind: Callable[[Any], int | Status]) -> _Field:
    def read(state: TournamentState, key: str) -> Value:
        value = getattr(_entrant(state, key), name)
        return value.value if isinstance(value, Status) else int(value)

    def write(state: TournamentState, key: str, value: Value) -> None:
        setattr(_entrant(state, key), name, kind(value))

    return _Field(read, write)


def _read_extra(state: TournamentState, key: str) -> Value:
    return state.rounds[int(key) - 1].extra_ms


def _write_extra(state: TournamentState, key: str, value: Value) -> None:
    state.rounds[int(key) - 1].extra_ms = int(value)


UNSET = -1
"""In place of a pause that follows from the options."""


def _read_break(state: TournamentState, key: str) -> Value:
    return state.breaks_ms.get(int(key), UNSET)


def _write_break(state: TournamentState, key: str, value: Value) -> None:
    if value == UNSET:
        state.breaks_ms.pop(int(key), None)
    else:
        state.breaks_ms[int(key)] = int(value)


def _write_ending(state: TournamentState, _: str, value: Value) -> None:
    """Taking an early end back opens the tournament again."""
    state.ending = bool(value)
    if not value:
        state.ended_ms = None


FIELDS: dict[str, _Field] = {
    "start_ms": _of_state("start_ms", int),
    "check_in_ms": _of_state("check_in_ms", int),
    "paused": _of_state("paused", bool),
    "rounds": _of_state("rounds_limit", int),
    "late_round": _of_state("late_round", int),
    "ending": _Field(lambda state, _: int(state.ending), _write_ending),
    "status": _of_entrant("status", Status),
    "points": _of_entrant("points", int),
    "seed": _of_entrant("seed", int),
    "extra_ms": _Field(_read_extra, _write_extra),
    "break_ms": _Field(_read_break, _write_break),
}


def read(state: TournamentState, what: str, key: str) -> Value:
    """The value of a field now."""
    return FIELDS[what].read(state, key)


def write(state: TournamentState, what: str, key: str, value: Value) -> None:
    """Set a field, as a logged edit says."""
    FIELDS[what].write(state, key, value)


def edit(state: TournamentState, at_ms: int, by: str, what: str, key: str, after: Value) -> list[Edited]:
    """The event that sets a field, or none when it is so already."""
    before = read(state, what, key)
    return [] if before == after else [Edited(at_ms, by, what, key, before, after)]
