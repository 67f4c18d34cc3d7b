"""R5–R8, R11, product P3: playing, scoring in both readings, the clock of a board, its end, its log."""

from __future__ import annotations

import pytest

from engine.board import Board, ReplayError, Termination, UndoPolicy
from engine.cards import parse_card
from engine.deal_code import DealCode, deal
from engine.errors import ErrorCode
from engine.moves import AUTO, DRAW, RESIGN, UNDO, pack_entry, parse_move
from engine.notation import cards_text
from engine.ruleset import RULESETS
from tests.engine.driver import play, possible_moves, refusal, table

DOUBLE, VEGAS, SINGLE = "DS1-D1N", "DS1-D1V", "SS1-D1N"


def fresh(ruleset: str, *, undo: UndoPolicy = UndoPolicy.ALL) -> Board:
    code = DealCode.parse(f"{ruleset}-AAAAAAB")
    return Board(code.ruleset, deal(code), ranked=True, undo=undo)


# ---------------------------------------------------------------- drawing


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=str)
def test_a_press_turns_as_many_as_the_draw_mode_says_the_last_one_on_top(ruleset: object) -> None:
    board = fresh(str(ruleset))
    coming = board.stock[::-1][: board.ruleset.draw]
    assert list(board.apply(DRAW, 0)) == coming
    assert board.waste == coming


def test_the_twentieth_press_of_a_first_pass_in_d3_turns_two() -> None:
    board = play(fresh("DS1-D3N"), *["draw"] * 19)
    assert len(board.apply(DRAW, 0)) == 2
    assert refusal(board, "draw") is ErrorCode.STOCK_EMPTY


@pytest.mark.parametrize("ruleset", ["DS1-D1N", "DS1-D3N"])
def test_turning_over_draws_nothing_and_brings_the_same_order_again(ruleset: str) -> None:
    board = fresh(ruleset)
    order = board.stock[::-1]
    while board.stock:
        play(board, "draw")
    assert board.apply(parse_move("recycle"), 0) == b""
    assert (board.stock[::-1], board.waste) == (order, [])


def test_in_the_single_game_turning_over_also_draws_in_the_same_action() -> None:
    board = fresh("SS1-D3N")
    first = board.stock[::-1][:3]
    play(board, *["draw"] * 8)
    moves = board.moves
    assert list(board.apply(parse_move("recycle"), 0)) == first
    assert (board.waste, len(board.stock), board.moves) == (first, 21, moves + 1)


# ---------------------------------------------------------------- scoring to the letter (R6)


def test_normal_scoring_pays_foundation_waste_to_column_and_turned_cards() -> None:
    board = table(DOUBLE, {1: "2C|AS", 2: "|8H"}, waste="7S")
    assert board.score == 0
    assert board.apply(parse_move("c1>f"), 1) == bytes([parse_card("2C")])
    assert board.score == 10 + 5
    assert play(board, "w>c2").score == 20


def test_vegas_pays_five_for_a_foundation_card_and_for_nothing_else() -> None:
    board = table(VEGAS, {1: "2C|AS", 2: "|8H"}, waste="7S")
    assert board.score == -104
    assert play(board, "c1>f").score == -99
    assert play(board, "w>c2").score == -99


def test_column_to_column_and_taking_back_pay_nothing() -> None:
    board = table(DOUBLE, {1: "|8S", 2: "|9D", 3: "|3C"}, foundations={"D": [2, 0]})
    assert play(board, "c1>c2", "f5>c3").score == 0


def test_turning_the_waste_over_costs_what_there_is_up_to_a_hundred() -> None:
    columns = {1: "|AS", 2: "|2S", 3: "|3S", 4: "|4S"}
    board = play(table(DOUBLE, columns, rest="waste"), "c1>f", "c2>f", "c3>f", "c4>f", "recycle")
    assert board.score == 0
    assert play(board, "undo").score == 40
    rich = play(table(DOUBLE, columns, rest="waste"), "c1>f", "c2>f", "c3>f", "c4>f")
    rich.score = 140
    assert play(rich, "recycle").score == 40


