"""What a room asks of those around it: who wants to come in, and who is told what became of it.

Lives here: protocols. Lives elsewhere: the connections (session), the lobby.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from server.services.audience import Viewer

if TYPE_CHECKING:
    from server.services.room_host import RoomHost


class Guest(Viewer, Protocol):
    """A connection that wants to go somewhere."""

    @property
    def address(self) -> str:
        """Where it comes from, as limits count it; empty: not known."""

    @property
    def is_gone(self) -> bool:
        """It was closed, perhaps while it was still coming in."""

    async def make_way(self, host: RoomHost | None) -> None:
        """Nothing stands in the way: leave where one is, unless it is that room. Raises StoreAway, StoreBusy."""


class Watch(Protocol):
    """Who is told about a room of this process."""

    def changed(self, host: RoomHost) -> None:
        """An event was appended by this process: the lobby may want to know."""

    def judged(self, host: RoomHost) -> None:
        """A heat of a tournament's room has its places."""

    def closed(self, host: RoomHost) -> None:
        """The room is over."""

    def lost(self, host: RoomHost) -> None:
        """The store has no such room any more."""

    def forgotten(self, host: RoomHost) -> None:
        """This process folds the room no more."""
