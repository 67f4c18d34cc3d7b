"""The names that people bear (P1, S11): what may be one, what it is compared by, and proposals.

What lives here: pure text rules. What does not: who bears which name, and how often it may be changed.
Two people may bear one name; a tag tells them apart.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from confusable_homoglyphs.categories import alias
from confusable_homoglyphs.confusables import confusables_data

from server.core.words import words_for
from server.wire.errors import RefusalCode

MIN_VISIBLE: Final = 2
MAX_VISIBLE: Final = 20
MAX_MARKS: Final = 2
"""Combining marks in a row."""
RESERVED: Final = (
    "admin", "administrator", "bot", "host", "kupa", "mod", "moderator", "official", "operator", "owner", "referee",
    "root", "server", "staff", "support", "system",
)  # fmt: skip
"""Names that would speak for the server; refused whatever they are spelt with."""

_FORBIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters, marks and symbols that show nothing."""
_ALONE: Final = frozenset({"LATIN", "CYRILLIC", "GREEK"})
"""Scripts full of look-alikes: one name has letters of one of them only."""
_ONE_LETTER: Final = str.maketrans("i10", "llo")
_KNOWN: Final = 4_096
"""Characters whose look and script are remembered: who comes in is asked for their name each time."""


def checked_name(text: str, most: int = MAX_VISIBLE) -> str | None:
    """The name as it is stored and shown (NFC, single spaces), or None when it may not be one (`name_fault`)."""
    name = _tidy(text)
    return name if _fault(name, most) is None else None


def name_fault(text: str, most: int = MAX_VISIBLE) -> RefusalCode | None:
    """Why this may not be a name; None when it may.

    A name has 2 to `most` visible characters; no control, format (bidi, zero-width), private or unassigned ones;
    at most two combining marks in a row; letters of only one of Latin, Cyrillic and Greek; and does not
    look like a reserved one.
    """
    return _fault(_tidy(text), most)


def _tidy(text: str) -> str:
    spaced = _shown(unicodedata.normalize("NFC", text))
    return " ".join(part for part in spaced.split(" ") if part)


def _fault(name: str, most: int) -> RefusalCode | None:
    if any(unicodedata.category(char) in _FORBIDDEN or char in _INVISIBLE for char in name):
        return RefusalCode.NAME_CHARS
    marks = [unicodedata.category(char).startswith("M") for char in name]
    visible = marks.count(False)
    if visible - name.count(" ") < MIN_VISIBLE:
        return RefusalCode.NAME_SHORT
    if visible > most:
        return RefusalCode.NAME_LONG
    if marks[0] or any(all(marks[at : at + MAX_MARKS + 1]) for at in range(len(marks) - MAX_MARKS)):
        return RefusalCode.NAME_CHARS
    if is_reserved(name):
        return RefusalCode.NAME_RESERVED
    return RefusalCode.NAME_MIXED if len(_ALONE.intersection(map(_script, name))) > 1 else None


def _shown(text: str) -> str:
    """Every space as the plain one; without the selectors that choose between text and emoji style."""
    return "".join(
        " " if unicodedata.category(char) == "Zs" else char for char in text if char not in "\ufe0e\ufe0f"
    )  # fmt: skip


def skeleton(name: str) -> str:
    """What a name looks like: equal for names that people would take for each other (ruling 14).

    Case, accents, spaces and punctuation do not count; look-alikes of Latin letters are those letters.
    Not for showing: i, l and 1 are one letter here, as are o and 0.
    """
    plain = "".join(map(_plain, unicodedata.normalize("NFKD", name)))
    return plain.replace("rn", "m").replace("vv", "w").translate(_ONE_LETTER)


@lru_cache(_KNOWN)
def _script(char: str) -> str:
    return str(alias(char))


@lru_cache(_KNOWN)
def _plain(char: str) -> str:
    """The letters and digits that this character looks like, without case."""
    letter = _latin(char) or _latin(char.casefold()) or char
    return "".join(one for one in letter.casefold() if one.isalnum())


def _latin(char: str) -> str:
    """The Latin letter or digit that this character looks like, or nothing."""
    if char.isascii():
        return char
    for twin in confusables_data.get(char, ()):
        if twin["c"].isascii() and twin["c"].isalnum():
            return str(twin["c"])
    return ""


_RESERVED_SKELETONS: Final = frozenset(skeleton(name) for name in RESERVED)


def is_reserved(name: str) -> bool:
    """It looks like a reserved name, with or without a number behind it."""
    bare = name.rstrip("0123456789 -_.#")
    return skeleton(name) in _RESERVED_SKELETONS or skeleton(bare) in _RESERVED_SKELETONS


def proposal(seed: int, lang: str) -> str:
    """A name to begin with, such as "Brave Otter 42"; any seed ≥ 0, and each gives always the same.

    `lang`: the tag of the language it is made in, English when the tag is none of those in `words`.
    """
    words = words_for(lang)
    rest, number = divmod(seed, 90)
    rest, adjective = divmod(rest, len(words.adjectives))
    pair = (words.adjectives[adjective], words.animals[rest % len(words.animals)])
    first, second = reversed(pair) if words.animal_first else pair
    return f"{first} {second} {number + 10}"
