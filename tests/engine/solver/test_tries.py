"""From a deal to the verdict: every solution is the referee's, the same every time, within the budget.

The share of deals that are solved is measured by tests/bench/bench_solver.py; here only a floor is kept.
`KUPA_TEST_PROFILE=long` takes thousands of deals.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import settings

from engine.board import Board, Termination
from engine.moves import AUTO, Kind
from engine.ruleset import RULESETS
from engine.solver import CERTIFIABLE, NotFound, Solved, replay, solve
from engine.solver.solution import Verdict
from tests.engine.driver import random_deal

DEALS = settings().max_examples // 4
"""For each of the quick rulesets: fifty, and thousands in the long profile."""
QUICK = {"DS1-D1N": 0.99, "DS1-D3N": 0.99, "SS1-D1N": 0.7, "SS1-D2N": 0.6, "SS1-D3N": 0.5}
"""What share of deals is certified at least, within the small budget of the pool."""


@pytest.mark.parametrize("name", QUICK)
def test_the_referee_accepts_every_solution(name: str) -> None:
    ruleset, solutions = RULESETS[name], 0
    for seed in range(DEALS):
        deal = random_deal(ruleset, random.Random(seed))
        verdict = solve(ruleset, deal, budget=CERTIFIABLE[name], seed=seed)
        if isinstance(verdict, Solved):
            solutions += 1
            board = Board(ruleset, deal, ranked=True)
            for move in verdict.moves:
                assert board.check(move) is None
                board.apply(move, 0)
            assert board.ended is Termination.WON
    assert solutions >= QUICK[name] * DEALS


def test_some_vegas_deals_are_solved_in_their_one_pass() -> None:
    ruleset, solutions = RULESETS["DS1-D1V"], 0
    for seed in range(6):
        deal = random_deal(ruleset, random.Random(seed))
        verdict = solve(ruleset, deal, budget=3_000, seed=seed)
        if isinstance(verdict, Solved):
            solutions += 1
            board = replay(ruleset, deal, verdict.moves)
            assert (board.score, board.recycles) == (416, 0)
            assert [move.kind for move in verdict.moves].count(Kind.DRAW) <= ruleset.stock
    assert solutions >= 1


@pytest.mark.parametrize("name", RULESETS)
def test_the_same_arguments_give_the_same_verdict(name: str) -> None:
    deal = random_deal(RULESETS[name], random.Random(4))
    verdicts = [solve(RULESETS[name], deal, budget=900, seed=seed) for seed in (1, 1, 2)]
    assert verdicts[0] == verdicts[1]
    assert all(verdict.looked <= 900 for verdict in verdicts)


def test_not_found_is_all_that_is_said_of_a_deal_that_resisted() -> None:
    """A solver that stops too early must not call a deal impossible."""
    deal = random_deal(RULESETS["DS1-D3V"], random.Random(0))
    assert solve(RULESETS["DS1-D3V"], deal, budget=50) == NotFound(50)
    assert Verdict == Solved | NotFound


def test_no_budget_no_look() -> None:
    deal = random_deal(RULESETS["DS1-D1N"], random.Random(0))
    assert solve(RULESETS["DS1-D1N"], deal, budget=0) == NotFound(0)


@pytest.mark.parametrize("name", QUICK)
def test_the_plain_player_is_asked_before_the_one_who_sees_all(name: str) -> None:
    methods = set()
    for seed in range(15):
        verdict = solve(RULESETS[name], random_deal(RULESETS[name], random.Random(seed)), budget=300)
        if isinstance(verdict, Solved):
            methods.add(verdict.method)
    assert "looking" in methods


def test_a_single_game_ends_by_completing_itself_and_the_double_one_card_by_card() -> None:
    for name, last in (("SS1-D1N", Kind.AUTO), ("DS1-D1N", Kind.TRANSFER)):
        for seed in range(10):
            verdict = solve(RULESETS[name], random_deal(RULESETS[name], random.Random(seed)), budget=1_000)
            if isinstance(verdict, Solved):
                break
        assert isinstance(verdict, Solved)
        assert verdict.moves[-1].kind == last
        assert AUTO not in verdict.moves[:-1]


def test_progress_is_told_and_may_end_the_search() -> None:
    class Enough(Exception):
        pass

    told: list[int] = []

    def looked(positions: int) -> None:
        told.append(positions)
        if len(told) == 3:
            raise Enough

    deal = random_deal(RULESETS["DS1-D3V"], random.Random(0))
    with pytest.raises(Enough):
        solve(RULESETS["DS1-D3V"], deal, looked=looked)
    assert told == sorted(told)
    assert told[0] > 0
