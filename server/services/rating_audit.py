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

    A heat that is not to be found counts with the places of the log. Heats may be rated meanwhile: what differs is
    looked at twice, and a repair waits for a moment without any. Raises StoreAway.
    """
    found: list[str] = []
    for ruleset in RULESETS:
        _, first, _ = await _look(ratings, heats, ruleset)
        while first:
            fold, again, length = await _look(ratings, heats, ruleset)
            if not repair or not again or await ratings.rewrite(ruleset, fold, length):
                found += [f"ratings of {ruleset}: {fault}" for fault in again if fault in first]
                break
    return found


async def _look(ratings: Ratings, heats: Heats, ruleset: str) -> tuple[Fold, list[str], int]:
    """The fold of a ruleset's log, what is wrong, and how long the log is."""
    fold, length = Fold(), 0
    faults: list[str] = []
    async for entry in ratings.log(ruleset):
        heat = await heats(entry.heat)
        faults += fold.add(entry, None if heat is None else rating.racers(heat))
        length += 1
    return fold, faults + await _compared(ratings, ruleset, fold), length


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
