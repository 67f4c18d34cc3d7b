"""A6: what the player of a board sees, and nothing else."""

from __future__ import annotations

from dataclasses import fields

from engine import view
from engine.cards import HIDDEN
from engine.notation import parse_cards, view_text
from server.wire.messages import BoardView
from tests.engine.driver import play, table


def test_a_view_has_the_fields_of_the_wire_in_their_order() -> None:
    assert tuple(field.name for field in fields(view.View)) == BoardView.__struct_fields__


def test_face_down_cards_and_the_stock_are_numbers() -> None:
    board = table("SS1-D1N", {1: "|8S7H", 3: "2C3D|KD"}, waste="4H2H", stock="9H")
    seen = view.own(board)
    assert seen.stock == 52 - 7
    assert seen.waste == bytes(parse_cards("4H2H"))
    assert seen.columns[0] == (0, bytes(parse_cards("8S7H")))
    assert seen.columns[1] == (0, b"")
    assert seen.columns[2] == (2, bytes(parse_cards("KD")))


def test_a_view_follows_score_counters_undo_and_end() -> None:
    board = play(table("DS1-D1N", {1: "2C|AS"}), "draw", "c1>f", "undo", "c1>f")
    seen = view.own(board)
    assert (seen.ply, seen.score, seen.moves, seen.undoable, seen.ended) == (4, 15, 3, 2, "")
    assert seen.foundations == bytes((1, 0, 0, 0, 0, 0, 0, 0))
    assert view.own(play(board, "resign")).ended == "resigned"


def test_the_table_of_a_view_shows_hidden_cards_as_hidden() -> None:
    board = table("SS1-D1N", {1: "2C3D|8S7H"}, waste="4H")
    seen = view.table(view.own(board), board.ruleset)
    assert seen.columns[0] == [HIDDEN, HIDDEN, *parse_cards("8S7H")]
    assert seen.stock == [HIDDEN] * len(board.stock)
    assert (seen.waste, seen.down, seen.heights) == (board.waste, board.down, board.heights)


def test_the_text_of_a_view_names_no_hidden_card() -> None:
    board = table("SS1-D1N", {1: "2C3D|8S7H"}, waste="4H")
    assert view_text(view.own(board)) == "0 0 0 0 - S47 W4H F0,0,0,0 2|8S7H 0| 0| 0| 0| 0| 0|"
