"""R1: cards."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.cards import BASES, Card, CardError, card_text, is_red, pack, parse_card, rank, suit
from tests import strategies


def test_suits_follow_each_other_spades_hearts_diamonds_clubs_ace_to_king() -> None:
    assert "".join(card_text(card) for card in pack(1)[:14]) == "AS2S3S4S5S6S7S8S9STSJSQSKSAH"
    assert [card_text(Card(card)) for card in (12, 25, 38, 51)] == ["KS", "KH", "KD", "KC"]


@given(strategies.cards)
def test_a_card_is_read_as_it_is_printed(card: Card) -> None:
    assert parse_card(card_text(card)) == card
    assert suit(card) * 13 + rank(card) - 1 == card


@pytest.mark.parametrize("text", ["", "A", "as", "1S", "10S", "AS ", "SA", "A♠"])
def test_another_text_is_no_card(text: str) -> None:
    with pytest.raises(CardError):
        parse_card(text)


def test_hearts_and_diamonds_are_red() -> None:
    assert [is_red(parse_card("7" + letter)) for letter in "SHDC"] == [False, True, True, False]


@given(strategies.cards, strategies.cards)
def test_a_card_lies_on_the_other_colour_one_rank_higher(card: Card, base: Card) -> None:
    assert (base in BASES[card]) == (is_red(card) != is_red(base) and rank(base) == rank(card) + 1)


def test_the_double_pack_is_the_pack_twice() -> None:
    assert pack(2) == pack(1) * 2
