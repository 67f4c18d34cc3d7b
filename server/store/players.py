"""Identities: a player, its devices' secrets, and the one-time code that adds a device (ruling 14).

What lives here: who is who. What does not: which names are allowed (server.core), rate limits
(server.net), and the secrets themselves: only their SHA-256 is stored. The player's own hash says
which tokens are good; `kupa:token:*` only finds the player, so revoking is one command on one key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from server.store import keys
from server.store.guard import guarded
from server.store.ids import LINK_LETTERS, new_id, new_link_code, new_token
from server.store.topology import Client

LINK_S = 600
"""A device code is good for ten minutes, once."""
_DEVICE = b"t:"


@dataclass(frozen=True, slots=True)
class Player:
    """An identity as others may see it."""

    id: str
    name: str
    made_ms: int
    banned: str = ""
    """Why this player may not connect; empty: they may."""

    @property
    def tag(self) -> str:
        """Four hex digits that tell people of one name apart; fixed for an identity."""
        return tag_of(self.id)


def tag_of(player_id: str) -> str:
    """The tag of a player id, e.g. `4F2A`."""
    return hashlib.sha256(player_id.encode()).hexdigest()[:4].upper()


class Players:
    """All identities. Every method raises StoreAway when the store does not answer."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def new_player(self, name: str, token: str, now_ms: int) -> Player:
        """Make an identity whose first device holds `token` (from `new_token`)."""
        player = Player(new_id(), name, now_ms)
        digest = keys.token_hash(token)
        fields = ("name", name, "made_ms", now_ms, _DEVICE + digest.encode(), now_ms)
        await self._client.execute_command("HSET", keys.player(player.id), *fields)
        await self._client.execute_command("SET", keys.token(digest), player.id)
        return player

    @guarded
    async def by_token(self, token: str) -> Player | None:
        """Whose device this is; None for an unknown or revoked token."""
        digest = keys.token_hash(token)
        found = await self._client.execute_command("GET", keys.token(digest))
        if found is None:
            return None
        return await self._read(found.decode(), _DEVICE + digest.encode())

    @guarded
    async def by_id(self, player_id: str) -> Player | None:
        """The player of this id; None when there is none. BadKey when it is no id."""
        return await self._read(player_id, b"made_ms")

    async def _read(self, player_id: str, proof: bytes) -> Player | None:
        """The player, if its hash has the field `proof`."""
        words = ("HMGET", keys.player(player_id), "name", "made_ms", "banned", proof)
        name, made_ms, banned, proved = await self._client.execute_command(*words)
        if name is None or proved is None:
            return None
        return Player(player_id, name.decode(), int(made_ms), (banned or b"").decode())

    @guarded
    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        """The names of players by id, read together; who is not known is left out. BadKey for what is no id."""
        lines = self._client.pipeline(transaction=False)
        for each in ids:
            lines.execute_command("HGET", keys.player(each), "name")
        found = await lines.execute() if ids else []
        return {each: name.decode() for each, name in zip(ids, found, strict=True) if name is not None}

    @guarded
    async def rename(self, player_id: str, name: str) -> None:
        """Change the name."""
        await self._client.execute_command("HSET", keys.player(player_id), "name", name)

    @guarded
    async def ban(self, player_id: str, reason: str) -> None:
        """Let this player in no more, from the next connection on. Results stay what they are."""
        await self._client.execute_command("HSET", keys.player(player_id), "banned", reason)

    @guarded
    async def unban(self, player_id: str) -> None:
        """Let this player in again."""
        await self._client.execute_command("HDEL", keys.player(player_id), "banned")

    @guarded
    async def offer_device(self, player_id: str) -> str:
        """A one-time code of eight letters that is good for `LINK_S` seconds."""
        code = new_link_code()
        await self._client.execute_command("SET", keys.link(code), player_id, "EX", LINK_S)
        return code

    @guarded
    async def use_device_code(self, typed: str, now_ms: int) -> tuple[Player, str] | None:
        """Add a device by a one-time code: (player, token of the new device). None for a code that is
        unknown, used or too old. Spaces, dashes and lower case in what was typed do not matter."""
        code = "".join(c for c in typed.upper() if c.isalnum())
        if len(code) != LINK_LETTERS:
            return None
        found = await self._client.execute_command("GETDEL", keys.link(code))
        if found is None:
            return None
        player_id, token = found.decode(), new_token()
        digest = keys.token_hash(token)
        await self._client.execute_command("HSET", keys.player(player_id), _DEVICE + digest.encode(), now_ms)
        await self._client.execute_command("SET", keys.token(digest), player_id)
        player = await self._read(player_id, _DEVICE + digest.encode())
        return (player, token) if player else None

    @guarded
    async def revoke_others(self, player_id: str, token: str) -> int:
        """Make the tokens of all devices but the one with `token` worthless; returns how many they were."""
        fields = await self._client.execute_command("HKEYS", keys.player(player_id))
        kept = _DEVICE + keys.token_hash(token).encode()
        others = [field for field in fields if field.startswith(_DEVICE) and field != kept]
        if others:
            await self._client.execute_command("HDEL", keys.player(player_id), *others)
        for field in others:
            await self._client.execute_command("DEL", keys.token(field[len(_DEVICE) :].decode()))
        return len(others)
