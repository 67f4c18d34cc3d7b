"""What the shell tells a tournament, on behalf of people, hosts and rooms.

What lives here: frozen values, one per input; `decide` takes them. All but `HostAction` are safe to hand in
twice: the second time nothing happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from server.core.formats import Draw
from server.core.ids import EntrantId, HeatId, RoomCode, RoomId
from server.core.tournament.record import Row


@dataclass(frozen=True, slots=True)
class Enter:
    """A person wants to take part; one who had withdrawn or was absent is there again."""

    entrant: EntrantId
    name: str
    tag: str


@dataclass(frozen=True, slots=True)
class CheckIn:
    """An entrant says that they are there."""

    entrant: EntrantId


@dataclass(frozen=True, slots=True)
class Withdraw:
    """An entrant drops out."""

    entrant: EntrantId


@dataclass(frozen=True, slots=True)
class Rename:
    """An entrant's identity bears this name now."""

    entrant: EntrantId
    name: str


@dataclass(frozen=True, slots=True)
class HostAction:
    """Something a host asks; the actions are in `hosting.ACTIONS`."""

    by: str
    """Name of the host token."""
    action: str
    key: str = ""
    value: int = 0


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """The shell has drawn a round and put its deal into the store, since `wants_round` said so."""

    version: int
    """Of the state it was drawn from: without effect when something has happened since."""
    draw: Draw
    rooms: tuple[tuple[RoomId, RoomCode], ...]
    """One for each heat."""


@dataclass(frozen=True, slots=True)
class HeatDone:
    """The room of a heat has judged it."""

    room: RoomId
    heat: HeatId
    rows: tuple[Row, ...]
    """One for each entrant of the heat."""


@dataclass(frozen=True, slots=True)
class DealOpened:
    """Every heat of the round is reported, and this was its deal."""

    round: int
    code: str
    nonce: str


TournamentInput: TypeAlias = Enter | CheckIn | Withdraw | Rename | HostAction | RoundDealt | HeatDone | DealOpened
