"""What may be a name. Look-alikes are the matter of this file:"""

# ruff: noqa: RUF001

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.names import RESERVED, checked_name, is_reserved, name_fault, proposal, skeleton
from server.core.words import ENGLISH, WORDS, words_for
from server.wire.errors import RefusalCode

LANGUAGE_FILES: Final = Path(__file__).parents[3] / "client_web" / "lang"


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


# ------------------------------------------------------------ proposals

LANGS = sorted(WORDS)
FITS = 16
"""Characters of a name that the head of a page shows on a phone."""


@given(st.integers(0, 2**64), st.one_of(st.sampled_from(LANGS), st.text(max_size=16)))
def test_a_proposal_is_a_name_and_always_the_same_for_a_seed_and_a_language(seed: int, lang: str) -> None:
    name = proposal(seed, lang)
    assert checked_name(name) == name
    assert proposal(seed, lang) == name


@pytest.mark.parametrize("lang", LANGS)
def test_every_name_that_a_language_can_propose_may_be_one_is_short_and_looks_like_no_other(lang: str) -> None:
    words = words_for(lang)
    names = [proposal(seed * 90, lang) for seed in range(len(words.adjectives) * len(words.animals))]
    assert [name for name in names if checked_name(name) != name] == []
    assert [name for name in names if len(name) > FITS] == []
    assert len({skeleton(name) for name in names}) == len(names)


@pytest.mark.parametrize("lang", LANGS)
def test_each_language_proposes_at_least_as_many_names_as_english(lang: str) -> None:
    words = words_for(lang)
    english = len(WORDS[ENGLISH].adjectives) * len(WORDS[ENGLISH].animals)
    pairs = len(words.adjectives) * len(words.animals)
    assert pairs >= english == 48 * 48
    assert {proposal(number, lang).rpartition(" ")[2] for number in range(90)} == {str(n) for n in range(10, 100)}


@pytest.mark.parametrize(
    ("lang", "name"), [("en", "Happy Otter 52"), ("tr", "Mutlu Tilki 52"), ("id", "Kucing Lincah 52")]
)
def test_a_name_is_in_the_order_in_which_its_language_says_it(lang: str, name: str) -> None:
    words = words_for(lang)
    one, other, _ = name.split(" ")
    animal, adjective = (one, other) if words.animal_first else (other, one)
    pair = words.animals.index(animal) * len(words.adjectives) + words.adjectives.index(adjective)
    assert proposal(pair * 90 + 42, lang) == name


@pytest.mark.parametrize(
    ("lang", "like"),
    [("tr-TR", "tr"), ("TR", "tr"), ("id_ID", "id"), ("in", "id"), ("en-GB", "en"), ("de", "en"), ("", "en"),
     ("tre", "en"), ("x" * 16, "en"), ("İ", "en")],
)  # fmt: skip
def test_a_language_is_known_by_the_beginning_of_its_tag_and_english_is_for_all_others(lang: str, like: str) -> None:
    assert words_for(lang) is WORDS[like]


def test_the_client_offers_no_language_without_words_for_names() -> None:
    offered = {path.stem for path in LANGUAGE_FILES.glob("*.json") if "." not in path.stem}
    assert offered == set(WORDS)
