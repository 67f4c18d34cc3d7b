"""The whole table: where every card lies.

What lives here: the piles, dealing, comparing and copying. What does not: which moves are legal
(`rules`), score and history (`board`), what a player may see (`view`). Piles are plain lists, as
this is the server's hot path.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card
from engine.ruleset import Ruleset


class Position:
    """Stock, waste, columns and foundations of one game; mutable."""

    __slots__ = ("columns", "down", "heights", "recycles", "ruleset", "stock", "waste")

    ruleset: Ruleset
    stock: list[Card]
    """The next card to draw is the last."""
    waste: list[Card]
    """The top is the last."""
    columns: list[list[Card]]
    """Each from the deepest card to the last one."""
    down: list[int]
    """Face-down cards of each column; the last card of a column is never face down (R3.5)."""
    heights: bytearray
    """Cards on each foundation slot, slots suit by suit (R4.1)."""
    recycles: int
    """How often the waste was turned over."""

    def __init__(self, ruleset: Ruleset, cards: Sequence[Card] | None) -> None:
        """Deal `cards` (dealing order, `deal_code.Deal`); raises `ValueError` for another number of cards.

        None deals nothing: whoever makes such a position sets its piles at once.
        """
        if cards is None:
            self.ruleset = ruleset
            return
        if len(cards) != ruleset.cards:
            raise ValueError(f"{ruleset} is played with {ruleset.cards} cards, not {len(cards)}")
        self.ruleset = ruleset
        self.columns = []
        at = 0
        for size in range(1, ruleset.columns + 1):
            self.columns.append(list(cards[at : at + size]))
            at += size
        self.down = list(range(ruleset.columns))
        self.stock = list(cards[: at - 1 : -1])
        self.waste = []
        self.heights = bytearray(ruleset.slots)
        self.recycles = 0

    def put(self, other: Position) -> None:
        """Become a copy of another position of the same ruleset."""
        self.ruleset = other.ruleset
        self.stock = list(other.stock)
        self.waste = list(other.waste)
        self.columns = [list(column) for column in other.columns]
        self.down = list(other.down)
        self.heights = bytearray(other.heights)
        self.recycles = other.recycles

    def copy(self) -> Position:
        """Another position with the same cards, sharing nothing that changes."""
        twin = Position(self.ruleset, None)
        twin.put(self)
        return twin

    def slot_cards(self) -> list[Card]:
        """The cards on the foundations, slot by slot, ace first."""
        decks = self.ruleset.decks
        heights = list(self.heights)
        return [Card(slot // decks * 13 + rank) for slot, height in enumerate(heights) for rank in range(height)]

    def all_cards(self) -> list[Card]:
        """Every card of the game, in no order; always the whole pack."""
        return [*self.stock, *self.waste, *(card for column in self.columns for card in column), *self.slot_cards()]

    def same_table(self, other: Position) -> bool:
        """Whether every card lies where it lies there."""
        return (
            self.ruleset is other.ruleset
            and self.stock == other.stock
            and self.waste == other.waste
            and self.columns == other.columns
            and self.down == other.down
            and self.heights == other.heights
            and self.recycles == other.recycles
        )
