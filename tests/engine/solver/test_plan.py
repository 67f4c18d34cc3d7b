"""Plans are data: one for every ruleset, and the certifiable ones are named."""

from __future__ import annotations

from engine.ruleset import RULESETS
from engine.solver.plan import CERTIFIABLE, PLANS


def test_every_ruleset_has_a_plan() -> None:
    assert list(PLANS) == list(RULESETS)


def test_all_but_the_hardest_game_are_certifiable() -> None:
    assert set(RULESETS) - set(CERTIFIABLE) == {"DS1-D3V"}
    assert all(0 < CERTIFIABLE[name] <= PLANS[name].budget for name in CERTIFIABLE)


def test_only_one_pass_counts_the_waste_and_skips_the_descents() -> None:
    for name, plan in PLANS.items():
        one_pass = RULESETS[name].passes is not None
        assert bool(plan.weights.waste) is one_pass
        assert (plan.looks + plan.descents == 0) is one_pass
