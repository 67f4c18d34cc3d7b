"""Bots: play by the rules from what they see, at a human pace, better by level, and come to rest."""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import mean

import pytest
from hypothesis import given, settings

from engine import view
from engine.board import Board, Termination, UndoPolicy
from engine.deal_code import Deal
from engine.moves import AUTO, DRAW, FOUNDATIONS, SLOT0, Kind, Move, parse_move
from engine.ruleset import RULESETS, Ruleset
from server.core import bots
from server.core.bots import Memory, Turn, next_move
from tests import strategies
from tests.engine.driver import play, random_deal, table

LONGEST = 3000
"""More moves than any bot makes before it rests."""


def turns(board: Board, level: int, seed: int) -> Iterator[Turn]:
    """Play a bot on this board until it rests or the board has ended; yields every turn it took."""
    memory = Memory(seed)
    for _ in range(LONGEST):
        turn = next_move(view.own(board), board.ruleset, level, memory)
        if turn.move is None:
            return
        assert board.check(turn.move) is None
        board.apply(turn.move, 0)
        memory = turn.memory
        yield turn
        if board.auto_ready():
            board.apply(AUTO, 0)
    raise AssertionError("the bot never rests")


def a_deal(ruleset: Ruleset, seed: int) -> Deal:
    return random_deal(ruleset, random.Random(seed))


@settings(max_examples=40, deadline=None)
@given(strategies.rulesets, strategies.undo_policies, strategies.seeds, strategies.bot_levels)
def test_a_bot_plays_any_deal_by_the_rules_and_comes_to_rest(
    ruleset: Ruleset, undo: UndoPolicy, seed: int, level: int
) -> None:
    board = Board(ruleset, a_deal(ruleset, seed), ranked=True, undo=undo)
    moves = [turn.move for turn in turns(board, level, seed)]
    assert all(move and move.kind in (Kind.DRAW, Kind.RECYCLE, Kind.TRANSFER) for move in moves)
    assert all(move and not SLOT0 <= move.source < 20 for move in moves), "it never takes a card back"
    assert board.ended in (None, Termination.WON)
    assert next_move(view.own(board), ruleset, level, Memory(seed, idle=LONGEST)).move is None


