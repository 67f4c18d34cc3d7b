"""Rooms that belong to a tournament: one heat each, with seats given by the draw and a deal that others share.

What lives here: how such a room begins, its deadline as the tournament's host moves it, and its deal, which is
open only when the last heat of the round is closed (ruling 9). Nobody is its host.
"""

from __future__ import annotations

from server.core import events as log
from server.core import inputs
from server.core.ids import SERVER, PlayerId, RoomCode, RoomId, TournamentId
from server.core.state import RoomState
from server.wire.messages import RoomOptions


def create_for(
    at_ms: int, room: RoomId, code: RoomCode, options: RoomOptions, series: TournamentId, slot: log.SeriesSlot,
    seats: list[log.SeatGiven],
) -> list[log.RoomEvent]:  # fmt: skip
    """The first events of a tournament's room: the same bytes whoever makes it, so it is made once."""
    return [
        log.RoomCreated(at_ms, room, code, options, SERVER, series, slot),
        log.Placed(at_ms, seats),
    ]


def extend(state: RoomState, at_ms: int, _: PlayerId, command: inputs.Extend) -> list[log.RoomEvent]:
    """The heat ends later or earlier; stopped, it ends when that was, or now where it was before the gun."""
    heat = state.heat
    if heat is None or heat.closed:
        return []
    extra_ms = command.extra_ms
    if command.stopped_ms is not None:
        ends_ms = max(command.stopped_ms, heat.gun_ms)
        extra_ms = min(heat.extra_ms, heat.extra_ms + ends_ms - heat.deadline_ms)
    return [] if extra_ms == heat.extra_ms else [log.Extended(at_ms, heat.id, extra_ms)]


def reveal(state: RoomState, at_ms: int, _: PlayerId, command: inputs.Reveal) -> list[log.RoomEvent]:
    """What was sealed is open, once. Without effect before the heat is judged."""
    last = state.last
    if not state.series or last is None or last.judged.code:
        return []
    return [log.Revealed(at_ms, last.drawn.heat, command.code, command.nonce)]
