"""Rows that an operator took off a leaderboard, and the log of it.

What lives here: taking off, putting back, listing. What does not: how rows are put (boards) and who may do this
(server.administering). The log of a board is kept for ever, beside the board.
"""

from __future__ import annotations

import msgspec

from server.store import keys, listing
from server.store.guard import guarded, run_script
from server.store.lua import BOARD_MOVE
from server.store.topology import Client


class Removal(msgspec.Struct, array_like=True, frozen=True):
    """One line of the log."""

    at_ms: int
    board: str
    player: str
    removed: bool
    """False: put back."""
    reason: str


_encode = msgspec.msgpack.encode
_decode = msgspec.msgpack.Decoder(Removal).decode


class Removals:
    """Of all leaderboards. Methods raise StoreAway, BadKey for what is no board's name."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def note(self, removal: Removal) -> bool:
        """Take a row off or put it back; False: there is none to be."""
        board, player = removal.board, removal.player
        names = [
            keys.ranking(board), keys.ranking_rows(board), keys.removed(board), keys.shadow(board),
            keys.shadow_rows(board), keys.removals(board),
        ]  # fmt: skip
        off = "1" if removal.removed else "0"
        return bool(await run_script(self._client, BOARD_MOVE, names, player, off, removal.reason, _encode(removal)))

    @guarded
    async def all(self) -> list[Removal]:
        """Everything that was ever removed or put back, the oldest first."""
        found: list[Removal] = []
        for board in await listing.boards_with_removals(self._client):
            lines = await self._client.execute_command("LRANGE", keys.removals(board), 0, -1)
            found += [_decode(line) for line in lines]
        return sorted(found, key=lambda one: one.at_ms)
