"""`kupa solve` and `kupa certify`: looking for a solution, and making certified deals ahead by hand.

What lives here: what the two commands do. What does not: arguments and printing (cli_solver), the search
(engine.solver), the pool and its workers (services.certifier).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import deal_code, solver
from engine.deal_code import DealCode
from engine.solver import Solved, Verdict

if TYPE_CHECKING:
    from server.config import Config
    from server.services.certifier_worker import Answer


@dataclass(frozen=True, slots=True)
class Found:
    """What came of looking for a solution."""

    code: DealCode
    budget: int
    """Positions that might have been looked at."""
    verdict: Verdict
    moves: int
    """Moves of the solution as a player's counter shows them, those of the game completing itself too; or 0."""

    def as_json(self) -> dict[str, Any]:
        """For programs; the solution as texts of moves."""
        answer: dict[str, Any] = {"code": str(self.code), "budget": self.budget, "looked": self.verdict.looked}
        if not isinstance(self.verdict, Solved):
            return {**answer, "found": False}
        return {
            **answer,
            "found": True,
            "moves": self.moves,
            "difficulty": self.verdict.difficulty,
            "method": self.verdict.method,
            "tries": self.verdict.tries,
            "solution": solver.texts(self.verdict.moves),
        }


def budget_of(code: DealCode) -> int:
    """Positions looked at, at most, when nothing else is said."""
    return solver.PLANS[code.ruleset.id].budget


def solve(code: DealCode, budget: int, looked: Callable[[int], None]) -> Found:
    """Look for a solution; `looked` is told now and then how many positions were looked at so far."""
    deal = deal_code.deal(code)
    verdict = solver.solve(code.ruleset, deal, budget=budget, looked=looked)
    moves = solver.replay(code.ruleset, deal, verdict.moves).moves if isinstance(verdict, Solved) else 0
    return Found(code, budget, verdict, moves)


async def certify(
    config: Config, ruleset: str, count: int, workers: int, tell: Callable[[Answer], None], *, new: bool = False
) -> tuple[int, int]:
    """Put `count` new certified deals into the pool, also beside a running server; (deals put, deals there now).

    `tell` hears of every deal that was tried; `new`: also into a store that is not there yet. Raises CannotStart,
    NoStore, StoreAway, WorkerLost.
    """
    # The whole server; who only solves does not wait for it.
    from server.app import store_of
    from server.services.certifier import Certifier

    async with store_of(config, new=new) as store:
        certifier = Certifier(store.deals, workers=workers)
        try:
            made = await certifier.fill(ruleset, count, tell)
        finally:
            await certifier.stop()
        return made, await store.deals.count(ruleset)
