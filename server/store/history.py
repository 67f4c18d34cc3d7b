"""What a player has played: results by time, counts and bests, and the days of the dailies.

What lives here: adding a result once, however often it is projected, and reading. What does not: where results
come from (services.projector). The days are also what sums of leaderboards are folded from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from server.core.boards import DayResult
from server.core.daily import Day
from server.store import keys
from server.store.guard import guarded, run_script
from server.store.lua import HISTORY
from server.store.topology import Client

MOST = 1_000
"""Results of a player that are kept; counts and bests hold all of them."""


class Played(msgspec.Struct, array_like=True, frozen=True):
    """One result in a history. Its bytes follow from the logs alone, so that repeating adds nothing."""

    kind: str
    """daily or race."""
    at_ms: int
    """When its board began."""
    ruleset: str
    game: str
    """Attempt or heat."""
    date: str
    """Day of a daily; empty for a race."""
    room: str
    """Of a race; empty for a daily."""
    ended: str
    out: int
    score: int
    moves: int
    elapsed_ms: int
    place: int = 0
    """In a race; 0 for a daily."""
    racers: int = 0
    """Boards of the race."""
    open: bool = False
    """The deal was known before, or it was a ghost race: it counts for no best."""


@dataclass(frozen=True, slots=True)
class Best:
    """A player's best of something."""

    value: int
    kind: str
    game: str


@dataclass(slots=True)
class Counts:
    """What a player's results of one ruleset come to."""

    results: int = 0
    won: int = 0
    best_score: Best | None = None
    best_time: Best | None = None


@dataclass(slots=True)
class Totals:
    """What all results of a player come to."""

    rulesets: dict[str, Counts] = field(default_factory=dict)
    dailies: int = 0
    races: int = 0
    firsts: int = 0
    """Races of several that were won by place."""


_encode = msgspec.msgpack.encode
_played = msgspec.msgpack.Decoder(Played).decode
_day = msgspec.msgpack.Decoder(DayResult).decode
_note = msgspec.msgpack.Decoder(tuple[str, str]).decode


class History:
    """Every player's history. Methods raise StoreAway, BadKey for what is no player's id."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def add(self, player: str, played: Played) -> bool:
        """Add a result and count it; False when it was there already."""
        won = played.ended == "won"
        counts = not played.open
        first = played.place == 1 and played.racers > 1
        args = (
            played.at_ms, _encode(played), MOST, played.ruleset, played.kind, int(won), int(first),
            played.score if counts else "", played.elapsed_ms if counts and won else "",
            _encode((played.kind, played.game)),
        )  # fmt: skip
        where = [keys.history(player), keys.history_counts(player)]
        return bool(await run_script(self._client, HISTORY, where, *args))

    @guarded
    async def latest(self, player: str, count: int) -> list[Played]:
        """The last results, newest first."""
        found = await self._client.execute_command("ZRANGE", keys.history(player), 0, count - 1, "REV")
        return [_played(entry) for entry in found]

    @guarded
    async def totals(self, player: str) -> Totals:
        """Counts and bests."""
        found = await self._client.execute_command("HGETALL", keys.history_counts(player))
        return _totals({name.decode(): value for name, value in found.items()})

    # ------------------------------------------------------------ days

    @guarded
    async def add_day(self, player: str, ruleset: str, day: Day, result: DayResult) -> None:
        """What this day gave. Repeating changes nothing."""
        await self._client.execute_command("HSET", keys.history_days(player), f"{day}:{ruleset}", _encode(result))

    @guarded
    async def remove_day(self, player: str, ruleset: str, day: Day) -> None:
        """The day gave nothing after all (repair)."""
        await self._client.execute_command("HDEL", keys.history_days(player), f"{day}:{ruleset}")

    @guarded
    async def days(self, player: str) -> dict[str, dict[Day, DayResult]]:
        """What each day gave, by ruleset."""
        found = await self._client.execute_command("HGETALL", keys.history_days(player))
        days: dict[str, dict[Day, DayResult]] = {}
        for name, value in found.items():
            day, _, ruleset = name.decode().partition(":")
            days.setdefault(ruleset, {})[Day(day)] = _day(value)
        return days


def _totals(fields: Mapping[str, bytes]) -> Totals:
    totals = Totals()
    for name, value in fields.items():
        of, _, what = name.partition(":")
        if of in ("daily", "race"):
            _count(totals, f"{of}:{what}", int(value))
        elif not what.endswith(":of"):
            counts = totals.rulesets.setdefault(of, Counts())
            if what in ("score", "time"):
                setattr(counts, f"best_{what}", Best(int(value), *_note(fields[f"{name}:of"])))
            else:
                setattr(counts, what, int(value))
    return totals


def _count(totals: Totals, name: str, value: int) -> None:
    match name:
        case "daily:results":
            totals.dailies = value
        case "race:results":
            totals.races = value
        case "race:firsts":
            totals.firsts = value
