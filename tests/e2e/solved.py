"""Deals that are won by a fixed policy, with every move to the win and what is seen after each.

What lives here: playing a named deal to its end on the engine, from the player's own view. What does not:
the policy (core.bots), gestures (tables).
"""

from __future__ import annotations

from functools import cache

from engine import view
from engine.board import Board
from engine.deal_code import DealCode, deal
from engine.moves import AUTO, Move
from engine.view import View
from server.core import bots

SINGLE = "SS1-D1N-W6SWQ46"
"""One deck: 85 moves, then it completes itself."""
DOUBLE = "DS1-D1N-RQPRARR"
"""Two decks: 235 moves."""


@cache
def solution(code: str) -> tuple[tuple[Move, View], ...]:
    """Each move of a win of this deal, with what its player sees after it; the last view is the won one."""
    parsed = DealCode.parse(code)
    board = Board(parsed.ruleset, deal(parsed), ranked=True)
    memory = bots.Memory(0)
    steps: list[tuple[Move, View]] = []
    while not board.ended and not board.auto_ready():
        turn = bots.next_move(view.own(board), parsed.ruleset, 3, memory)
        assert turn.move is not None, f"the bot no longer wins {code}: name a deal here that it wins"
        memory = turn.memory
        board.apply(turn.move, 0)
        steps.append((turn.move, view.own(board)))
    if board.auto_ready():
        board.apply(AUTO, 0)
        steps[-1] = (steps[-1][0], view.own(board))
    return tuple(steps)
