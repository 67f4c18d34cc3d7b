"""What may be a name. Look-alikes are the matter of this file:"""

# ruff: noqa: RUF001

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.names import RESERVED, checked_name, is_reserved, name_fault, proposal, skeleton
from server.core.words import ADJECTIVES, ANIMALS
from server.wire.errors import RefusalCode


@pytest.mark.parametrize(
    "name",
    ["Ann", "Özgür Çelik", "İrem", "Nguyễn", "Анна", "Μαρία", "李小龙", "אבי", "علي", "สมชาย", "O'Neil",
     "Bob 2", "<script>", "R2-D2", "Ghost", "Robot", "Adminton", "🦊🦊", "xX", "A" * 20],
)  # fmt: skip
def test_names_of_all_kinds_of_people_are_fine(name: str) -> None:
    assert checked_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("  Ann  ", "Ann"),
        ("Ann   Lee", "Ann Lee"),
        ("Ann\u00a0Lee", "Ann Lee"),
        ("Ann\u3000Lee", "Ann Lee"),
        ("Jose\u0301", "José"),
        ("❤\ufe0f Ann", "❤ Ann"),
    ],
)
def test_a_name_is_stored_composed_and_with_single_spaces(typed: str, stored: str) -> None:
    assert checked_name(typed) == stored


@pytest.mark.parametrize(
    ("name", "what", "code"),
    [
        ("", "empty", RefusalCode.NAME_SHORT),
        (" ", "nothing visible", RefusalCode.NAME_SHORT),
        ("A", "one character", RefusalCode.NAME_SHORT),
        ("A ", "one character and a space", RefusalCode.NAME_SHORT),
        ("A" * 21, "21 characters", RefusalCode.NAME_LONG),
        ("Ann\nLee", "control", RefusalCode.NAME_CHARS),
        ("Ann\u202eLee", "bidi override", RefusalCode.NAME_CHARS),
        ("Ann\u2067Lee", "bidi isolate", RefusalCode.NAME_CHARS),
        ("An\u200bn", "zero-width space", RefusalCode.NAME_CHARS),
        ("An\u200dn", "zero-width joiner", RefusalCode.NAME_CHARS),
        ("An\ufeffn", "byte order mark", RefusalCode.NAME_CHARS),
        ("An\u00adn", "soft hyphen", RefusalCode.NAME_CHARS),
        ("An\ue000n", "private use", RefusalCode.NAME_CHARS),
        ("An\u0378n", "unassigned", RefusalCode.NAME_CHARS),
        ("An\ud800n", "half a surrogate pair", RefusalCode.NAME_CHARS),
        ("An\u2028n", "line separator", RefusalCode.NAME_CHARS),
        ("\u3164\u3164", "Hangul filler", RefusalCode.NAME_CHARS),
        ("\u2800\u2800\u2800", "Braille blank", RefusalCode.NAME_CHARS),
        ("Z\u0335\u0336\u0337algo", "three marks in a row", RefusalCode.NAME_CHARS),
        ("\u0301Ann", "a mark on nothing", RefusalCode.NAME_CHARS),
        ("Аnn", "Cyrillic and Latin", RefusalCode.NAME_MIXED),
        ("Ωmega", "Greek and Latin", RefusalCode.NAME_MIXED),
        ("Αнна", "Greek and Cyrillic", RefusalCode.NAME_MIXED),
    ],
)
def test_what_cannot_be_seen_or_deceives_is_no_name_and_says_why(name: str, what: str, code: RefusalCode) -> None:
    assert (checked_name(name), name_fault(name)) == (None, code), what


@pytest.mark.parametrize(
    "name",
    ["admin", "ADMIN", "Admin 7", "adm1n", "аdmin", "ádmin", "a d m i n", "Ａｄｍｉｎ", "adrnin", "b0t", "Bot 3",
     "Kupa!", "KUPA", "host", "Ḥost", "Moderat0r", "mod", "SYSTEM", "аԁmіn"],
)  # fmt: skip
def test_nobody_speaks_for_the_server(name: str) -> None:
    assert is_reserved(name)
    assert (checked_name(name), name_fault(name)) == (None, RefusalCode.NAME_RESERVED)


@pytest.mark.parametrize("name", RESERVED)
def test_every_reserved_name_is_refused(name: str) -> None:
    assert checked_name(name.title()) is None


@pytest.mark.parametrize(("one", "other"), [("Ann", "ann"), ("Bill", "Bi1l"), ("José", "Jose"), ("раураl", "paypal")])
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_names_that_differ_have_different_skeletons() -> None:
    assert skeleton("Ann") != skeleton("Anna")


@given(st.text(max_size=30))
def test_a_checked_name_is_checked_once_and_for_all(text: str) -> None:
    name = checked_name(text)
    assert (name is None) is (name_fault(text) is not None)
    if name is not None:
        assert checked_name(name) == name
        assert unicodedata.is_normalized("NFC", name)
        assert 2 <= len(name) <= 64
        assert skeleton(name) == skeleton(name.upper()) or not name.isascii()


@given(st.integers(0, 2**64))
def test_a_proposal_is_a_name_and_always_the_same_for_a_seed(seed: int) -> None:
    name = proposal(seed)
    assert checked_name(name) == name
    assert proposal(seed) == name


def test_every_pair_of_words_makes_a_name_and_no_word_comes_twice() -> None:
    assert len(set(ADJECTIVES)) == len(ADJECTIVES)
    assert len(set(ANIMALS)) == len(ANIMALS)
    assert all(len(f"{word} {animal} 99") <= 20 for word in ADJECTIVES for animal in ANIMALS)


def test_there_are_many_proposals() -> None:
    assert len({proposal(seed) for seed in range(90 * len(ADJECTIVES) * len(ANIMALS))}) == 90 * 48 * 48
