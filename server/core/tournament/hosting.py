"""What a host may do, by name: the console and the command line have the same powers.

What lives here: `ACTIONS`, and what follows from each. Almost all are edits (`edits`), which can be taken
back with `undo`. What does not: who is a host (a token; the shell checks it).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from server.core.ids import EntrantId
from server.core.machine import Refusal, RefusalCode
from server.core.tournament import events as log
from server.core.tournament import inputs
from server.core.tournament.edits import edit, read
from server.core.tournament.record import UNKNOWN, Round
from server.core.tournament.state import SECOND_MS, Status, TournamentState, deadline_ms
from server.core.tournament.upkeep import rested_ms

Answer: TypeAlias = list[log.TournamentEvent] | Refusal
Action: TypeAlias = Callable[[TournamentState, int, inputs.HostAction], Answer]

SENTENCES = 8
"""Announcements are from a fixed set; the words are the client's."""
LONGEST_S = 86_400
MAX_ROUNDS = 30
MAX_POINTS = 10_000
MAX_BOTS = 64
GIVE_UP_MS = 30_000
"""So long after a round was stopped, heats that still have no result may be given up."""
_NOT_NOW = Refusal(RefusalCode.NOT_NOW)
_BAD = Refusal(RefusalCode.BAD_OPTIONS)


