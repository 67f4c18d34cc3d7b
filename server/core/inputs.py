"""What the shell tells a room, beside the commands of the people in it.

What lives here: frozen values, one per input. `decide` takes them like commands; the wire knows none of
them, so no client can send one. All are safe to hand in twice: the second time nothing happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from server.core.ids import HeatId, NodeId, PlayerId
from server.wire import messages as wire


@dataclass(frozen=True, slots=True)
class Arrive:
    """What the shell makes of `EnterRoom`: this person comes in, or back, over a connection of this process."""

    player: PlayerId
    name: str
    tag: str
    node: NodeId
    watch: bool = False
    """Only to watch; without it a latecomer takes the next seat that is free between heats."""
    seat_only: bool = False
    """A seat at once or `full` (quick match)."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The last connection that this person had to this process is gone."""

    player: PlayerId
    node: NodeId


@dataclass(frozen=True, slots=True)
class NodeLost:
    """This process died: nobody is connected through it any more."""

    node: NodeId


@dataclass(frozen=True, slots=True)
class DealDrawn:
    """The shell has drawn a deal, since `wants_deal` said so. Without effect when it no longer does."""

    heat: HeatId
    ruleset: str
    """Options that the deal was drawn for: without effect when they have changed."""
    given: str
    """The room's given code, or empty for a secret deal."""
    commitment: str
    """Hex; of no meaning for a given code."""
    bot_seeds: tuple[int, ...]
    """At least one for each bot (0 ≤ seed < 2**53), used in the order of seats."""
    difficulty: str = ""
    """Of a certified deal; empty: it is not certified."""
    as_drawn: bool = False
    """See `HeatDrawn.as_drawn`: whether all processes that may play it know of that."""


@dataclass(frozen=True, slots=True)
class BoardDone:
    """The log of a board has its last entry."""

    heat: HeatId
    seat: int
    ended: str
    out: int
    score: int
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class Credit:
    """The store was away (ruling 21)."""

    from_ms: int
    to_ms: int


@dataclass(frozen=True, slots=True)
class Judged:
    """The sealed boards were replayed: the rows of `judging.judge`, and what was sealed."""

    heat: HeatId
    rows: tuple[wire.ResultRow, ...]
    code: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Extend:
    """The host of the room's tournament has moved the deadline of its heat."""

    extra_ms: int
    """From what it was at the draw."""
    stopped_ms: int | None = None
    """When the round was closed before its time, which then counts."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """The deal of the room's heat is open, since the last heat of its round is closed."""

    code: str
    nonce: str


PlayerCommand: TypeAlias = (
    wire.LeaveRoom | wire.Ready | wire.StartHeat | wire.AddBot | wire.RemoveSeat | wire.LockRoom | wire.HandOver
    | wire.SetOptions | wire.SitDown | wire.StandUp | wire.Rename | wire.React
)  # fmt: skip
"""Commands that a room answers. (`EnterRoom` and `CreateRoom` come as `Arrive` and `decide.create`.)"""
ShellInput: TypeAlias = (
    Arrive | Drop | NodeLost | DealDrawn | BoardDone | Credit | Judged | Extend | Reveal
)  # fmt: skip
RoomInput: TypeAlias = PlayerCommand | ShellInput
