"""The people of one room who are connected to this process, and what each of them has been shown.

Lives here: turning a room's state into wire events, sending only what changed, each event encoded once.
Lives elsewhere: what may be shown (core.projection), boards and counts of a heat (heat_host).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from server.core import projection
from server.core.ids import PlayerId
from server.core.room import RoomState
from server.wire.codec import ServerFrame, frame
from server.wire.errors import CloseCode
from server.wire.messages import (
    Event,
    HeatInfo,
    LeftRoom,
    RatingChanged,
    RoomInfo,
    SeatFreed,
    SeatRow,
    Superseded,
)

if TYPE_CHECKING:
    from server.services.played_board import PlayedBoard
    from server.services.room_host import RoomHost

NOBODY = PlayerId("-")
"""A viewer who is nobody: rows made for it have `you` unset."""


class Viewer(Protocol):
    """One connection, as a room sees it."""

    def send(self, data: ServerFrame) -> None:
        """Queue one frame."""

    def send_progress(self, data: ServerFrame) -> bool:
        """Queue a frame that may be dropped when the connection is slow."""

    def enters(self, host: RoomHost) -> None:
        """The connection is in this room from now on."""

    def plays(self, board: PlayedBoard) -> None:
        """Moves of this connection are for this board from now on."""

    def leave_room(self) -> None:
        """The room has let go of this connection; it may enter another."""

    def close(self, code: CloseCode, reason: str = "") -> None:
        """End the connection."""


class Audience:
    """Viewers by player. All methods are synchronous and never wait for a slow reader."""

    def __init__(self) -> None:
        self.viewers: dict[PlayerId, Viewer] = {}
        self.ratings: RatingChanged | None = None
        """What a rated heat did, as soon as it is known here."""
        self._info: RoomInfo | None = None
        self._rows: dict[int, SeatRow] = {}
        self._heat: HeatInfo | None = None

    def enter(self, player: PlayerId, viewer: Viewer, state: RoomState, at_ms: int) -> None:
        """Add a viewer and show them the room; an older connection of the player is superseded."""
        before = self.viewers.get(player)
        if before is not None and before is not viewer:
            self.supersede(player)
        if not self.viewers:
            self._remember(state, at_ms)
        self.viewers[player] = viewer
        self.snapshot(player, state, at_ms)

    def _remember(self, state: RoomState, at_ms: int) -> None:
        """What a snapshot tells needs not be told again."""
        self._info = projection.room_info(state, at_ms)
        self._rows = {row.seat: row for row in projection.seat_rows(state, NOBODY)}
        self._heat = projection.heat_info(state)

    def snapshot(self, player: PlayerId, state: RoomState, at_ms: int) -> None:
        """Everything that is public about the room, to one viewer."""
        viewer = self.viewers[player]
        viewer.send(frame(projection.room_info(state, at_ms)))
        for row in projection.seat_rows(state, player):
            viewer.send(frame(row))
        heat = projection.heat_info(state)
        if heat is not None:
            viewer.send(frame(heat))
            for seat in state.heat.ended if state.heat is not None else ():
                ended = projection.board_ended(state, seat)
                if ended is not None:
                    viewer.send(frame(ended))
        result = projection.heat_result(state)
        if result is not None:
            viewer.send(frame(result))
            if self.ratings is not None and self.ratings.heat == result.heat:
                viewer.send(frame(self.ratings))

    def leave(self, player: PlayerId, viewer: Viewer) -> bool:
        """Forget a viewer; False when it had been replaced before."""
        if self.viewers.get(player) is not viewer:
            return False
        del self.viewers[player]
        return True

    def supersede(self, player: PlayerId) -> None:
        """The player is connected elsewhere: tell this connection, and close it."""
        viewer = self.viewers.pop(player, None)
        if viewer is not None:
            viewer.leave_room()
            viewer.send(frame(Superseded()))
            viewer.close(CloseCode.ELSEWHERE, "opened elsewhere")

    def dismiss(self, player: PlayerId, reason: str) -> None:
        """The player is no longer in the room; the connection stays."""
        viewer = self.viewers.pop(player, None)
        if viewer is not None:
            viewer.leave_room()
            viewer.send(frame(LeftRoom(reason)))

    def tell(self, event: Event) -> None:
        """One event to everybody."""
        data = frame(event)
        for viewer in list(self.viewers.values()):
            viewer.send(data)

    def tell_progress(self, event: Event) -> None:
        """One event to everybody, dropped where a connection is slow."""
        data = frame(event)
        for viewer in list(self.viewers.values()):
            viewer.send_progress(data)

    def show(self, state: RoomState, at_ms: int) -> None:
        """Send what changed since the last call."""
        if not self.viewers:
            self._info, self._rows, self._heat = None, {}, None
            return
        info = projection.room_info(state, at_ms)
        if info != self._info:
            self._info = info
            self.tell(info)
        self._show_rows({row.seat: row for row in projection.seat_rows(state, NOBODY)})
        heat = projection.heat_info(state)
        if heat != self._heat:
            self._heat = heat
            if heat is not None:
                self.tell(heat)

    def _show_rows(self, rows: dict[int, SeatRow]) -> None:
        for seat in self._rows.keys() - rows.keys():
            self.tell(SeatFreed(seat))
        for seat, row in rows.items():
            if self._rows.get(seat) != row:
                self._show_row(row)
        self._rows = rows

    def _show_row(self, row: SeatRow) -> None:
        data = frame(row)
        own = PlayerId(row.player)
        for player, viewer in list(self.viewers.items()):
            if player == own:
                viewer.send(frame(msgspec.structs.replace(row, you=True)))
            else:
                viewer.send(data)
