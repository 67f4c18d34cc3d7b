"""The people of one room who are connected to this process, and what each of them has been shown.

Lives here: turning a room's state into wire events, sending only what changed, each event encoded once.
Lives elsewhere: what may be shown (core.projection), boards and counts of a heat (heat_host).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

import msgspec

from server.core import projection
from server.core.ids import NodeId, PlayerId
from server.core.interest import ALL_UP_TO
from server.core.room import RoomState
from server.wire.codec import ServerFrame, frame
from server.wire.errors import CloseCode
from server.wire.messages import (
    Event,
    HeatInfo,
    LeftRoom,
    RatingChanged,
    Reacted,
    RoomInfo,
    SeatFreed,
    SeatRow,
    Superseded,
)

if TYPE_CHECKING:
    from server.services.played_board import PlayedBoard
    from server.services.room_host import RoomHost

GATHER_S = 0.2
"""In rooms that are too big to show every row of a heat (ruling 8), seats that changed within so long are told at once:
hundreds may come within a second."""
NOWHERE = NodeId("")
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
        self._teller: asyncio.TimerHandle | None = None
        self._public: tuple[RoomState | None, int, list[tuple[SeatRow, ServerFrame]]] = (None, 0, [])

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
        self._rows = {row.seat: row for row, _ in self._seats(state)}
        self._heat = _told(projection.heat_info(state))

    def _seats(self, state: RoomState) -> list[tuple[SeatRow, ServerFrame]]:
        """The rows as they are for others, made once for all who come while nothing changes."""
        known, version, rows = self._public
        if known is not state or version != state.version:
            before = {row.seat: (row, data) for row, data in rows}
            rows = []
            for row in projection.seat_rows(state, NOBODY):
                kept = before.get(row.seat)
                rows.append(kept if kept is not None and kept[0] == row else (row, frame(row)))
            self._public = state, state.version, rows
        return rows

    def snapshot(self, player: PlayerId, state: RoomState, at_ms: int) -> None:
        """Everything that is public about the room, to one viewer."""
        viewer = self.viewers[player]
        viewer.send(frame(projection.room_info(state, at_ms)))
        for row, data in self._seats(state):
            viewer.send(data if row.player != player else _own(row))
        heat = projection.heat_info(state)
        if heat is not None:
            viewer.send(frame(heat))
            for ended in projection.boards_ended(state):
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

    def dismiss_all(self, reason: str) -> None:
        """Nobody is in the room any more; the connections stay."""
        for player in list(self.viewers):
            self.dismiss(player, reason)

    def reacted(self, words: bytes, but_of: NodeId = NOWHERE) -> None:
        """Show a reaction in the words that go round (`node:seat:reaction`), but none that was made on that server."""
        node, seat, reaction = words.decode().rsplit(":", 2)
        if node != but_of:
            self.tell(Reacted(int(seat), int(reaction)))

    def tell(self, event: Event) -> None:
        """One event to everybody."""
        data = frame(event)
        for viewer in list(self.viewers.values()):
            viewer.send(data)

    def show(self, state: RoomState, at_ms: int) -> None:
        """Send what changed since the last call."""
        if not self.viewers:
            self.stop()
            self._info, self._rows, self._heat, self._public = None, {}, None, (None, 0, [])
            return
        info = projection.room_info(state, at_ms)
        if info != self._info:
            self._info = info
            self.tell(info)
        if len(state.seats) <= ALL_UP_TO:
            self._show_rows(state)
        elif self._teller is None:
            self._teller = asyncio.get_running_loop().call_later(GATHER_S, self._show_rows, state)
        heat = _told(projection.heat_info(state))
        if heat != self._heat:
            self._heat = heat
            if heat is not None:
                self.tell(heat)

    def stop(self) -> None:
        """Nothing that was gathered is told any more."""
        if self._teller is not None:
            self._teller.cancel()
            self._teller = None

    def _show_rows(self, state: RoomState) -> None:
        self.stop()
        seats = self._seats(state)
        rows = {row.seat: row for row, _ in seats}
        for seat in self._rows.keys() - rows.keys():
            self.tell(SeatFreed(seat))
        for row, data in seats:
            known = self._rows.get(row.seat)
            if known is not row and known != row:
                self._show_row(row, data)
        self._rows = rows

    def _show_row(self, row: SeatRow, data: ServerFrame) -> None:
        for player, viewer in list(self.viewers.items()):
            viewer.send(data if player != row.player else _own(row))


def _own(row: SeatRow) -> ServerFrame:
    """The row as its own player is sent it."""
    return frame(msgspec.structs.replace(row, you=True))


def _told(heat: HeatInfo | None) -> HeatInfo | None:
    """The heat as those are told of it who are there: of who leaves they hear by `SeatFreed`."""
    return heat if heat is None or not heat.gone else msgspec.structs.replace(heat, gone=[])
