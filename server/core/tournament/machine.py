"""The tournament machine: its verbs in one place (`server.core.machine.Machine`), and what its shell asks.

What lives here: `create`, `decide`, and names. `state` has the values, `fold` what events do, `entry`,
`hosting` and `settling` what follows from inputs, `upkeep` what follows from time, `table` the standings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from server.core.ids import PlayerId, TournamentId
from server.core.machine import Refusal, RefusalCode
from server.core.tournament import entry, inputs, settling
from server.core.tournament import events as log
from server.core.tournament.fold import apply, fold
from server.core.tournament.hosting import host_action
from server.core.tournament.options import checked
from server.core.tournament.state import TournamentState
from server.core.tournament.upkeep import (
    decide_due,
    due,
    wants_opening,
    wants_results,
    wants_round,
)
from server.wire.messages import TournamentOptions

Answer: TypeAlias = list[log.TournamentEvent] | Refusal


def create(
    at_ms: int, tournament: TournamentId, code: str, options: TournamentOptions, maker: PlayerId, seed: int
) -> list[log.TournamentEvent] | Refusal:
    """The first event of a tournament. `seed` (0 ≤ seed < 2**53) is drawn by chance. Refused: `name`,
    `bad_options` (also for a start in the past)."""
    sound = checked(options)
    if isinstance(sound, Refusal):
        return sound
    if sound.start_ms and sound.start_ms < at_ms:
        return Refusal(RefusalCode.BAD_OPTIONS)
    return [log.Created(at_ms, tournament, code, sound, maker, seed)]


_ANSWERS: dict[type, Callable[[TournamentState, int, Any], Answer]] = {
    inputs.Enter: entry.enter,
    inputs.CheckIn: entry.check_in,
    inputs.Withdraw: entry.withdraw,
    inputs.Rename: entry.rename,
    inputs.HostAction: host_action,
    inputs.RoundDealt: settling.round_dealt,
    inputs.HeatDone: settling.heat_done,
    inputs.DealOpened: settling.deal_opened,
}


def decide(state: TournamentState, at_ms: int, _: PlayerId, command: inputs.TournamentInput) -> Answer:
    """What this input makes happen; `Machine.decide`. Who asks stands in the input itself."""
    return _ANSWERS[type(command)](state, max(at_ms, state.at_ms), command)


__all__ = [
    "TournamentState", "apply", "create", "decide", "decide_due", "due", "fold", "wants_opening", "wants_results",
    "wants_round",
]  # fmt: skip
