"""The daily deals and who plays them (rulings 25, S4).

What lives here: the secret of a day's deal, attempts and practice games by player, and sealing an attempt. What
does not: days (core.daily), the boards' logs (logs), leaderboards (boards).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import msgspec

from server.store import keys
from server.store.guard import guarded, run_script
from server.store.lua import SEAL
from server.store.topology import Client

PRACTICE_S = 3 * 86_400
"""How long after the last practice the list of practice games of a day is kept."""
SCAN = 500


class StoredDaily(msgspec.Struct, array_like=True, frozen=True):
    """A day's deal of one ruleset. Only what deals the cards and what reveals them at the end may read it."""

    id: str
    """Stands for the heat in the commitment."""
    code: str
    nonce: str
    drawn_ms: int
    certified: bool
    solution: bytes = b""
    """Move bytes of a way to win it, four a move; empty: none is known."""
    rules: int = 1
    """Number of the rules by which it is played (`engine.terms.RULES`)."""
    difficulty: str = ""
    """Of a certified deal (`engine.solver.Difficulty`)."""

    def __repr__(self) -> str:
        return f"<StoredDaily {self.id}>"


class Attempt(msgspec.Struct, array_like=True, frozen=True):
    """A player's one ranked attempt at a day's deal; its log is `keys.board_log(id, id, 0)`."""

    id: str
    gun_ms: int
    """When the cards were first shown."""

    @property
    def log(self) -> str:
        """Key of the attempt's log."""
        return keys.board_log(self.id, self.id, 0)


class Practice(msgspec.Struct, array_like=True, frozen=True):
    """A player's practice game on a day's deal."""

    id: str


@dataclass(frozen=True, slots=True)
class Begun:
    """An attempt of somebody."""

    player: str
    attempt: Attempt


_encode = msgspec.msgpack.encode
_daily = msgspec.msgpack.Decoder(StoredDaily).decode
_attempt = msgspec.msgpack.Decoder(Attempt).decode
_practice = msgspec.msgpack.Decoder(Practice).decode


class Dailies:
    """Every method raises StoreAway when the store does not answer, BadKey for what is no day, ruleset or id."""

    def __init__(self, client: Client) -> None:
        self._client = client

    # ------------------------------------------------------------ deals

    @guarded
    async def put(self, day: str, ruleset: str, deal: StoredDaily) -> StoredDaily:
        """Store a day's deal once; answers the one that stands (another process may have been first)."""
        words = ("SET", keys.daily(day, ruleset), _encode(deal), "NX", "GET")
        found = await self._client.execute_command(*words, get=True)
        return deal if found is None else _daily(found)

    @guarded
    async def get(self, day: str, ruleset: str) -> StoredDaily | None:
        """A day's deal with its secrets; None when none was drawn."""
        found = await self._client.execute_command("GET", keys.daily(day, ruleset))
        return None if found is None else _daily(found)

    # ------------------------------------------------------------ attempts

    @guarded
    async def begin(self, day: str, ruleset: str, player: str, attempt: Attempt) -> Attempt:
        """Begin the player's one attempt; answers the one that stands: the first begun counts."""
        key = keys.attempts(day, ruleset)
        if await self._client.execute_command("HSETNX", key, player, _encode(attempt)):
            return attempt
        return _attempt(await self._client.execute_command("HGET", key, player))

    @guarded
    async def attempt(self, day: str, ruleset: str, player: str) -> Attempt | None:
        """The player's attempt; None when there is none."""
        found = await self._client.execute_command("HGET", keys.attempts(day, ruleset), player)
        return None if found is None else _attempt(found)

    @guarded
    async def begun(self, day: str, ruleset: str) -> int:
        """How many have begun."""
        return int(await self._client.execute_command("HLEN", keys.attempts(day, ruleset)))

    async def attempts(self, day: str, ruleset: str) -> AsyncIterator[Begun]:
        """Everybody's attempt, each at least once, in no order."""
        cursor = 0
        while True:
            cursor, found = await self._scan(keys.attempts(day, ruleset), cursor)
            for player, value in found.items():
                yield Begun(player.decode(), _attempt(value))
            if not cursor:
                return

    @guarded
    async def _scan(self, key: str, cursor: int) -> tuple[int, dict[bytes, bytes]]:
        cursor, found = await self._client.execute_command("HSCAN", key, cursor, "COUNT", SCAN)
        return int(cursor), found

    @guarded
    async def seal(self, log: str) -> int:
        """Nothing is appended to this board any more; answers its length. Safe to repeat."""
        length = await run_script(self._client, SEAL, [log])
        assert isinstance(length, int)
        return length

    # ------------------------------------------------------------ practice

    @guarded
    async def practise(self, day: str, ruleset: str, player: str, game: Practice) -> None:
        """From now on this is the player's practice game on this deal."""
        key = keys.practice(day, ruleset)
        await self._client.execute_command("HSET", key, player, _encode(game))
        await self._client.execute_command("EXPIRE", key, PRACTICE_S)

    @guarded
    async def practice(self, day: str, ruleset: str, player: str) -> Practice | None:
        """The player's practice game; None when there is none."""
        found = await self._client.execute_command("HGET", keys.practice(day, ruleset), player)
        return None if found is None else _practice(found)
