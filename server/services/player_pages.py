"""`/api/player/<id>`: what a player has played (P9).

Lives here: the page. Lives elsewhere: histories (store.history), streaks (core.daily).
"""

from __future__ import annotations

from typing import Any

from server.clock import Clock
from server.core import daily
from server.core.daily import Day
from server.net.pages import PageRequest, Pages, Reply
from server.services.api import Brief, NotThere, json, query, route
from server.services.player_ratings import of_player
from server.store import keys
from server.store.connect import Store
from server.store.history import Best, Counts, Played
from server.store.players import Player

KEEP_MS = 1_000
RESULTS = 50
CALENDAR_DAYS = 400
PATH = "/api/player/"

Json = dict[str, Any]


class PlayerPages:
    """The pages of players."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._brief: Brief[Json] = Brief(clock, KEEP_MS)

    def add_to(self, pages: Pages) -> None:
        """Answer the addresses of players."""
        pages.route(PATH, route(self._player))

    async def _player(self, request: PageRequest) -> Reply:
        query(request)
        player_id = request.path.removeprefix(PATH)
        if not keys.is_id(player_id):
            raise NotThere
        player = await self._store.players.by_id(player_id)
        if player is None:
            raise NotThere
        return json(await self._brief.get(player_id, lambda: self._profile(player)))

    async def _profile(self, player: Player) -> Json:
        history = self._store.history
        totals = await history.totals(player.id)
        days = await history.days(player.id)
        today = daily.day_of(self._clock.now_ms())
        streak = daily.streak((day for each in days.values() for day in each), today)
        return {
            "player": player.id,
            "name": player.name,
            "tag": player.tag,
            "made_ms": player.made_ms,
            "streak": {"now": streak.now, "best": streak.best, "today": streak.today},
            "days": _calendar(days, today),
            "rulesets": [_counts(ruleset, counts) for ruleset, counts in sorted(totals.rulesets.items())],
            "dailies": {"results": totals.dailies},
            "races": {"results": totals.races, "firsts": totals.firsts},
            "ratings": await of_player(self._store.ratings, player.id),
            "results": [_result(played) for played in await history.latest(player.id, RESULTS)],
        }


def _calendar(days: dict[str, dict[Day, Any]], today: Day) -> dict[Day, list[str]]:
    """Which dailies have a result, by day, for the last year and a bit."""
    first = daily.nth(daily.number(today) - CALENDAR_DAYS)
    calendar: dict[Day, list[str]] = {}
    for day, ruleset in sorted((day, ruleset) for ruleset, each in days.items() for day in each):
        if day >= first:
            calendar.setdefault(day, []).append(ruleset)
    return calendar


def _counts(ruleset: str, counts: Counts) -> Json:
    return {
        "ruleset": ruleset,
        "results": counts.results,
        "won": counts.won,
        "best_score": _best(counts.best_score),
        "best_time": _best(counts.best_time),
    }


def _best(best: Best | None) -> Json | None:
    return None if best is None else {"value": best.value, "kind": best.kind, "game": best.game}


def _result(played: Played) -> Json:
    return {name: getattr(played, name) for name in Played.__struct_fields__}
