"""Moves, their text, and the entries of a log."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.moves import (
    ABANDON,
    AUTO,
    COLUMN0,
    DRAW,
    FOUNDATIONS,
    RESIGN,
    SLOT0,
    STOCK,
    UNDO,
    WASTE,
    Kind,
    Move,
    MoveError,
    move_text,
    pack_entry,
    parse_move,
    transfer,
    unpack_entry,
)
from tests import strategies


@given(strategies.moves)
def test_a_move_is_read_as_it_is_printed(move: Move) -> None:
    assert parse_move(move_text(move)) == move


@given(strategies.any_moves)
def test_four_bytes_have_a_text_that_reads_back_or_none(move: Move) -> None:
    try:
        text = move_text(move)
    except MoveError:
        return
    assert parse_move(text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("draw", DRAW),
        ("undo", UNDO),
        ("auto", AUTO),
        ("resign", RESIGN),
        ("abandon", ABANDON),
        ("w>f", transfer(WASTE, FOUNDATIONS)),
        ("w>c3", transfer(WASTE, COLUMN0 + 2)),
        ("c4>f", transfer(COLUMN0 + 3, FOUNDATIONS)),
        ("c2>c5*3", transfer(COLUMN0 + 1, COLUMN0 + 4, 3)),
        ("f3>c1", transfer(SLOT0 + 2, COLUMN0)),
    ],
)
def test_piles_count_from_one_in_texts(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert move_text(move) == text


@pytest.mark.parametrize(
    "text", ["", "Draw", "w>w", "c0>f", "c1>c10", "f9>c1", "c1>c2*1", "c1>c2*14", "w>c1*2", "c1>f1"]
)
def test_another_text_is_no_move(text: str) -> None:
    with pytest.raises(MoveError):
        parse_move(text)


@pytest.mark.parametrize(
    "move", [Move(0), Move(Kind.DRAW, 1), transfer(STOCK, FOUNDATIONS), transfer(WASTE, SLOT0), transfer(WASTE, 29)]
)
def test_a_value_that_is_no_move_has_no_text(move: Move) -> None:
    with pytest.raises(MoveError):
        move_text(move)


@given(strategies.any_moves, strategies.instants_ms)
def test_an_entry_is_eight_bytes_and_unpacks_to_what_was_packed(move: Move, at_ms: int) -> None:
    entry = pack_entry(move, at_ms)
    assert len(entry) == 8
    assert entry[:4] == bytes(move)
    assert unpack_entry(entry) == (move, at_ms)


def test_entries_hold_kind_source_target_count_then_the_time_big_endian() -> None:
    assert pack_entry(transfer(21, 24, 3), 0x01020304) == bytes((3, 21, 24, 3, 1, 2, 3, 4))


@pytest.mark.parametrize("at_ms", [-1, 2**32])
def test_a_time_outside_its_four_bytes_is_an_error(at_ms: int) -> None:
    with pytest.raises(MoveError):
        pack_entry(DRAW, at_ms)


def test_an_entry_of_another_length_is_an_error() -> None:
    with pytest.raises(MoveError):
        unpack_entry(bytes(7))


@given(strategies.moves)
def test_the_repr_rebuilds_the_move(move: Move) -> None:
    assert eval(repr(move), {"Move": Move}) == move
