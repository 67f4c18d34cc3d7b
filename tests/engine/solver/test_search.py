"""The searches of the all-seeing player: lines the referee accepts, and no more looks than allowed."""

from __future__ import annotations

import random

import pytest

from engine.board import Board, Termination
from engine.deal_code import Deal
from engine.moves import AUTO, Move
from engine.ruleset import RULESETS
from engine.solver.chance import stream
from engine.solver.plan import PLANS
from engine.solver.search import Beam, Budget, descend
from engine.solver.solution import replay
from tests.engine.driver import random_deal, table

MANY_PASSES = ("DS1-D1N", "DS1-D3N", "SS1-D1N", "SS1-D2N", "SS1-D3N")
PLENTY = 100_000


def deal_of(name: str, seed: int) -> Deal:
    return random_deal(RULESETS[name], random.Random(seed))


def descent(name: str, deal: Deal, branch: int, budget: Budget) -> list[Move] | None:
    return descend(Board(RULESETS[name], deal, ranked=False), PLANS[name].weights, stream(0, branch), budget)


def beam(name: str, deal: Deal, branch: int, budget: Budget) -> list[Move] | None:
    plan = PLANS[name]
    return Beam(plan.weights, plan.width, stream(0, branch), budget).run(Board(RULESETS[name], deal, ranked=False))


@pytest.mark.parametrize("name", MANY_PASSES)
def test_descents_that_win_are_accepted_by_the_referee(name: str) -> None:
    wins = 0
    for seed in range(6):
        deal = deal_of(name, seed)
        lines = (descent(name, deal, branch, Budget(PLENTY)) for branch in range(12))
        line = next((line for line in lines if line is not None), None)
        if line is not None:
            wins += 1
            assert replay(RULESETS[name], deal, line).ended is Termination.WON
    assert wins >= 3


@pytest.mark.parametrize("name", ["DS1-D3N", "DS1-D1V", "SS1-D3N"])
def test_beams_that_win_are_accepted_by_the_referee(name: str) -> None:
    wins = 0
    for seed in range(5):
        deal = deal_of(name, seed)
        lines = (beam(name, deal, branch, Budget(PLENTY)) for branch in range(4))
        line = next((line for line in lines if line is not None), None)
        if line is not None:
            wins += 1
            assert replay(RULESETS[name], deal, line).ended is Termination.WON
    assert wins >= 1


@pytest.mark.parametrize("name", MANY_PASSES)
def test_the_same_chance_gives_the_same_line(name: str) -> None:
    deal = deal_of(name, 1)
    for search in (descent, beam):
        assert search(name, deal, 3, Budget(400)) == search(name, deal, 3, Budget(400))


@pytest.mark.parametrize("name", MANY_PASSES)
def test_no_more_positions_are_looked_at_than_the_budget_allows(name: str) -> None:
    for search in (descent, beam):
        budget = Budget(7)
        assert search(name, deal_of(name, 2), 0, budget) is None
        assert budget.used == budget.limit


def test_a_game_that_completes_itself_is_left_to_do_so() -> None:
    board = table(
        "SS1-D1N", {1: "|KS", 2: "|KH"}, foundations={"S": (12,), "H": (12,), "D": (13,), "C": (12,)}, waste="KC"
    )
    twin = Board.at(board, ranked=False)
    line = descend(twin, PLANS["SS1-D1N"].weights, stream(0, 0), Budget(PLENTY))
    assert twin.ended is Termination.WON
    assert line is not None
    assert AUTO not in line[:-1]
