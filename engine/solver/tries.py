"""One deal, from the first try to the verdict.

What lives here: the order of the methods and their seeds. What does not: the methods, the plans.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from engine.board import Board, UndoPolicy
from engine.cards import Card
from engine.moves import Move
from engine.ruleset import Ruleset
from engine.solver.chance import stream
from engine.solver.looking import MOST_SPREAD, look
from engine.solver.plan import PLANS, Method
from engine.solver.search import Beam, Budget, descend
from engine.solver.shorten import shortened
from engine.solver.solution import NotFound, Solved, Verdict, replay

Try = Callable[[Board, Iterator[int]], list[Move] | None]


def solve(
    ruleset: Ruleset,
    deal: Sequence[Card],
    *,
    budget: int | None = None,
    seed: int = 0,
    looked: Callable[[int], None] = lambda positions: None,
) -> Verdict:
    """Look for a solution of a deal (dealing order, as `deal_code.deal` gives it).

    `budget`: positions looked at, at most; None takes the ruleset's own. The same arguments give the same
    verdict everywhere. `looked` is told after every try how many positions were looked at so far; what
    it raises ends the search. Every solution has been replayed by the referee.
    """
    purse = Budget(PLANS[ruleset.id].budget if budget is None else budget)
    for branch, (method, number, attempt) in enumerate(_tries(ruleset, purse)):
        if purse.used >= purse.limit:
            break
        line = attempt(Board(ruleset, deal, ranked=False, undo=UndoPolicy.NONE), stream(seed, branch))
        looked(purse.used)
        if line is not None:
            moves = tuple(shortened(ruleset, deal, line))
            replay(ruleset, deal, moves)
            return Solved(moves, method, number, purse.used)
    return NotFound(purse.used)


def _tries(ruleset: Ruleset, budget: Budget) -> Iterator[tuple[Method, int, Try]]:
    """What is tried, without end: method, number of the try, and the try itself."""
    plan = PLANS[ruleset.id]

    def look_plainly(board: Board, chance: Iterator[int]) -> list[Move] | None:
        return look(board, 0, chance, budget)

    def look_again(board: Board, chance: Iterator[int]) -> list[Move] | None:
        return look(board, MOST_SPREAD, chance, budget)

    def straight_on(board: Board, chance: Iterator[int]) -> list[Move] | None:
        return descend(board, plan.weights, chance, budget)

    def several(board: Board, chance: Iterator[int]) -> list[Move] | None:
        return Beam(plan.weights, plan.width, chance, budget).run(board)

    for number in range(1, plan.looks + 1):
        yield Method.LOOKING, number, look_again if number > 1 else look_plainly
    for number in range(1, plan.descents + 1):
        yield Method.DESCENT, number, straight_on
    for number in itertools.count(1):
        yield Method.BEAM, number, several
