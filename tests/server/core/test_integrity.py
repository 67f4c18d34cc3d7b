"""What is worth a look by a person, and what is not (findings G7, L12, reliability S19, S20, S23)."""

from __future__ import annotations

import pytest

from engine.board import Board, UndoPolicy
from engine.deal_code import DealCode, deal
from engine.moves import AUTO, DRAW, RECYCLE, UNDO, Kind, Move, pack_entry
from engine.ruleset import RULESETS, Ruleset
from server.core import integrity
from server.core.integrity import SAME_ADDRESS, Flag, Undone, undone

DS1, SS1 = RULESETS["DS1-D1N"], RULESETS["SS1-D3N"]
CARDS = deal(DealCode.parse("DS1-D1N-AAAAAAB"))


def log(*moves: Move) -> list[bytes]:
    return [pack_entry(move, 100 * at) for at, move in enumerate(moves)]


def taken_back(*moves: Move, undo: UndoPolicy = UndoPolicy.ALL, ruleset: Ruleset = DS1) -> Undone:
    cards = CARDS if ruleset is DS1 else deal(DealCode.parse(f"{ruleset.id}-AAAAAAB"))
    entries = log(*moves)
    Board.replay(ruleset, cards, entries, ranked=True, undo=undo)
    return undone(ruleset, cards, entries, undo)


def turning(board: Board) -> Move:
    """A move that turns a card up."""
    for move in board.legal_moves():
        twin = Board.at(board, ranked=True)
        if move.kind == Kind.TRANSFER and twin.apply(move, 0):
            return move
    raise AssertionError("no card can be turned")


def still(board: Board) -> Move:
    """A move between columns or to a foundation that turns no card up."""
    for move in board.legal_moves():
        twin = Board.at(board, ranked=True)
        if move.kind == Kind.TRANSFER and not twin.apply(move, 0):
            return move
    raise AssertionError("each move turns a card")


# ---------------------------------------------------------------- undos


def test_who_takes_nothing_back_has_no_undos() -> None:
    assert taken_back(DRAW, DRAW) == Undone(0, 0)
    assert taken_back() == Undone(0, 0)


def test_a_card_drawn_and_put_back_was_seen() -> None:
    assert taken_back(DRAW, UNDO) == Undone(1, 1)


def test_what_was_seen_before_is_no_news() -> None:
    assert taken_back(DRAW, UNDO, DRAW, UNDO, DRAW) == Undone(2, 1)
    assert taken_back(DRAW, DRAW, UNDO, UNDO, DRAW, DRAW, UNDO, UNDO) == Undone(4, 2)


def test_a_card_turned_up_and_covered_again_was_seen() -> None:
    move = turning(Board(DS1, CARDS, ranked=True))
    assert taken_back(move, UNDO, move, UNDO) == Undone(2, 1)


def test_a_move_that_showed_nothing_may_be_taken_back_without_a_peek() -> None:
    moves: list[Move] = []
    board = Board(DS1, CARDS, ranked=True)
    for _ in range(40):
        try:
            move = still(board)
        except AssertionError:
            move = DRAW
        moves.append(move)
        if move != DRAW:
            break
        board.apply(move, 0)
    assert moves[-1] != DRAW
    assert taken_back(*moves, UNDO) == Undone(1, 0)


def test_the_second_pass_through_the_stock_shows_nothing_new() -> None:
    stock = len(Board(DS1, CARDS, ranked=True).stock)
    assert taken_back(*[DRAW] * stock, RECYCLE, DRAW, UNDO, UNDO) == Undone(2, 0)


def test_turning_the_waste_over_where_it_also_draws_shows_nothing_new() -> None:
    stock = len(Board(SS1, deal(DealCode.parse("SS1-D3N-AAAAAAB")), ranked=True).stock)
    assert taken_back(*[DRAW] * (stock // 3), RECYCLE, UNDO, UNDO, ruleset=SS1) == Undone(2, 1)


def test_where_undo_stops_at_a_revealed_card_nobody_peeks() -> None:
    moves: list[Move] = []
    board = Board(DS1, CARDS, ranked=True, undo=UndoPolicy.HIDDEN)
    for _ in range(300):
        free = [
            move for move in board.legal_moves() if move.kind in (Kind.DRAW, Kind.RECYCLE, Kind.TRANSFER, Kind.UNDO)
        ]
        move = UNDO if UNDO in free and len(moves) % 2 else free[len(moves) % len(free)]
        moves.append(move)
        board.apply(move, 0)
    found = taken_back(*moves, undo=UndoPolicy.HIDDEN)
    assert found.undos == moves.count(UNDO) > 0
    assert found.peeks == 0


# ---------------------------------------------------------------- flags


def entries(step_ms: int, count: int = 60) -> list[bytes]:
    return [pack_entry(DRAW, step_ms * at + (at % 3) * step_ms // 4) for at in range(count)]


def test_superhuman_play_is_flagged_with_its_game() -> None:
    flags = integrity.of_pace(99, "ann", "H1", entries(50), "R1")
    assert Flag(99, "quick", "ann", "H1", "R1") in flags
    assert Flag(99, "rapid", "ann", "H1", "R1") in flags


def test_human_play_is_not_flagged() -> None:
    assert integrity.of_pace(99, "ann", "H1", entries(600)) == []


@pytest.mark.parametrize("written", [AUTO, Move(Kind.RESIGN, 0, 0, 1)])
def test_entries_of_the_server_itself_say_nothing_of_the_player(written: Move) -> None:
    slow = entries(600, 29)
    assert integrity.of_pace(0, "ann", "H1", [*slow, *[pack_entry(written, 600 * 29)] * 40]) == []


def test_seats_of_one_address_are_flagged_for_each_of_them() -> None:
    found = integrity.of_addresses(99, "H1", "R1", {"bob": "x", "ann": "x", "cat": "y", "dan": "x"})
    assert found == [
        Flag(99, SAME_ADDRESS, "ann", "H1", "R1", ("bob", "dan")),
        Flag(99, SAME_ADDRESS, "bob", "H1", "R1", ("ann", "dan")),
        Flag(99, SAME_ADDRESS, "dan", "H1", "R1", ("ann", "bob")),
    ]


def test_different_and_unknown_addresses_are_not_flagged() -> None:
    assert integrity.of_addresses(99, "H1", "R1", {"ann": "x", "bob": "y", "cat": "", "dan": ""}) == []