def test_in_the_single_game_turning_over_costs_nothing() -> None:
    board = play(table(SINGLE, {1: "|AS"}, rest="waste"), "c1>f", "recycle")
    assert board.score == 10


def test_to_the_letter_a_card_taken_back_and_sent_out_again_scores_again() -> None:
    board = table(DOUBLE, {1: "|3C"}, foundations={"D": [2, 0]})
    assert play(board, "f5>c1", "c1>f").score == 10
    assert play(board, "f5>c1", "c1>f").score == 20


# ---------------------------------------------------------------- competition scoring (P3)


def test_in_competition_sending_out_again_earns_nothing_until_the_suits_total_is_passed() -> None:
    board = table(DOUBLE, {1: "|3C", 2: "|2D", 3: "|3D"}, foundations={"D": [2, 0]}, ranked=True)
    assert play(board, "f5>c1", "c1>f").score == 0
    assert play(board, "f5>c1", "c2>f").score == 0, "another copy goes up, the total only comes back"
    assert play(board, "c3>f").score == 10


def test_in_competition_the_total_counts_both_slots_of_the_suit() -> None:
    board = table(DOUBLE, {1: "|3C", 2: "|AD"}, foundations={"D": [2, 0]}, ranked=True)
    play(board, "f5>c1", "c2>f")
    assert (board.score, sum(board.heights[4:6])) == (0, 2)
    assert play(board, "c1>f").score == 10


def test_undo_brings_the_mark_back_too() -> None:
    board = table(DOUBLE, {1: "|3D"}, foundations={"D": [2, 0]}, ranked=True)
    assert play(board, "c1>f").score == 10
    assert play(board, "undo").score == 0
    assert play(board, "c1>f").score == 10


# ---------------------------------------------------------------- counters and times


def test_the_move_counter_counts_every_accepted_action_but_undo_and_undo_does_not_lower_it() -> None:
    board = play(fresh(DOUBLE), "draw", "draw", "undo", "draw")
    assert (board.moves, board.ply) == (3, 4)


def test_times_tell_when_the_board_last_came_to_its_score_and_to_its_cards_out() -> None:
    board = table(DOUBLE, {1: "|AS", 2: "|4C"}, foundations={"D": [3, 0]}, ranked=True)
    board.apply(parse_move("c1>f"), 1000)
    assert (board.score_at_ms, board.out_at_ms) == (1000, 1000)
    board.apply(DRAW, 2000)
    assert (board.elapsed_ms, board.score_at_ms, board.out_at_ms) == (2000, 1000, 1000)
    board.apply(parse_move("f5>c2"), 3000)
    assert (board.score_at_ms, board.out_at_ms) == (1000, 3000)
    board.apply(parse_move("c2>f"), 4000)
    assert (board.score_at_ms, board.out_at_ms) == (1000, 4000)


def test_an_undo_that_changes_the_score_is_when_the_board_came_to_it() -> None:
    board = table(DOUBLE, {1: "|AS"})
    board.apply(parse_move("c1>f"), 1000)
    board.apply(UNDO, 5000)
    assert (board.score, board.score_at_ms, board.out_at_ms) == (0, 5000, 5000)


# ---------------------------------------------------------------- the end


def one_card_left(ruleset: str = DOUBLE) -> Board:
    decks = RULESETS[ruleset].decks
    heights = {suit: [13] * decks for suit in "SHD"} | {"C": [13] * (decks - 1) + [12]}
    return table(ruleset, {1: "|KC"}, foundations=heights)


@pytest.mark.parametrize("ruleset", [DOUBLE, VEGAS, SINGLE])
def test_a_board_is_won_when_every_card_is_on_the_foundations(ruleset: str) -> None:
    board = one_card_left(ruleset)
    assert refusal(board, "c1>f") is None
    board.apply(parse_move("c1>f"), 777)
    assert (board.ended, board.out, board.elapsed_ms) == (Termination.WON, board.ruleset.cards, 777)


def test_once_won_nothing_more_is_accepted_undo_included() -> None:
    board = play(one_card_left(), "c1>f")
    assert board.legal_moves() == []
    refusals = {board.check(move) for move in possible_moves(board.ruleset)}
    assert refusals == {ErrorCode.GAME_WON, ErrorCode.NOT_IN_THIS_GAME}


