"""What there is in a store: for tools that look at everything (audit), not for the running game.

Lives here: finding leaderboards, days and rooms by looking through all keys. Lives elsewhere: keys (keys), what
they hold (boards, dailies, logs).
"""

from __future__ import annotations

import re
from typing import Final

from server.store.guard import guarded
from server.store.topology import Client

SCAN: Final = 1_000
_BOARD: Final = re.compile(r"kupa:\{lb:([a-z]\.[A-Z0-9a-z.-]{1,40})\}:z")
_REMOVALS: Final = re.compile(r"kupa:\{lb:([a-z]\.[A-Z0-9a-z.-]{1,40})\}:xl")
_DAY: Final = re.compile(r"kupa:\{daily:([0-9-]{10}):([A-Z0-9-]{3,9})\}:attempts")
_LOG: Final = re.compile(r"kupa:\{([A-Z]{10})\}:log")


@guarded
async def leaderboards(client: Client) -> list[str]:
    """The names of all leaderboards that hold somebody, sorted."""
    return sorted(found[1] for found in await _matching(client, "kupa:{lb:*}:z", _BOARD))


@guarded
async def boards_with_removals(client: Client) -> list[str]:
    """The names of all leaderboards that somebody was ever taken off, sorted."""
    return sorted(found[1] for found in await _matching(client, "kupa:{lb:*}:xl", _REMOVALS))


@guarded
async def days(client: Client) -> list[tuple[str, str]]:
    """(day, ruleset) of all daily deals that somebody has begun, sorted."""
    return sorted((found[1], found[2]) for found in await _matching(client, "kupa:{daily:*}:attempts", _DAY))


@guarded
async def logs(client: Client) -> list[str]:
    """The ids of all rooms and tournaments whose log is kept, sorted."""
    return sorted(found[1] for found in await _matching(client, "kupa:{??????????}:log", _LOG))


async def _matching(client: Client, pattern: str, form: re.Pattern[str]) -> list[re.Match[str]]:
    keys = {key.decode() async for key in client.scan_iter(match=pattern, count=SCAN)}
    return [found for key in keys if (found := form.fullmatch(key))]
