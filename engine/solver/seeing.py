"""What a player who sees all cards may do next, and what each choice is worth.

What lives here: choices on a board, their worth, the worth of a position, safe moves. What does not:
which card goes where (`rules`), carrying a move out (`Board`), the order of trying (`search`).

A choice is one step that cannot be gone back on, so that a descent always ends: a card goes up, a whole
run moves to another column, any card that presses of the stock can bring to the top of the waste is
played, or room is made for one of these by splitting a run or taking a card back from a foundation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine import rules
from engine.board import Board
from engine.cards import KING, RANK, Card, is_red
from engine.moves import COLUMN0, DRAW, FOUNDATIONS, RECYCLE, SLOT0, WASTE, Move, transfer
from engine.solver.chance import MOST
from engine.solver.plan import UP, Weights


class Choice(NamedTuple):
    """One step of the search."""

    worth: int
    """What it adds to the worth of the position, chance included, times `MOST`."""
    size: int
    """Press the stock until the waste has so many cards; 0: no press."""
    moves: tuple[Move, ...]


_LOWER: Final = tuple(sum(1 << low for low in range(card - card % 13, card)) for card in range(52))
"""For each card the set of lower ones of its suit."""
_OTHERS: Final = tuple(
    tuple(suit for suit in range(4) if is_red(Card(suit * 13)) is not is_red(Card(card))) for card in range(52)
)
"""For each card the suits of the other colour."""


def reachable(board: Board) -> list[int]:
    """Sizes of the waste at which a card may be played after presses alone, the nearest first.

    With one pass only the present size: a press is then a choice that cannot be gone back on.
    """
    size, draw = len(board.waste), board.ruleset.draw
    if board.ruleset.passes is not None:
        return [size] if size else []
    total = size + len(board.stock)
    sizes = dict.fromkeys([size, *range(size + draw, total, draw), total, *range(draw, total, draw)])
    sizes.pop(0, None)
    return list(sizes)


def press(board: Board, size: int, line: list[Move]) -> None:
    """Press the stock until the waste has `size` cards, which is one of `reachable`; presses are added to `line`."""
    while len(board.waste) != size:
        move = DRAW if board.stock else RECYCLE
        board.apply(move, 0)
        line.append(move)


def settle(board: Board, line: list[Move]) -> None:
    """Send up every column's card that can never be missed on the table; moves are added to `line`."""
    columns = board.columns
    again = True
    while again:
        again = False
        for index, column in enumerate(columns):
            while column and _is_safe(board, column[-1]) and rules.slot_for(board, column[-1]) >= 0:
                move = transfer(COLUMN0 + index, FOUNDATIONS)
                board.apply(move, 0)
                line.append(move)
                again = True


def _is_safe(board: Board, card: Card) -> bool:
    """Whether no card could still need this one to lie on: aces, twos, and where all lower ones are up."""
    low = RANK[card] - 1
    if low < 2:
        return True
    heights, decks = board.heights, board.ruleset.decks
    one, two = _OTHERS[card]
    return min(heights[one * decks : one * decks + decks]) >= low <= min(heights[two * decks : two * decks + decks])


# ---------------------------------------------------------------- the worth of a position


def worth(board: Board, weights: Weights) -> int:
    """How good a position looks, times `MOST`."""
    value = UP * board.out
    for column, down in zip(board.columns, board.down, strict=True):
        if down:
            hidden = column[:down]
            pairs = _buried_in(hidden) + _pairs(_set_of(hidden), column[down:])
            value -= weights.turned * down + weights.blocked * pairs
        elif not column:
            value -= weights.empty
    if weights.waste:
        value -= weights.waste * len(board.waste) + weights.waste_blocked * _buried_in(board.waste)
    return value * MOST


def _set_of(cards: Sequence[Card]) -> int:
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def _pairs(buried: int, cards: Sequence[Card]) -> int:
    """Pairs of a buried card and a higher one of its suit among `cards`."""
    pairs = 0
    for card in cards:
        pairs += (buried & _LOWER[card]).bit_count()
    return pairs


def _buried_in(pile: Sequence[Card]) -> int:
    """Pairs in a pile of a card and a higher one of its suit above it."""
    pairs = beneath = 0
    for card in pile:
        pairs += (beneath & _LOWER[card]).bit_count()
        beneath |= 1 << card
    return pairs


# ---------------------------------------------------------------- choices


def choices(board: Board, weights: Weights, chance: Iterator[int]) -> list[Choice]:
    """Every choice on a board whose cards are all known, in no order that means anything."""
    sight = _Sight(board, weights, chance)
    for index, column in enumerate(board.columns):
        if column:
            sight.last_up(index, column)
            sight.whole_run(index, column)
            sight.baring(index, column)
    sight.talon()
    if weights.room:
        sight.splitting()
        sight.taking_back()
    return sight.found


class _Movable(NamedTuple):
    """A card that can be put on one that is laid bare, with everything on it."""

    gain: int
    size: int
    """As in `Choice`."""
    source: int
    cards: Sequence[Card]


