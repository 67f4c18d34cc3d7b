"""R2.2, R11.1: how the cards lie after dealing."""

from __future__ import annotations

import pytest

from engine.cards import pack
from engine.position import Position
from engine.ruleset import RULESETS, Ruleset


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=str)
def test_columns_hold_one_two_three_cards_and_only_the_last_is_face_up(ruleset: Ruleset) -> None:
    position = Position(ruleset, pack(ruleset.decks))
    assert [len(column) for column in position.columns] == list(range(1, ruleset.columns + 1))
    assert position.down == list(range(ruleset.columns))
    assert (len(position.stock), position.waste, set(position.heights)) == (ruleset.stock, [], {0})


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=str)
def test_columns_take_their_cards_in_order_and_the_rest_is_drawn_in_order(ruleset: Ruleset) -> None:
    cards = pack(ruleset.decks)
    position = Position(ruleset, cards)
    assert [card for column in position.columns for card in column] + position.stock[::-1] == cards


def test_another_number_of_cards_is_an_error() -> None:
    with pytest.raises(ValueError, match="52 cards"):
        Position(RULESETS["SS1-D1N"], pack(2))


def test_a_copy_has_the_same_table_and_shares_no_pile() -> None:
    position = Position(RULESETS["DS1-D1N"], pack(2))
    twin = position.copy()
    assert twin.same_table(position)
    twin.columns[3].pop()
    assert not twin.same_table(position)
    assert len(position.columns[3]) == 4
