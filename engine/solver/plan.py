"""What is tried for which ruleset, and what it says about a deal: data.

What lives here: plans, weights, budgets, labels. What does not: any search. A ruleset that stands in
`CERTIFIABLE` has deals that are certified for it; the others are played with any deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Method(StrEnum):
    """How a solution was found."""

    LOOKING = "looking"
    """By a player who sees only what a person sees: the deal can be won without knowing the hidden cards."""
    DESCENT = "descent"
    """By one who sees all cards and goes straight on, with chance in every choice."""
    BEAM = "beam"
    """By one who sees all cards and follows several lines at once."""


class Difficulty(StrEnum):
    """How hard a certified deal is to win, judged by what it took the solver."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Weights:
    """What the all-seeing search thinks of a position: higher is better, in quarters of a card sent up."""

    turned: int
    """For each card face down, taken off."""
    blocked: int
    """For each pair of a face-down card and a higher one of its suit above it in its column, taken off."""
    chance: int
    """At most so much is added to every choice."""
    room: bool = False
    """Splits runs and takes cards back from foundations to make a place for another card."""
    split: int = 0
    """Taken off for splitting a run."""
    back: int = 0
    """Taken off for taking a card back, in addition to what the card counted on its foundation."""
    waste: int = 0
    """For each card in the waste, taken off; matters when there is but one pass."""
    waste_blocked: int = 0
    """For each pair in the waste of a card and a higher one of its suit on top of it, taken off."""
    empty: int = 0
    """For each empty column, taken off."""


UP: Final = 4
"""A card on its foundation; all other weights are measured by it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is tried on one deal of a ruleset, in this order."""

    looks: int
    """Tries of the player who sees only what a person sees."""
    descents: int
    """Tries of the all-seeing player after that."""
    width: int
    """Lines at once in the beams, which are tried after that until the budget is used up."""
    weights: Weights
    budget: int
    """Positions looked at in all, when `kupa solve` is not told otherwise."""
    pool: int | None
    """The same when the deal may as well be given up for another one; None: not certified ahead."""


# ---------------------------------------------------------------- the table

_DOUBLE: Final = Weights(turned=12, blocked=12, chance=48)
_SINGLE: Final = Weights(turned=12, blocked=8, chance=48, room=True, split=12, back=12)
_VEGAS: Final = Weights(
    turned=8, blocked=8, chance=60, room=True, split=12, back=12, waste=48, waste_blocked=24, empty=20
)  # fmt: skip

PLANS: Final[dict[str, Plan]] = {
    "DS1-D1N": Plan(looks=4, descents=60, width=10, weights=_DOUBLE, budget=100_000, pool=20_000),
    "DS1-D3N": Plan(looks=12, descents=60, width=10, weights=_DOUBLE, budget=100_000, pool=20_000),
    "DS1-D1V": Plan(looks=0, descents=0, width=4, weights=_VEGAS, budget=200_000, pool=3_000),
    "DS1-D3V": Plan(looks=0, descents=0, width=4, weights=_VEGAS, budget=400_000, pool=None),
    "SS1-D1N": Plan(looks=4, descents=60, width=10, weights=_SINGLE, budget=50_000, pool=1_000),
    "SS1-D2N": Plan(looks=4, descents=60, width=10, weights=_SINGLE, budget=50_000, pool=1_000),
    "SS1-D3N": Plan(looks=4, descents=60, width=10, weights=_SINGLE, budget=50_000, pool=1_000),
}

CERTIFIABLE: Final[dict[str, int]] = {name: plan.pool for name, plan in PLANS.items() if plan.pool is not None}
"""The rulesets whose deals are certified, with the positions spent on a deal before another one is drawn.

DS1-D3V is not among them: one deal in thirty is found solvable, after a minute or more each.
"""
