"""What holds in every game, whoever plays it: random games through all rulesets, scorings and undo policies.

500 games in the ordinary run, 10,000 with KUPA_LONG=1 or KUPA_TEST_PROFILE=long (ruling 28).
"""

from __future__ import annotations

import os
import random
from collections import Counter

from hypothesis import HealthCheck, given, settings

from engine import rules, view
from engine.board import Board, UndoPolicy
from engine.cards import pack
from engine.deal_code import Deal
from engine.errors import ErrorCode
from engine.moves import UNDO, Kind, Move, pack_entry
from engine.ruleset import Ruleset
from tests import strategies
from tests.engine.driver import choose, full_state, possible_moves, random_deal, random_play

LONG = os.environ.get("KUPA_LONG") == "1" or os.environ.get("KUPA_TEST_PROFILE") == "long"
GAMES = 10_000 if LONG else 500
FEW = GAMES // 5
EVERY = 25
"""The dear comparisons are made at every so many moves."""


def games(count: int) -> settings:
    """So many games, however slow the machine."""
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def assert_whole_pack(board: Board) -> None:
    assert Counter(board.all_cards()) == Counter(pack(board.ruleset.decks))
    assert board.out == sum(board.heights)
    assert all(len(column) > down or not column for column, down in zip(board.columns, board.down, strict=True))


def assert_legal_moves_are_those_accepted(board: Board) -> None:
    before = full_state(board)
    accepted = [move for move in possible_moves(board.ruleset) if board.check(move) is None]
    assert Counter(board.legal_moves()) == Counter(accepted)
    assert full_state(board) == before


def assert_undo_is_the_inverse(board: Board, move: Move, before: tuple[object, ...]) -> None:
    """On a board of its own: the move, then undo."""
    if move == UNDO or board.ended is not None:
        return
    undoable, moves = board.undoable, board.moves
    if board.check(UNDO) is None:
        board.apply(UNDO, board.elapsed_ms)
        assert full_state(board) == before
        assert board.moves == moves
        assert board.undoable == undoable - 1
        board.apply(move, board.elapsed_ms)
        assert board.undoable == undoable


@games(GAMES)
@given(strategies.rulesets, strategies.undo_policies, strategies.seeds, strategies.lengths)
def test_every_game_keeps_the_pack_accepts_what_it_offers_and_undoes_exactly(
    ruleset: Ruleset, undo: UndoPolicy, seed: int, length: int
) -> None:
    chance = random.Random(seed)
    board = Board(ruleset, random_deal(ruleset, chance), ranked=seed % 2 == 1, undo=undo)
    for number in range(length):
        move = choose(board, chance)
        if move is None:
            break
        before = full_state(board)
        board.apply(move, number)
        assert_undo_is_the_inverse(board, move, before)
        if number % EVERY == 0:
            assert_whole_pack(board)
            assert_legal_moves_are_those_accepted(board)
    assert_whole_pack(board)
    assert_legal_moves_are_those_accepted(board)


@games(FEW)
@given(strategies.rulesets, strategies.seeds, strategies.lengths)
def test_undoing_everything_leads_back_through_every_table_to_the_deal(
    ruleset: Ruleset, seed: int, length: int
) -> None:
    chance = random.Random(seed)
    board = Board(ruleset, random_deal(ruleset, chance), ranked=seed % 2 == 1)
    past: list[tuple[object, ...]] = []
    while len(past) < length:
        move = choose(board, chance, undos=0.0)
        if move is None:
            break
        past.append(full_state(board))
        board.apply(move, len(past))
    if board.ended is not None:
        assert board.check(UNDO) is ErrorCode.GAME_WON
        return
    moves = board.moves
    while board.check(UNDO) is None:
        board.apply(UNDO, length)
        assert full_state(board) == past.pop()
    assert board.moves == moves
    if ruleset.undo_limit is None or moves <= ruleset.undo_limit:
        assert past == []


