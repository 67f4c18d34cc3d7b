"""Cards as small integers (R1).

What lives here: the numbering of cards, their text form, and the tables that answer which card goes
on which. What does not: piles and moves. A card is `suit * 13 + rank - 1`, suits spades, hearts,
diamonds, clubs as 0–3, ranks 1–13. The two copies of a card in the double game are the same number
(R1.2).
"""

from __future__ import annotations

from typing import Final, NewType

Card = NewType("Card", int)
"""0–51; two copies in the double game are equal."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"

TEXTS: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS: Final[dict[str, Card]] = {text: Card(number) for number, text in enumerate(TEXTS)}

HIDDEN: Final = Card(255)
"""Stands for a card that is not seen: it goes nowhere and takes nothing. No deal has one."""

KING: Final = 13
_NOWHERE: Final = 255
RANK: Final = bytes(number % 13 + 1 if number < 52 else _NOWHERE for number in range(256))
"""Rank 1–13 of each card; of a hidden one no rank that follows on any."""
SUIT: Final = bytes(number // 13 if number < 52 else 0 for number in range(256))
"""Suit 0–3 of each card."""
ONE: Final[tuple[bytes, ...]] = tuple(bytes((number,)) for number in range(256))
"""Each card as one byte."""


def _bases(number: int) -> tuple[int, ...]:
    if number > 51:
        return ()
    red = number // 13 in (1, 2)
    others = (0, 3) if red else (1, 2)
    above = number % 13 + 1
    return tuple(suit * 13 + above for suit in others if above < KING)


BASES: Final[tuple[tuple[int, ...], ...]] = tuple(_bases(number) for number in range(256))
"""For each card the cards it may lie on in a column (R3.1); none for a king."""


class CardError(ValueError):
    """A text that is not a card."""


def suit(card: Card) -> int:
    """Suit of a card: 0 spades, 1 hearts, 2 diamonds, 3 clubs (R1.1)."""
    return SUIT[card]


def rank(card: Card) -> int:
    """Rank of a card, 1 (ace) to 13 (king)."""
    return RANK[card]


def is_red(card: Card) -> bool:
    """Whether the card is a heart or a diamond (R1.1)."""
    return SUIT[card] in (1, 2)


def card_text(card: Card) -> str:
    """The card in two characters, rank and suit, e.g. `AS`, `TD`."""
    return TEXTS[card]


def parse_card(text: str) -> Card:
    """The card that `card_text` wrote. Raises `CardError` for anything else."""
    try:
        return _CARDS[text]
    except KeyError:
        raise CardError(f"not a card: {text!r}") from None


def pack(decks: int) -> list[Card]:
    """The unshuffled pack: for each deck S H D C, in each suit ace to king (deal-code, step 3)."""
    return [Card(number) for _ in range(decks) for number in range(52)]
