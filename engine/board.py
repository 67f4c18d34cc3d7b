"""One seat's play of one deal: position, score, move counter, undo history, how it ended.

What lives here: applying moves, scoring in both readings, undo, the end, replaying a log. What does
not: which transfers are legal (`rules`), clocks (times come in as ms since the gun), what the player
may see (`view`), how an action is taken back (`undo`). `check` decides and changes nothing, `apply`
does and never decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final, Self

from engine import rules
from engine.cards import ONE, Card
from engine.errors import ErrorCode
from engine.moves import (
    ABANDON,
    AUTO,
    COLUMN0,
    FOUNDATIONS,
    RESIGN,
    SLOT0,
    STOCK,
    UNDO,
    WASTE,
    Four,
    Kind,
    Move,
    MoveError,
    unpack_entry,
)
from engine.position import Position
from engine.ruleset import Ruleset
from engine.terms import ReplayError, Termination, UndoPolicy
from engine.undo import BIAS, COUNT, PLACE, POINTS, RAISED, TURNED, TURNED_OVER, take_back

__all__ = ["Board", "ReplayError", "Termination", "UndoPolicy"]


_DRAW: Final = int(Kind.DRAW)
_RECYCLE: Final = int(Kind.RECYCLE)
_TRANSFER: Final = int(Kind.TRANSFER)
_UNDO: Final = int(Kind.UNDO)


class Board(Position):
    """A seat's board. `ranked` is competition scoring, where a card sent to a foundation scores only
    if its suit's total then passes the highest it has been (product P3); else R6 to the letter."""

    __slots__ = (
        "_barred", "_records", "_unseen", "elapsed_ms", "ended", "marks", "moves", "out", "out_at_ms", "ply",
        "ranked", "score", "score_at_ms", "undo",
    )  # fmt: skip

    ply: int
    """Entries of the log so far, undos included."""
    score: int
    moves: int
    """Accepted actions but undo and resigning (R7.3); auto-complete counts each card it carries."""
    out: int
    """Cards on the foundations."""
    ended: Termination | None
    elapsed_ms: int
    """Ms since the gun of the last entry, or of the end if that came from outside."""
    score_at_ms: int
    """When the board last came to its present score (ruling 5)."""
    out_at_ms: int
    """When it last came to its present cards out and score (product P3)."""
    marks: list[int]
    """Ranked: the highest total of each suit on the foundations, undone ones not counted."""

    def __init__(
        self, ruleset: Ruleset, deal: Sequence[Card] | Position, *, ranked: bool, undo: UndoPolicy = UndoPolicy.ALL
    ) -> None:
        """A fresh board; `deal` as `deal_code.deal` gives it, or a position it begins at a copy of (`at`).

        Raises `ValueError` for a wrong number of cards.
        """
        if isinstance(deal, Position):
            super().__init__(ruleset, None)
            self.put(deal)
        else:
            super().__init__(ruleset, deal)
        self._start(ranked, undo)

    @classmethod
    def at(cls, position: Position, *, ranked: bool, undo: UndoPolicy = UndoPolicy.ALL) -> Self:
        """A board that begins at a copy of any position, with the start score and no history."""
        return cls(position.ruleset, position, ranked=ranked, undo=undo)

    def _start(self, ranked: bool, undo: UndoPolicy) -> None:
        self.ranked = ranked
        self.undo = undo
        self.ply = self.moves = self.elapsed_ms = self.score_at_ms = self.out_at_ms = 0
        self.score = self.ruleset.start_score
        self.out = sum(self.heights)
        self.ended = Termination.WON if self.out == self.ruleset.cards else None
        decks = self.ruleset.decks
        self.marks = [sum(self.heights[at : at + decks]) for at in range(0, 4 * decks, decks)]
        limit = 0 if undo == UndoPolicy.NONE else self.ruleset.undo_limit
        self._records: deque[int] = deque(maxlen=limit)
        # Cards of the stock that were never drawn (the deepest ones), and with HIDDEN whether anything was cut off
        # from undo.
        self._unseen = 0 if self.recycles else len(self.stock)
        self._barred = False

    # ------------------------------------------------------------ deciding

    def check(self, move: Four) -> ErrorCode | None:
        """Why the move is refused, or None; changes nothing. Takes any four integers."""
        kind, source, target, count = move
        if kind == _TRANSFER:
            refusal = rules.transfer_refusal(self, source, target, count)
        elif kind == _DRAW:
            refusal = ErrorCode.BAD_ACTION if source or target or count else rules.draw_refusal(self)
        else:
            refusal = self._rare_refusal(move)
        if self.ended is None or refusal is ErrorCode.BAD_ACTION or refusal is ErrorCode.NOT_IN_THIS_GAME:
            return refusal
        return ErrorCode.GAME_WON if self.ended is Termination.WON else ErrorCode.ENDED

    def _rare_refusal(self, move: Four) -> ErrorCode | None:
        kind, source, target, count = move
        if kind == Kind.RESIGN and not source and not target and 0 <= count <= 1:
            return None
        if source or target or count:
            return ErrorCode.BAD_ACTION
        if kind == _RECYCLE:
            return rules.recycle_refusal(self)
        if kind == _UNDO:
            return self._undo_refusal()
        if kind == Kind.AUTO:
            if not self.ruleset.auto_completes:
                return ErrorCode.NOT_IN_THIS_GAME
            return None if rules.can_complete(self) else ErrorCode.AUTO_NOT_READY
        return ErrorCode.BAD_ACTION

    def _undo_refusal(self) -> ErrorCode | None:
        if self._records:
            return None
        if self.undo == UndoPolicy.NONE:
            return ErrorCode.UNDO_OFF
        return ErrorCode.UNDO_REVEALED if self._barred else ErrorCode.NOTHING_TO_UNDO

    @property
    def undoable(self) -> int:
        """How many undos in a row would be accepted now."""
        return len(self._records) if self.ended is None else 0

    @property
    def known(self) -> bytes:
        """The cards of the stock that were drawn before, in the order they will be drawn again."""
        return bytes(self.stock[self._unseen :][::-1])

    def auto_ready(self) -> bool:
        """Whether the game completes itself now (R11.6): the server then writes an AUTO entry (ruling 7)."""
        return self.ruleset.auto_completes and self.ended is None and rules.can_complete(self)

    def legal_moves(self) -> list[Move]:
        """Every move `check` accepts: the table's (`rules.table_moves`), then undo, auto, resign, abandon."""
        if self.ended is not None:
            return []
        moves = rules.table_moves(self)
        moves.extend(move for move in (UNDO, AUTO, RESIGN, ABANDON) if self._rare_refusal(move) is None)
        return moves

    # ------------------------------------------------------------ doing

    def apply(self, move: Four, at_ms: int) -> bytes:
        """Carry out a move that `check` accepts, at ms since the gun; for any other move the board is spoilt.

        Returns the cards it turned up: the drawn ones in order, or the one turned in the source column;
        empty for everything else, undo included.
        """
        kind, source, target, count = move
        score, out = self.score, self.out
        if kind == _TRANSFER:
            turned = self._transfer(source, target, count)
        elif kind == _DRAW:
            self.moves += 1
            turned = self._draw(STOCK)
        else:
            turned = self._rare(kind, count)
        self.ply += 1
        self.elapsed_ms = at_ms
        if self.score != score:
            self.score_at_ms = self.out_at_ms = at_ms
        elif self.out != out:
            self.out_at_ms = at_ms
        return turned

    def _transfer(self, source: int, target: int, count: int) -> bytes:
        game = self.ruleset
        record = source | count << COUNT
        points = 0
        turned = b""
        if source >= COLUMN0:
            index = source - COLUMN0
            column = self.columns[index]
            run = column[-count:]
            del column[-count:]
            if column and self.down[index] == len(column):
                self.down[index] -= 1
                points = game.turned
                turned = ONE[column[-1]]
                record |= TURNED
        elif source == WASTE:
            run = [self.waste.pop()]
            if target != FOUNDATIONS:
                points = game.waste_to_column
        else:
            slot = source - SLOT0
            self.heights[slot] -= 1
            run = [Card(slot // game.decks * 13 + self.heights[slot])]
            self.out -= 1
        if target == FOUNDATIONS:
            slot = rules.slot_for(self, run[0])
            target = SLOT0 + slot
            if self._raise(slot):
                points += game.to_foundation
                record |= RAISED
        else:
            self.columns[target - COLUMN0] += run
        self.score += points
        self.moves += 1
        self._records.append(record | target << PLACE | points + BIAS << POINTS)
        if turned and self.undo is UndoPolicy.HIDDEN:
            self._bar()
        return turned

    def _raise(self, slot: int) -> bool:
        """One more card on a slot; whether it scores (product P3, R6.3)."""
        heights = self.heights
        heights[slot] += 1
        self.out += 1
        if self.out == self.ruleset.cards:
            self.ended = Termination.WON
        if not self.ranked:
            return True
        decks = self.ruleset.decks
        suit = slot // decks
        total = sum(heights[suit * decks : suit * decks + decks])
        if total <= self.marks[suit]:
            return False
        self.marks[suit] = total
        return True

    def _draw(self, source: int, points: int = 0) -> bytes:
        """Turn up to `draw` cards (R5.1); `source` is what the undo record is filed under."""
        stock, draw = self.stock, self.ruleset.draw
        if draw == 1:  # most of all moves; written out for speed
            card = stock.pop()
            self.waste.append(card)
            turned = ONE[card]
        else:
            drawn = stock[: -draw - 1 : -1]
            draw = len(drawn)
            del stock[-draw:]
            self.waste += drawn
            turned = bytes(drawn)
        self._records.append(source | draw << COUNT | points + BIAS << POINTS)
        if len(stock) < self._unseen:
            self._unseen = len(stock)
            if self.undo is UndoPolicy.HIDDEN:
                self._bar()
        return turned

    def _bar(self) -> None:
        self._records.clear()
        self._barred = True

    def _rare(self, kind: int, count: int) -> bytes:
        if kind == _UNDO:
            take_back(self, self._records.pop())
            return b""
        if kind == Kind.RESIGN:
            self.ended = Termination.ABANDONED if count else Termination.RESIGNED
            return b""
        if kind == _RECYCLE:
            self.moves += 1
            return self._recycle()
        self._complete()
        return b""

    def _recycle(self) -> bytes:
        game = self.ruleset
        self.waste.reverse()
        self.stock, self.waste = self.waste, self.stock
        self.recycles += 1
        before = self.score
        score = before - game.recycle_cost
        self.score = score if game.floor is None else max(game.floor, score)
        if game.recycle_draws:
            return self._draw(TURNED_OVER, self.score - before)
        self._records.append(TURNED_OVER | self.score - before + BIAS << POINTS)
        return b""

    def _complete(self) -> None:
        """Everything to the foundations, card by card, each scored and counted as a move (R11.6).

        It wins, so no undo follows and no record is kept.
        """
        while self.ended is None:
            for column in self.columns:
                while column and (slot := rules.slot_for(self, column[-1])) >= 0:
                    column.pop()
                    self.moves += 1
                    if self._raise(slot):
                        self.score += self.ruleset.to_foundation

    def end(self, termination: Termination, at_ms: int) -> None:
        """End the board from outside its log (time up, abandoned). Raises `ValueError` if it has ended."""
        if self.ended is not None:
            raise ValueError(f"the board has ended: {self.ended}")
        self.ended = termination
        self.elapsed_ms = at_ms

    # ------------------------------------------------------------ from a log

    @classmethod
    def replay(
        cls,
        ruleset: Ruleset,
        deal: Sequence[Card],
        entries: Iterable[bytes],
        *,
        ranked: bool,
        undo: UndoPolicy = UndoPolicy.ALL,
    ) -> Self:
        """The board that wrote these 8-byte entries. Raises `ReplayError` for an entry that is refused."""
        board = cls(ruleset, deal, ranked=ranked, undo=undo)
        for ply, entry in enumerate(entries):
            try:
                move, at_ms = unpack_entry(entry)
            except MoveError:
                raise ReplayError(ply, ErrorCode.BAD_ACTION) from None
            refusal = board.check(move)
            if refusal is not None:
                raise ReplayError(ply, refusal)
            board.apply(move, at_ms)
        return board

    def __repr__(self) -> str:
        return f"<Board {self.ruleset} ply={self.ply} score={self.score} out={self.out} ended={self.ended}>"
