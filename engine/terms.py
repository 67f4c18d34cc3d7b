"""The words for how a board is played and how it ends.

What lives here: undo policies, terminations, the number of the rules, and the error of a log that no play
could have written. What does not: what they do (`board`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.errors import ErrorCode

RULES: Final = 1
"""Number of the rules. It grows when a log would replay to something else than before; the old rules then stay,
so that every log replays for ever by those it was played by (findings O5, R31)."""


class UndoPolicy(StrEnum):
    """How much a seat may undo; the values are those of `RoomOptions.undo`."""

    ALL = "all"
    HIDDEN = "hidden"
    """Not an action that first showed this seat a card, nor what lies before it (ruling 6)."""
    NONE = "none"


class Termination(StrEnum):
    """How a board ended."""

    WON = "won"
    RESIGNED = "resigned"
    ABANDONED = "abandoned"
    TIME_UP = "time_up"


class ReplayError(ValueError):
    """A log that no play could have written: entry `ply` is refused with `code`."""

    def __init__(self, ply: int, code: ErrorCode) -> None:
        super().__init__(f"entry {ply}: {code}")
        self.ply = ply
        self.code = code
