"""Who has raced against the recorded boards of a heat (product P8, ruling 9).

What lives here: the list of answers of each heat. What does not: who may race against what (services.ghosts). An
answer is there once, however often it is projected.
"""

from __future__ import annotations

import msgspec

from server.store import keys
from server.store.guard import guarded
from server.store.topology import Client

KEEP_S = 90 * 86_400
"""How long answers are kept after the last one; heats that are not kept for ever are gone by then."""


class Answer(msgspec.Struct, array_like=True, frozen=True):
    """Somebody has raced against these boards."""

    heat: str
    """Of their own race."""
    name: str
    at_ms: int


_encode = msgspec.msgpack.encode
_answer = msgspec.msgpack.Decoder(Answer).decode


class Ghosts:
    """Answers by heat. Methods raise StoreAway, BadKey for what is no id."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def answer(self, heat: str, player: str, answer: Answer) -> None:
        """A player has raced against the boards of `heat`; their first answer stands."""
        await self._client.execute_command("HSETNX", keys.answers(heat), player, _encode(answer))
        await self._client.execute_command("EXPIRE", keys.answers(heat), KEEP_S)

    @guarded
    async def answers(self, heat: str) -> dict[str, Answer]:
        """By player."""
        found = await self._client.execute_command("HGETALL", keys.answers(heat))
        return {player.decode(): _answer(value) for player, value in found.items()}
