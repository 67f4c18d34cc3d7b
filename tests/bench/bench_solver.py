"""How many deals the solver certifies, what one costs, and what the solutions are like.

`python tests/bench/bench_solver.py [SHARE] [RULESET…]` takes a fixed set of deals for every certifiable
ruleset; SHARE 0.1 takes a tenth of them. A deal is given up as the certifier gives it up (`CERTIFIABLE`),
and what the given up ones cost is counted: CPU seconds per certified deal are all seconds through all
solutions. Every solution is replayed by the referee, deal and ruleset anew from the code.
Exit status 1 when a goal is missed.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from engine import deal_code  # noqa: E402
from engine.ruleset import RULESETS  # noqa: E402
from engine.solver import CERTIFIABLE, Difficulty, Solved, pack, replay, solve, unpack  # noqa: E402


@dataclass(frozen=True, slots=True)
class Goal:
    """What is expected of one ruleset."""

    deals: int
    cpu_s: float
    """Seconds of CPU per certified deal, at most."""
    share: float
    """Certified deals of those tried, at least."""


GOALS = {
    "DS1-D1N": Goal(deals=300, cpu_s=0.15, share=0.99),
    "DS1-D3N": Goal(deals=300, cpu_s=0.15, share=0.99),
    "DS1-D1V": Goal(deals=60, cpu_s=5.0, share=0.05),
    "SS1-D1N": Goal(deals=300, cpu_s=0.1, share=0.7),
    "SS1-D2N": Goal(deals=300, cpu_s=0.1, share=0.65),
    "SS1-D3N": Goal(deals=300, cpu_s=0.1, share=0.5),
}


def measure(name: str, deals: int) -> tuple[float, float, str]:
    """CPU seconds per certified deal, share of deals certified, and a line for people."""
    ruleset = RULESETS[name]
    lengths: list[int] = []
    labels: Counter[Difficulty] = Counter()
    start = time.process_time()
    for number in range(deals):
        code = deal_code.short(ruleset, hashlib.sha256(f"bench {number}".encode()).digest())
        verdict = solve(ruleset, deal_code.deal(code), budget=CERTIFIABLE[name], seed=number)
        if isinstance(verdict, Solved):
            lengths.append(replay(ruleset, deal_code.deal(code), unpack(pack(verdict.moves))).moves)
            labels[verdict.difficulty] += 1
    cpu_s = (time.process_time() - start) / max(1, len(lengths))
    share = len(lengths) / deals
    mix = " ".join(f"{label} {labels[label] / max(1, len(lengths)):4.0%}" for label in Difficulty)
    median = statistics.median(lengths) if lengths else 0
    return cpu_s, share, f"{share:5.1%} of {deals:3}  {median:4.0f} moves  {mix}"


def main() -> int:
    """Print a line for each ruleset; exit status 1 when a goal is missed."""
    tenths = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    missed = 0
    for name in sys.argv[2:] or list(GOALS):
        goal = GOALS[name]
        cpu_s, share, line = measure(name, max(10, round(goal.deals * tenths)))
        reached = cpu_s <= goal.cpu_s and share >= goal.share
        missed += not reached
        print(f"{name}  {cpu_s:6.3f} CPU s per certified deal (goal {goal.cpu_s})  {line}", flush=True)
        if not reached:
            print(f"         goal missed: {goal.cpu_s} s, {goal.share:.0%} of the deals")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
