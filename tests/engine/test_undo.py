"""R7, R11.7, ruling 6: what can be taken back, how far, and what it restores."""

from __future__ import annotations

import pytest

from engine.board import Board, UndoPolicy
from engine.deal_code import DealCode, deal
from engine.errors import ErrorCode
from engine.moves import UNDO
from engine.ruleset import RULESETS
from tests.engine.driver import full_state, play, refusal, table

DOUBLE, SINGLE = "DS1-D1N", "SS1-D1N"


def fresh(ruleset: str, undo: UndoPolicy = UndoPolicy.ALL) -> Board:
    code = DealCode.parse(f"{ruleset}-AAAAAAB")
    return Board(code.ruleset, deal(code), ranked=True, undo=undo)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_draw_undo_draw_is_one_draw_also_on_the_short_last_press(ruleset: str) -> None:
    board = fresh(ruleset)
    while board.stock:
        before = full_state(board)
        turned = play(board, "draw").waste[-1]
        after = full_state(board)
        assert full_state(play(board, "undo")) == before
        assert full_state(play(board, "draw")) == after
        assert board.waste[-1] == turned


@pytest.mark.parametrize("ruleset", ["DS1-D1N", "DS1-D3N", "SS1-D1N", "SS1-D2N", "SS1-D3N"])
def test_recycle_undo_recycle_is_one_recycle(ruleset: str) -> None:
    board = fresh(ruleset)
    while board.stock:
        play(board, "draw")
    before = full_state(board)
    after = full_state(play(board, "recycle"))
    assert full_state(play(board, "undo")) == before
    assert full_state(play(board, "recycle")) == after


def test_a_turned_card_turns_face_down_again_and_its_points_go() -> None:
    board = table(DOUBLE, {1: "2C|AS"})
    before = full_state(board)
    assert full_state(play(board, "c1>f", "undo")) == before
    assert board.down[0] == 1


def test_a_card_goes_back_to_the_slot_it_was_taken_from() -> None:
    board = table(DOUBLE, {1: "|4S"}, foundations={"H": [3, 3]})
    play(board, "f4>c1", "undo")
    assert list(board.heights[2:4]) == [3, 3]
    play(board, "f4>c1", "undo", "f3>c1", "undo")
    assert list(board.heights[2:4]) == [3, 3]


def test_the_last_two_hundred_actions_can_be_undone_in_the_double_game() -> None:
    board = play(fresh(DOUBLE), *["draw"] * 59, "recycle", *["draw"] * 59, "recycle", *["draw"] * 59, "recycle")
    play(board, *["draw"] * 30)
    assert (board.moves, board.undoable) == (210, 200)
    play(board, *["undo"] * 200)
    assert refusal(board, "undo") is ErrorCode.NOTHING_TO_UNDO
    assert len(board.waste) == 10


def test_any_number_can_be_undone_in_the_single_game() -> None:
    board = fresh(SINGLE)
    start = full_state(board)
    for _ in range(12):
        play(board, *["draw"] * len(board.stock), "recycle")
    assert board.undoable == board.moves > 250
    assert full_state(play(board, *["undo"] * board.undoable)) == start


def test_there_is_no_redo() -> None:
    board = play(fresh(DOUBLE), "draw", "undo")
    assert refusal(board, "undo") is ErrorCode.NOTHING_TO_UNDO


# ---------------------------------------------------------------- policies


def test_without_undo_nothing_can_be_taken_back() -> None:
    board = fresh(DOUBLE, UndoPolicy.NONE)
    assert board.check(UNDO) is ErrorCode.UNDO_OFF
    play(board, "draw")
    assert board.check(UNDO) is ErrorCode.UNDO_OFF
    assert board.undoable == 0


def test_an_action_that_showed_a_card_and_what_lies_before_it_stay() -> None:
    board = table(DOUBLE, {1: "|8S", 2: "|9D", 3: "2C|AS"}, undo=UndoPolicy.HIDDEN)
    play(board, "c1>c2", "undo", "c1>c2", "c3>f")
    assert board.check(UNDO) is ErrorCode.UNDO_REVEALED
    drawn = play(table(DOUBLE, {1: "|8S", 2: "|9D"}, undo=UndoPolicy.HIDDEN), "c1>c2", "draw")
    assert drawn.check(UNDO) is ErrorCode.UNDO_REVEALED
    assert drawn.undoable == 0


def test_before_anything_was_shown_there_is_just_nothing_to_undo() -> None:
    assert fresh(DOUBLE, UndoPolicy.HIDDEN).check(UNDO) is ErrorCode.NOTHING_TO_UNDO


def test_other_actions_after_it_can_be_undone() -> None:
    board = table(DOUBLE, {1: "|8S", 2: "|9D"}, undo=UndoPolicy.HIDDEN)
    play(board, "draw", "c1>c2")
    assert board.undoable == 1
    play(board, "undo")
    assert board.check(UNDO) is ErrorCode.UNDO_REVEALED


@pytest.mark.parametrize("ruleset", ["DS1-D3N", "SS1-D3N"])
def test_drawing_cards_that_were_seen_in_an_earlier_pass_is_free_to_undo(ruleset: str) -> None:
    board = fresh(ruleset, UndoPolicy.HIDDEN)
    while board.stock:
        play(board, "draw")
    assert board.undoable == 0
    play(board, "recycle", "draw", "draw")
    assert board.undoable == 3
    play(board, "undo", "undo", "undo")
    assert (board.stock, board.check(UNDO)) == ([], ErrorCode.UNDO_REVEALED)
