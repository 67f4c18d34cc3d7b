"""A shortened solution is a solution, no longer than before, with the same cards going the same ways."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.board import Board
from engine.deal_code import Deal
from engine.moves import Kind, Move
from engine.ruleset import RULESETS, Ruleset
from engine.solver.chance import stream
from engine.solver.plan import PLANS
from engine.solver.search import Budget, descend
from engine.solver.shorten import shortened
from engine.solver.solution import replay
from tests.engine.driver import random_deal


def solution(ruleset: Ruleset, seed: int) -> tuple[Deal, list[Move]]:
    """A deal and a line of the all-seeing player, which presses the stock a lot."""
    for number in range(100):
        deal = random_deal(ruleset, random.Random(seed * 100 + number))
        board = Board(ruleset, deal, ranked=False)
        line = descend(board, PLANS[ruleset.id].weights, stream(seed, number), Budget(10_000))
        if line is not None:
            return deal, line
    raise AssertionError("none of a hundred deals was won")


@pytest.mark.parametrize("name", ["DS1-D1N", "DS1-D3N", "SS1-D1N", "SS1-D2N", "SS1-D3N"])
def test_it_wins_with_the_same_transfers_and_fewer_presses(name: str) -> None:
    before = after = 0
    for seed in range(6):
        deal, line = solution(RULESETS[name], seed)
        short = shortened(RULESETS[name], deal, line)
        replay(RULESETS[name], deal, short)
        before, after = before + len(line), after + len(short)
        assert len(short) <= len(line)
        left_out = transfers(line) - transfers(short)
        assert transfers(short) <= transfers(line)
        assert not left_out or name.startswith("SS1"), "the game may complete itself earlier"
    assert after < before


def transfers(line: list[Move]) -> Counter[Move]:
    return Counter(move for move in line if move.kind == Kind.TRANSFER)


def test_in_one_pass_there_is_nothing_to_spare() -> None:
    deal = random_deal(RULESETS["DS1-D1V"], random.Random(1))
    line = [Move(int(Kind.DRAW))] * 3
    assert shortened(RULESETS["DS1-D1V"], deal, line) == line
