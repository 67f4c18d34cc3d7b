"""Games played alone: which one each player has saved for each ruleset (rules R11.9).

What lives here: the small hash that finds a saved game. What does not: the game itself, whose truth is a
board's log like any other.
"""

from __future__ import annotations

import msgspec

from server.store import keys
from server.store.guard import guarded
from server.store.topology import Client


class SavedGame(msgspec.Struct, frozen=True, array_like=True):
    """One saved game: its id, and the code of its deal (known to its player)."""

    game: str
    code: str
    certified: bool = False
    """The deal is known to be winnable."""


class SoloGames:
    """Saved games by player and ruleset. Every method raises StoreAway when the store does not answer."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def save(self, player: str, ruleset: str, game: SavedGame) -> None:
        """From now on this is the player's game of this ruleset."""
        value = msgspec.msgpack.encode(game)
        await self._client.execute_command("HSET", keys.solo(player), ruleset, value)

    @guarded
    async def saved(self, player: str) -> dict[str, SavedGame]:
        """The player's games by ruleset."""
        found = await self._client.execute_command("HGETALL", keys.solo(player))
        return {ruleset.decode(): _game(value) for ruleset, value in found.items()}

    @guarded
    async def retire(self, game: SavedGame, seconds: int) -> None:
        """The game was replaced: what is kept of it expires after `seconds` (0: never)."""
        board = keys.board_log(game.game, game.game, 0)
        for key in (board, keys.meta(board), keys.progress(game.game)) if seconds else ():
            await self._client.execute_command("EXPIRE", key, seconds)


def _game(value: bytes) -> SavedGame:
    return msgspec.msgpack.decode(value, type=SavedGame)
