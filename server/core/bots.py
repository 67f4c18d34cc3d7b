"""How a bot plays: one pure function from what its seat sees to its next move and how long it takes.

What lives here: the policy of three levels, its pace, its memory. What does not: when it is asked, boards,
logs. A bot decides from an `engine.view.View` alone, so it cannot know more than a person; it never
undoes and never takes a card back from a foundation. Everything follows from its seed and the plies it
has seen: `next_move` gives the same answer again wherever it is asked, and a process that takes a bot
over rebuilds its memory with `recall`.

The priorities are the usual ones: aces and twos up, moves that turn a card, foundations, moves that
open the way for one of these, waste to column, the stock. Lower levels overlook things, know less of
what opens a way and give up earlier; the highest weighs each move together with the best one after it.

A bot always comes to rest. A move is *fruitful* if it sends a card out, turns one up or plays from the
waste: a deal has fewer than 200 of those. Every other move is counted, and after too many without
fruit in between the bot rests for good.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine import rules, view
from engine.board import Board
from engine.cards import KING, RANK, Card
from engine.moves import COLUMN0, FOUNDATIONS, SLOT0, UNDO, WASTE, Kind, Move
from engine.ruleset import Ruleset
from engine.view import View


@dataclass(frozen=True, slots=True)
class Level:
    """What makes a bot of this level as good as it is."""

    pace_ms: int
    """Usual time for a move."""
    overlooks: int
    """How many times of 100 it does not see the move it likes best."""
    tidy: bool
    """Makes moves that only open the way for another."""
    looks_ahead: bool
    """Weighs a move together with the best one after it."""
    passes: int
    """Fruitless passes through the stock before it gives up."""


LEVELS: Final[dict[int, Level]] = {
    1: Level(pace_ms=2600, overlooks=18, tidy=False, looks_ahead=False, passes=1),
    2: Level(pace_ms=1700, overlooks=12, tidy=True, looks_ahead=False, passes=2),
    3: Level(pace_ms=1000, overlooks=0, tidy=True, looks_ahead=True, passes=2),
}


@dataclass(frozen=True, slots=True)
class Memory:
    """What a bot carries from move to move."""

    seed: int
    """0 ≤ seed < 2**53; everything that looks like chance follows from it."""
    idle: int = 0
    """Moves since the last fruitful one."""


class Turn(NamedTuple):
    """What a bot does next."""

    move: Move | None
    """None: it rests for good; its board waits for the end, or is resigned for it."""
    delay_ms: int
    """How long after its last move, or after the gun."""
    memory: Memory
    """What to ask with the next time."""


# ---------------------------------------------------------------- turns


def next_move(seen: View, ruleset: Ruleset, level: int, memory: Memory) -> Turn:
    """The next move of a bot whose seat sees `seen`; always one that the rules accept, or None.

    `level` is 1–3 (`KeyError` for another), `memory` what the last turn gave back, at first `Memory(seed)`.
    """
    skill = LEVELS[level]
    presses = -(-(seen.stock + len(seen.waste)) // ruleset.draw) + 1
    delay_ms = _delay_ms(seen, skill, memory, presses)
    if seen.ended or memory.idle >= presses * skill.passes + SHUFFLES:
        return Turn(None, delay_ms, memory)
    board = Board.at(view.table(seen, ruleset), ranked=True)
    weigh = _worth_with_next if skill.looks_ahead else _worth
    moves = [(weigh(board, move, skill), -number, move) for number, move in enumerate(rules.table_moves(board))]
    liked = [move for worth, _, move in sorted(moves, reverse=True) if worth > 0]
    if not liked:
        return Turn(None, delay_ms, memory)
    overlooked = _chance(memory.seed, seen.ply, "overlook") % 100 < skill.overlooks
    move = liked[1] if overlooked and len(liked) > 1 else liked[0]
    return Turn(move, delay_ms, follow(memory, seen, move))


def follow(memory: Memory, seen: View, move: Move) -> Memory:
    """The memory after playing `move` on what `seen` shows."""
    return replace(memory, idle=0 if _is_fruitful(seen, move) else memory.idle + 1)


def recall(seed: int, board: Board, moves: Iterable[Move]) -> Memory:
    """The memory of a bot that has made these moves, for taking it over from its log.

    `board` is a fresh one of its deal and is played to where the moves lead; they must be legal on it.
    """
    memory = Memory(seed)
    for move in moves:
        memory = follow(memory, view.own(board), move)
        board.apply(move, 0)
    return memory


def _is_fruitful(seen: View, move: Move) -> bool:
    if move.kind != Kind.TRANSFER:
        return False
    if move.target == FOUNDATIONS or move.source == WASTE:
        return True
    if move.source < COLUMN0:
        return False
    down, up = seen.columns[move.source - COLUMN0]
    return down > 0 and len(up) == move.count


# ---------------------------------------------------------------- what a move is worth

LOW_UP: Final = 900
"""An ace or a two to its foundation."""
TURN: Final = 700
"""Turning a card, and more for each card beneath it."""
UP: Final = 500
OPEN: Final = 350
"""Emptying a column while a king waits for one."""
BARE: Final = 300
"""Moving a run off a card that can go up."""
FROM_WASTE: Final = 200
PRESS: Final = 10
STEP: Final = -20
"""A move from column to column for what comes after it only."""
SHUFFLES: Final = 8
"""Moves from column to column that it makes without fruit, besides the presses of the stock."""


def _worth(board: Board, move: Move, skill: Level) -> int:
    """0 or less for a move that is not worth making, else the more the better."""
    worth = _gain(board, move)
    if worth != STEP:
        return worth
    column = board.columns[move.source - COLUMN0]
    return _opening(board, column, move.count) if skill.tidy else worth


def _worth_with_next(board: Board, move: Move, skill: Level) -> int:
    """The gain of a move with most of the best gain after it; unseen cards promise nothing."""
    gain = _gain(board, move)
    if move.kind != Kind.TRANSFER or _takes_back(move) or board.out == board.ruleset.cards - 1:
        return gain
    board.apply(move, 0)
    after = max((_gain(board, other) for other in rules.table_moves(board) if other.kind == Kind.TRANSFER), default=0)
    board.apply(UNDO, 0)
    return gain + max(0, after) * 9 // 10


def _takes_back(move: Move) -> bool:
    return SLOT0 <= move.source < COLUMN0


def _gain(board: Board, move: Move) -> int:
    """What a move brings by itself."""
    kind, source, target, count = move
    if kind != Kind.TRANSFER:
        return PRESS
    if _takes_back(move):
        return 0
    if source == WASTE:
        # Both at once, so that looking ahead sees nothing to gain in a stop on the way.
        return FROM_WASTE + (_up(board.waste[-1]) if target == FOUNDATIONS else 0)
    index = source - COLUMN0
    column, down = board.columns[index], board.down[index]
    up = _up(column[-1]) if target == FOUNDATIONS else 0
    turn = TURN + 10 * down if down and len(column) - count == down else 0
    return max(up, turn) or STEP


def _up(card: Card) -> int:
    return LOW_UP if RANK[card] <= 2 else UP


def _opening(board: Board, column: list[Card], count: int) -> int:
    """What moving the last `count` cards off this column opens, or 0."""
    if count < len(column):
        return BARE if rules.slot_for(board, column[-count - 1]) >= 0 else 0
    return OPEN if RANK[column[0]] != KING and _king_waits(board) else 0


def _king_waits(board: Board) -> bool:
    """Whether an empty column would be taken by a king: from the waste, or off face-down cards."""
    if board.waste and RANK[board.waste[-1]] == KING:
        return True
    return any(down and RANK[column[down]] == KING for column, down in zip(board.columns, board.down, strict=True))


# ---------------------------------------------------------------- pace and chance


def _chance(seed: int, ply: int, what: str) -> int:
    """A number below 2**48 that looks like chance and follows from seed, ply and purpose."""
    return int.from_bytes(hashlib.sha256(f"kupa bot|{seed}|{ply}|{what}".encode()).digest()[:6], "big")


def _delay_ms(seen: View, skill: Level, memory: Memory, presses: int) -> int:
    """Human pace: half to one and a half of the usual time; longer for the first look at the table,
    and half as long again once a whole pass through the stock has brought nothing."""
    delay_ms = skill.pace_ms * (500 + _chance(memory.seed, seen.ply, "pace") % 1001) // 1000
    if memory.idle > presses:
        delay_ms = delay_ms * 3 // 2
    return delay_ms + skill.pace_ms if seen.ply == 0 else delay_ms
