"""Room codes and heat ids: how they are spelt, made and read.

What lives here: the alphabet without look-alikes (no I, no O), both ways between numbers and letters, and
forgiving reading of what people type. What does not: which codes are in use, and drawing the numbers.
"""

from __future__ import annotations

from typing import Final

from server.core.ids import HeatId, RoomCode

ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
ROOM_LETTERS: Final = 5
HEAT_LETTERS: Final = 10
ROOM_CODES: Final = len(ALPHABET) ** ROOM_LETTERS
"""How many room codes there are: `room_code` takes 0 ≤ number < this."""
HEAT_IDS: Final = len(ALPHABET) ** HEAT_LETTERS
"""How many heat ids there are."""

_DIGITS: Final = {letter: value for value, letter in enumerate(ALPHABET)}
_SKIPPED: Final = " \t-–—_.·"
_MAX_TYPED: Final = 64


def room_code(number: int) -> RoomCode:
    """The code of this number, 0 ≤ number < `ROOM_CODES`; every number has its own. Raises ValueError."""
    return RoomCode(_spelt(number, ROOM_LETTERS))


def heat_id(number: int) -> HeatId:
    """The heat id of this number, 0 ≤ number < `HEAT_IDS`; every number has its own. Raises ValueError."""
    return HeatId(_spelt(number, HEAT_LETTERS))


def parse_room_code(text: str) -> RoomCode | None:
    """What somebody typed, whatever its case, spaces and dashes; None when it is no room code.

    Only what this answers may become part of a key."""
    letters = _read(text, ROOM_LETTERS)
    return None if letters is None else RoomCode(letters)


def parse_heat_id(text: str) -> HeatId | None:
    """A heat id from a link, read like a room code; None when it is none."""
    letters = _read(text, HEAT_LETTERS)
    return None if letters is None else HeatId(letters)


def _spelt(number: int, length: int) -> str:
    if not 0 <= number < len(ALPHABET) ** length:
        raise ValueError(f"no code of {length} letters has the number {number}")
    letters = []
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[digit])
    return "".join(reversed(letters))


def _read(text: str, length: int) -> str | None:
    if len(text) > _MAX_TYPED:
        return None
    letters = "".join(char for char in text if char not in _SKIPPED)
    if not letters.isascii():  # upper() would turn some foreign letters into ours
        return None
    letters = letters.upper()
    return letters if len(letters) == length and all(letter in _DIGITS for letter in letters) else None