class _Sight:
    """One look at a board; each method adds the choices of one kind to `found`."""

    __slots__ = ("board", "buried", "chance", "fits", "found", "movable", "weights")

    def __init__(self, board: Board, weights: Weights, chance: Iterator[int]) -> None:
        self.board = board
        self.weights = weights
        self.chance = chance
        self.found: list[Choice] = []
        self.movable: dict[int, _Movable] = {}
        self.buried = [
            _set_of(column[:down]) if down else 0 for column, down in zip(board.columns, board.down, strict=True)
        ]
        self.fits = rules.homes(board)
        for king in range(KING - 1, 52, KING):
            # Empty columns are all alike.
            if king in self.fits:
                del self.fits[king][1:]

    def add(self, gain: int, size: int, *moves: Move) -> None:
        self.found.append(Choice(gain * MOST + next(self.chance) * self.weights.chance, size, moves))

    def relief(self, index: int, cards: Sequence[Card], left: int) -> int:
        """What it gains that these cards leave a column, `left` cards staying."""
        down = self.board.down[index]
        if down:
            return self.weights.blocked * _pairs(self.buried[index], cards) + (self.weights.turned * (left == down))
        return 0 if left else -self.weights.empty

    def burden(self, home: int, cards: Sequence[Card]) -> int:
        """What it costs that these cards lie on a column."""
        buried = self.buried[home]
        if buried:
            return self.weights.blocked * _pairs(buried, cards)
        return 0 if self.board.columns[home] else -self.weights.empty

    def last_up(self, index: int, column: list[Card]) -> None:
        """A column's last card to its foundation."""
        if rules.slot_for(self.board, column[-1]) >= 0:
            gain = UP + self.relief(index, column[-1:], len(column) - 1)
            self.add(gain, 0, transfer(COLUMN0 + index, FOUNDATIONS))

    def whole_run(self, index: int, column: list[Card]) -> None:
        """Everything that lies face up to another column; a king only off face-down cards."""
        down, source = self.board.down[index], COLUMN0 + index
        run = column[down:]
        if not down and RANK[run[0]] == KING:
            return
        gain = self.relief(index, run, down)
        if down:
            self.movable[run[0]] = _Movable(gain, 0, source, run)
        for home in self.fits.get(run[0], ()):
            self.add(gain - self.burden(home, run), 0, transfer(source, COLUMN0 + home, len(run)))

    def baring(self, index: int, column: list[Card]) -> None:
        """A part of a run to another column, if the card that it lay on then goes up."""
        source = COLUMN0 + index
        for at in range(self.board.down[index] + 1, len(column)):
            homes = self.fits.get(column[at])
            if homes is None or rules.slot_for(self.board, column[at - 1]) < 0:
                continue
            run = column[at:]
            gain = UP + self.relief(index, column[at - 1 :], at - 1)
            up = transfer(source, FOUNDATIONS)
            for home in homes:
                self.add(gain - self.burden(home, run), 0, transfer(source, COLUMN0 + home, len(run)), up)

    def talon(self) -> None:
        """Every card of waste and stock that presses can bring to the top."""
        board = self.board
        cards = board.waste + board.stock[::-1]
        for size in reachable(board):
            card = cards[size - 1]
            if card in self.movable and self.movable[card].source == WASTE:
                continue
            gain = self.uncovering(size) if self.weights.waste else 0
            self.movable.setdefault(card, _Movable(gain, size, WASTE, (card,)))
            if rules.slot_for(board, card) >= 0:
                self.add(UP + gain, size, transfer(WASTE, FOUNDATIONS))
            for home in self.fits.get(card, ()):
                self.add(gain - self.burden(home, (card,)), size, transfer(WASTE, COLUMN0 + home))

    def uncovering(self, size: int) -> int:
        """What it gains that the top card of a waste of `size` cards leaves it."""
        waste, weights = self.board.waste, self.weights
        return weights.waste + weights.waste_blocked * _pairs(_set_of(waste[: size - 1]), waste[size - 1 : size])

    def splitting(self) -> None:
        """A part of a run to another column, to put another card where it lay."""
        for index, column in enumerate(self.board.columns):
            for at in range(self.board.down[index] + 1, len(column)):
                homes = self.fits.get(column[at])
                if homes is None or not self.takes(column[at - 1]):
                    continue
                run = column[at:]
                gain = self.relief(index, run, at) - self.weights.split
                for home in homes:
                    first = transfer(COLUMN0 + index, COLUMN0 + home, len(run))
                    self.room(column[at - 1], first, index, gain - self.burden(home, run))

    def taking_back(self) -> None:
        """A foundation's top card to a column, to put another card on it."""
        decks = self.board.ruleset.decks
        for slot, height in enumerate(self.board.heights):
            card = Card(slot // decks * 13 + height - 1)
            if height and card in self.fits and self.takes(card) and not _is_safe(self.board, card):
                for home in self.fits[card]:
                    first = transfer(SLOT0 + slot, COLUMN0 + home)
                    self.room(card, first, home, -UP - self.burden(home, (card,)) - self.weights.back)

    def takes(self, card: Card) -> bool:
        """Whether there is something to put on a card."""
        return any(taken in self.movable for taken in rules.TAKES[card])

    def room(self, card: Card, first: Move, index: int, gain: int) -> None:
        """After `first`, what may be put on `card`, which is then the last of column `index`."""
        for taken in rules.TAKES[card]:
            if taken in self.movable:
                more, size, source, cards = self.movable[taken]
                # It must still lie as it was weighed: not where something leaves or comes to.
                if source not in (first.source, first.target):
                    then = transfer(source, COLUMN0 + index, len(cards))
                    self.add(gain + more - self.burden(index, cards), size, first, then)
