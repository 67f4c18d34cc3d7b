"""A player's ratings and their curves, as their page has them (product P9).

Lives here: the JSON. Lives elsewhere: the page (player_pages), how ratings come about (ratings, core.rating).
"""

from __future__ import annotations

from typing import Any, Final

from engine.ruleset import RULESETS
from server.store.ratings import Ratings

CURVE: Final = 200
"""Steps of a curve that are told, the last ones."""


async def of_player(ratings: Ratings, player: str) -> list[dict[str, Any]]:
    """One entry for each ruleset with rated heats. A step of a curve: [at_ms, rating, deviation, heat].

    Raises StoreAway; BadKey for what is no player's id.
    """
    found = []
    for ruleset in RULESETS:
        now = await ratings.of_player(ruleset, player)
        if now is None:
            continue
        curve = await ratings.curve(ruleset, player, CURVE)
        found.append(
            {
                "ruleset": ruleset,
                "rating": now.points,
                "deviation": now.deviation,
                "games": now.games,
                "provisional": now.provisional,
                "curve": [[one.at_ms, one.rating.points, one.rating.deviation, one.heat] for one in curve],
            }
        )
    return found
