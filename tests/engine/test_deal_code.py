"""R10 and deal-code.md: codes, the derivation, commitments."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import pack
from engine.deal_code import CodeFault, DealCode, DealCodeError, commitment, deal, secret, short
from engine.notation import cards_text
from engine.ruleset import RULESETS, Ruleset
from tests import strategies

GOLDEN = Path(__file__).parents[1] / "golden" / "deal-codes.json"
CODE = "DS1-D1N-AAAAAAB"


@given(strategies.deal_codes)
def test_a_code_is_read_as_it_is_printed(code: DealCode) -> None:
    assert DealCode.parse(str(code)) == code


def test_both_lengths_have_one_canonical_form() -> None:
    assert str(DealCode.parse("ss1 d3n abcdefghijklmn")) == "SS1-D3N-ABCDEFG-HIJKLMN"
    assert str(DealCode.parse("SS1D3NABCDEFG")) == "SS1-D3N-ABCDEFG"
    assert DealCode.parse("ss1 d3n abcdefghijklmn").is_secret
    assert not DealCode.parse(CODE).is_secret


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ds1-d1n-aaaaaab", CODE),
        ("  D S 1 – D 1 N — a a a a a a b \t", CODE),
        ("DS1D1NAAAAAA8", CODE),
        ("DSI-DIN-AAAAAAB", CODE),
        ("dsı-dın-aaaaaab", CODE),
        ("DS1-D1N-\u200bAAAAAAB\u2060", CODE),
        ("ds1-d1n-iıİI1oO", "DS1-D1N-IIIIIOO"),
        ("ds1-d1n-0181iii", "DS1-D1N-OIBIIII"),
        ("DS1-D1N-i̇AAAAAB", "DS1-D1N-IAAAAAB"),
    ],
)
def test_typed_codes_are_forgiving(typed: str, meant: str) -> None:
    assert str(DealCode.parse(typed)) == meant


@given(strategies.deal_codes, strategies.seeds)
def test_case_spaces_dashes_and_look_alikes_never_matter(code: DealCode, seed: int) -> None:
    chance = random.Random(seed)
    alike = {"O": "O0o", "I": "I1iıİ", "B": "B8b"}
    typed = "".join(
        chance.choice(alike.get(letter, letter + letter.lower())) + chance.choice(["", " ", "-", "–"])
        for letter in str(code).replace("-", "")
    )
    assert DealCode.parse(typed) == code


@pytest.mark.parametrize(
    ("typed", "fault", "at", "found"),
    [
        ("", CodeFault.TOO_SHORT, 0, ""),
        ("DS", CodeFault.TOO_SHORT, 2, "DS"),
        ("DS1-D1", CodeFault.TOO_SHORT, 6, "DI"),
        ("DS1-D1N", CodeFault.TOO_SHORT, 7, ""),
        ("DS1-D1N-AAAAAA", CodeFault.TOO_SHORT, 14, "AAAAAA"),
        ("DS1-D1N-AAAAAAB-C", CodeFault.TOO_SHORT, 17, "AAAAAABC"),
        ("DS1-D1N-AAAAAAB-AAAAAABCC", CodeFault.TOO_LONG, 23, "CC"),
        ("XS1-D1N-AAAAAAB", CodeFault.UNKNOWN_FAMILY, 0, "XS1"),
        ("DS1-D2N-AAAAAAB", CodeFault.UNKNOWN_MODE, 4, "D2N"),
        ("SS1-D1V-AAAAAAB", CodeFault.UNKNOWN_MODE, 4, "D1V"),
        ("DS1-D1N-AAA9AAB", CodeFault.BAD_CHARACTER, 11, "9"),
        ("DS1-D1N-AAAAAAß", CodeFault.BAD_CHARACTER, 14, "SS"),
        ("D?1-D1N-AAA9AAB", CodeFault.BAD_CHARACTER, 1, "?"),
        ("DS1-D1N-AAAA_AB", CodeFault.BAD_CHARACTER, 12, "_"),
    ],
)
def test_an_error_names_the_first_bad_character_or_group(typed: str, fault: CodeFault, at: int, found: str) -> None:
    with pytest.raises(DealCodeError) as caught:
        DealCode.parse(typed)
    assert (caught.value.code, caught.value.at, caught.value.found) == (fault, at, found)


@given(st.text(max_size=40))
def test_any_text_is_a_code_or_a_clear_error(typed: str) -> None:
    try:
        printed = str(DealCode.parse(typed))
    except DealCodeError as error:
        named = error.at
    else:
        named = 0
        assert str(DealCode.parse(printed)) == printed
    assert 0 <= named <= len(typed)


@pytest.mark.parametrize("letters", ["", "AAAAAA", "AAAAAAAA", "aaaaaaa", "AAAAAA1"])
def test_a_code_is_made_of_seven_or_fourteen_letters_only(letters: str) -> None:
    with pytest.raises(ValueError, match="letters"):
        DealCode(RULESETS["DS1-D1N"], letters)


def test_letters_stand_for_bits_most_significant_first() -> None:
    ruleset = RULESETS["DS1-D1N"]
    assert short(ruleset, (1 << 5).to_bytes(5, "big")).letters == "AAAAAAB"
    assert short(ruleset, b"\xff" * 5).letters == "7777777"
    assert secret(ruleset, (1 << 2).to_bytes(9, "big")).letters == "AAAAAAAAAAAAAB"
    assert secret(ruleset, b"\xff" * 9).letters == "7" * 14
    with pytest.raises(ValueError, match="9 random bytes"):
        secret(ruleset, bytes(8))


@given(strategies.rulesets, st.binary(min_size=9, max_size=9))
def test_a_secret_code_carries_seventy_bits(ruleset: Ruleset, bits: bytes) -> None:
    code = secret(ruleset, bits)
    assert code.is_secret
    other = secret(ruleset, bytes((bits[0] ^ 0x80, *bits[1:])))
    assert other.letters[1:] == code.letters[1:]
    assert other.letters != code.letters


def test_the_derivation_is_frozen() -> None:
    for record in json.loads(GOLDEN.read_text(encoding="ascii")):
        for ruleset in RULESETS.values():
            if ruleset.family == record["family"]:
                assert cards_text(deal(DealCode(ruleset, record["letters"]))) == record["deal"]


@given(strategies.deal_codes)
def test_every_code_deals_the_whole_pack(code: DealCode) -> None:
    assert Counter(deal(code)) == Counter(pack(code.ruleset.decks))


def test_draw_and_scoring_take_no_part_in_the_order_of_the_cards() -> None:
    assert deal(DealCode.parse("DS1-D3V-AAAAAAB")) == deal(DealCode.parse(CODE))
    assert deal(DealCode.parse("SS1-D1N-AAAAAAB")) != deal(DealCode.parse(CODE))[:52]


def test_a_commitment_binds_heat_code_and_nonce() -> None:
    text = b"kupa commit v1|ABCDEFGHJK|DS1-D1N-ABCDEFG-HIJKLMN|00ff"
    assert commitment("ABCDEFGHJK", "DS1-D1N-ABCDEFG-HIJKLMN", "00ff") == hashlib.sha256(text).hexdigest()
