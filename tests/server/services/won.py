"""Games that are won: a fixed deal of each kind and the moves of somebody who saw no more than a player sees."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine import view
from engine.board import Board
from engine.deal_code import DealCode, deal
from engine.moves import AUTO, Move, pack_entry, unpack_entry
from server.core import bots

CODES = {
    "DS1-D1N": "DS1-D1N-ABCDEFG-HIJKLMA",
    "DS1-D3N": "DS1-D3N-ABCDEFG-HIJKLMA",
    "SS1-D3N": "SS1-D3N-ABCDEFG-HIJKLMD",
}


@dataclass(frozen=True, slots=True)
class Won:
    """A won game."""

    code: str
    moves: tuple[Move, ...]
    """As a client sends them."""
    auto: bool
    """The game then completed itself."""
    score: int
    """In competition."""
    counted: int
    """Moves as counted."""

    def entries(self, pace_ms: int, first_ms: int = 0) -> list[bytes]:
        """The log of somebody who plays it at this pace, though not like a clock."""
        times = [first_ms + pace_ms * (at + 1) + pace_ms * (at * 7 % 5 - 2) // 6 for at in range(len(self.moves))]
        log = [pack_entry(move, at_ms) for move, at_ms in zip(self.moves, times, strict=True)]
        return [*log, pack_entry(AUTO, times[-1])] if self.auto else log

    def takes_ms(self, pace_ms: int) -> int:
        """How long that takes."""
        return unpack_entry(self.entries(pace_ms)[-1])[1]


@cache
def won(ruleset: str = "DS1-D1N") -> Won:
    """The won game of this ruleset."""
    code = DealCode.parse(CODES[ruleset])
    board = Board(code.ruleset, deal(code), ranked=True)
    memory, moves = bots.Memory(1), []
    while board.ended is None and not board.auto_ready():
        turn = bots.next_move(view.own(board), code.ruleset, 3, memory)
        assert turn.move is not None, f"{code} is not won this way: choose another"
        memory = turn.memory
        board.apply(turn.move, 0)
        moves.append(turn.move)
    auto = board.ended is None
    if auto:
        board.apply(AUTO, 0)
    return Won(str(code), tuple(moves), auto, board.score, board.moves)
