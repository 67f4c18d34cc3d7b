"""The solver: certifies that a deal can be won under a ruleset, with a complete solution as the proof.

What lives here: pure functions over a budget. What does not: rules of its own; it plays on `engine.board`
with the moves of `engine.rules`, and what it finds counts because the referee has accepted every move.

    solve(ruleset, deal, budget=…, seed=…)   → Solved(moves, method, tries, looked) | NotFound(looked)
    CERTIFIABLE                              the rulesets whose deals are certified ahead, with budgets
    pack(moves), unpack(bytes), replay(…)    a solution's bytes, and its proof

Modules: `plan` (data), `looking` (a player who sees what a person sees), `seeing` and `search` (one who
sees all), `shorten`, `solution`, `tries`, `chance`.
"""

from __future__ import annotations

from engine.solver.plan import CERTIFIABLE, PLANS, Difficulty, Method
from engine.solver.solution import NoSolution, NotFound, Solved, Verdict, pack, replay, texts, unpack
from engine.solver.tries import solve

__all__ = [
    "CERTIFIABLE", "PLANS", "Difficulty", "Method", "NoSolution", "NotFound", "Solved", "Verdict", "pack", "replay",
    "solve", "texts", "unpack",
]  # fmt: skip
