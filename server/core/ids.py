"""Names for the ids that the machines handle, so that one kind is never passed for another.

What lives here: `NewType`s over `str` and nothing else. How codes and heat ids are spelt is in `codes`.
"""

from __future__ import annotations

from typing import NewType

PlayerId = NewType("PlayerId", str)
"""Public id of a person; empty where an event or a seat has no person (a bot, the server itself)."""
RoomId = NewType("RoomId", str)
"""Id of a room: never used again, also not after the room is closed (ruling 2)."""
RoomCode = NewType("RoomCode", str)
"""Five letters that people type; free again when the room is closed."""
HeatId = NewType("HeatId", str)
"""Ten letters, never used again; bound into the commitment of the deal."""
NodeId = NewType("NodeId", str)
"""The server process that holds a connection."""
TournamentId = NewType("TournamentId", str)
"""Ten letters, never used again; a room that belongs to a tournament has it as its `series`."""
EntrantId = NewType("EntrantId", str)
"""Who takes part in a tournament: a person's `PlayerId`, or `bot-1`, `bot-2`, … for its bots."""

SERVER = PlayerId("")
"""The actor of what no person asked for."""
