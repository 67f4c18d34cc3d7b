"""The chart of a day's results: how many reached what (P6).

Lives here: the bars for each ruleset and order. Lives elsewhere: counting (server.store.boards).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from engine.ruleset import RULESETS
from server.core.boards import TIME_BITS, Tab, pack_score, pack_time


@dataclass(frozen=True, slots=True)
class Bar:
    """Results from `low` up to and without `high`; None: no bound."""

    low: int | None
    high: int | None


_MINUTES: Final = (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 45, 60, 120)
_BARS: Final = 15


def chart(tab: Tab, ruleset: str) -> list[Bar]:
    """The bars of a day's chart: points in equal steps over what the ruleset can give, or minutes."""
    if tab is Tab.TIME:
        bounds = [minutes * 60_000 for minutes in _MINUTES]
    else:
        game = RULESETS[ruleset]
        low = game.start_score
        turned = game.columns * (game.columns - 1) // 2 * game.turned
        high = low + game.cards * game.to_foundation + game.stock * game.waste_to_column + turned
        step = math.ceil((high - low) / _BARS / 10) * 10
        bounds = [low + step * at for at in range(1, _BARS)]
    return [Bar(low, high) for low, high in zip([None, *bounds], [*bounds, None], strict=True)]


def least(tab: Tab, bar: Bar) -> int:
    """The lowest packed number of a day's board that belongs to the bar or to a better one: bars are counted
    from the best, each from its `least` up to that of the one before."""
    if tab is Tab.SCORE:
        return 0 if bar.low is None else pack_score(bar.low, (1 << TIME_BITS) - 1)
    return 0 if bar.high is None else pack_time(bar.high - 1)
