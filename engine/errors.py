"""Why a move is refused: stable codes, one word list for engine, server and clients.

What lives here: the codes. What does not: the words people read (they are the client's) and the
conditions (they are in `rules` and `board`).

    ValueError
    ├── CardError        engine.cards      a text that is no card
    ├── MoveError        engine.moves      a text or value that is no move at all
    ├── NotationError    engine.notation   a text that is no position, view or entry
    ├── DealCodeError    engine.deal_code  a typed code that is no deal code
    └── ReplayError      engine.board      a log whose entry is refused
"""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """A rule's no. Those before `EARLY` are the engine's, in the order in which reasons are looked for."""

    BAD_ACTION = "bad_action"
    """No such move: unknown kind, pile or count (a run can never be asked of waste or foundation)."""
    NOT_IN_THIS_GAME = "not_in_this_game"
    """The other family has it: auto-complete in DS1 (R8.3), double tap in SS1."""
    GAME_WON = "game_won"
    """Nothing is accepted after the win (R8.1)."""
    ENDED = "ended"
    """The board has ended otherwise: resigned, abandoned, time up."""
    UNDO_OFF = "undo_off"
    """This room plays without undo."""
    UNDO_REVEALED = "undo_revealed"
    """The action to undo first showed a card, or lies before one that did (ruling 6)."""
    NOTHING_TO_UNDO = "nothing_to_undo"
    STOCK_NOT_EMPTY = "stock_not_empty"
    """The waste is turned over only when the stock is empty (R5.3, R11.3)."""
    STOCK_EXHAUSTED = "stock_exhausted"
    """The last pass is over: Vegas (R5.4)."""
    NOTHING_TO_DRAW = "nothing_to_draw"
    """Stock and waste are both empty (R5.3, R11.3)."""
    STOCK_EMPTY = "stock_empty"
    """A draw although the waste must be turned over first."""
    AUTO_NOT_READY = "auto_not_ready"
    """Auto-complete before its condition holds (R11.6)."""
    EMPTY_SOURCE = "empty_source"
    SAME_COLUMN = "same_column"
    FACE_DOWN = "face_down"
    """The run asked for reaches into face-down cards (R3.2)."""
    TOO_MANY = "too_many"
    """More cards than the column has."""
    NO_FOUNDATION = "no_foundation"
    """No foundation takes this card, or it is a run (R3.6)."""
    FOUNDATION_TO_FOUNDATION = "foundation_to_foundation"
    """R3.7."""
    KING_ONLY = "king_only"
    """An empty column takes only a king (R3.3)."""
    NO_FIT = "no_fit"
    """Not of the other colour and exactly one rank lower (R3.1)."""
    NO_PLACE = "no_place"
    """A double tap found no place at all (R9.2)."""

    EARLY = "early"
    """Before the gun."""
    SEQ = "seq"
    """The ply lies beyond the log."""
    BUSY = "busy"
    """The store does not answer; nothing was sent."""
    SLOW = "slow"
    """Too many moves in too short a time."""
    INTERNAL = "internal"
    """Our fault."""
