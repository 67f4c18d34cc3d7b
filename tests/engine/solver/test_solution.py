"""A solution is what the referee accepts from the deal to the win; its bytes are its moves."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Termination
from engine.cards import Card
from engine.moves import ABANDON, DRAW, RECYCLE, RESIGN, UNDO, Move
from engine.ruleset import RULESETS
from engine.solver import solve
from engine.solver.plan import Difficulty, Method
from engine.solver.solution import LONGEST, NoSolution, Solved, pack, replay, texts, unpack
from tests.engine.driver import random_deal
from tests.strategies import any_moves

EASY = RULESETS["DS1-D1N"]


def solved(seed: int = 0) -> tuple[tuple[Card, ...], Solved]:
    deal = random_deal(EASY, random.Random(seed))
    verdict = solve(EASY, deal)
    assert isinstance(verdict, Solved)
    return deal, verdict


@given(st.lists(any_moves, max_size=20))
def test_unpacking_gives_back_what_was_packed(moves: list[Move]) -> None:
    packed = pack(moves)
    assert len(packed) == 4 * len(moves)
    assert unpack(packed) == tuple(moves)


@given(st.binary(max_size=41).filter(lambda packed: len(packed) % 4))
def test_bytes_that_end_within_a_move_are_no_solution(packed: bytes) -> None:
    with pytest.raises(NoSolution):
        unpack(packed)


def test_a_solution_is_no_longer_than_a_log() -> None:
    assert len(unpack(bytes(4 * LONGEST))) == LONGEST == 20_000
    with pytest.raises(NoSolution):
        unpack(bytes(4 * LONGEST + 4))


def test_a_solution_replays_from_its_bytes_to_the_win() -> None:
    deal, verdict = solved()
    board = replay(EASY, deal, unpack(pack(verdict.moves)))
    assert board.ended is Termination.WON
    assert board.out == EASY.cards
    assert texts(verdict.moves[-1:])[0].endswith(">f")


def test_moves_that_stop_before_the_win_are_no_solution() -> None:
    deal, verdict = solved()
    with pytest.raises(NoSolution, match="103 of 104"):
        replay(EASY, deal, verdict.moves[:-1])


def test_a_refused_move_makes_it_no_solution() -> None:
    deal, verdict = solved()
    for broken in ((RECYCLE, *verdict.moves), (*verdict.moves, DRAW), verdict.moves[1:]):
        with pytest.raises(NoSolution):
            replay(EASY, deal, broken)


@pytest.mark.parametrize("move", [UNDO, RESIGN, ABANDON, Move(0), Move(9)])
def test_nobody_undoes_or_resigns_in_a_solution(move: Move) -> None:
    deal, verdict = solved()
    with pytest.raises(NoSolution, match="move 2 is refused"):
        replay(EASY, deal, (DRAW, move, *verdict.moves))


def test_a_solution_holds_for_its_ruleset_and_no_other() -> None:
    """Certified belongs to a ruleset, never to the cards alone."""
    for seed in range(20):
        deal, verdict = solved(seed)
        if RECYCLE in verdict.moves:
            break
    for other in ("DS1-D1V", "DS1-D3N", "DS1-D3V"):
        with pytest.raises(NoSolution):
            replay(RULESETS[other], deal, verdict.moves)


@pytest.mark.parametrize(
    ("method", "tries", "difficulty"),
    [
        (Method.LOOKING, 1, Difficulty.EASY),
        (Method.LOOKING, 2, Difficulty.MEDIUM),
        (Method.DESCENT, 1, Difficulty.HARD),
        (Method.BEAM, 1, Difficulty.HARD),
    ],
)
def test_the_difficulty_follows_from_what_it_took(method: Method, tries: int, difficulty: Difficulty) -> None:
    assert Solved((), method, tries, 10).difficulty is difficulty
