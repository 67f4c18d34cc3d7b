"""Moves and the entries of a board's log.

What lives here: the names of piles as bytes, the kinds of entries, the 8-byte packing and the text
form. What does not: whether a move is legal; a `Move` knows nothing of a board. Syntactically
possible is what has a text form; anything else is refused as `bad_action`.
"""

from __future__ import annotations

import re
import struct
from enum import IntEnum
from typing import Final, NamedTuple

STOCK: Final = 0
WASTE: Final = 1
FOUNDATIONS: Final = 2
"""As a target only: the slot follows from the card (R4.2)."""
SLOT0: Final = 10
"""Foundation slot k is SLOT0 + k, as a source only; slots suit by suit: slot = suit × decks + copy."""
COLUMN0: Final = 20
"""Column c, from 0, is COLUMN0 + c."""
MOST_SLOTS: Final = 8
MOST_COLUMNS: Final = 9


class Kind(IntEnum):
    """What an entry of a board's log is."""

    DRAW = 1
    RECYCLE = 2
    """Turn the waste over; in SS1 it also draws, in the same entry (R11.3)."""
    TRANSFER = 3
    UNDO = 4
    AUTO = 5
    """SS1 completes itself (R11.6); written by the server, never asked by a client (ruling 7)."""
    RESIGN = 6
    """Count 0: by the player; 1: abandoned (ruling 2)."""


class Move(NamedTuple):
    """One entry's four move bytes; unused ones are 0."""

    kind: int
    source: int = 0
    target: int = 0
    count: int = 0  # type: ignore[assignment]  # it hides tuple.count, which nobody asks of a move


Four = tuple[int, int, int, int]
"""The numbers of a `Move`, which is one; where a move is only looked at, making a `Move` of them is not needed."""

DRAW: Final = Move(int(Kind.DRAW))
RECYCLE: Final = Move(int(Kind.RECYCLE))
UNDO: Final = Move(int(Kind.UNDO))
AUTO: Final = Move(int(Kind.AUTO))
RESIGN: Final = Move(int(Kind.RESIGN))
ABANDON: Final = Move(int(Kind.RESIGN), 0, 0, 1)
_TRANSFER_KIND: Final = int(Kind.TRANSFER)


def transfer(source: int, target: int, count: int = 1) -> Move:
    """A TRANSFER of `count` cards from one pile byte to another."""
    return Move(_TRANSFER_KIND, source, target, count)


class MoveError(ValueError):
    """Not a move at all."""


# ---------------------------------------------------------------- entries

ENTRY_FORMAT: Final = "BBBBI"
"""Of `struct`, big-endian: kind, source, target, count, ms since the gun."""
_ENTRY: Final = struct.Struct(">" + ENTRY_FORMAT)
ENTRY_SIZE: Final = _ENTRY.size
"""Bytes of one log entry."""


def pack_entry(move: Four, at_ms: int) -> bytes:
    """The 8 bytes of a log entry: kind, source, target, count, then ms since the gun, big-endian.

    Raises `MoveError` when a value does not fit its bytes (time: 0 to 2³²−1).
    """
    kind, source, target, count = move
    try:
        return _ENTRY.pack(kind, source, target, count, at_ms)
    except struct.error:
        raise MoveError(f"does not fit an entry: {tuple(move)!r} at {at_ms!r}") from None


def unpack_entry(entry: bytes) -> tuple[Move, int]:
    """Move and ms since the gun of an 8-byte entry; the inverse of `pack_entry`.

    Raises `MoveError` for another length. The move may be no possible one: `check` says so.
    """
    if len(entry) != ENTRY_SIZE:
        raise MoveError(f"an entry has {ENTRY_SIZE} bytes, not {len(entry)}")
    kind, source, target, count, at_ms = _ENTRY.unpack(entry)
    return Move(kind, source, target, count), at_ms


# ---------------------------------------------------------------- text

_WORDS: Final = {
    "draw": DRAW, "recycle": RECYCLE, "undo": UNDO, "auto": AUTO, "resign": RESIGN, "abandon": ABANDON,
}  # fmt: skip
_NAMES: Final = {move: word for word, move in _WORDS.items()}
_TRANSFER: Final = re.compile(r"(w|f[1-8]|c[1-9])>(f|c[1-9])(?:\*([2-9]|1[0-3]))?")


def move_text(move: Move) -> str:
    """Text of a move: `draw`, `w>f`, `c2>c5*3`, `f3>c1`, …; slots and columns count from 1.

    Raises `MoveError` for a value that no text stands for.
    """
    kind, source, target, count = move
    word = _NAMES.get(move)
    if word is not None:
        return word
    if kind == Kind.TRANSFER and count > 0:
        text = f"{_pile_text(source)}>{'f' if target == FOUNDATIONS else _pile_text(target)}"
        if count > 1:
            text += f"*{count}"
        if _TRANSFER.fullmatch(text) and (count == 1 or source >= COLUMN0):
            return text
    raise MoveError(f"not a move: {tuple(move)!r}")


def parse_move(text: str) -> Move:
    """The move that `move_text` wrote. Raises `MoveError` for anything else."""
    word = _WORDS.get(text)
    if word is not None:
        return word
    found = _TRANSFER.fullmatch(text)
    if not found or (found[3] and text[0] != "c"):
        raise MoveError(f"not a move: {text!r}")
    target = FOUNDATIONS if found[2] == "f" else _pile(found[2])
    return Move(_TRANSFER_KIND, _pile(found[1]), target, int(found[3] or 1))


def _pile_text(pile: int) -> str:
    if pile == WASTE:
        return "w"
    if SLOT0 <= pile < SLOT0 + MOST_SLOTS:
        return f"f{pile - SLOT0 + 1}"
    return f"c{pile - COLUMN0 + 1}"


def _pile(text: str) -> int:
    if text == "w":
        return WASTE
    return (SLOT0 if text[0] == "f" else COLUMN0) + int(text[1]) - 1