@pytest.mark.parametrize(
    ("text", "termination"), [("resign", Termination.RESIGNED), ("abandon", Termination.ABANDONED)]
)
def test_resigning_ends_the_board_and_is_no_move_at_the_table(text: str, termination: Termination) -> None:
    board = play(fresh(SINGLE), "draw", text)
    assert (board.ended, board.moves, board.ply) == (termination, 1, 2)
    for move in possible_moves(board.ruleset):
        assert board.check(move) is ErrorCode.ENDED


def test_an_end_from_outside_is_final_too() -> None:
    board = fresh(DOUBLE)
    board.end(Termination.TIME_UP, 60_000)
    assert (board.ended, board.elapsed_ms, board.ply) == (Termination.TIME_UP, 60_000, 0)
    assert refusal(board, "draw") is ErrorCode.ENDED
    assert board.undoable == 0
    with pytest.raises(ValueError, match="has ended"):
        board.end(Termination.ABANDONED, 61_000)


def test_what_is_no_move_is_a_bad_action_even_after_the_end() -> None:
    board = play(fresh(DOUBLE), "resign")
    assert board.check(DRAW._replace(count=1)) is ErrorCode.BAD_ACTION
    assert board.check(AUTO) is ErrorCode.NOT_IN_THIS_GAME


def test_nothing_moves_by_itself() -> None:
    board = table(SINGLE, {1: "2S|AS"}, foundations={})
    play(board, "draw")
    assert (board.out, board.moves) == (0, 1)


def test_auto_complete_sends_everything_up_each_card_scored_and_counted() -> None:
    heights = {"S": [11], "H": [12], "D": [12], "C": [11]}
    board = table(SINGLE, {1: "|KS", 2: "|KHQS", 3: "|KD", 4: "|KC", 5: "|QC"}, foundations=heights)
    assert board.check(AUTO) is None
    assert board.apply(AUTO, 99) == b""
    assert (board.ended, board.score, board.moves, board.ply) == (Termination.WON, 60, 6, 1)


# ---------------------------------------------------------------- logs


def test_a_log_with_a_refused_entry_is_no_log() -> None:
    code = DealCode.parse("DS1-D1N-AAAAAAB")
    log = [pack_entry(DRAW, 5), pack_entry(parse_move("recycle"), 6)]
    with pytest.raises(ReplayError) as caught:
        Board.replay(code.ruleset, deal(code), log, ranked=True)
    assert (caught.value.ply, caught.value.code) == (1, ErrorCode.STOCK_NOT_EMPTY)


def test_a_log_with_an_entry_of_another_length_is_no_log() -> None:
    code = DealCode.parse("DS1-D1N-AAAAAAB")
    with pytest.raises(ReplayError) as caught:
        Board.replay(code.ruleset, deal(code), [b"\1"], ranked=True)
    assert (caught.value.ply, caught.value.code) == (0, ErrorCode.BAD_ACTION)


def test_a_log_after_the_end_is_no_log() -> None:
    code = DealCode.parse("DS1-D1N-AAAAAAB")
    with pytest.raises(ReplayError) as caught:
        Board.replay(code.ruleset, deal(code), [pack_entry(RESIGN, 5), pack_entry(DRAW, 6)], ranked=True)
    assert caught.value.code is ErrorCode.ENDED


def test_undo_policy_decides_whether_a_log_holds() -> None:
    code = DealCode.parse("DS1-D1N-AAAAAAB")
    log = [pack_entry(DRAW, 5), pack_entry(UNDO, 6)]
    assert Board.replay(code.ruleset, deal(code), log, ranked=True).ply == 2
    with pytest.raises(ReplayError) as caught:
        Board.replay(code.ruleset, deal(code), log, ranked=True, undo=UndoPolicy.HIDDEN)
    assert caught.value.code is ErrorCode.UNDO_REVEALED


def test_the_repr_tells_where_a_board_stands_and_no_card() -> None:
    board = fresh(DOUBLE)
    assert repr(board) == "<Board DS1-D1N ply=0 score=0 out=0 ended=None>"
    assert cards_text(board.columns[0]) not in repr(board)
