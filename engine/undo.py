"""Taking an action back (R7): the record that is kept of it, and the inverse.

What lives here: the layout of a record and `take_back`. What does not: how many records are kept and
whether undo is allowed (`board`). A record is one small integer, as boards live in the thousands:
source 5 bits, place 5, count 4, turned 1, raised 1, then points + 128. `place` is the pile where the
cards went, a foundation slot by its own byte; `points` is what the score really changed by, so that
taking back restores it across the floor (R7.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.cards import Card
from engine.moves import COLUMN0, FOUNDATIONS, SLOT0, STOCK, WASTE

if TYPE_CHECKING:
    from engine.board import Board

PLACE: Final = 5
COUNT: Final = 10
TURNED: Final = 1 << 14
"""The move turned a card up."""
RAISED: Final = 1 << 15
"""The card sent to a foundation scored."""
POINTS: Final = 16
BIAS: Final = 128
TURNED_OVER: Final = FOUNDATIONS
"""Source in the record of a recycle; `count` cards were drawn in the same action."""


def take_back(board: Board, record: int) -> None:
    """Undo the action of the latest record: position, score and marks as they stood before (R7.2)."""
    source, place, count = record & 31, record >> PLACE & 31, record >> COUNT & 15
    board.score -= (record >> POINTS) - BIAS
    if source in (STOCK, TURNED_OVER):
        _take_back_stock(board, source, count)
        return
    if place >= COLUMN0:
        pile = board.columns[place - COLUMN0]
        run = pile[-count:]
        del pile[-count:]
    else:
        run = [_lower(board, place - SLOT0, bool(record & RAISED))]
    if source >= COLUMN0:
        index = source - COLUMN0
        if record & TURNED:
            board.down[index] += 1
        board.columns[index] += run
    elif source == WASTE:
        board.waste += run
    else:
        board.heights[source - SLOT0] += 1
        board.out += 1


def _lower(board: Board, slot: int, raised: bool) -> Card:
    decks = board.ruleset.decks
    if raised and board.ranked:
        # A mark is always passed by exactly one.
        board.marks[slot // decks] -= 1
    board.heights[slot] -= 1
    board.out -= 1
    return Card(slot // decks * 13 + board.heights[slot])


def _take_back_stock(board: Board, source: int, count: int) -> None:
    if count:
        drawn = board.waste[-count:]
        del board.waste[-count:]
        drawn.reverse()
        board.stock += drawn
    if source == TURNED_OVER:
        board.stock.reverse()
        board.stock, board.waste = board.waste, board.stock
        board.recycles -= 1
