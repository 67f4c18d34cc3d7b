"""From a room's log to its state.

What lives here: what each event does to a `RoomState`. No event is refused here: what is logged has
happened, and events that no longer say anything (an `Away` of a connection that was replaced) do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from server.core import events as log
from server.core.heat import Heat
from server.core.ids import SERVER, PlayerId
from server.core.state import NOWHERE, WATCHES, JudgedHeat, Member, RoomState, Seat


def fold(events: Iterable[log.RoomEvent]) -> RoomState:
    """The room after these events. Raises `LogError` unless the first, and no other, is `RoomCreated`."""
    state: RoomState | None = None
    for event in events:
        if isinstance(event, log.RoomCreated):
            if state is not None:
                raise log.LogError("a room is created once")
            state = RoomState(event.room, event.code, event.options, event.host, event.series, event.at_ms, event.at_ms)
            state.version, state.slot = 1, event.slot
            state.challenge, state.chase = event.challenge, event.chase
        elif state is None:
            raise log.LogError("a room's log begins with its creation")
        else:
            apply(state, event)
    if state is None:
        raise log.LogError("an empty log is no room")
    return state


def apply(state: RoomState, event: log.RoomEvent) -> None:
    """Change the state by the next event of its log."""
    state.version += 1
    state.at_ms = max(state.at_ms, event.at_ms)
    _CHANGES[type(event)](state, event)
    if not any(seat.ready_ms is not None for seat in state.seats.values()):
        state.start_asked_ms = None


def _created(state: RoomState, event: log.RoomCreated) -> None:
    raise log.LogError("a room is created once")


def _joined(state: RoomState, event: log.Joined) -> None:
    state.members[event.player] = Member(
        event.name, event.tag, event.node, event.at_ms, event.at_ms, waits=event.waits
    )  # fmt: skip
    state.quiet_ms = None


def _left(state: RoomState, event: log.Left) -> None:
    _stand(state, event.player)
    if state.members.pop(event.player, None) is None:
        return
    if event.reason == "kicked":
        state.kicked.add(event.player)
    if state.host == event.player:
        state.host = SERVER
    if state.heat is not None and not state.heat.closed:
        board = state.heat.board_of(event.player)
        if board is not None:
            state.heat.gone[board] = event.at_ms
    _note_quiet(state, event.at_ms)


def _present(state: RoomState, event: log.Present) -> None:
    member = state.members.get(event.player)
    if member is None:
        return
    if not member.present:
        member.since_ms = event.at_ms
    member.node, member.seen = event.node, True
    state.quiet_ms = None


def _away(state: RoomState, event: log.Away) -> None:
    member = state.members.get(event.player)
    if member is None or not member.present or member.node != event.node:
        return
    member.node = NOWHERE
    member.since_ms = event.at_ms
    _note_quiet(state, event.at_ms)


def _note_quiet(state: RoomState, at_ms: int) -> None:
    if state.quiet_ms is None and not state.anybody_present():
        state.quiet_ms = at_ms


def _sat_down(state: RoomState, event: log.SatDown) -> None:
    member = state.members[event.player]
    _stand(state, event.player)
    member.seat, member.waits = event.seat, False
    seat = Seat(event.player, 0, event.at_ms)
    if state.options.match:
        seat.willing_ms = event.at_ms
    state.seats[event.seat] = seat


def _stood_up(state: RoomState, event: log.StoodUp) -> None:
    _stand(state, event.player)


def _stand(state: RoomState, player: PlayerId) -> None:
    member = state.members.get(player)
    if member is not None and member.seat != WATCHES:
        del state.seats[member.seat]
        member.seat, member.waits = WATCHES, False


def _renamed(state: RoomState, event: log.Renamed) -> None:
    if event.player in state.members:
        state.members[event.player].name = event.name


def _ready_set(state: RoomState, event: log.ReadySet) -> None:
    seat = state.seat_of(event.player)
    if seat is not None:
        seat.ready_ms = event.at_ms if event.ready else None
        seat.willing_ms = seat.ready_ms


def _bot_seated(state: RoomState, event: log.BotSeated) -> None:
    state.seats[event.seat] = Seat(SERVER, event.level, event.at_ms)


def _ghost_seated(state: RoomState, event: log.GhostSeated) -> None:
    state.seats[event.seat] = Seat(SERVER, log.GHOST, event.at_ms, name=event.name, source=event.source)


def _bot_removed(state: RoomState, event: log.BotRemoved) -> None:
    state.seats.pop(event.seat, None)


def _locked(state: RoomState, event: log.Locked) -> None:
    state.locked = event.locked
    if not event.locked:
        state.kicked.clear()


def _host_given(state: RoomState, event: log.HostGiven) -> None:
    state.host = event.player


def _options_set(state: RoomState, event: log.OptionsSet) -> None:
    state.options = event.options
    state.match.clear()
    _unready(state)


def _unready(state: RoomState) -> None:
    for seat in state.seats.values():
        seat.ready_ms = seat.willing_ms = None


def _start_asked(state: RoomState, event: log.StartAsked) -> None:
    state.start_asked_ms = event.at_ms


def _heat_drawn(state: RoomState, event: log.HeatDrawn) -> None:
    if state.decided():
        state.match.clear()
    state.drawn = event
    state.heat = Heat(
        id=event.heat, number=event.number, ruleset=event.ruleset, commitment=event.commitment,
        gun_ms=event.gun_ms, deadline_ms=event.deadline_ms, seats=event.seats, open=event.open,
        racers={taken.seat: state.racer(taken.seat) for taken in event.seats}, drawn_ms=event.at_ms,
        as_drawn=event.as_drawn, certified=bool(event.difficulty),
    )  # fmt: skip
    _unready(state)


def _running(state: RoomState, heat: str) -> Heat | None:
    """The heat an event is about, unless it is another one's or no longer played."""
    current = state.heat
    return current if current is not None and current.id == heat and not current.closed else None


