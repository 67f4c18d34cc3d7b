"""The looking player wins many deals and never makes use of a card it has not seen."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from engine.board import Board, Termination
from engine.cards import Card
from engine.moves import COLUMN0, Move, move_text
from engine.ruleset import RULESETS, Ruleset
from engine.solver.chance import stream
from engine.solver.looking import MOST_SPREAD, look
from engine.solver.search import Budget
from tests.engine.driver import random_deal, table

PLENTY = 5_000
SINGLE = "SS1-D1N"

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=str)


def played(ruleset: Ruleset, deal: Sequence[Card], seed: int) -> tuple[Board, list[Move] | None]:
    """The board after one try, and the line if it won; even seeds follow the plain priorities."""
    board = Board(ruleset, deal, ranked=False)
    return board, look(board, MOST_SPREAD * (seed % 2), stream(seed, 0), Budget(PLENTY))


@every_ruleset
def test_a_line_is_accepted_by_the_referee_and_wins(ruleset: Ruleset) -> None:
    for seed in range(12):
        deal = random_deal(ruleset, random.Random(seed))
        board, line = played(ruleset, deal, seed)
        assert (line is not None) is (board.ended is Termination.WON)
        again = Board(ruleset, deal, ranked=False)
        for move in line or ():
            assert again.check(move) is None, move_text(move)
            again.apply(move, 0)
        assert line is None or again.ended is Termination.WON


@pytest.mark.parametrize(("name", "most", "least"), [("DS1-D1N", 30, 25), ("DS1-D3N", 20, 5), ("SS1-D1N", 20, 5)])
def test_it_wins_its_share_of_deals_at_once(name: str, most: int, least: int) -> None:
    wins = 0
    for seed in range(30):
        deal = random_deal(RULESETS[name], random.Random(seed))
        wins += look(Board(RULESETS[name], deal, ranked=False), 0, stream(0, 0), Budget(PLENTY)) is not None
    assert least <= wins <= most


def unseen(board: Board) -> list[int]:
    """Places in the deal of the cards that were never turned; the looking player takes nothing back."""
    starts = [index * (index + 1) // 2 for index in range(board.ruleset.columns)]
    places = [start + depth for start, down in zip(starts, board.down, strict=True) for depth in range(down)]
    if not board.recycles:
        places += range(board.ruleset.cards - len(board.stock), board.ruleset.cards)
    return places


@every_ruleset
def test_what_it_does_depends_on_no_card_that_it_has_not_seen(ruleset: Ruleset) -> None:
    """Mix the cards that stayed unseen to the end: it plays the same moves, and gives up at the same point."""
    lost = 0
    for seed in range(12):
        chance = random.Random(seed)
        deal = random_deal(ruleset, chance)
        board, line = played(ruleset, deal, seed)
        if line is not None:
            continue
        lost += 1
        places = unseen(board)
        mixed = list(deal)
        for place, other in zip(places, chance.sample(places, len(places)), strict=True):
            mixed[place] = deal[other]
        twin, _ = played(ruleset, mixed, seed)
        assert (twin.ply, twin.waste, twin.heights, twin.down) == (board.ply, board.waste, board.heights, board.down)
        assert [column[down:] for column, down in zip(twin.columns, twin.down, strict=True)] == [
            column[down:] for column, down in zip(board.columns, board.down, strict=True)
        ]
    assert lost or ruleset.id == "DS1-D1N"


# ---------------------------------------------------------------- priorities


def first_move(board: Board) -> str:
    """What it does first on a table, without chance: a move, or `press`."""
    twin = Board.at(board, ranked=False)
    look(board, 0, stream(0, 0), Budget(1))
    if board.stock != twin.stock:
        return "press"
    for move in twin.legal_moves():
        tried = Board.at(twin, ranked=False)
        tried.apply(move, 0)
        if tried.same_table(board):
            return move_text(move)
    raise AssertionError("it did nothing")


def test_an_ace_goes_up_before_a_card_is_turned() -> None:
    assert first_move(table(SINGLE, {1: "2S|AH", 2: "3S|7H", 3: "|8S"})) == "c1>f"
    assert first_move(table(SINGLE, {1: "|AH", 2: "3S|7H", 3: "|8S"})) == "c1>f"


def test_a_card_is_turned_before_others_go_up_and_the_deeper_column_first() -> None:
    board = table(SINGLE, {1: "|3H", 2: "3S|7H", 3: "|8S", 4: "4S5S|6D", 5: "|7C"}, foundations={"H": (2,)})
    assert first_move(board) == "c4>c5"


def test_a_part_of_a_run_moves_only_to_bare_a_card_that_goes_up() -> None:
    assert first_move(table(SINGLE, {1: "|4H3S", 2: "|4D"}, foundations={"H": (3,)})) == "c1>c2"
    assert first_move(table(SINGLE, {1: "|4H3S", 2: "|4D"})) == "press"


def test_a_column_is_emptied_only_for_a_king() -> None:
    others = {1: "|7H", 2: "|8S", 4: "|3C", 5: "|3S", 6: "|9S", 7: "|JS"}
    assert first_move(table(SINGLE, {**others, 3: "5S|KC"})) == "c1>c2"
    assert first_move(table(SINGLE, {**others, 3: "|9C"}, waste="KC")) == "c1>c2"
    assert first_move(table(SINGLE, {**others, 3: "|KC"})) == "press", "a king at the bottom waits for nothing"


def test_nothing_left_to_try_is_giving_up() -> None:
    board = table("DS1-D1V", {}, rest="waste", waste="2S")
    assert look(board, 0, stream(0, 0), Budget(PLENTY)) is None
    assert board.ply == 0


def test_it_stops_when_the_budget_is_used_up() -> None:
    budget = Budget(5)
    deal = random_deal(RULESETS["DS1-D1N"], random.Random(1))
    assert look(Board(RULESETS["DS1-D1N"], deal, ranked=False), 0, stream(0, 0), budget) is None
    assert budget.used == budget.limit == 5


def test_it_never_takes_a_card_back() -> None:
    deal = random_deal(RULESETS[SINGLE], random.Random(3))
    board, line = played(RULESETS[SINGLE], deal, 1)
    heights = Board(RULESETS[SINGLE], deal, ranked=False)
    for move in line or ():
        assert not 10 <= move.source < COLUMN0
        heights.apply(move, 0)
    assert heights.out <= board.out
