"""What is stored about tournaments beside their logs: codes, host tokens, deals of rounds, the public list.

What lives here: small keys. What does not: a tournament's state (its log is the truth, server.core folds it).
Of a host token only the hash is stored, like a device's.
"""

from __future__ import annotations

from server.store import keys
from server.store.errors import StoreError
from server.store.guard import guarded, run_script
from server.store.ids import new_code, new_token
from server.store.lua import LOBBY
from server.store.rooms import TRIES, StoredDeal
from server.store.topology import Client


class Tournaments:
    """Every method raises StoreAway when the store does not answer, BadKey for what is no id."""

    def __init__(self, client: Client) -> None:
        self._client = client

    # ------------------------------------------------------------ codes

    @guarded
    async def new_code(self, tournament: str) -> str:
        """A free five-letter code that leads to `tournament` for ever: results stay where they were."""
        keys.tournament_log(tournament)
        for _ in range(TRIES):
            code = new_code()
            if await self._client.execute_command("SET", keys.tournament_code(code), tournament, "NX"):
                return code
        raise StoreError("no tournament code is free")

    @guarded
    async def by_code(self, code: str) -> str | None:
        """The tournament behind a code; None when there is none, or when it has not the form of a code."""
        if not keys.is_code(code):
            return None
        found = await self._client.execute_command("GET", keys.tournament_code(code))
        return found.decode() if found is not None else None

    # ------------------------------------------------------------ hosts

    @guarded
    async def new_host(self, tournament: str, name: str) -> str:
        """A token that lets whoever has it host the tournament; actions are logged under `name`."""
        token = new_token()
        await self._client.execute_command("HSET", keys.hosts(tournament), keys.token_hash(token), name)
        return token

    @guarded
    async def host_of(self, tournament: str, token: str) -> str | None:
        """The name of the token's holder; None for a token that is not (or no longer) good here."""
        found = await self._client.execute_command("HGET", keys.hosts(tournament), keys.token_hash(token))
        return found.decode() if found is not None else None

    @guarded
    async def hosts(self, tournament: str) -> list[str]:
        """The names of all who may host."""
        return sorted(name.decode() for name in await self._client.execute_command("HVALS", keys.hosts(tournament)))

    @guarded
    async def revoke_host(self, tournament: str, name: str) -> int:
        """The tokens of this name are worthless from now on; answers how many there were."""
        fields = await self._client.execute_command("HGETALL", keys.hosts(tournament))
        gone = [digest for digest, holder in fields.items() if holder.decode() == name]
        if gone:
            await self._client.execute_command("HDEL", keys.hosts(tournament), *gone)
        return len(gone)

    # ------------------------------------------------------------ deals

    @guarded
    async def put_deal(self, tournament: str, number: int, deal: StoredDeal) -> StoredDeal:
        """Store the deal of a round once; answers the one that stands (another process may have been first)."""
        key = keys.round_deal(tournament, number)
        found = await self._client.execute_command("SET", key, deal.packed, "NX", "GET", get=True)
        return deal if found is None else StoredDeal.unpacked(found)

    @guarded
    async def get_deal(self, tournament: str, number: int) -> StoredDeal | None:
        """The secret of a round. Only what deals the cards and what opens them at the end may call this."""
        found = await self._client.execute_command("GET", keys.round_deal(tournament, number))
        return None if found is None else StoredDeal.unpacked(found)

    # ------------------------------------------------------------ the public list

    @guarded
    async def show(self, code: str, row: bytes, until_ms: int) -> None:
        """List a public tournament until `until_ms`; again, with a new row, while it lives."""
        keys.tournament_code(code)
        await self._client.execute_command("HSET", keys.TOURNAMENT_ROWS, code, row)
        await self._client.execute_command("ZADD", keys.TOURNAMENT_UNTIL, until_ms, code)

    @guarded
    async def listed(self, now_ms: int, limit: int = 50) -> list[bytes]:
        """The rows of public tournaments; forgets the stale ones."""
        found = await run_script(self._client, LOBBY, [keys.TOURNAMENT_ROWS, keys.TOURNAMENT_UNTIL], now_ms, limit)
        assert isinstance(found, list)
        return list(found[1::2])
