"""Rulesets: family + draw mode + scoring as frozen data (R2, R5, R6, R11).

What lives here: everything in which the games differ, as numbers and flags, and the registry
`RULESETS`. What does not: code that branches on a game's name; there is none. A new ruleset is one
line in the registry.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One game with its draw mode and scoring; its id stands on every result."""

    id: str
    """Family, draw and scoring, e.g. `DS1-D1N`."""
    family: str
    draw: int
    """Cards turned by one press of the stock."""
    scoring: str
    """`N` Normal or `V` Vegas."""
    decks: int
    columns: int
    cards: int
    """Cards in the game; the board is won when all are out."""
    passes: int | None
    """Passes through the stock, or None: unlimited (R5.3, R5.4, R11.3)."""
    recycle_draws: bool
    """Turning the waste over also draws, in the same action (R11.3)."""
    auto_completes: bool
    """Has auto-complete (R11.6)."""
    taps: bool
    """Has the gestures tap and double tap of R9."""
    undo_limit: int | None
    """Actions that can be undone, or None: any number (R7.1, R11.7)."""
    start_score: int
    to_foundation: int
    """Points for a card sent to a foundation from a column or the waste (R6)."""
    waste_to_column: int
    turned: int
    """Points for a face-down card turned up."""
    recycle_cost: int
    """Points that turning the waste over takes."""
    floor: int | None
    """The score never falls below it (R6.1)."""

    @property
    def slots(self) -> int:
        """Number of foundation slots."""
        return 4 * self.decks

    @property
    def mode(self) -> str:
        """Draw and scoring as in a deal code, e.g. `D1N`."""
        return f"D{self.draw}{self.scoring}"

    @property
    def stock(self) -> int:
        """Cards in the stock after dealing."""
        return self.cards - self.columns * (self.columns + 1) // 2

    def __str__(self) -> str:
        return self.id


_DOUBLE: Final = Ruleset(
    id="DS1-D1N", family="DS1", draw=1, scoring="N", decks=2, columns=9, cards=104,
    passes=None, recycle_draws=False, auto_completes=False, taps=True, undo_limit=200,
    start_score=0, to_foundation=10, waste_to_column=5, turned=5, recycle_cost=100, floor=0,
)  # fmt: skip
_VEGAS: Final = replace(
    _DOUBLE, id="DS1-D1V", scoring="V", passes=1,
    start_score=-104, to_foundation=5, waste_to_column=0, turned=0, recycle_cost=0, floor=None,
)  # fmt: skip
_SINGLE: Final = Ruleset(
    id="SS1-D1N", family="SS1", draw=1, scoring="N", decks=1, columns=7, cards=52,
    passes=None, recycle_draws=True, auto_completes=True, taps=False, undo_limit=None,
    start_score=0, to_foundation=10, waste_to_column=5, turned=5, recycle_cost=0, floor=0,
)  # fmt: skip

RULESETS: Final[dict[str, Ruleset]] = {
    rules.id: rules
    for rules in (
        _DOUBLE,
        replace(_DOUBLE, id="DS1-D3N", draw=3),
        _VEGAS,
        replace(_VEGAS, id="DS1-D3V", draw=3),
        _SINGLE,
        replace(_SINGLE, id="SS1-D2N", draw=2),
        replace(_SINGLE, id="SS1-D3N", draw=3),
    )
}
"""Every ruleset by its id."""
