"""What is stored about rooms beside their logs: codes, the lobby, quick match, deals, progress.

What lives here: small keys that help to find a room, and the deal of a heat. What does not: a room's
state (its log is the truth, server.core folds it). Everything but the deal may be lost without harm:
it is written again while the room lives.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable

import msgspec

from server.store import keys
from server.store.errors import StoreError
from server.store.guard import guarded, run_script
from server.store.ids import new_code
from server.store.lua import DROP_IF, KEEP, LOBBY, OFFER
from server.store.topology import Client

CODE_S = 24 * 3600
"""How long a code holds without being renewed."""
SEAT_S = 24 * 3600
MATCH_S = 24 * 3600
TURN_MS = 3_000
"""A process that dies or stands in its turn keeps the others waiting so long."""
SOME = 40
"""Codes looked at for one that is preferred."""
TRIES = 20


class StoredDeal(msgspec.Struct, array_like=True, frozen=True):
    """The secret of a heat: its deal code, and the nonce of the commitment (empty for an open deal)."""

    code: str
    nonce: str
    solution: bytes = b""
    """Of a certified deal: four bytes a move (`engine.solver.pack`)."""
    difficulty: str = ""
    """Of a certified deal (`engine.solver.Difficulty`); empty: it is not certified."""

    @property
    def packed(self) -> bytes:
        """The bytes in the store."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def unpacked(cls, value: bytes) -> StoredDeal:
        """From the bytes in the store."""
        return msgspec.msgpack.decode(value, type=cls)

    def __repr__(self) -> str:
        return "<StoredDeal>"


