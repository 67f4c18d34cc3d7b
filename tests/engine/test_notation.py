"""Every value has a text form, and reading is the inverse of printing."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import notation, view
from engine.board import Board
from engine.cards import Card
from engine.moves import Move, MoveError
from engine.notation import NotationError
from engine.ruleset import RULESETS, Ruleset
from tests import strategies
from tests.engine.driver import random_deal, random_play, table


@given(st.lists(strategies.cards))
def test_cards_in_order_read_back(cards: list[Card]) -> None:
    assert notation.parse_cards(notation.cards_text(cards)) == cards


@given(strategies.moves, strategies.instants_ms)
def test_an_entry_reads_back(move: Move, at_ms: int) -> None:
    assert notation.parse_entry(notation.entry_text(move, at_ms)) == (move, at_ms)


@given(strategies.rulesets, strategies.seeds, strategies.lengths, st.booleans())
@example(RULESETS["DS1-D1N"], 1, 40, False).via("the front of its stock is known")
def test_a_position_and_a_view_read_back(ruleset: Ruleset, seed: int, length: int, ranked: bool) -> None:
    chance = random.Random(seed)
    board = Board(ruleset, random_deal(ruleset, chance), ranked=ranked)
    for _ in random_play(board, chance, length):
        pass
    read = notation.parse_position(ruleset, notation.position_text(board))
    read.recycles = board.recycles
    assert read.same_table(board)
    assert notation.parse_view(notation.view_text(view.own(board))) == view.own(board)


def test_the_text_of_a_position_is_that_of_the_test_vectors() -> None:
    board = table("SS1-D1N", {1: "2C3D|8S7H", 3: "|KC"}, waste="5C4H", foundations={"S": [1]}, rest="3", stock="9D8D")
    lines = notation.position_text(board).split("\n")
    assert lines[0] == "C1 2C3D|8S7H"
    assert lines[1] == "C2 |"
    assert lines[-3:] == ["S 9D8D", "W 5C4H", "F 1,0,0,0"]


GOOD = notation.position_text(table("SS1-D1N", {1: "2C3D|8S7H", 2: "|KC"}, waste="4H"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("C1 ", "C2 "),
        ("3D|8S7H", "3D8S7H"),
        ("8S7H", "8S6H"),
        ("C1 2C3D|8S7H", "C1 2C3D8S7H|"),
        ("W 4H", "W 4H4H"),
        ("W 4H", "W 4"),
        ("F 0,0,0,0", "F 0,0,0"),
        ("F 0,0,0,0", "F 0,0,0,14"),
        ("F 0,0,0,0", "F "),
        ("W 4H\n", ""),
    ],
)
def test_another_text_is_no_position(old: str, new: str) -> None:
    assert old in GOOD
    with pytest.raises(NotationError):
        notation.parse_position(RULESETS["SS1-D1N"], GOOD.replace(old, new, 1))


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (notation.parse_cards, "ASK"),
        (notation.parse_entry, "draw"),
        (notation.parse_entry, "draw @01"),
        (notation.parse_entry, "fly @1"),
        (notation.parse_view, "0 0 0 0 - S47"),
        (notation.parse_view, "0 0 0 0 - S47 W4H F0,0,0,0 2:8S7H"),
        (notation.parse_view, "0 0 0 0 - S47 W4H F0,0,0,0 2|8S7"),
        (notation.parse_view, "0 0 0 0 - S47 W4 F0,0,0,0 2|8S7H"),
    ],
)
def test_another_text_is_none_of_these(read: Callable[[str], object], text: str) -> None:
    with pytest.raises(NotationError):
        read(text)


def test_a_move_without_text_has_no_entry_text() -> None:
    with pytest.raises(MoveError):
        notation.entry_text(Move(0), 1)
