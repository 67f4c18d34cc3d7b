"""From a deal code to the cards, and the commitment to a secret one (R10, deal-code.md).

What lives here: reading and printing codes, the frozen derivation of the deal, the commitment. What
does not: where the bits come from; random bytes are handed in. Seven letters are for deals that may
be known, fourteen for those that must stay secret.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards import Card, pack
from engine.ruleset import RULESETS, Ruleset

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
"""RFC 4648 base 32 (R10.2)."""
SHORT: Final = 7
SECRET: Final = 14

Deal = tuple[Card, ...]
"""Column 1's card, column 2's two, … deepest first, then the stock in drawing order."""


class CodeFault(StrEnum):
    """What is wrong with a typed code."""

    BAD_CHARACTER = "bad_character"
    UNKNOWN_FAMILY = "unknown_family"
    UNKNOWN_MODE = "unknown_mode"
    """Draw and scoring that this family does not have."""
    TOO_SHORT = "too_short"
    """The text ends before 7, or between 7 and 14, letters."""
    TOO_LONG = "too_long"


class DealCodeError(ValueError):
    """A typed code that is none; it names the first bad character or group (R10.3)."""

    def __init__(self, code: CodeFault, at: int, found: str) -> None:
        """`code` says what, `at` where in the typed text (from 0), `found` what stands there."""
        super().__init__(f"{code} at {at}: {found!r}")
        self.code = code
        self.at = at
        self.found = found


@dataclass(frozen=True, slots=True)
class DealCode:
    """The name of a deal together with its ruleset; `str()` gives the canonical form."""

    ruleset: Ruleset
    letters: str
    """7 or 14 letters of `ALPHABET`, without the inner dash."""

    def __post_init__(self) -> None:
        if len(self.letters) not in (SHORT, SECRET) or not set(self.letters) <= set(ALPHABET):
            raise ValueError(f"not the letters of a deal code: {self.letters!r}")

    @property
    def is_secret(self) -> bool:
        """Whether it is of the long kind that cannot be found by trying."""
        return len(self.letters) == SECRET

    def __str__(self) -> str:
        groups = (self.letters[at : at + SHORT] for at in range(0, len(self.letters), SHORT))
        return "-".join((self.ruleset.id, *groups))

    @classmethod
    def parse(cls, text: str) -> DealCode:
        """The code a person typed (R10.3): case, spaces, dashes, 0/O, 1/I, 8/B do not matter.

        Raises `DealCodeError`.
        """
        typed = list(_folded(text))
        family = _group(text, typed, 0, CodeFault.UNKNOWN_FAMILY, _FAMILIES)
        ruleset = RULESETS[_group(text, typed, 3, CodeFault.UNKNOWN_MODE, _MODES[family])]
        letters = typed[6:]
        _refuse_foreign(letters)
        if len(letters) > SECRET:
            at = letters[SECRET][0]
            raise DealCodeError(CodeFault.TOO_LONG, at, text[at:].rstrip())
        if len(letters) not in (SHORT, SECRET):
            raise DealCodeError(CodeFault.TOO_SHORT, len(text), "".join(letter for _, letter in letters))
        return cls(ruleset, "".join(letter for _, letter in letters))


# ---------------------------------------------------------------- reading

_DOT_ABOVE: Final = "\u0307"
_FOLD: Final = {"İ": "I", "0": "O", "1": "I", "8": "B"}
_FAMILIES: Final = {rules.family.replace("1", "I"): rules.family for rules in RULESETS.values()}
_MODES: Final[dict[str, dict[str, str]]] = {
    family: {rules.mode.replace("1", "I"): rules.id for rules in RULESETS.values() if rules.family == family}
    for family in _FAMILIES.values()
}


def _folded(text: str) -> Iterator[tuple[int, str]]:
    """Index and folded character of everything that counts."""
    last = ""
    for at, typed in enumerate(text):
        if typed.isspace() or typed == "−" or unicodedata.category(typed) in ("Pd", "Zs", "Cf"):
            continue
        # "İ" falls apart into "I" and a combining dot when it is lowered or decomposed.
        if typed == _DOT_ABOVE and last == "I":
            continue
        upper = typed.upper()
        last = _FOLD.get(upper, upper)
        yield at, last


def _refuse_foreign(typed: list[tuple[int, str]]) -> None:
    for at, letter in typed:
        if len(letter) != 1 or letter not in ALPHABET:
            raise DealCodeError(CodeFault.BAD_CHARACTER, at, letter)


def _group(text: str, typed: list[tuple[int, str]], start: int, fault: CodeFault, known: dict[str, str]) -> str:
    """What the three characters from `start` on stand for."""
    group = typed[start : start + 3]
    _refuse_foreign(group)
    word = "".join(letter for _, letter in group)
    if len(group) < 3:
        raise DealCodeError(CodeFault.TOO_SHORT, len(text), word)
    if word not in known:
        first, last = group[0][0], group[-1][0]
        raise DealCodeError(fault, first, text[first : last + 1])
    return known[word]


# ---------------------------------------------------------------- making


def secret(ruleset: Ruleset, random_bytes: bytes) -> DealCode:
    """A code of fourteen letters from the first 70 bits of at least 9 fresh random bytes."""
    return DealCode(ruleset, _letters(random_bytes, SECRET))


def short(ruleset: Ruleset, random_bytes: bytes) -> DealCode:
    """A code of seven letters from the first 35 bits of at least 5 random bytes."""
    return DealCode(ruleset, _letters(random_bytes, SHORT))


def _letters(random_bytes: bytes, length: int) -> str:
    size = (length * 5 + 7) // 8
    if len(random_bytes) < size:
        raise ValueError(f"{length} letters need {size} random bytes, not {len(random_bytes)}")
    bits = int.from_bytes(random_bytes[:size], "big") >> (size * 8 - length * 5)
    return "".join(ALPHABET[bits >> (5 * place) & 31] for place in range(length - 1, -1, -1))


# ---------------------------------------------------------------- the derivation


def deal(code: DealCode) -> Deal:
    """The cards of a code in dealing order. Frozen: a change would be a new family name."""
    cards = pack(code.ruleset.decks)
    words = _words(code.ruleset.family, code.letters)
    for last in range(len(cards) - 1, 0, -1):
        size = last + 1
        # Words at or above the largest multiple of `size` would favour low positions.
        limit = (1 << 32) // size * size
        word = next(words)
        while word >= limit:
            word = next(words)
        chosen = word % size
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


def _words(family: str, letters: str) -> Iterator[int]:
    """The endless stream of 32-bit words of a deal (deal-code.md, steps 1 and 2)."""
    key = hashlib.sha256(f"kupa deal v1|{family}|{letters}".encode("ascii")).digest()
    block = 0
    while True:
        digest = hashlib.sha256(key + block.to_bytes(4, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def commitment(heat_id: str, code: str, nonce: str) -> str:
    """Hex SHA-256 that binds a heat to a deal: `code` in canonical form, `nonce` 256 random bits in hex."""
    return hashlib.sha256(f"kupa commit v1|{heat_id}|{code}|{nonce}".encode()).hexdigest()
