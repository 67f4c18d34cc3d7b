"""What of a stranger's text, or of an address with a password, may stand on a terminal or in a log.

What lives here: two functions from text to text. What does not: printing. Every command that prints names, reasons or
anything else out of a file, a store or a server passes it through `harmless`; what is refused goes through `redacted`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_DIRECTIONS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They turn the rest of a line around."""
_UNSAFE: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""Controls, halves of characters, and what ends a line."""
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def harmless(text: str) -> str:
    """`text` on one line and without power over a terminal: controls are spelled (`\\x1b`), the rest is as it was."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_spelled(each) if _is_unsafe(each) else each for each in text)


def _is_unsafe(character: str) -> bool:
    return character in _DIRECTIONS or unicodedata.category(character) in _UNSAFE


def _spelled(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def redacted(text: str) -> str:
    """`text`, an address or several, without user names and passwords: nothing before the last `@` but the scheme."""
    before, at, after = text.rpartition("@")
    if not at:
        return text
    scheme = _SCHEME.match(before.lstrip())
    return f"{scheme[0] if scheme else ''}***@{after}"
