"""What everybody in a room may do, and how people come and go.

What lives here: the rules of entering, leaving, seats, readiness and names. Who may ask them and in which
phase stands in `decide.RULES`; each takes the state, the instant, the actor and the command.
"""

from __future__ import annotations

from server.core import events as log
from server.core import inputs
from server.core.heat import Phase
from server.core.ids import NodeId, PlayerId
from server.core.machine import Refusal, RefusalCode
from server.core.names import checked_name, name_fault
from server.core.state import WATCHES, Member, RoomState
from server.core.upkeep import leaving
from server.wire import messages as wire

MAX_WATCHERS = 200
"""People in a room without a seat."""


def arrive(state: RoomState, at_ms: int, _: PlayerId, command: inputs.Arrive) -> list[log.RoomEvent] | Refusal:
    """Come in, or back to the same place. A newcomer sits down if a seat is free between heats, else
    watches. `locked`; `full` when too many watch, or no seat is to be had for who wants only that."""
    member = state.members.get(command.player)
    if member is not None:
        return _come_back(member, at_ms, command)
    if state.locked or command.player in state.kicked:
        return Refusal(RefusalCode.LOCKED)
    free = state.free_seats() if state.phase(at_ms) is Phase.OPEN and not command.watch else []
    watchers = sum(one.seat == WATCHES for one in state.members.values())
    if not free and (command.seat_only or watchers >= MAX_WATCHERS):
        return Refusal(RefusalCode.FULL)
    waits = not free and not command.watch
    events: list[log.RoomEvent] = [
        log.Joined(at_ms, command.player, command.name, command.tag, command.node, waits)
    ]  # fmt: skip
    if free:
        events.append(log.SatDown(at_ms, command.player, free[0]))
    if not state.members:
        events.append(log.HostGiven(at_ms, command.player))
    return events


def _come_back(member: Member, at_ms: int, command: inputs.Arrive) -> list[log.RoomEvent]:
    events: list[log.RoomEvent] = []
    if member.node != command.node:
        events.append(log.Present(at_ms, command.player, command.node))
    if member.name != command.name:
        events.append(log.Renamed(at_ms, command.player, command.name))
    return events


def drop(state: RoomState, at_ms: int, _: PlayerId, command: inputs.Drop) -> list[log.RoomEvent]:
    """Away, if the connection that is gone is the one that counts (N17)."""
    member = state.members.get(command.player)
    if member is None or member.node != command.node:
        return []
    return [log.Away(at_ms, command.player, command.node)]


def node_lost(state: RoomState, at_ms: int, _: PlayerId, command: inputs.NodeLost) -> list[log.RoomEvent]:
    """Away for everybody who was connected through that process."""
    node: NodeId = command.node
    return [log.Away(at_ms, player, node) for player, one in state.members.items() if one.present and one.node == node]


def leave(state: RoomState, at_ms: int, actor: PlayerId, _: wire.LeaveRoom) -> list[log.RoomEvent]:
    """Leave for good; a running board counts as resigned (`endings`)."""
    return leaving(state, at_ms, actor, "left")


def ready(state: RoomState, at_ms: int, actor: PlayerId, command: wire.Ready) -> list[log.RoomEvent] | Refusal:
    """Ready for the next heat or not. `not_seated`. Once the heat is drawn nothing can be taken back, and
    the retry of a racer's yes is a yes."""
    seat = state.seat_of(actor)
    if seat is None:
        return Refusal(RefusalCode.NOT_SEATED)
    if state.ghostly and state.heats:
        return Refusal(RefusalCode.NOT_NOW)
    if state.heat is not None:
        counted = command.ready and state.heat.board_of(actor) is not None
        return [] if counted else Refusal(RefusalCode.NOT_NOW)
    counted_in = seat.ready_ms if command.ready else seat.willing_ms
    if (counted_in is not None) == command.ready:
        return []
    return [log.ReadySet(at_ms, actor, command.ready)]


def sit_down(state: RoomState, at_ms: int, actor: PlayerId, _: wire.SitDown) -> list[log.RoomEvent] | Refusal:
    """Take the lowest free seat; `no_seat`."""
    if state.seat_of(actor) is not None:
        return []
    free = state.free_seats()
    return [log.SatDown(at_ms, actor, free[0])] if free else Refusal(RefusalCode.NO_SEAT)


def stand_up(state: RoomState, at_ms: int, actor: PlayerId, _: wire.StandUp) -> list[log.RoomEvent] | Refusal:
    """Become a watcher, who does not wait for a seat. In a tournament seats are not given up: `not_now`."""
    if state.series:
        return Refusal(RefusalCode.NOT_NOW)
    return [] if state.seat_of(actor) is None else [log.StoodUp(at_ms, actor)]


def rename(state: RoomState, at_ms: int, actor: PlayerId, command: wire.Rename) -> list[log.RoomEvent] | Refusal:
    """Bear another name; refused when it breaks the rules of `names`."""
    name = checked_name(command.name)
    if name is None:
        return Refusal(name_fault(command.name) or RefusalCode.NAME)
    return [] if state.members[actor].name == name else [log.Renamed(at_ms, actor, name)]


def react(_: RoomState, __: int, ___: PlayerId, ____: wire.React) -> list[log.RoomEvent]:
    """Everybody in the room may react; nothing of it is kept."""
    return []
