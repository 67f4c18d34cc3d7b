"""What the shell reports about rounds: the draw, results, opened deals.

What lives here: the events that follow, each at most once.
"""

from __future__ import annotations

from server.core.machine import Refusal, RefusalCode
from server.core.tournament import events as log
from server.core.tournament import inputs
from server.core.tournament.state import TournamentState
from server.core.tournament.upkeep import wants_round

LEAD_MS = 10_000
"""From the draw to the gun: everybody's page opens the heat by itself within this."""


def round_dealt(state: TournamentState, at_ms: int, command: inputs.RoundDealt) -> list[log.TournamentEvent]:
    """The round is fixed."""
    draw = command.draw
    if command.version != state.version or not draw.heats or not wants_round(state, at_ms):
        return []
    heats = [
        log.DrawnHeat(room, code, list(entrants))
        for (room, code), entrants in zip(command.rooms, draw.heats, strict=True)
    ]  # fmt: skip
    return [log.RoundDrawn(at_ms, len(state.rounds) + 1, at_ms + LEAD_MS, heats, list(draw.byes))]


def heat_done(
    state: TournamentState, at_ms: int, command: inputs.HeatDone
) -> list[log.TournamentEvent] | Refusal:  # fmt: skip
    """A result, once. `internal` when the rows are not those of the heat's entrants."""
    found = state.heat_of(command.room)
    if found is None or not found[1].open:
        return []
    number, heat = found
    if sorted(row.entrant for row in command.rows) != sorted(heat.entrants):
        return Refusal(RefusalCode.INTERNAL)
    return [log.HeatReported(at_ms, number.number, command.room, command.heat, list(command.rows))]


def deal_opened(state: TournamentState, at_ms: int, command: inputs.DealOpened) -> list[log.TournamentEvent]:
    """The round is closed and its deal known, once and not before every heat is reported (ruling 9)."""
    if not 1 <= command.round <= len(state.rounds):
        return []
    number = state.rounds[command.round - 1]
    if not number.open or not number.reported:
        return []
    return [log.RoundClosed(at_ms, command.round, command.code, command.nonce)]
