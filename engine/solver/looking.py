"""The player who sees only what a person sees: what it wins can be won without knowing the hidden cards.

What lives here: its priorities, and one try from the deal to the win or to giving up. What does not:
memory of cards seen before, looking ahead. Nothing here reads a face-down card, a card of the stock, or
a card of the waste beneath its top; the moves come from `rules`, which does not either.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine import rules
from engine.board import Board
from engine.cards import KING, RANK, Card
from engine.moves import AUTO, COLUMN0, DRAW, FOUNDATIONS, RECYCLE, WASTE, Kind, Move
from engine.solver.search import Budget

LOW_UP: Final = 900
"""An ace or a two to its foundation."""
TURN: Final = 700
"""Turning a card, and more for each one that stays face down beneath it."""
TURN_MORE: Final = 10
UP: Final = 500
OPEN: Final = 350
"""Emptying a column while a king waits for one."""
BARE: Final = 300
"""Moving a part of a run off a card that can then go up."""
FROM_WASTE: Final = 200

MOST_SPREAD: Final = UP - BARE
"""With less than this, a card that can go up does so before another is bared: no going to and fro."""
GIVES_UP: Final = 2
"""After turning the waste over so often without playing a card in between."""


def look(board: Board, spread: int, chance: Iterator[int], budget: Budget) -> list[Move] | None:
    """One try on a fresh board: the moves to the win, or None when it gives up or the budget is used up.

    `spread`: how far chance bends the priorities, from 0, not at all, to `MOST_SPREAD`.
    """
    line: list[Move] = []
    idle = 0
    while board.ended is None:
        if not budget.spend():
            return None
        move = AUTO if board.auto_ready() else _best(board, spread, chance)
        if move is not None:
            idle = 0
            board.apply(move, 0)
            line.append(move)
            continue
        idle += _press_on(board, line)
        if idle >= GIVES_UP:
            return None
    return line


def _press_on(board: Board, line: list[Move]) -> int:
    """Press until the top of the waste can be played or is a king, which a column may be emptied for;
    how often the waste was turned over, `GIVES_UP` when nothing can be pressed or comes up."""
    turned_over = 0
    targets = (FOUNDATIONS, *range(COLUMN0, COLUMN0 + len(board.columns)))
    while turned_over < GIVES_UP:
        if board.stock:
            press = DRAW
        elif rules.no_stock(board) is None:
            press = RECYCLE
            turned_over += 1
        else:
            return GIVES_UP
        board.apply(press, 0)
        line.append(press)
        waste = board.waste
        if waste and (RANK[waste[-1]] == KING or any(_fits(board, target) for target in targets)):
            return turned_over
    return turned_over


def _fits(board: Board, target: int) -> bool:
    return rules.transfer_refusal(board, WASTE, target, 1) is None


# ---------------------------------------------------------------- priorities


def _best(board: Board, spread: int, chance: Iterator[int]) -> Move | None:
    """The transfer worth most, if any is worth making."""
    best, most = None, 0
    for move in rules.table_moves(board):
        worth = _worth(board, move)
        if worth:
            worth += next(chance) * spread >> 8
            if worth > most:
                best, most = move, worth
    return best


def _worth(board: Board, move: Move) -> int:
    """0 for a move that is not worth making, a press among them, else the more the better."""
    kind, source, target, count = move
    if kind != Kind.TRANSFER:
        return 0
    if source == WASTE:
        return _up(board.waste[-1]) if target == FOUNDATIONS else FROM_WASTE
    if source < COLUMN0:
        return 0
    column, down = board.columns[source - COLUMN0], board.down[source - COLUMN0]
    left = len(column) - count
    turn = TURN + TURN_MORE * down if down and left == down else 0
    if target == FOUNDATIONS:
        return max(turn, _up(column[-1]))
    if turn:
        return turn
    if left:
        return BARE if rules.slot_for(board, column[left - 1]) >= 0 else 0
    return OPEN if RANK[column[0]] != KING and _king_waits(board) else 0


def _up(card: Card) -> int:
    return LOW_UP if RANK[card] <= 2 else UP


def _king_waits(board: Board) -> bool:
    """Whether an empty column would be taken by a king: from the waste, or off face-down cards."""
    if board.waste and RANK[board.waste[-1]] == KING:
        return True
    return any(down and RANK[column[down]] == KING for column, down in zip(board.columns, board.down, strict=True))