@settings(max_examples=20, deadline=None)
@given(strategies.rulesets, strategies.seeds, strategies.bot_levels)
def test_a_bot_is_the_same_wherever_it_is_asked_and_whoever_takes_it_over(
    ruleset: Ruleset, seed: int, level: int
) -> None:
    deal = a_deal(ruleset, seed)
    first = list(turns(Board(ruleset, deal, ranked=True), level, seed))
    assert list(turns(Board(ruleset, deal, ranked=True), level, seed)) == first
    half = first[: len(first) // 2]
    board = Board(ruleset, deal, ranked=True)
    memory = bots.recall(seed, board, [turn.move for turn in half if turn.move])
    assert memory == (half[-1].memory if half else Memory(seed))
    assert board.ply == len(half)
    if len(first) > len(half):
        assert next_move(view.own(board), ruleset, level, memory) == first[len(half)]


def test_seeds_play_the_same_deal_differently_and_at_another_pace() -> None:
    ruleset = RULESETS["DS1-D1N"]
    deal = a_deal(ruleset, 5)
    plays = [list(turns(Board(ruleset, deal, ranked=True), 1, seed)) for seed in (1, 2)]
    assert [turn.move for turn in plays[0]] != [turn.move for turn in plays[1]]
    assert [turn.delay_ms for turn in plays[0]][:5] != [turn.delay_ms for turn in plays[1]][:5]


@pytest.mark.parametrize(("ruleset", "deals", "winnable"), [("SS1-D1N", 60, True), ("DS1-D1V", 10, False)])
def test_higher_levels_win_more_and_bring_more_cards_out(ruleset: str, deals: int, winnable: bool) -> None:
    game = RULESETS[ruleset]
    wins, out = [], []
    for level in (1, 2, 3):
        boards = [Board(game, a_deal(game, seed), ranked=True) for seed in range(deals)]
        for seed, board in enumerate(boards):
            for _ in turns(board, level, seed):
                pass
        wins.append(sum(board.ended is Termination.WON for board in boards))
        out.append(mean(board.out for board in boards))
    assert not winnable or wins[0] < wins[1] < wins[2]
    assert out[0] < out[1] < out[2]


@pytest.mark.parametrize(("level", "pace_ms"), [(1, 2600), (2, 1700), (3, 1000)])
def test_a_bot_moves_at_human_speed(level: int, pace_ms: int) -> None:
    ruleset = RULESETS["DS1-D1N"]
    opening = view.own(Board(ruleset, a_deal(ruleset, 1), ranked=True))
    delays = []
    for seed in range(300):
        seen = view.own(play(Board(ruleset, a_deal(ruleset, 1), ranked=True), "draw"))
        delays.append(next_move(seen, ruleset, level, Memory(seed)).delay_ms)
    assert mean(delays) == pytest.approx(pace_ms, rel=0.05)
    assert pace_ms // 2 <= min(delays) <= max(delays) <= pace_ms * 3 // 2
    assert next_move(opening, ruleset, level, Memory(7)).delay_ms >= pace_ms * 3 // 2, "it looks at the table first"


def test_after_a_pass_without_fruit_it_slows_down_and_then_rests() -> None:
    board = play(table("DS1-D1N", {1: "2S2H|KS"}), "draw")
    seen = view.own(board)
    ready = next_move(seen, board.ruleset, 2, Memory(1))
    tired = next_move(seen, board.ruleset, 2, Memory(1, idle=len(board.stock) + 10))
    assert tired.move is not None
    assert tired.delay_ms == ready.delay_ms * 3 // 2
    assert next_move(seen, board.ruleset, 2, Memory(1, idle=3 * len(board.stock))).move is None


# ---------------------------------------------------------------- what it likes


def best(board: Board, level: int = 3) -> Move | None:
    seed = next(seed for seed in range(100) if bots._chance(seed, 0, "overlook") % 100 >= 50)
    return next_move(view.own(board), board.ruleset, level, Memory(seed)).move


@pytest.mark.parametrize("level", [1, 2, 3])
def test_aces_and_twos_go_up_first(level: int) -> None:
    board = table("DS1-D1N", {1: "|AS", 2: "2C|8S", 3: "|9H"}, foundations={"H": [7, 0]}, waste="8H")
    assert best(board, level) == parse_move("c1>f")


@pytest.mark.parametrize("level", [1, 2, 3])
def test_then_comes_turning_a_card_then_a_foundation_then_waste_to_column(level: int) -> None:
    turning = table("DS1-D1N", {1: "2C|8S", 2: "|9H", 3: "|9D"}, foundations={"H": [7, 0]}, waste="8H")
    assert best(turning, level) == parse_move("c1>c2")
    going_up = table("DS1-D1N", {3: "|9C"}, foundations={"H": [7, 0]}, waste="8H")
    assert best(going_up, level) == parse_move("w>f")
    placing = table("DS1-D1N", {3: "|9C"}, waste="8H")
    assert best(placing, level) == parse_move("w>c3")


def test_a_run_is_moved_to_bare_a_card_that_can_go_up() -> None:
    board = table("DS1-D1N", {1: "|9H8S", 2: "|9D"}, foundations={"H": [8, 0]})
    assert [best(board, level) for level in (1, 2, 3)] == [DRAW, parse_move("c1>c2"), parse_move("c1>c2")]


def test_a_column_is_emptied_only_while_a_king_waits_for_it() -> None:
    others = {4: "|KC", 5: "|KC", 6: "|KD", 7: "|KD", 8: "|KH", 9: "|KH"}
    for level in (2, 3):
        waiting = table("DS1-D1N", {1: "|8S", 2: "|9D", 3: "2C3C|KS"} | others)
        assert best(waiting, level) == parse_move("c1>c2")
        idle = table("DS1-D1N", {1: "|8S", 2: "|9D", 3: "|KS"} | others)
        assert best(idle, level) == DRAW


def test_the_last_card_goes_up() -> None:
    heights = {suit: [13, 13] for suit in "SHD"} | {"C": [13, 12]}
    board = table("DS1-D1N", {1: "|KC"}, foundations=heights)
    move = best(board)
    assert move is not None
    assert move.target == FOUNDATIONS


def test_a_bot_with_nothing_to_do_rests() -> None:
    board = table("DS1-D1V", {1: "|8S"}, rest="waste", waste="2H")
    assert best(board) is None
    assert best(play(board, "resign")) is None
