"""What people are called now, for pages that show many of them.

Lives here: looking names up together, and remembering them for a moment. Lives elsewhere: the names (store.players).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from server.clock import Clock
from server.store.players import Players, tag_of

KEEP_MS = 15_000
MOST = 20_000
"""Names that are remembered at once."""


@dataclass(frozen=True, slots=True)
class Called:
    """How a player is shown."""

    name: str
    """Empty for somebody who is not known any more."""
    tag: str


class NameBook:
    """Names by player id. Methods raise StoreAway."""

    def __init__(self, players: Players, clock: Clock) -> None:
        self._players = players
        self._clock = clock
        self._known: dict[str, tuple[int, Called]] = {}

    async def of(self, ids: Iterable[str]) -> dict[str, Called]:
        """How each of these is shown."""
        now_ms = self._clock.now_ms()
        wanted = list(dict.fromkeys(ids))
        shown = {each: known[1] for each in wanted if (known := self._known.get(each)) and now_ms < known[0]}
        missing = [each for each in wanted if each not in shown]
        names = await self._players.names(missing) if missing else {}
        if len(self._known) + len(missing) > MOST:
            self._known.clear()
        for each in missing:
            shown[each] = Called(names.get(each, ""), tag_of(each))
            self._known[each] = (now_ms + KEEP_MS, shown[each])
        return shown