@games(FEW)
@given(strategies.rulesets, strategies.undo_policies, strategies.seeds, strategies.lengths)
def test_a_log_replays_to_the_live_board(ruleset: Ruleset, undo: UndoPolicy, seed: int, length: int) -> None:
    chance = random.Random(seed)
    deal = random_deal(ruleset, chance)
    board = Board(ruleset, deal, ranked=seed % 2 == 1, undo=undo)
    log = [entry for _, entry, _ in random_play(board, chance, length)]
    if seed % 3 == 0 and board.ended is None:
        resign = Move(int(Kind.RESIGN))
        board.apply(resign, length * 700)
        log.append(pack_entry(resign, length * 700))
    twin = Board.replay(ruleset, deal, log, ranked=seed % 2 == 1, undo=undo)
    assert full_state(twin) == full_state(board)
    assert view.own(twin) == view.own(board)
    assert (twin.ply, twin.elapsed_ms, twin.out_at_ms, twin.score_at_ms, twin.ended) == (
        board.ply,
        board.elapsed_ms,
        board.out_at_ms,
        board.score_at_ms,
        board.ended,
    )


@games(FEW)
@given(strategies.rulesets, strategies.seeds, strategies.lengths, strategies.any_moves)
def test_any_four_bytes_are_judged_and_change_nothing(ruleset: Ruleset, seed: int, length: int, move: Move) -> None:
    chance = random.Random(seed)
    board = Board(ruleset, random_deal(ruleset, chance), ranked=False)
    for _ in random_play(board, chance, length):
        pass
    before = full_state(board), view.own(board)
    refusal = board.check(move)
    assert refusal is None or isinstance(refusal, ErrorCode)
    assert (full_state(board), view.own(board)) == before
    assert (move in board.legal_moves()) == (refusal is None)


@games(FEW)
@given(strategies.rulesets, strategies.seeds, strategies.lengths)
def test_the_rules_never_look_at_a_card_the_player_does_not_see(ruleset: Ruleset, seed: int, length: int) -> None:
    chance = random.Random(seed)
    board = Board(ruleset, random_deal(ruleset, chance), ranked=False)
    for _ in random_play(board, chance, length):
        pass
    seen = view.table(view.own(board), ruleset)
    assert rules.table_moves(seen) == rules.table_moves(board)
    for move in possible_moves(ruleset):
        if move.kind == Kind.TRANSFER:
            judged = rules.transfer_refusal(seen, move.source, move.target, move.count)
            assert judged == rules.transfer_refusal(board, move.source, move.target, move.count)


def unseen_places(ruleset: Ruleset, deal: Deal, log: list[bytes]) -> list[int]:
    """Where in the deal the cards lie that this play never showed."""
    board = Board(ruleset, deal, ranked=False)
    down, drawn = list(board.down), 0
    for entry in log:
        before = len(board.stock)
        board.apply(Move(*entry[:4]), 0)
        down = [min(pair) for pair in zip(down, board.down, strict=True)]
        if not board.recycles:
            drawn = max(drawn, ruleset.stock - len(board.stock))
        elif before == 0:
            drawn = ruleset.stock
    starts = [index * (index + 1) // 2 for index in range(ruleset.columns)]
    places = [start + depth for start, count in zip(starts, down, strict=True) for depth in range(count)]
    return places + list(range(ruleset.cards - ruleset.stock + drawn, ruleset.cards))


@games(FEW)
@given(strategies.rulesets, strategies.seeds, strategies.lengths)
def test_what_a_player_is_told_does_not_depend_on_unseen_cards(ruleset: Ruleset, seed: int, length: int) -> None:
    """Ruling 11: permute the cards never seen in the whole play; every view and every turned card stays."""
    chance = random.Random(seed)
    deal = random_deal(ruleset, chance)
    played = list(random_play(Board(ruleset, deal, ranked=True), chance, length))
    places = unseen_places(ruleset, deal, [entry for _, entry, _ in played])
    mixed = list(deal)
    for place, other in zip(places, chance.sample(places, len(places)), strict=True):
        mixed[place] = deal[other]
    board, twin = Board(ruleset, deal, ranked=True), Board(ruleset, mixed, ranked=True)
    assert view.own(twin) == view.own(board)
    for move, _, turned in played:
        assert board.apply(move, 0) == twin.apply(move, 0) == turned
        assert view.own(twin) == view.own(board)
