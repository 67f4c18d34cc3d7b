"""Best of n: the points of several heats of the same people (ruling 3).

What lives here: points from places, and when a match is over; pure functions over the places of its heats.
What does not: places of one heat (`standings`), and when a match begins (`fold`: with the first heat of
the room, the first after a decided match, and the first under new options).

With up to two racers a match is a duel: one point for each deal that one of them wins alone, and a majority
of n ends it early. With more, each deal gives place points as in a League, and all n deals are played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NewType, TypeAlias

Racer = NewType("Racer", str)
"""Who collects points: a person, wherever they sit, or one bot from its seating to its removal."""
Places: TypeAlias = tuple[tuple[Racer, int], ...]
"""One heat: each racer's place, from 1; equals share a place."""

_DUEL = 2


def points(heats: Sequence[Places]) -> dict[Racer, int]:
    """Points of everybody who raced in the match; who missed a deal has none for it.

    In a duel a shared first place wins for nobody, so that nobody has more points than there were heats.
    With r racers in the match, place p gives r − p + 1: a first place is worth the same in every deal.
    """
    racers = {racer for heat in heats for racer, _ in heat}
    total = dict.fromkeys(sorted(racers), 0)
    for heat in heats:
        firsts = sum(place == 1 for _, place in heat)
        for racer, place in heat:
            if len(racers) > _DUEL:
                total[racer] += len(racers) - place + 1
            elif place == 1 and firsts == 1:
                total[racer] += 1
    return total


def decided(heats: Sequence[Places], best_of: int) -> bool:
    """All `best_of` deals are played, or one of two racers has won a majority of them."""
    if len(heats) >= best_of:
        return True
    total = points(heats)
    return len(total) == _DUEL and max(total.values()) > best_of // 2
