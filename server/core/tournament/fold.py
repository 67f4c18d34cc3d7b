"""From a tournament's log to its state.

What lives here: what each event does to a `TournamentState`. What is logged has happened: nothing is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from server.core.events import LogError
from server.core.ids import EntrantId
from server.core.tournament import edits
from server.core.tournament import events as log
from server.core.tournament.record import Round, TournamentHeat
from server.core.tournament.state import Entrant, Status, TournamentState

STOP_MS = 3_000
"""A round that is closed before its time ends so long after: every process knows of it by then, and no move is
acknowledged that comes too late to count."""


def fold(events: Iterable[log.TournamentEvent]) -> TournamentState:
    """The tournament after these events. Raises `LogError` unless the first, and no other, is `Created`."""
    state: TournamentState | None = None
    for event in events:
        if state is not None:
            apply(state, event)
        elif isinstance(event, log.Created):
            state = _created(event)
        else:
            raise LogError("a tournament's log begins with its creation")
    if state is None:
        raise LogError("an empty log is no tournament")
    return state


def _created(event: log.Created) -> TournamentState:
    options = event.options
    return TournamentState(
        event.tournament, event.code, options, event.maker, event.seed, event.at_ms, options.start_ms,
        options.check_in_s * 1000, options.rounds, options.late_round, created_ms=event.at_ms,
    )  # fmt: skip


def apply(state: TournamentState, event: log.TournamentEvent) -> None:
    """Change the state by the next event of its log."""
    change = _CHANGES.get(type(event))
    if change is None:
        raise LogError("a tournament is created once")
    state.version += 1
    state.at_ms = max(state.at_ms, event.at_ms)
    change(state, event)


def _entered(state: TournamentState, event: log.Entered) -> None:
    status = Status.WAITING if event.waits else Status.IN
    state.entrants[event.entrant] = Entrant(
        event.entrant, event.name, event.tag, event.bot, len(state.entrants) + 1, status, event.checked, event.at_ms
    )  # fmt: skip


def _set(state: TournamentState, entrant: EntrantId, status: Status, at_ms: int) -> None:
    one = state.entrants[entrant]
    one.status = status
    one.free_ms = at_ms


def _checked_in(state: TournamentState, event: log.CheckedIn) -> None:
    one = state.entrants[event.entrant]
    one.checked = True
    if one.status is Status.ABSENT:
        _set(state, event.entrant, Status.IN, event.at_ms)


def _withdrawn(state: TournamentState, event: log.Withdrawn) -> None:
    _set(state, event.entrant, Status.OUT, event.at_ms)


def _returned(state: TournamentState, event: log.Returned) -> None:
    _set(state, event.entrant, Status.WAITING if event.waits else Status.IN, event.at_ms)
    state.entrants[event.entrant].checked = True


def _renamed(state: TournamentState, event: log.Renamed) -> None:
    state.entrants[event.entrant].name = event.name


def _moved_up(state: TournamentState, event: log.MovedUp) -> None:
    for entrant in event.entrants:
        _set(state, entrant, Status.IN, event.at_ms)


def _edited(state: TournamentState, event: log.Edited) -> None:
    edits.write(state, event.what, event.key, event.after)
    state.edits.append(event)
    if event.undoes:
        state.undone.add(event.undoes)


def _announced(state: TournamentState, event: log.Announced) -> None:
    state.announced = (event.sentence, event.at_ms)


def _started(state: TournamentState, event: log.Started) -> None:
    state.started_ms = event.at_ms
    for entrant in event.unchecked:
        _set(state, entrant, Status.UNCHECKED, event.at_ms)
    for entrant in event.moved_up:
        _set(state, entrant, Status.IN, event.at_ms)


def _round_drawn(state: TournamentState, event: log.RoundDrawn) -> None:
    heats = [TournamentHeat(heat.room, heat.code, tuple(heat.entrants)) for heat in event.heats]
    state.rounds.append(
        Round(event.round, event.at_ms, event.gun_ms, state.options.minutes, heats, tuple(event.byes))
    )  # fmt: skip


def _heat_reported(state: TournamentState, event: log.HeatReported) -> None:
    found = state.heat_of(event.room)
    if found is None or not found[1].open:
        return
    heat = found[1]
    heat.heat, heat.rows, heat.reported_ms = event.heat, tuple(event.rows), event.at_ms
    absent = {row.entrant for row in event.rows if row.absent}
    for entrant in heat.entrants:
        one = state.entrants[entrant]
        one.free_ms = event.at_ms
        if entrant in absent and one.status is Status.IN:
            one.status = Status.ABSENT


def _round_stopped(state: TournamentState, event: log.RoundStopped) -> None:
    state.rounds[event.round - 1].stopped_ms = event.at_ms + STOP_MS


def _round_closed(state: TournamentState, event: log.RoundClosed) -> None:
    number = state.rounds[event.round - 1]
    number.closed_ms, number.code, number.nonce = event.at_ms, event.code, event.nonce


def _ended(state: TournamentState, event: log.Ended) -> None:
    state.ended_ms = event.at_ms


_CHANGES: dict[type[log.TournamentEvent], Callable[[TournamentState, Any], None]] = {
    log.Entered: _entered,
    log.CheckedIn: _checked_in,
    log.Withdrawn: _withdrawn,
    log.Returned: _returned,
    log.Renamed: _renamed,
    log.MovedUp: _moved_up,
    log.Edited: _edited,
    log.Announced: _announced,
    log.Started: _started,
    log.RoundDrawn: _round_drawn,
    log.HeatReported: _heat_reported,
    log.RoundStopped: _round_stopped,
    log.RoundClosed: _round_closed,
    log.Ended: _ended,
}
