"""What the player of a board may see of it: the only way a position leaves the engine (A6).

What lives here: `View` and the two ways between it and tables. What does not: anything about other
seats; of rivals only counts are told, and those are the room's.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Board
from engine.cards import HIDDEN, Card
from engine.position import Position
from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class View:
    """The fields of the wire's `BoardView`: all a player may see of the own board (rules R2–R5)."""

    ply: int
    score: int
    moves: int
    stock: int
    """Cards left in the stock."""
    waste: bytes
    """The waste from bottom to top; every card of it was seen when it was drawn."""
    foundations: bytes
    """One byte a slot: height 0–13, slots suit by suit (R4.1)."""
    columns: tuple[tuple[int, bytes], ...]
    """For each column: number of face-down cards, face-up cards from deepest to last."""
    undoable: int
    """How many undos in a row would be accepted now."""
    ended: str
    """Empty while it is played, else the `Termination`."""
    marks: bytes = b""
    """For each suit the most cards that were out, on which ranked scoring depends; empty where it is not ranked."""
    known: bytes = b""
    """The cards at the front of the stock that the player has seen, next first: drawn, then turned over or undone."""


def own(board: Board) -> View:
    """The view of the board's own player."""
    return View(
        ply=board.ply,
        score=board.score,
        moves=board.moves,
        stock=len(board.stock),
        waste=bytes(board.waste),
        foundations=bytes(board.heights),
        columns=tuple((down, bytes(column[down:])) for column, down in zip(board.columns, board.down, strict=True)),
        undoable=board.undoable,
        ended=board.ended or "",
        marks=bytes(board.marks) if board.ranked else b"",
        known=board.known,
    )


def table(view: View, ruleset: Ruleset) -> Position:
    """The position as its player sees it, unseen cards as `HIDDEN`; `rules` answers on it as on the board,
    and a `Board.at` it can be played on as far as the cards are seen.

    Passes already made are not seen: it counts none, which is right for one pass and for any number.
    """
    position = Position(ruleset, None)
    position.stock = [HIDDEN] * view.stock
    position.waste = [Card(card) for card in view.waste]
    position.columns = [[HIDDEN] * down + [Card(card) for card in up] for down, up in view.columns]
    position.down = [down for down, _ in view.columns]
    position.heights = bytearray(view.foundations)
    position.recycles = 0
    return position
