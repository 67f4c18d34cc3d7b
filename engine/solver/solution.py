"""A solution as a value: what was found, what it took, its bytes, and its proof by the referee.

What lives here: the verdicts and the replay that alone makes a line a solution. What does not: finding
one. There is no verdict "impossible": not found means not found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.board import Board, Termination
from engine.cards import Card
from engine.errors import ErrorCode
from engine.moves import Kind, Move, move_text
from engine.ruleset import Ruleset
from engine.solver.plan import Difficulty, Method

MOVE_SIZE: Final = 4
"""Bytes of a packed move, the first four of a log entry."""
LONGEST: Final = 20_000
"""Moves at most, as in a board's log (ruling 22)."""
_PLAYED: Final = frozenset({Kind.DRAW, Kind.RECYCLE, Kind.TRANSFER, Kind.AUTO})


class NoSolution(ValueError):
    """Moves or bytes that do not lead to the win."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The deal can be won, and this is the proof."""

    moves: tuple[Move, ...]
    """From the deal to the win: draws, recycles, transfers, and where the game completes itself one AUTO."""
    method: Method
    tries: int
    """The try that found it, from 1, counted for its method alone."""
    looked: int
    """Positions looked at until then, by all methods."""

    @property
    def difficulty(self) -> Difficulty:
        """Easy: won at once by a player who sees only what a person sees; medium: by that player, with chance
        in the choices; hard: only by one who knows all cards."""
        if self.method is not Method.LOOKING:
            return Difficulty.HARD
        return Difficulty.EASY if self.tries == 1 else Difficulty.MEDIUM


@dataclass(frozen=True, slots=True)
class NotFound:
    """No solution within the budget; whether there is one is not known."""

    looked: int
    """Positions looked at."""


Verdict = Solved | NotFound


def replay(ruleset: Ruleset, deal: Sequence[Card], moves: Iterable[Move]) -> Board:
    """The won board at the end of these moves, each of which the referee has accepted, in competition scoring.

    Raises `NoSolution` for a refused move, one that no player's solution has (undo, resigning), or when
    the moves do not lead to the win.
    """
    board = Board(ruleset, deal, ranked=True)
    for number, move in enumerate(moves, start=1):
        refusal = board.check(move) if move.kind in _PLAYED else ErrorCode.BAD_ACTION
        if refusal is not None:
            raise NoSolution(f"move {number} is refused: {refusal}")
        board.apply(move, 0)
    if board.ended is not Termination.WON:
        raise NoSolution(f"it ends with {board.out} of {ruleset.cards} cards out")
    return board


def pack(moves: Iterable[Move]) -> bytes:
    """The moves as bytes, four for each."""
    return b"".join(bytes(move) for move in moves)


def unpack(packed: bytes) -> tuple[Move, ...]:
    """The moves that `pack` wrote. Raises `NoSolution` for bytes that are no moves; `replay` says the rest."""
    if len(packed) % MOVE_SIZE or len(packed) > LONGEST * MOVE_SIZE:
        raise NoSolution(f"{len(packed)} bytes are no solution")
    return tuple(Move(*packed[at : at + MOVE_SIZE]) for at in range(0, len(packed), MOVE_SIZE))


def texts(moves: Iterable[Move]) -> list[str]:
    """The moves in text form (`moves.move_text`)."""
    return [move_text(move) for move in moves]