def host_action(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """Carry out an action. `type` for an unknown one, `not_now`, `no_seat` for an unknown entrant,
    `bad_options` for a value out of range."""
    action = ACTIONS.get(command.action)
    if action is None:
        return Refusal(RefusalCode.TYPE)
    return action(state, at_ms, command)


def _set(
    state: TournamentState, at_ms: int, command: inputs.HostAction, what: str, value: log.Value, key: str = ""
) -> list[log.TournamentEvent]:
    return [*edit(state, at_ms, command.by, what, key, value)]


def _start(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """In `value` seconds, for 0 at once and without a check-in."""
    if state.started_ms is not None or state.ended_ms is not None:
        return _NOT_NOW
    if not 0 <= command.value <= LONGEST_S:
        return _BAD
    events = [] if command.value else _set(state, at_ms, command, "check_in_ms", 0)
    return events + _set(state, at_ms, command, "start_ms", at_ms + command.value * SECOND_MS)


def _start_at(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """At the instant `value`; 0: not by itself."""
    if state.started_ms is not None or state.ended_ms is not None:
        return _NOT_NOW
    if command.value and command.value < at_ms:
        return _BAD
    return _set(state, at_ms, command, "start_ms", command.value)


def _pause(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """No further round is drawn until `resume`; a round that runs goes on."""
    return _set(state, at_ms, command, "paused", 1)


def _resume(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    return _set(state, at_ms, command, "paused", 0)


def _next(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """The next round in `value` seconds."""
    if state.started_ms is None or state.ended_ms is not None or state.open_rounds():
        return _NOT_NOW
    if not 0 <= command.value <= LONGEST_S:
        return _BAD
    number = str(len(state.rounds))
    since = rested_ms(state) - _pause_ms(state)
    return _set(state, at_ms, command, "break_ms", max(0, at_ms - since + command.value * SECOND_MS), number)


def _pause_ms(state: TournamentState) -> int:
    number = len(state.rounds)
    return state.breaks_ms.get(number, state.options.break_s * SECOND_MS if number else 0)


def _round(state: TournamentState, key: str) -> Round | None:
    """The open round of this number; without one, the last that is open."""
    for number in reversed(state.open_rounds()):
        if key in ("", str(number.number)):
            return number
    return None


def _extend(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """Give the running round `value` seconds more, or take them, but not below now."""
    number = _round(state, command.key)
    if number is None or number.stopped_ms is not None:
        return _NOT_NOW
    extra = number.extra_ms + command.value * SECOND_MS
    if abs(command.value) > LONGEST_S or deadline_ms(number) + command.value * SECOND_MS <= at_ms:
        return _BAD
    return _set(state, at_ms, command, "extra_ms", extra, str(number.number))


def _close_round(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """Time is up now: every board counts as it stands. Asked again 30 s later, heats whose rooms have
    still no result are given up, so that nothing can block the next round (T4)."""
    number = _round(state, command.key)
    if number is None:
        return _NOT_NOW
    if number.stopped_ms is None:
        return [log.RoundStopped(at_ms, command.by, number.number)]
    if at_ms < number.stopped_ms + GIVE_UP_MS:
        return Refusal(RefusalCode.TOO_EARLY)
    return [
        log.HeatReported(at_ms, number.number, heat.room, UNKNOWN, []) for heat in number.heats if heat.open
    ]  # fmt: skip


def _rounds(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """So many rounds in all."""
    if not max(1, len(state.rounds)) <= command.value <= MAX_ROUNDS:
        return _BAD
    return _NOT_NOW if state.ended_ms is not None else _set(state, at_ms, command, "rounds", command.value)


def _late(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """People may come in up to this round."""
    if not state.format.late_entry or not 0 <= command.value <= MAX_ROUNDS:
        return _BAD
    return _set(state, at_ms, command, "late_round", command.value)


def _end(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """No further round is drawn; one that runs is played out and counts."""
    if state.started_ms is None or state.ended_ms is not None:
        return _NOT_NOW
    return _set(state, at_ms, command, "ending", 1)


def _status(*allowed: Status, to: Status) -> Action:
    def action(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
        known = state.entrants.get(EntrantId(command.key))
        if known is None:
            return Refusal(RefusalCode.NO_SEAT)
        if known.status is to:
            return []
        if known.status not in allowed or state.ended_ms is not None:
            return _NOT_NOW
        return _set(state, at_ms, command, "status", to.value, command.key)

    return action


def _points(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """Give an entrant `value` points beside those they raced for, or take them."""
    known = state.entrants.get(EntrantId(command.key))
    if known is None:
        return Refusal(RefusalCode.NO_SEAT)
    if abs(known.points + command.value) > MAX_POINTS:
        return _BAD
    return _set(state, at_ms, command, "points", known.points + command.value, command.key)


def _seed(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """Place an entrant before the others in the first round; 0: by lot again."""
    if EntrantId(command.key) not in state.entrants:
        return Refusal(RefusalCode.NO_SEAT)
    if not 0 <= command.value <= len(state.entrants):
        return _BAD
    return _NOT_NOW if state.rounds else _set(state, at_ms, command, "seed", command.value, command.key)


def _announce(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """Say sentence `value` of the fixed set to everybody."""
    return [log.Announced(at_ms, command.by, command.value)] if 0 <= command.value < SENTENCES else _BAD


def _bots(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """Let `value` bots of level `key` (1–3) take part."""
    there = [one for one in state.entrants.values() if one.bot]
    if command.key not in ("1", "2", "3") or not 1 <= command.value <= MAX_BOTS - len(there):
        return _BAD
    if not state.late_open():
        return _NOT_NOW
    taken = state.taken()
    return [
        log.Entered(
            at_ms, EntrantId(f"bot-{len(there) + at}"), f"Bot {len(there) + at}", "", int(command.key),
            taken + at > state.options.places, True,
        )
        for at in range(1, command.value + 1)
    ]  # fmt: skip


def _undo(state: TournamentState, at_ms: int, command: inputs.HostAction) -> Answer:
    """Take edit number `value` back (0: the last that stands). `not_now` when what it set has changed since:
    the later edit is to be taken back first."""
    standing = [n for n, one in enumerate(state.edits, start=1) if n not in state.undone and not one.undoes]
    number = command.value or (standing[-1] if standing else 0)
    if number not in standing:
        return _NOT_NOW
    edited = state.edits[number - 1]
    if read(state, edited.what, edited.key) != edited.after or _too_late(state, edited):
        return _NOT_NOW
    return [log.Edited(at_ms, command.by, edited.what, edited.key, edited.after, edited.before, number)]


def _too_late(state: TournamentState, edited: log.Edited) -> bool:
    """It has had its effect: the start has been, the round is over."""
    if edited.what in ("start_ms", "check_in_ms"):
        return state.started_ms is not None
    if edited.what == "extra_ms":
        return not state.rounds[int(edited.key) - 1].open
    if edited.what == "break_ms":
        return len(state.rounds) > int(edited.key)
    if edited.what == "seed":
        return bool(state.rounds)
    return False


ACTIONS: dict[str, Action] = {
    "start": _start,
    "start_at": _start_at,
    "pause": _pause,
    "resume": _resume,
    "next": _next,
    "extend": _extend,
    "close_round": _close_round,
    "rounds": _rounds,
    "late": _late,
    "end": _end,
    "drop": _status(Status.IN, Status.ABSENT, Status.WAITING, to=Status.DROPPED),
    "restore": _status(
        Status.DROPPED, Status.OUT, Status.UNCHECKED, Status.ABSENT, Status.WAITING, to=Status.IN
    ),
    "absent": _status(Status.IN, to=Status.ABSENT),
    "points": _points,
    "seed": _seed,
    "announce": _announce,
    "bots": _bots,
    "undo": _undo,
}  # fmt: skip
"""Every action of a host by its name on the wire."""
