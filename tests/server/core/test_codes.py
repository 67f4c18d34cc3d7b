"""Room codes and heat ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.codes import (
    ALPHABET,
    HEAT_IDS,
    ROOM_CODES,
    heat_id,
    parse_heat_id,
    parse_room_code,
    room_code,
)


def test_the_alphabet_has_24_letters_and_no_look_alikes() -> None:
    assert len(set(ALPHABET)) == 24
    assert not set("IO01") & set(ALPHABET)


@given(st.integers(0, ROOM_CODES - 1))
def test_a_room_code_is_read_as_it_is_written(number: int) -> None:
    code = room_code(number)
    assert len(code) == 5
    assert parse_room_code(code) == code


@given(st.integers(0, HEAT_IDS - 1))
def test_a_heat_id_is_read_as_it_is_written(number: int) -> None:
    heat = heat_id(number)
    assert len(heat) == 10
    assert parse_heat_id(heat) == heat


@given(st.integers(0, ROOM_CODES - 1), st.integers(0, ROOM_CODES - 1))
def test_every_number_has_its_own_code(one: int, other: int) -> None:
    assert (room_code(one) == room_code(other)) == (one == other)


@pytest.mark.parametrize("number", [-1, ROOM_CODES])
def test_there_is_no_code_beyond_the_last(number: int) -> None:
    with pytest.raises(ValueError, match="no code"):
        room_code(number)


@pytest.mark.parametrize("typed", ["KUPAS", "kupas", " ku-pas ", "KUP AS", "k.u.p.a.s", "KUP–AS", "ku_pas\t"])
def test_case_spaces_and_dashes_do_not_matter(typed: str) -> None:
    assert parse_room_code(typed) == "KUPAS"


@pytest.mark.parametrize(
    "typed", ["", "KUPA", "KUPASS", "KUPA1", "KUPIA", "KUPOA", "*", "{}", "'; --", "kupaı", "ßupa", "K" * 70, "-" * 65]
)
def test_anything_else_is_no_room_code(typed: str) -> None:
    assert parse_room_code(typed) is None


@given(st.text(max_size=80))
def test_what_is_read_is_safe_in_a_key_or_nothing(typed: str) -> None:
    code = parse_room_code(typed)
    assert code is None or (len(code) == 5 and set(code) <= set(ALPHABET))
