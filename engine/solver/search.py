"""The searches of the all-seeing player: straight on, or several lines at once.

What lives here: which of the choices are followed. What does not: the choices themselves (`seeing`).
Every search is one try: it ends by itself, with a line of moves to the win or without, and another
branch of chance makes another try of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter

from engine.board import Board, Termination, UndoPolicy
from engine.moves import AUTO, DRAW, Move
from engine.solver.plan import Weights
from engine.solver.seeing import Choice, choices, press, settle, worth


@dataclass(slots=True)
class Budget:
    """How many positions may be looked at, and how many were."""

    limit: int
    used: int = 0

    def spend(self) -> bool:
        """Count one position; False when there was none left."""
        if self.used >= self.limit:
            return False
        self.used += 1
        return True


def follow(board: Board, choice: Choice, line: list[Move]) -> None:
    """Carry out a choice and what follows from it; the moves are added to `line`."""
    if choice.size:
        press(board, choice.size, line)
    for move in choice.moves:
        board.apply(move, 0)
        line.append(move)
    settle(board, line)
    if board.auto_ready():
        board.apply(AUTO, 0)
        line.append(AUTO)


def descend(board: Board, weights: Weights, chance: Iterator[int], budget: Budget) -> list[Move] | None:
    """Always the choice that looks best, chance included; plays on `board` itself."""
    line: list[Move] = []
    settle(board, line)
    while board.ended is None:
        found = choices(board, weights, chance) if budget.spend() else ()
        if not found:
            return None
        follow(board, max(found, key=itemgetter(0)), line)
    return line


# ---------------------------------------------------------------- several lines


@dataclass(slots=True)
class _Node:
    """A position and how it was come to."""

    board: Board
    score: int = 0
    before: _Node | None = None
    line: list[Move] = field(default_factory=list)

    @property
    def won(self) -> bool:
        return self.board.ended is Termination.WON

    def whole_line(self) -> list[Move]:
        """Every move since the beginning."""
        parts: list[list[Move]] = []
        node: _Node | None = self
        while node is not None:
            parts.append(node.line)
            node = node.before
        return [move for part in reversed(parts) for move in part]

    def key(self) -> bytes:
        """The same for positions that are alike, columns in any order."""
        board = self.board
        columns = sorted(bytes((down, *column, 255)) for column, down in zip(board.columns, board.down, strict=True))
        return b"".join((*columns, board.heights, bytes(board.stock), b"|", bytes(board.waste)))


class Beam:
    """Several lines at once, the best looking `width` of each layer.

    Where the stock may be gone through again and again, a layer is what one more choice leads to. With one
    pass only, positions compare well when the same cards are drawn: a layer is then all that can be done
    before the next press.
    """

    def __init__(self, weights: Weights, width: int, chance: Iterator[int], budget: Budget) -> None:
        self._weights = weights
        self._width = width
        self._chance = chance
        self._budget = budget
        self._met: set[bytes] = set()

    def run(self, board: Board) -> list[Move] | None:
        """A line to the win, or None. `board` is a fresh one and is played on a little."""
        line: list[Move] = []
        settle(board, line)
        layer = [_Node(board, worth(board, self._weights), None, line)]
        one_pass = board.ruleset.passes is not None
        while layer:
            layer = self._drawn(self._layer_of_one_pass(layer)) if one_pass else self._next(layer)
            for node in layer:
                if node.won:
                    return node.whole_line()
        return None

    def _next(self, nodes: Iterable[_Node]) -> list[_Node]:
        """The best of what one choice leads to; alone, when it is a win."""
        found: list[tuple[int, _Node, Choice]] = []
        for node in nodes:
            if not self._budget.spend():
                return []
            score = node.score
            found += [(score + one.worth, node, one) for one in choices(node.board, self._weights, self._chance)]
        found.sort(key=itemgetter(0), reverse=True)
        children: list[_Node] = []
        for _, node, choice in found:
            child = _Node(_copy(node.board), 0, node)
            follow(child.board, choice, child.line)
            if child.won:
                return [child]
            key = child.key()
            if key not in self._met:
                self._met.add(key)
                child.score = worth(child.board, self._weights)
                children.append(child)
                if len(children) == self._width:
                    break
        return children

    def _layer_of_one_pass(self, nodes: list[_Node]) -> list[_Node]:
        """These and what can be come to without a press, best first; alone, when it is a win."""
        layer = list(nodes)
        while nodes:
            nodes = self._next(nodes)
            if nodes and nodes[0].won:
                return nodes
            layer += nodes
        most = self._weights.chance
        for node in layer:
            node.score += next(self._chance) * most
        return sorted(layer, key=attrgetter("score"), reverse=True)

    def _drawn(self, layer: Sequence[_Node]) -> list[_Node]:
        """The best of a layer after the next press; a win as it is."""
        if layer[0].won:
            return list(layer)
        drawn: list[_Node] = []
        for node in layer[: self._width]:
            if node.board.stock:
                child = _Node(_copy(node.board), 0, node, [DRAW])
                child.board.apply(DRAW, 0)
                child.score = worth(child.board, self._weights)
                drawn.append(child)
        return drawn


def _copy(board: Board) -> Board:
    return Board.at(board, ranked=False, undo=UndoPolicy.NONE)
