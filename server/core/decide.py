"""What follows from a command or an input to a room: events, or a refusal.

What lives here: `decide`, the table `RULES` that says who may ask what in which phase, and `create`. What
does not: the rules themselves, by who asks: `players` (everybody in the room), `hosting` (the host),
`settling` (the shell), `series` (the room's tournament).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from server.core import events as log
from server.core import hosting, inputs, players, series, settling
from server.core.heat import Phase
from server.core.ids import PlayerId
from server.core.machine import Refusal, RefusalCode
from server.core.state import RoomState
from server.wire import messages as wire

Answer: TypeAlias = list[log.RoomEvent] | Refusal


class Who(Enum):
    """Who may ask for it."""

    SHELL = "shell"
    MEMBER = "member"
    """Everybody in the room, seated or watching."""
    HOST = "host"
    """In a quick-match room nobody: its people did not choose who leads them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may ask for it, in which phases, and what then follows."""

    who: Who
    phases: frozenset[Phase]
    answer: Callable[[RoomState, int, PlayerId, Any], Answer]


ALWAYS = frozenset(Phase)
BETWEEN = frozenset({Phase.OPEN})
"""Between heats."""
AT_THE_START = frozenset({Phase.OPEN, Phase.COUNTDOWN})

RULES: dict[type, Rule] = {
    wire.LeaveRoom: Rule(Who.MEMBER, ALWAYS, players.leave),
    wire.Ready: Rule(Who.MEMBER, AT_THE_START, players.ready),
    wire.SitDown: Rule(Who.MEMBER, BETWEEN, players.sit_down),
    wire.StandUp: Rule(Who.MEMBER, BETWEEN, players.stand_up),
    wire.Rename: Rule(Who.MEMBER, ALWAYS, players.rename),
    wire.React: Rule(Who.MEMBER, ALWAYS, players.react),
    wire.StartHeat: Rule(Who.HOST, BETWEEN, hosting.start_heat),
    wire.AddBot: Rule(Who.HOST, BETWEEN, hosting.add_bot),
    wire.RemoveSeat: Rule(Who.HOST, BETWEEN, hosting.remove_seat),
    wire.SetOptions: Rule(Who.HOST, BETWEEN, hosting.set_options),
    wire.LockRoom: Rule(Who.HOST, ALWAYS, hosting.lock),
    wire.HandOver: Rule(Who.HOST, ALWAYS, hosting.hand_over),
    inputs.Arrive: Rule(Who.SHELL, ALWAYS, players.arrive),
    inputs.Drop: Rule(Who.SHELL, ALWAYS, players.drop),
    inputs.NodeLost: Rule(Who.SHELL, ALWAYS, players.node_lost),
    inputs.DealDrawn: Rule(Who.SHELL, ALWAYS, settling.deal_drawn),
    inputs.BoardDone: Rule(Who.SHELL, ALWAYS, settling.board_done),
    inputs.Credit: Rule(Who.SHELL, ALWAYS, settling.credit),
    inputs.Judged: Rule(Who.SHELL, ALWAYS, settling.judged),
    inputs.Extend: Rule(Who.SHELL, ALWAYS, series.extend),
    inputs.Reveal: Rule(Who.SHELL, ALWAYS, series.reveal),
}


def decide(state: RoomState, at_ms: int, actor: PlayerId, command: inputs.RoomInput) -> Answer:
    """What this command of `actor`, or input of the shell (`SERVER`), makes happen; `Machine.decide`.

    Refusals common to all: `type` for what is not in `RULES`, `noroom` when the room is closed or the actor
    not in it, `host_only`, `not_now` in the wrong phase.
    """
    rule = RULES.get(type(command))
    if rule is None:
        return Refusal(RefusalCode.TYPE)
    at_ms = max(at_ms, state.at_ms)
    if state.closed:
        return _after_the_end(command)
    if rule.who is not Who.SHELL and actor not in state.members:
        return _after_the_end(command)
    if rule.who is Who.HOST and (actor != state.host or state.options.match):
        return Refusal(RefusalCode.HOST_ONLY)
    if state.phase(at_ms) not in rule.phases:
        return Refusal(RefusalCode.NOT_NOW)
    return rule.answer(state, at_ms, actor, command)


def _after_the_end(command: inputs.RoomInput) -> Answer:
    """Nothing can be asked of a room that one is not in, or that is closed; but to have left it is to
    have left, and what the shell still has to tell is no longer of interest."""
    quiet = isinstance(command, wire.LeaveRoom) or (
        RULES[type(command)].who is Who.SHELL and not isinstance(command, inputs.Arrive)
    )
    return [] if quiet else Refusal(RefusalCode.NOROOM)
