"""R3, R4, R5, R9, R11: which moves are legal, and what taps stand for."""

from __future__ import annotations

import pytest

from engine import rules
from engine.cards import SUITS
from engine.errors import ErrorCode
from engine.moves import AUTO, COLUMN0, DRAW, FOUNDATIONS, RECYCLE, WASTE, Move, move_text, transfer
from tests.engine.driver import play, refusal, table

DOUBLE, VEGAS, SINGLE = "DS1-D1N", "DS1-D1V", "SS1-D1N"

# ---------------------------------------------------------------- columns


def test_a_card_goes_on_the_other_colour_exactly_one_rank_higher() -> None:
    board = table(SINGLE, {1: "|7H", 2: "|8S", 3: "|8D", 4: "|9C", 5: "|6C"})
    assert refusal(board, "c1>c2") is None
    assert refusal(board, "c5>c1") is None
    assert refusal(board, "c1>c3") is ErrorCode.NO_FIT
    assert refusal(board, "c1>c4") is ErrorCode.NO_FIT
    assert refusal(board, "c2>c1") is ErrorCode.NO_FIT


def test_a_run_moves_with_its_first_card_fitting() -> None:
    board = table(SINGLE, {1: "2S|8S7H6C", 2: "|9D", 3: "|7D"})
    assert refusal(board, "c1>c2*3") is None
    assert refusal(board, "c1>c2*2") is ErrorCode.NO_FIT
    assert refusal(board, "c1>c3") is None
    play(board, "c1>c2*3")
    assert [len(column) for column in board.columns[:3]] == [1, 4, 1]


def test_a_run_never_reaches_into_face_down_cards_nor_beyond_the_column() -> None:
    board = table(SINGLE, {1: "2S3S|8S7H", 2: "|9D"})
    assert refusal(board, "c1>c2*3") is ErrorCode.FACE_DOWN
    assert refusal(board, "c1>c2*4") is ErrorCode.FACE_DOWN
    assert refusal(board, "c1>c2*5") is ErrorCode.TOO_MANY


def test_an_empty_column_takes_only_a_king_alone_or_with_its_run() -> None:
    board = table(SINGLE, {1: "2S|KSQH", 2: "3S|QD", 4: "|KC"}, waste="KD")
    assert refusal(board, "c1>c3*2") is None
    assert refusal(board, "c1>c3") is ErrorCode.KING_ONLY
    assert refusal(board, "c2>c3") is ErrorCode.KING_ONLY
    assert refusal(board, "c4>c3") is None, "a lone king may hop (R3.8)"
    assert refusal(board, "w>c3") is None


def test_a_pile_is_not_moved_onto_itself() -> None:
    board = table(SINGLE, {1: "|8S7H"})
    assert refusal(board, "c1>c1") is ErrorCode.SAME_COLUMN
    assert refusal(board, "c2>c2") is ErrorCode.EMPTY_SOURCE


def test_only_the_top_of_the_waste_plays() -> None:
    board = table(SINGLE, {1: "|8S"}, waste="7H7D2C")
    assert refusal(board, "w>c1") is ErrorCode.NO_FIT
    assert refusal(table(SINGLE, {1: "|8S"}, waste="2C7H"), "w>c1") is None
    assert refusal(table(SINGLE, {1: "|8S"}), "w>c1") is ErrorCode.EMPTY_SOURCE


# ---------------------------------------------------------------- foundations


def test_a_foundation_takes_its_suit_from_the_ace_up_one_by_one() -> None:
    board = table(SINGLE, {1: "|AS", 2: "|2S", 3: "|3H", 4: "|4H"}, foundations={"H": [2]})
    assert refusal(board, "c1>f") is None
    assert refusal(board, "c2>f") is ErrorCode.NO_FOUNDATION
    assert refusal(board, "c3>f") is None
    assert refusal(board, "c4>f") is ErrorCode.NO_FOUNDATION


def test_a_card_not_a_run_goes_to_a_foundation() -> None:
    board = table(SINGLE, {1: "|3H2S"}, foundations={"H": [2], "S": [1]})
    assert refusal(board, "c1>f*2") is ErrorCode.NO_FOUNDATION
    assert refusal(board, "c1>f*3") is ErrorCode.TOO_MANY
    play(board, "c1>f", "c1>f")
    assert bytes(board.heights) == bytes((2, 3, 0, 0))


