"""What time alone makes happen in a tournament, and what its shell has to do.

What lives here: starting, moving up from the waiting list, ending; when a round is to be drawn, when a deal
is to be opened; and `due`. A tournament goes on by the server's clock, whether its host is there or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from server.core.ids import EntrantId, RoomId
from server.core.tournament import events as log
from server.core.tournament.record import Round
from server.core.tournament.state import Status, TournamentState
from server.core.tournament.table import field

FEWEST = 2
"""Entrants without whom there is nothing to race."""
GIVE_UP_MS = 3_600_000
"""So long after its start a tournament for which there were too few ends."""
STALL_MS = 600_000
"""So long a tournament waits for absent entrants when too few are there for a round."""

FORGOTTEN_MS = 30 * 86_400_000
"""A tournament to which nothing happened for so long, and in which nothing is raced, ends."""

_Chore: TypeAlias = tuple[int, Callable[[int], list[log.TournamentEvent]]]


def due(state: TournamentState) -> int | None:
    """From when on the shell has something to do if nothing else happens; see `Machine.due`. Results of
    rooms are not among these: the rooms have deadlines of their own."""
    times = [since for since, _ in _chores(state)]
    times.extend(state.at_ms for _ in wants_opening(state))
    draw = draw_due(state)
    return min([*times, draw] if draw is not None else times, default=None)


def decide_due(state: TournamentState, at_ms: int) -> list[log.TournamentEvent]:
    """What time alone makes happen now: the events of one chore. Ask again after applying them."""
    at_ms = max(at_ms, state.at_ms)
    for since, events in _chores(state):
        if at_ms >= since:
            return events(at_ms)
    return []


def wants_round(state: TournamentState, at_ms: int) -> bool:
    """The shell is to draw a round: `state.format.draw(table.field(state, at_ms))`, a deal for it, a room
    for each heat; and to hand in `RoundDealt`."""
    since = draw_due(state)
    return since is not None and at_ms >= since


def wants_opening(state: TournamentState) -> list[Round]:
    """Rounds whose last heat is reported: the shell is to hand in `DealOpened`."""
    return [number for number in state.open_rounds() if number.reported]


def wants_results(state: TournamentState) -> list[RoomId]:
    """Rooms of heats that are not reported: the shell is to look whether they have judged."""
    return [heat.room for number in state.open_rounds() for heat in number.heats if heat.open]


def next_ms(state: TournamentState) -> int | None:
    """When the next thing happens that people wait for: the start, or the next round."""
    if state.ended_ms is not None or state.paused:
        return None
    if state.started_ms is None:
        return state.start_ms or None
    return draw_due(state)


def draw_due(state: TournamentState) -> int | None:
    """From when on a round is to be drawn."""
    if state.started_ms is None or state.ended_ms is not None or state.paused or state.ending:
        return None
    if state.format.overlapping:
        return state.format.wakes(field(state, state.at_ms))
    if state.open_rounds():
        return None
    ready = field(state, state.at_ms)
    if len(ready.runners) < FEWEST or state.format.over(ready):
        return None
    return rested_ms(state)


def rested_ms(state: TournamentState) -> int:
    """When the pause after the last round is over."""
    assert state.started_ms is not None
    number = len(state.rounds)
    since = max((one.closed_ms or 0 for one in state.rounds), default=state.started_ms)
    usual = state.options.break_s * 1000 if number else 0
    return since + state.breaks_ms.get(number, usual)


def _chores(state: TournamentState) -> Iterator[_Chore]:
    if state.ended_ms is not None:
        return
    for chore in (_start(state), _move_up(state), _end(state), _forgotten(state)):
        if chore is not None:
            yield chore


def _start(state: TournamentState) -> _Chore | None:
    if state.started_ms is not None or not state.start_ms:
        return None
    unchecked, moved = _at_the_start(state)
    staying = sum(one.plays for one in state.entrants.values()) - len(unchecked) + len(moved)
    if staying < FEWEST:
        return state.start_ms + GIVE_UP_MS, lambda at_ms: [log.Ended(at_ms)]
    return max(state.start_ms, 0), lambda at_ms: [log.Started(at_ms, unchecked, moved)]


def _at_the_start(state: TournamentState) -> tuple[list[EntrantId], list[EntrantId]]:
    """Who has not checked in, and who takes their places (T16)."""
    everybody = state.entrants.values()
    unchecked = [
        one.id
        for one in everybody
        if state.check_in_ms and not one.checked and (one.plays or one.status is Status.WAITING)
    ]
    out = set(unchecked)
    free = state.options.places - sum(one.plays and one.id not in out for one in everybody)
    waiting = [one.id for one in everybody if one.status is Status.WAITING and one.id not in out]
    return unchecked, waiting[: max(0, free)]


def _move_up(state: TournamentState) -> _Chore | None:
    free = state.options.places - state.taken()
    waiting = [one.id for one in state.entrants.values() if one.status is Status.WAITING]
    if free <= 0 or not waiting or not state.late_open():
        return None
    return state.at_ms, lambda at_ms: [log.MovedUp(at_ms, waiting[:free])]


def _forgotten(state: TournamentState) -> _Chore | None:
    if state.open_rounds():
        return None
    return max(state.at_ms, state.start_ms) + FORGOTTEN_MS, lambda at_ms: [log.Ended(at_ms)]


def _end(state: TournamentState) -> _Chore | None:
    if state.started_ms is None or state.open_rounds():
        return None

    def ended(at_ms: int) -> list[log.TournamentEvent]:
        return [log.Ended(at_ms)]

    ready = field(state, state.at_ms)
    if state.ending or state.format.over(ready):
        return state.at_ms, ended
    by_clock = state.format.ends(ready)
    if by_clock is not None:
        return by_clock, ended
    if len(ready.runners) < FEWEST and not state.paused:
        return state.at_ms + STALL_MS, ended
    return None
