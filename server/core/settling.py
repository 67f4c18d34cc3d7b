"""What the shell reports about a heat: its deal, its boards, outages, its places.

What lives here: the events that follow, each at most once. The seat and times of a heat are fixed here, the
deal, seeds and places come from the shell.
"""

from __future__ import annotations

from engine.terms import RULES
from server.core import events as log
from server.core import inputs
from server.core.credits import outside
from server.core.heat import COUNTDOWN_MS, Phase, length_ms
from server.core.ids import PlayerId
from server.core.machine import Refusal, RefusalCode
from server.core.ready import racers, wants_deal
from server.core.state import RoomState

WORTH_A_CREDIT_MS = 1_000
"""Shorter outages of the store are not credited (ruling 21)."""
WORTH_MORE_MS = 100
"""Processes see the ends of an outage differently: what another one saw of it beyond that is credited too."""


def bots_racing(state: RoomState) -> int:
    """How many seeds `DealDrawn` needs."""
    return sum(seat.bot > 0 for seat in state.seats.values())


def deal_drawn(state: RoomState, at_ms: int, _: PlayerId, command: inputs.DealDrawn) -> list[log.RoomEvent]:
    """The heat is fixed: gun in 3 s, the ready people and all bots race, the others keep their seats."""
    options = state.options
    stale = (command.ruleset, command.given) != (options.ruleset, options.code)
    if stale or not wants_deal(state, at_ms) or len(command.bot_seeds) < bots_racing(state):
        return []
    seeds = iter(command.bot_seeds)
    seats = []
    for no in racers(state):
        seat = state.seats[no]
        if seat.bot == log.GHOST:
            seats.append(log.SeatTaken(no, seat.player, seat.name, log.GHOST, seat.source))
        elif seat.bot:
            seats.append(log.SeatTaken(no, seat.player, "", seat.bot, next(seeds)))
        else:
            seats.append(log.SeatTaken(no, seat.player, state.members[seat.player].name, 0, 0))
    gun_ms = max(at_ms + COUNTDOWN_MS, state.slot.gun_ms if state.slot is not None else 0)
    is_open = bool(options.code or state.chase)
    return [
        log.HeatDrawn(
            at_ms, command.heat, state.deal_number(), options.ruleset, "" if is_open else command.commitment,
            gun_ms, gun_ms + length_ms(options.minutes), seats, is_open, RULES, command.difficulty,
            command.as_drawn,
        )
    ]  # fmt: skip


def board_done(state: RoomState, at_ms: int, _: PlayerId, command: inputs.BoardDone) -> list[log.RoomEvent]:
    """News of an ended board, once a seat and only while the heat is not closed."""
    heat = state.heat
    if heat is None or heat.id != command.heat or heat.closed:
        return []
    if heat.taken(command.seat) is None or command.seat in heat.ended:
        return []
    return [
        log.BoardEnded(
            at_ms, heat.id, command.seat, command.ended, command.out, command.score, command.elapsed_ms
        )
    ]  # fmt: skip


def credit(state: RoomState, at_ms: int, _: PlayerId, command: inputs.Credit) -> list[log.RoomEvent]:
    """Give back an outage of the store, every instant of it once: what another process has credited
    already, what lies before the draw or in the future is left out."""
    heat = state.heat
    if heat is None or state.phase(command.from_ms) is Phase.CLOSING:
        return []
    from_ms, to_ms = max(command.from_ms, heat.drawn_ms), min(command.to_ms, at_ms)
    if to_ms - from_ms <= WORTH_A_CREDIT_MS:
        return []
    rest = outside(heat.away, from_ms, to_ms)
    return [log.Credited(at_ms, heat.id, since, until) for since, until in rest if until - since > WORTH_MORE_MS]


def judged(state: RoomState, at_ms: int, _: PlayerId, command: inputs.Judged) -> list[log.RoomEvent] | Refusal:
    """The places of the closed heat, once. `internal` when the rows are not those of its seats."""
    heat = state.heat
    if heat is None or heat.id != command.heat:
        return []
    if not heat.closed or sorted(row.seat for row in command.rows) != [one.seat for one in heat.seats]:
        return Refusal(RefusalCode.INTERNAL)
    return [log.HeatJudged(at_ms, heat.id, list(command.rows), command.code, command.nonce)]