def test_the_second_ace_of_spades_takes_the_second_slot() -> None:
    board = play(table(DOUBLE, {1: "|AS", 2: "|AS"}), "c1>f", "c2>f")
    assert list(board.heights) == [1, 1, 0, 0, 0, 0, 0, 0]


def test_a_card_finds_the_first_slot_of_its_row_that_accepts_it() -> None:
    board = play(table(DOUBLE, {1: "|5D", 2: "|5D", 3: "|6S"}, foundations={"D": [3, 4]}), "c1>f")
    assert list(board.heights[4:6]) == [3, 5]
    equal = play(table(DOUBLE, {1: "|5D"}, foundations={"D": [4, 4]}), "c1>f")
    assert list(equal.heights[4:6]) == [5, 4]


def test_slots_of_a_suit_lie_in_a_row_of_their_own() -> None:
    for row, suit in enumerate(SUITS):
        board = play(table(DOUBLE, {1: f"|A{suit}"}), "c1>f")
        assert board.heights[2 * row] == 1


def test_the_top_of_a_foundation_may_be_taken_back_to_a_column_it_fits() -> None:
    board = table(DOUBLE, {1: "|4S", 2: "|9C", 3: "9H|9S"}, foundations={"H": [3, 13], "D": [0, 3]})
    assert refusal(board, "f3>c1") is None
    assert refusal(board, "f3>c2") is ErrorCode.NO_FIT
    assert refusal(board, "f4>c4") is None, "a king to an empty column"
    assert refusal(board, "f3>c4") is ErrorCode.KING_ONLY
    assert refusal(board, "f5>c1") is ErrorCode.EMPTY_SOURCE
    play(board, "f6>c1")
    assert list(board.heights) == [0, 0, 3, 13, 0, 2, 0, 0]


def test_no_card_goes_from_foundation_to_foundation() -> None:
    board = table(DOUBLE, {}, foundations={"H": [1, 0]})
    assert refusal(board, "f3>f") is ErrorCode.FOUNDATION_TO_FOUNDATION
    assert refusal(board, "f4>f") is ErrorCode.EMPTY_SOURCE


# ---------------------------------------------------------------- not moves of this game


@pytest.mark.parametrize(
    "move",
    [
        Move(0),
        Move(7),
        Move(1, 1),
        Move(2, 0, 0, 1),
        Move(4, 0, 1),
        Move(6, 0, 0, 2),
        transfer(0, FOUNDATIONS),
        transfer(2, FOUNDATIONS),
        transfer(WASTE, WASTE),
        transfer(WASTE, 10),
        transfer(WASTE, FOUNDATIONS, 2),
        transfer(WASTE, FOUNDATIONS, 0),
        transfer(COLUMN0, FOUNDATIONS, 0),
        transfer(COLUMN0 + 7, FOUNDATIONS),
        transfer(COLUMN0, COLUMN0 + 7),
        transfer(14, COLUMN0),
        transfer(255, 255, 255),
    ],
)
def test_what_names_no_pile_or_count_of_this_game_is_a_bad_action(move: Move) -> None:
    assert table(SINGLE, {1: "|AS"}).check(move) is ErrorCode.BAD_ACTION


# ---------------------------------------------------------------- stock


def test_a_draw_needs_a_stock_and_turning_over_needs_none() -> None:
    board = table(DOUBLE, {})
    assert refusal(board, "draw") is None
    assert refusal(board, "recycle") is ErrorCode.STOCK_NOT_EMPTY
    turned = table(DOUBLE, {}, rest="waste")
    assert refusal(turned, "draw") is ErrorCode.STOCK_EMPTY
    assert refusal(turned, "recycle") is None


@pytest.mark.parametrize("ruleset", [DOUBLE, SINGLE])
def test_with_stock_and_waste_empty_there_is_nothing_to_draw(ruleset: str) -> None:
    board = table(ruleset, {1: "|AS"}, rest="1")
    assert refusal(board, "draw") is ErrorCode.NOTHING_TO_DRAW
    assert refusal(board, "recycle") is ErrorCode.NOTHING_TO_DRAW


@pytest.mark.parametrize("ruleset", [VEGAS, "DS1-D3V"])
def test_in_vegas_the_waste_is_never_turned_over(ruleset: str) -> None:
    board = table(ruleset, {}, rest="waste")
    assert refusal(board, "recycle") is ErrorCode.STOCK_EXHAUSTED
    assert refusal(board, "draw") is ErrorCode.STOCK_EXHAUSTED