class Rooms:
    """Every method raises StoreAway when the store does not answer, BadKey for what is no id."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def lengths(self, rooms: list[str]) -> list[int]:
        """How many events the logs of these rooms have; asked for together."""
        asked = [self._client.execute_command("LLEN", keys.room_log(room)) for room in rooms]
        return list(await asyncio.gather(*asked))

    # ------------------------------------------------------------ codes

    @guarded
    async def new_code(self, room: str, prefers: Callable[[str], bool] = lambda _: True, seconds: int = CODE_S) -> str:
        """A free five-letter code that now leads to `room`; one that is preferred if some can be found."""
        for _ in range(TRIES):
            code = next(filter(prefers, (new_code() for _ in range(SOME))), None) or new_code()
            if await self._claim(code, room, seconds):
                return code
        raise StoreError("no room code is free")

    @guarded
    async def claim_code(self, code: str, room: str, seconds: int = CODE_S) -> bool:
        """Make this very code lead to `room`; False when it leads to another. Repeating it renews it."""
        return await self._claim(code, room, seconds)

    async def _claim(self, code: str, room: str, seconds: int) -> bool:
        keys.room_log(room)  # a room id, or BadKey
        found = await self._client.execute_command("SET", keys.code(code), room, "NX", "GET", "EX", seconds, get=True)
        if found is not None and found.decode() == room:
            await self._client.execute_command("EXPIRE", keys.code(code), seconds)
        return found is None or found.decode() == room

    @guarded
    async def renew_code(self, code: str, seconds: int = CODE_S) -> None:
        """The room still lives: its code holds for `seconds` from now."""
        await self._client.execute_command("EXPIRE", keys.code(code), seconds)

    @guarded
    async def free_code(self, code: str, room: str) -> None:
        """The room is closed: its code may lead elsewhere. Nothing happens when it already does."""
        await run_script(self._client, DROP_IF, [keys.code(code)], room)

    @guarded
    async def room_of_code(self, code: str) -> str | None:
        """The room behind a code; None when there is none, or when it has not the form of a code."""
        if not keys.is_code(code):
            return None
        found = await self._client.execute_command("GET", keys.code(code))
        return found.decode() if found is not None else None

    # ------------------------------------------------------------ players in rooms

    @guarded
    async def seat(self, player: str, room: str, seconds: int = SEAT_S) -> None:
        """This player is in `room` (as player or watcher): the way back after a reconnection."""
        await self._client.execute_command("SET", keys.seat(player), room, "EX", seconds)

    @guarded
    async def unseat(self, player: str, room: str) -> None:
        """This player left `room`. Nothing happens when it is in another meanwhile."""
        await run_script(self._client, DROP_IF, [keys.seat(player)], room)

    @guarded
    async def room_of_player(self, player: str) -> str | None:
        """The room this player is in, if any."""
        found = await self._client.execute_command("GET", keys.seat(player))
        return found.decode() if found is not None else None

    # ------------------------------------------------------------ lobby

    @guarded
    async def show(self, code: str, row: bytes, until_ms: int) -> None:
        """List a public room in the lobby until `until_ms`; again, with a new row, while it lives."""
        keys.code(code)
        await self._client.execute_command("HSET", keys.LOBBY_ROWS, code, row)
        await self._client.execute_command("ZADD", keys.LOBBY_UNTIL, until_ms, code)

    @guarded
    async def hide(self, code: str) -> None:
        """Take a room off the lobby."""
        await self._client.execute_command("ZREM", keys.LOBBY_UNTIL, code)
        await self._client.execute_command("HDEL", keys.LOBBY_ROWS, code)

    @guarded
    async def lobby(self, now_ms: int, limit: int = 100) -> list[tuple[str, bytes]]:
        """(code, row) of the public rooms, the last renewed first; forgets the stale ones."""
        answer = await run_script(self._client, LOBBY, [keys.LOBBY_ROWS, keys.LOBBY_UNTIL], now_ms, limit)
        assert isinstance(answer, list)
        return [(answer[i].decode(), answer[i + 1]) for i in range(0, len(answer), 2)]

    # ------------------------------------------------------------ quick match

    @guarded
    async def offer_match(self, ruleset: str, code: str, until_ms: int) -> None:
        """A quick-match room of this ruleset has a free seat; holds until `until_ms`.

        It comes behind all that wait already, whoever offers them, and keeps its place when offered again.
        """
        keys.code(code)
        await run_script(self._client, OFFER, [keys.match(ruleset)], code, until_ms, MATCH_S)

    @guarded
    async def matches(self, ruleset: str, now_ms: int) -> list[str]:
        """Codes of the rooms that wait for people, the longest waiting first. Several may come to one
        room: whether there is a seat is for the room to say."""
        await self._client.execute_command("ZREMRANGEBYSCORE", keys.match(ruleset), "-inf", now_ms)
        return [code.decode() for code in await self._client.execute_command("ZRANGE", keys.match(ruleset), 0, 15)]

    @guarded
    async def withdraw_match(self, ruleset: str, code: str) -> None:
        """The room is full, started or gone."""
        await self._client.execute_command("ZREM", keys.match(ruleset), code)

    @guarded
    async def take_turn(self, ruleset: str, who: str) -> bool:
        """Whether it is now the turn of `who`, of all processes, to look for a room of this ruleset or make one.

        Asking again is safe. A turn ends by itself after TURN_MS.
        """
        words = ("SET", keys.turn(ruleset), who, "NX", "GET", "PX", TURN_MS)
        found = await self._client.execute_command(*words, get=True)
        return found is None or found.decode() == who

    @guarded
    async def end_turn(self, ruleset: str, who: str) -> None:
        """The turn of `who` is over, if it still was theirs."""
        await run_script(self._client, DROP_IF, [keys.turn(ruleset)], who)

    # ------------------------------------------------------------ deals

    @guarded
    async def put_deal(self, room: str, heat: str, deal: StoredDeal, keep_s: int = 0) -> StoredDeal:
        """Store the deal of a heat once; answers the one that stands (another process may have been first).
        The heat leads to its room from now on.

        `keep_s`: seconds until both expire; 0 keeps them for ever.
        """
        expiry = ("EX", keep_s) if keep_s else ()
        await self._client.execute_command("SET", keys.heat(heat), room, *expiry)
        found = await self._client.execute_command(
            "SET", keys.deal(room, heat), deal.packed, "NX", "GET", *expiry, get=True
        )
        return StoredDeal.unpacked(found) if found is not None else deal

    @guarded
    async def get_deal(self, room: str, heat: str) -> StoredDeal | None:
        """The secret of a heat. Only what deals the cards and what reveals them at the end may call this."""
        found = await self._client.execute_command("GET", keys.deal(room, heat))
        return StoredDeal.unpacked(found) if found is not None else None

    @guarded
    async def room_of_heat(self, heat: str) -> str | None:
        """The room of a heat; None when there is none (any more), or when it has not the form of an id."""
        if not keys.is_id(heat):
            return None
        found = await self._client.execute_command("GET", keys.heat(heat))
        return found.decode() if found is not None else None

    # ------------------------------------------------------------ where people came from

    @guarded
    async def note_address(self, room: str, player: str, address: str) -> None:
        """Remember from where somebody came into a room: a digest that tells equal from unequal in this room only."""
        digest = hashlib.sha256(f"{room} {address}".encode()).hexdigest()[:16] if address else ""
        await self._client.execute_command("HSET", keys.addresses(room), player, digest)

    @guarded
    async def addresses(self, room: str) -> dict[str, str]:
        """The digests by player; an empty one: not known."""
        found = await self._client.execute_command("HGETALL", keys.addresses(room))
        return {player.decode(): digest.decode() for player, digest in found.items()}

    # ------------------------------------------------------------ progress, bells and keeping

    @guarded
    async def ring(self, room: str, payload: bytes) -> None:
        """Ring the room's bell for something that is not kept (a reaction); the number is 0."""
        await self._client.execute_command("PUBLISH", keys.bell(room), b"0 " + payload)

    @guarded
    async def progress(self, room: str) -> dict[str, bytes]:
        """The latest row of every seat of the room's heat, by the field its append gave."""
        rows = await self._client.execute_command("HGETALL", keys.progress(room))
        return {field.decode(): row for field, row in rows.items()}

    @guarded
    async def clear_progress(self, room: str) -> None:
        """A new heat begins."""
        await self._client.execute_command("DEL", keys.progress(room))

    @guarded
    async def keep_room(self, room: str, seconds: int) -> None:
        """The room is closed: its log and progress expire after `seconds`, unless a heat of it is kept (ruling 22)."""
        for key in (keys.progress(room), keys.addresses(room)):
            await self._client.execute_command("EXPIRE", key, seconds)
        await run_script(self._client, KEEP, [keys.kept(room), keys.room_log(room)], seconds)

    @guarded
    async def keep_heat(self, room: str, heat: str, seats: Iterable[int]) -> None:
        """Keep all that a heat is told from for ever, since a rating or a leaderboard stands on it (ruling 22)."""
        logs = [keys.board_log(room, heat, seat) for seat in seats]
        kept = [keys.kept(room), keys.room_log(room), keys.deal(room, heat), *logs, *(keys.meta(log) for log in logs)]
        await run_script(self._client, KEEP, kept, 0)
        await self._client.execute_command("PERSIST", keys.heat(heat))
