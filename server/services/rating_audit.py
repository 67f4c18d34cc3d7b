"""Whether the ratings that are stored are what the races give (product P11: journals against boards).

Lives here: folding the logs of rated heats again, with the places of the heats themselves, and comparing. Lives
elsewhere: the fold (core.rating), storage (store.ratings).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from engine.ruleset import RULESETS
from server.core import rating
from server.core.closed_heat import ClosedHeat
from server.core.rating import Fold
from server.store.ratings import Ratings

Heats = Callable[[str], Awaitable[ClosedHeat | None]]
"""Finds a closed heat by its id; None: it is not to be found."""


async def differences(ratings: Ratings, heats: Heats, *, repair: bool = False) -> list[str]:
    """Where what is stored is not what the heats give, one line each; `repair` writes what they give in its place.

    A heat that is not to be found counts with the places of the log. Raises StoreAway. With `repair` no heat may be
    rated meanwhile.
    """
    found: list[str] = []
    for ruleset in RULESETS:
        fold = Fold()
        faults: list[str] = []
        async for entry in ratings.log(ruleset):
            heat = await heats(entry.heat)
            faults += fold.add(entry, None if heat is None else rating.racers(heat))
        faults += await _compared(ratings, ruleset, fold)
        found += [f"ratings of {ruleset}: {fault}" for fault in faults]
        if faults and repair:
            await ratings.rewrite(ruleset, fold)
    return found


async def _compared(ratings: Ratings, ruleset: str, fold: Fold) -> list[str]:
    kept = await ratings.kept(ruleset)
    faults = [
        f"player {player}: {kept.now.get(player)} is stored, the log gives {fold.now.get(player)}"
        for player in sorted(kept.now.keys() | fold.now.keys())
        if kept.now.get(player) != fold.now.get(player)
    ]
    faults += [
        f"heat {heat}: entry {kept.heats.get(heat)} is stored, the log gives {fold.heats.get(heat)}"
        for heat in sorted(kept.heats.keys() | fold.heats.keys())
        if kept.heats.get(heat) != fold.heats.get(heat)
    ]
    for player, curve in sorted(fold.curves.items()):
        points = await ratings.curve(ruleset, player, len(curve) + 1)
        if [(one.heat, one.rating) for one in points] != [(entry.heat, after) for entry, after in curve]:
            faults.append(f"player {player}: the curve stored is not the one of the log")
    return faults
