"""How people come into a tournament and go: the rules of entering, checking in and withdrawing.

What lives here: what an entrant may do. Leaving and coming back gives nobody anything (T2): results stay,
rounds that one was not drawn for give no points. Who an entrant is does not depend on name or device (T14).
"""

from __future__ import annotations

from server.core.machine import Refusal, RefusalCode
from server.core.tournament import events as log
from server.core.tournament import inputs
from server.core.tournament.state import Phase, Status, TournamentState


def enter(state: TournamentState, at_ms: int, command: inputs.Enter) -> list[log.TournamentEvent] | Refusal:
    """Take part, or be on the waiting list. `locked` when nobody comes in any more, or for who was taken
    out by a host; a person who is in already is in."""
    known = state.entrants.get(command.entrant)
    if known is not None:
        return _again(state, at_ms, command)
    if not state.late_open():
        return Refusal(RefusalCode.LOCKED)
    checked = state.started_ms is not None or state.phase(at_ms) is Phase.CHECK_IN or not state.check_in_ms
    waits = state.taken() >= state.options.places
    return [log.Entered(at_ms, command.entrant, command.name, command.tag, 0, waits, checked)]


def _again(state: TournamentState, at_ms: int, command: inputs.Enter) -> list[log.TournamentEvent] | Refusal:
    """Back after having withdrawn, missed the check-in or a heat."""
    known = state.entrants[command.entrant]
    if known.status is Status.DROPPED or state.ended_ms is not None:
        return Refusal(RefusalCode.LOCKED)
    events: list[log.TournamentEvent] = []
    if known.status is Status.ABSENT:
        events.append(log.CheckedIn(at_ms, known.id))
    elif known.status in (Status.OUT, Status.UNCHECKED):
        raced = any(known.id in number.entrants() | set(number.byes) for number in state.rounds)
        if not raced and not state.late_open():
            return Refusal(RefusalCode.LOCKED)
        events.append(log.Returned(at_ms, known.id, state.taken() >= state.options.places))
    if known.name != command.name:
        events.append(log.Renamed(at_ms, known.id, command.name))
    return events


def check_in(state: TournamentState, at_ms: int, command: inputs.CheckIn) -> list[log.TournamentEvent] | Refusal:
    """Say that one is there. `not_seated` for who takes no part, `too_early` before the check-in opens."""
    known = state.entrants.get(command.entrant)
    if known is None or not (known.plays or known.status is Status.WAITING):
        return Refusal(RefusalCode.NOT_SEATED)
    if known.status is Status.ABSENT:
        return [log.CheckedIn(at_ms, known.id)]
    if known.checked:
        return []
    if state.started_ms is None and state.phase(at_ms) is not Phase.CHECK_IN:
        return Refusal(RefusalCode.TOO_EARLY)
    return [log.CheckedIn(at_ms, known.id)]


def withdraw(state: TournamentState, at_ms: int, command: inputs.Withdraw) -> list[log.TournamentEvent] | Refusal:
    """Drop out; results stay. A heat that one is in goes on, without harm to anybody else in it."""
    known = state.entrants.get(command.entrant)
    if known is None:
        return Refusal(RefusalCode.NOT_SEATED)
    if not (known.plays or known.status is Status.WAITING) or state.ended_ms is not None:
        return []
    return [log.Withdrawn(at_ms, known.id)]


def rename(state: TournamentState, at_ms: int, command: inputs.Rename) -> list[log.TournamentEvent] | Refusal:
    """The entrant's name is another now."""
    known = state.entrants.get(command.entrant)
    return [] if known is None or known.name == command.name else [log.Renamed(at_ms, known.id, command.name)]