# ---------------------------------------------------------------- all legal moves


def test_legal_moves_come_stock_first_then_foundations_then_columns() -> None:
    board = table(SINGLE, {1: "|8S7H", 2: "|9D", 3: "|AC"}, waste="AH", foundations={"S": [7]})
    moves = [move_text(move) for move in rules.table_moves(board)]
    assert moves == ["draw", "w>f", "c3>f", "c1>c2*2"]


def test_the_stock_press_is_a_draw_or_a_recycle() -> None:
    assert rules.table_moves(table(DOUBLE, {}))[0] == DRAW
    assert rules.table_moves(table(DOUBLE, {}, rest="waste"))[0] == RECYCLE
    assert rules.table_moves(table(VEGAS, {}, rest="waste", waste="2H")) == []


# ---------------------------------------------------------------- auto-complete


KINGS = {1: "|KS", 2: "|KH", 3: "|KD", 4: "|KC"}


def test_the_single_game_completes_once_nothing_is_hidden_and_stock_and_waste_are_empty() -> None:
    board = table(SINGLE, KINGS, foundations={suit: [12] for suit in SUITS})
    assert board.check(AUTO) is None
    assert board.auto_ready()


def test_it_does_not_complete_while_a_card_is_face_down_or_in_stock_or_waste() -> None:
    heights = {suit: [12] for suit in "SHD"} | {"C": [11]}
    for board in (
        table(SINGLE, KINGS, foundations=heights, rest="stock"),
        table(SINGLE, KINGS, foundations=heights, rest="waste"),
        table(SINGLE, KINGS, foundations=heights, rest="1"),
    ):
        assert board.check(AUTO) is ErrorCode.AUTO_NOT_READY
        assert not board.auto_ready()


def test_the_double_game_never_completes_itself() -> None:
    board = table(DOUBLE, KINGS, foundations={suit: [12, 13] for suit in SUITS})
    assert board.check(AUTO) is ErrorCode.NOT_IN_THIS_GAME
    assert not board.auto_ready()


# ---------------------------------------------------------------- gestures


def test_a_tap_sends_a_top_card_to_a_foundation_or_says_why_not() -> None:
    board = table(DOUBLE, {1: "|AS", 2: "|9D"}, waste="AH")
    assert rules.tap(board, COLUMN0) == transfer(COLUMN0, FOUNDATIONS)
    assert rules.tap(board, WASTE) == transfer(WASTE, FOUNDATIONS)
    assert rules.tap(board, COLUMN0 + 1) is ErrorCode.NO_FOUNDATION
    assert rules.tap(board, COLUMN0 + 2) is ErrorCode.EMPTY_SOURCE


def test_a_double_tap_tries_the_foundation_first() -> None:
    board = table(DOUBLE, {1: "|2S", 2: "|3D"}, foundations={"S": [1, 0]})
    assert rules.double_tap(board, COLUMN0) == transfer(COLUMN0, FOUNDATIONS)


def test_else_the_column_with_most_cards_face_down_ones_counted_leftmost_of_equals() -> None:
    board = table(DOUBLE, {1: "|6S", 2: "|7H", 3: "2C|7D", 4: "2D|7H", 5: "2H|8S"})
    assert rules.double_tap(board, COLUMN0) == transfer(COLUMN0, COLUMN0 + 2)
    longer = table(DOUBLE, {1: "|6S", 2: "|7H", 3: "2C|7D", 4: "2D3D|7H"})
    assert rules.double_tap(longer, COLUMN0) == transfer(COLUMN0, COLUMN0 + 3)


def test_else_a_king_takes_the_leftmost_empty_column_unless_it_lies_alone() -> None:
    filled = {1: "2S|KH", 2: "|KD", 3: "|3S", 5: "|4S"}
    board = table(DOUBLE, filled, waste="KC")
    assert rules.double_tap(board, COLUMN0) == transfer(COLUMN0, COLUMN0 + 3)
    assert rules.double_tap(board, WASTE) == transfer(WASTE, COLUMN0 + 3)
    assert rules.double_tap(board, COLUMN0 + 1) is ErrorCode.NO_PLACE


def test_a_double_tap_moves_no_run() -> None:
    board = table(DOUBLE, {1: "|8S7D", 2: "|9H"})
    assert rules.double_tap(board, COLUMN0) is ErrorCode.NO_PLACE
    assert rules.double_tap(board, COLUMN0 + 3) is ErrorCode.EMPTY_SOURCE
