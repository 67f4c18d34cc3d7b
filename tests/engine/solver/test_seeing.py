"""The all-seeing player: what it may do is legal, worth what is said, and leaves little out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import repeat

import pytest

from engine import rules
from engine.board import Board
from engine.cards import KING, RANK
from engine.moves import COLUMN0, FOUNDATIONS, WASTE, Kind, Move, move_text, parse_move
from engine.ruleset import RULESETS, Ruleset
from engine.solver.chance import MOST
from engine.solver.plan import PLANS, UP, Weights
from engine.solver.seeing import Choice, choices, press, reachable, settle, worth
from tests.engine.driver import play, random_deal, random_play, table

SINGLE, DOUBLE, VEGAS = "SS1-D1N", "DS1-D1N", "DS1-D1V"
every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=str)
PLAIN = Weights(turned=3, blocked=5, chance=0, room=True, split=0, back=0, empty=7)


def boards(ruleset: Ruleset) -> Iterator[Board]:
    """Boards from many points of random games."""
    for seed in range(6):
        chance = random.Random(seed)
        board = Board(ruleset, random_deal(ruleset, chance), ranked=False)
        for ply, _ in enumerate(random_play(board, chance, 200)):
            if ply % 20 == 0 and board.ended is None:
                yield Board.at(board, ranked=False)


def weights_of(ruleset: Ruleset) -> Weights:
    weights = PLANS[ruleset.id].weights
    return Weights(
        turned=weights.turned, blocked=weights.blocked, chance=0, room=True,
        waste=weights.waste, waste_blocked=weights.waste_blocked, empty=weights.empty,
    )  # fmt: skip


def carry_out(board: Board, choice: Choice) -> list[Move]:
    """Play a choice as the search does, but ask the referee before each move."""
    line: list[Move] = []
    if choice.size:
        press(board, choice.size, line)
    for move in choice.moves:
        assert board.check(move) is None, move_text(move)
        board.apply(move, 0)
    return line + list(choice.moves)


def found(board: Board, weights: Weights = PLAIN) -> set[str]:
    """The choices as texts, moves that belong together joined by `+`, presses left out."""
    return {"+".join(map(move_text, choice.moves)) for choice in choices(board, weights, repeat(0))}


# ---------------------------------------------------------------- for any board


@every_ruleset
def test_every_choice_is_legal_and_adds_what_is_said(ruleset: Ruleset) -> None:
    weights = weights_of(ruleset)
    for board in boards(ruleset):
        before = worth(board, weights)
        for choice in choices(board, weights, repeat(0)):
            twin = Board.at(board, ranked=False)
            carry_out(twin, choice)
            assert worth(twin, weights) - before == choice.worth, "+".join(map(move_text, choice.moves))


@every_ruleset
def test_every_legal_transfer_is_a_choice_or_left_out_for_a_reason(ruleset: Ruleset) -> None:
    for board in boards(ruleset):
        single = {choice.moves[0] for choice in choices(board, PLAIN, repeat(0)) if len(choice.moves) == 1}
        for move in rules.table_moves(board):
            if move.kind == Kind.TRANSFER and move not in single:
                assert reason_to_leave_out(board, move), move_text(move)


def reason_to_leave_out(board: Board, move: Move) -> bool:
    """Alone it leads nowhere: a taken-back card, a part of a run, a king that hops; or another empty column."""
    if move.target >= COLUMN0 and not board.columns[move.target - COLUMN0]:
        first = board.columns.index([])
        if move.target != COLUMN0 + first:
            return True
    if move.source == WASTE:
        return False
    if move.source < COLUMN0:
        return True
    column, down = board.columns[move.source - COLUMN0], board.down[move.source - COLUMN0]
    whole = len(column) - move.count == down
    return not whole or (not down and RANK[column[0]] == KING)


@every_ruleset
def test_reachable_sizes_are_those_that_presses_come_by(ruleset: Ruleset) -> None:
    for board in boards(ruleset):
        met = [len(board.waste)] if board.waste else []
        if ruleset.passes is None:
            twin = Board.at(board, ranked=False)
            while (board.stock or board.waste) and len(met) < 300:
                play(twin, "draw" if twin.stock else "recycle")
                met.append(len(twin.waste))
        assert reachable(board) == [size for size in dict.fromkeys(met) if size]


@every_ruleset
def test_presses_are_accepted_and_bring_the_waste_to_its_size(ruleset: Ruleset) -> None:
    for board in boards(ruleset):
        for size in reachable(board):
            twin, judge, line = Board.at(board, ranked=False), Board.at(board, ranked=False), list[Move]()
            press(twin, size, line)
            for move in line:
                assert judge.check(move) is None
                judge.apply(move, 0)
            assert len(judge.waste) == len(twin.waste) == size


# ---------------------------------------------------------------- choice by choice


def test_any_card_of_the_stock_that_presses_reach_may_be_played() -> None:
    board = table(SINGLE, {1: "|8S"}, stock="7H7D", waste="KC", foundations={"C": (12,)})
    sizes = {(choice.size, move_text(choice.moves[0])) for choice in choices(board, PLAIN, repeat(0))}
    assert {size for size, text in sizes if text == "w>c1"} == {2, 3}
    assert (1, "w>f") in sizes


def test_with_one_pass_only_the_top_of_the_waste_may_be_played() -> None:
    board = table(VEGAS, {1: "|8S"}, stock="7H", waste="9D2C")
    assert reachable(board) == [2]
    assert "w>c1" not in found(board)


def test_a_part_of_a_run_moves_to_bare_a_card_that_goes_up() -> None:
    board = table(SINGLE, {1: "|4H3S", 2: "|4D"}, foundations={"H": (3,)})
    assert "c1>c2+c1>f" in found(board)


def test_a_run_is_split_to_make_room_for_another() -> None:
    board = table(SINGLE, {1: "|9D8S", 2: "|9H", 3: "2S|8C"})
    assert "c1>c2+c3>c1" in found(board)
    assert "c1>c2+c3>c1" not in found(board, Weights(turned=3, blocked=5, chance=0))


def test_a_card_is_taken_back_to_make_room_for_another() -> None:
    board = table(SINGLE, {1: "|9D", 3: "2C|7H"}, foundations={"S": (8,)})
    assert "f1>c1+c3>c1" in found(board)


def test_what_can_never_be_missed_goes_up_at_once() -> None:
    board = table(SINGLE, {1: "|AH", 2: "|4S", 3: "|2H"}, foundations={"S": (3,), "D": (2,)})
    line: list[Move] = []
    settle(board, line)
    assert line == [parse_move("c1>f"), parse_move("c3>f")], "a black four could still carry the three of diamonds"
    board = table(SINGLE, {2: "|4S"}, foundations={"S": (3,), "H": (3,), "D": (3,)})
    settle(board, line)
    assert board.heights[0] == 4


# ---------------------------------------------------------------- worth


def test_a_card_up_counts_a_face_down_one_and_a_blocked_one_are_taken_off() -> None:
    bare = worth(table(SINGLE, {1: "|8S"}, foundations={"H": (1,)}), PLAIN)
    assert worth(table(SINGLE, {1: "|8S"}, foundations={"H": (2,)}), PLAIN) - bare == UP * MOST
    down = worth(table(SINGLE, {1: "KH|8S"}, foundations={"H": (1,)}), PLAIN)
    assert down - bare == -PLAIN.turned * MOST
    blocked = worth(table(SINGLE, {1: "2S|8S"}, foundations={"H": (1,)}), PLAIN)
    assert blocked - down == -PLAIN.blocked * MOST


def test_chance_is_added_to_a_choice_and_no_more_than_its_weight() -> None:
    board = table(SINGLE, {1: "|7H", 2: "|8S"})
    weights = Weights(turned=3, blocked=5, chance=9)
    least = {choice.moves: choice.worth for choice in choices(board, weights, repeat(0))}
    most = {choice.moves: choice.worth for choice in choices(board, weights, repeat(MOST))}
    assert least.keys() == most.keys() != set()
    assert {most[moves] - least[moves] for moves in least} == {9 * MOST}
    assert all(move.target >= COLUMN0 or move.target == FOUNDATIONS for moves in least for move in moves)