def _board_ended(state: RoomState, event: log.BoardEnded) -> None:
    heat = _running(state, event.heat)
    if heat is not None:
        heat.ended.setdefault(event.seat, event)


def _credited(state: RoomState, event: log.Credited) -> None:
    heat = _running(state, event.heat)
    if heat is not None:
        heat.credit(event.from_ms, event.to_ms)


def _heat_closed(state: RoomState, event: log.HeatClosed) -> None:
    heat = _running(state, event.heat)
    if heat is not None:
        heat.lengths = event.lengths
        heat.closed_ms = event.at_ms


def _heat_judged(state: RoomState, event: log.HeatJudged) -> None:
    heat, drawn = state.heat, state.drawn
    if heat is None or drawn is None or heat.id != event.heat:
        return
    state.match.append(tuple((heat.racers[row.seat], row.place) for row in event.rows))
    state.last = JudgedHeat(drawn, event)
    state.heat = state.drawn = None
    state.heats += 1
    if state.quiet_ms is not None:
        state.quiet_ms = event.at_ms


def _room_closed(state: RoomState, event: log.RoomClosed) -> None:
    state.closed = True
    state.host = SERVER
    state.members.clear()
    state.seats.clear()


def _placed(state: RoomState, event: log.Placed) -> None:
    for no, given in enumerate(event.seats):
        state.seats[no] = Seat(given.player, given.bot, event.at_ms)
        if not given.bot:
            state.members[given.player] = Member(
                given.name, given.tag, NOWHERE, event.at_ms, event.at_ms, seat=no, seen=False
            )  # fmt: skip


def _extended(state: RoomState, event: log.Extended) -> None:
    heat = _running(state, event.heat)
    if heat is not None:
        heat.deadline_ms += event.extra_ms - heat.extra_ms
        heat.extra_ms = event.extra_ms


def _revealed(state: RoomState, event: log.Revealed) -> None:
    if state.last is not None and state.last.drawn.heat == event.heat:
        open_now = msgspec.structs.replace(state.last.judged, code=event.code, nonce=event.nonce)
        state.last = JudgedHeat(state.last.drawn, open_now)


_CHANGES: dict[type[log.RoomEvent], Callable[[RoomState, Any], None]] = {
    log.RoomCreated: _created,
    log.Joined: _joined,
    log.Left: _left,
    log.Present: _present,
    log.Away: _away,
    log.SatDown: _sat_down,
    log.StoodUp: _stood_up,
    log.Renamed: _renamed,
    log.ReadySet: _ready_set,
    log.BotSeated: _bot_seated,
    log.BotRemoved: _bot_removed,
    log.Locked: _locked,
    log.HostGiven: _host_given,
    log.OptionsSet: _options_set,
    log.StartAsked: _start_asked,
    log.HeatDrawn: _heat_drawn,
    log.BoardEnded: _board_ended,
    log.Credited: _credited,
    log.HeatClosed: _heat_closed,
    log.HeatJudged: _heat_judged,
    log.RoomClosed: _room_closed,
    log.Placed: _placed,
    log.Extended: _extended,
    log.Revealed: _revealed,
    log.GhostSeated: _ghost_seated,
}
