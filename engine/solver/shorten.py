"""Making a solution shorter: the same cards go the same ways, the stock is pressed less often.

What lives here: putting the transfers of a line into a better order. What does not: other transfers.

Two transfers may change places when they have no column and no suit's foundations in common: each
column and each foundation then sees the same as before. So a card of the stock may be played earlier,
on the way to another one; whether that spares presses is found out by counting those of the whole rest.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.board import Board, UndoPolicy
from engine.cards import SUIT, Card
from engine.moves import AUTO, COLUMN0, FOUNDATIONS, SLOT0, WASTE, Kind, Move
from engine.ruleset import Ruleset
from engine.solver.seeing import press

NEVER: Final = 1 << 30
"""Presses to a card that does not come to the top."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One transfer of a line and what it has to do with others."""

    move: Move
    touches: tuple[int, ...]
    """Columns by their bytes, suits 0–3: transfers that touch one of the same keep their order."""
    card: int
    """Which card of the stock it plays, counted from 0 in drawing order; −1: none."""


def shortened(ruleset: Ruleset, deal: Sequence[Card], line: Sequence[Move]) -> list[Move]:
    """A line that wins as `line` does, with fewer moves if some were found that can be spared.

    `line` must be a solution; what comes back is one as well.
    """
    if ruleset.passes is not None:
        # Every card of the one pass is drawn anyway.
        return list(line)
    found = _Schedule(ruleset, deal, _steps(ruleset, deal, line)).line()
    return found if len(found) < len(line) else list(line)


def _fresh(ruleset: Ruleset, deal: Sequence[Card]) -> Board:
    return Board(ruleset, deal, ranked=False, undo=UndoPolicy.NONE)


def _steps(ruleset: Ruleset, deal: Sequence[Card], line: Iterable[Move]) -> list[_Step]:
    """The transfers of a line."""
    board = _fresh(ruleset, deal)
    talon = list(range(len(board.stock)))
    steps = []
    for move in line:
        kind, source, target, _ = move
        if kind == Kind.TRANSFER:
            card = talon.pop(len(board.waste) - 1) if source == WASTE else -1
            touches = {pile for pile in (source, target) if pile >= COLUMN0}
            if target == FOUNDATIONS:
                pile = board.waste if source == WASTE else board.columns[source - COLUMN0]
                touches.add(SUIT[pile[-1]])
            elif SLOT0 <= source < COLUMN0:
                touches.add((source - SLOT0) // ruleset.decks)
            steps.append(_Step(move, tuple(touches), card))
        board.apply(move, 0)
    return steps


class _Schedule:
    """Steps on the way into a better order."""

    def __init__(self, ruleset: Ruleset, deal: Sequence[Card], steps: Sequence[_Step]) -> None:
        self._board = _fresh(ruleset, deal)
        self._talon = list(range(len(self._board.stock)))
        self._order = [step.card for step in steps if step.card >= 0]
        """The cards of the stock that are still to be played, as they follow each other in the old line."""
        self._line: list[Move] = []
        self._left = len(steps)
        self._queues: dict[int, deque[_Step]] = defaultdict(deque)
        for step in steps:
            for pile in step.touches:
                self._queues[pile].append(step)

    def line(self) -> list[Move]:
        """The new line; its presses are no more than those of the old one."""
        while self._left and not self._board.auto_ready():
            self._play(self._next())
        if self._board.auto_ready():
            self._line.append(AUTO)
        return self._line

    def _next(self) -> _Step:
        """A step on the table if there is one, else the card with which the rest takes the fewest presses."""
        waiting: dict[int, _Step] = {}
        for queue in self._queues.values():
            if queue and all(self._queues[pile][0] is queue[0] for pile in queue[0].touches):
                if queue[0].card < 0:
                    return queue[0]
                waiting[queue[0].card] = queue[0]
        # The old line's next card is always among them; `min` takes it when nothing is better.
        cards = sorted(waiting, key=self._order.index)
        return waiting[min(cards, key=self._presses) if len(cards) > 1 else cards[0]]

    def _presses(self, first: int) -> int:
        """Presses until all cards of the stock are played: `first`, then the others as in the old line."""
        draw, recycle = self._board.ruleset.draw, not self._board.ruleset.recycle_draws
        talon, at, presses = self._talon.copy(), len(self._board.waste), 0
        for card in (first, *(card for card in self._order if card != first)):
            size, total = talon.index(card) + 1, len(talon)
            if size > at and (size == total or not (size - at) % draw):
                presses += -((at - size) // draw)
            elif size != at:
                if size != total and size % draw:
                    return NEVER
                presses += -((at - total) // draw) - (-size // draw) + recycle
            at = size - 1
            del talon[at]
        return presses

    def _play(self, step: _Step) -> None:
        if step.card >= 0:
            size = self._talon.index(step.card) + 1
            press(self._board, size, self._line)
            del self._talon[size - 1]
            self._order.remove(step.card)
        for pile in step.touches:
            self._queues[pile].popleft()
        self._board.apply(step.move, 0)
        self._line.append(step.move)
        self._left -= 1
