"""The ratings of each ruleset: a log of rated heats, and what follows from it, written by one script.

What lives here: rating a heat once, however often it is asked for and by however many processes, and reading.
What does not: the arithmetic (core.rating), when a heat is rated (services.ratings). Everything but the log can
be computed again from the log (`rewrite`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

import msgspec

from server.core import rating
from server.core.rating import Fold, Racer, RatedHeat, Rating
from server.store import keys
from server.store.errors import StoreError
from server.store.guard import guarded, run_script
from server.store.lua import RATE, RATING_SWAP
from server.store.topology import Client

PIECE = 500
"""Entries that are read or written at once; even, since hashes are written in pairs."""
FRESH = ":new"
"""Ends the names of what is prepared to take a key's place."""

_encode = msgspec.msgpack.encode
_heat = msgspec.msgpack.Decoder(RatedHeat).decode
_rating = msgspec.msgpack.Decoder(Rating).decode


class Point(msgspec.Struct, array_like=True, frozen=True):
    """One step of a player's curve."""

    at_ms: int
    heat: str
    rating: Rating


_point = msgspec.msgpack.Decoder(Point).decode


class Kept(NamedTuple):
    """All that is stored of one ruleset beside its log."""

    now: dict[str, Rating]
    heats: dict[str, int]


class Ratings:
    """Ratings of all rulesets. Methods raise StoreAway, BadKey for what is no ruleset or id."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def rate(self, ruleset: str, heat: str, room: str, at_ms: int, people: Sequence[Racer]) -> RatedHeat:
        """What this heat does to the ratings of these people, written unless it was; safe to repeat."""
        while True:
            written = await self._try(ruleset, heat, room, at_ms, people)
            if written is not None:
                return written

    @guarded
    async def _try(self, ruleset: str, heat: str, room: str, at_ms: int, people: Sequence[Racer]) -> RatedHeat | None:
        """None: others have written meanwhile, so that the ratings are not what they were."""
        command, names = self._client.execute_command, [one.player for one in people]
        length = await command("LLEN", keys.rating_log(ruleset))
        found = await command("HMGET", keys.ratings(ruleset), *names)
        before = {name: _rating(value) for name, value in zip(names, found, strict=True) if value is not None}
        entry = RatedHeat(heat, room, at_ms, rating.changes(people, before))
        args: list[object] = [length, heat, _encode(entry)]
        for one in entry.changes:
            args += [one.player, _encode(one.after), _encode(Point(at_ms, heat, one.after))]
        where = [*_fixed(ruleset), *(keys.rating_curve(ruleset, name) for name in names)]
        answer = await run_script(self._client, RATE, where, *args)
        assert isinstance(answer, list)
        if answer[0] == 1:
            return await self._entry(ruleset, answer[1])
        return entry if answer[0] == 0 else None

    async def _entry(self, ruleset: str, index: int) -> RatedHeat:
        found = await self._client.execute_command("LINDEX", keys.rating_log(ruleset), index)
        if found is None:
            raise StoreError(f"the ratings of {ruleset} have lost the end of their log")
        return _heat(found)

    @guarded
    async def of_heat(self, ruleset: str, heat: str) -> RatedHeat | None:
        """What a heat did to the ratings; None when it is not rated (yet)."""
        index = await self._client.execute_command("HGET", keys.rated_heats(ruleset), heat)
        return None if index is None else await self._entry(ruleset, int(index))

    @guarded
    async def of_player(self, ruleset: str, player: str) -> Rating | None:
        """A player's rating; None: no rated heat yet."""
        found = await self._client.execute_command("HGET", keys.ratings(ruleset), player)
        return None if found is None else _rating(found)

    @guarded
    async def curve(self, ruleset: str, player: str, count: int) -> list[Point]:
        """The last `count` steps of a player's rating, oldest first."""
        found = await self._client.execute_command("LRANGE", keys.rating_curve(ruleset, player), -count, -1)
        return [_point(value) for value in found]

    # ------------------------------------------------------------ all of it, for the audit

    async def log(self, ruleset: str) -> AsyncIterator[RatedHeat]:
        """Every rated heat, in the order in which they were rated."""
        first = 0
        while piece := await self._piece(ruleset, first):
            for entry in piece:
                yield entry
            first += len(piece)

    @guarded
    async def _piece(self, ruleset: str, first: int) -> list[RatedHeat]:
        found = await self._client.execute_command("LRANGE", keys.rating_log(ruleset), first, first + PIECE - 1)
        return [_heat(value) for value in found]

    @guarded
    async def kept(self, ruleset: str) -> Kept:
        """All that should follow from the log, as it is stored."""
        now = await self._client.execute_command("HGETALL", keys.ratings(ruleset))
        heats = await self._client.execute_command("HGETALL", keys.rated_heats(ruleset))
        return Kept(
            {player.decode(): _rating(value) for player, value in now.items()},
            {heat.decode(): int(index) for heat, index in heats.items()},
        )

    @guarded
    async def rewrite(self, ruleset: str, fold: Fold, length: int) -> bool:
        """Store a fold of a log of this length in place of what is there (repair); False: somebody rated meanwhile."""
        players = (await self.kept(ruleset)).now.keys() | fold.now.keys()
        log, now, heats = _fixed(ruleset)
        content: dict[str, list[object]] = {
            log: ["RPUSH", *map(_encode, fold.entries)],
            now: ["HSET", *(word for player, value in fold.now.items() for word in (player, _encode(value)))],
            heats: ["HSET", *(word for pair in fold.heats.items() for word in pair)],
        }
        for player in players:
            curve = fold.curves.get(player, [])
            points = [_encode(Point(entry.at_ms, entry.heat, after)) for entry, after in curve]
            content[keys.rating_curve(ruleset, player)] = ["RPUSH", *points]
        filled = [key for key, words in content.items() if len(words) > 1]
        for key in filled:
            await self._prepare(key + FRESH, content[key])
        pairs = [name for key in filled for name in (key + FRESH, key)]
        gone = [key for key in content if key not in filled]
        done = await run_script(self._client, RATING_SWAP, [log, *pairs, *gone], length, len(filled))
        if not done:
            for key in filled:
                await self._client.execute_command("DEL", key + FRESH)
        return bool(done)

    async def _prepare(self, key: str, words: list[object]) -> None:
        command, *values = words
        await self._client.execute_command("DEL", key)
        for at in range(0, len(values), PIECE):
            await self._client.execute_command(command, key, *values[at : at + PIECE])


def _fixed(ruleset: str) -> list[str]:
    return [keys.rating_log(ruleset), keys.ratings(ruleset), keys.rated_heats(ruleset)]
