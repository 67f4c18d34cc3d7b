"""R2, R5, R6, R11: what the games differ in."""

from __future__ import annotations

import pytest

from engine.ruleset import RULESETS, Ruleset


def test_there_are_four_double_and_three_single_games() -> None:
    assert list(RULESETS) == ["DS1-D1N", "DS1-D3N", "DS1-D1V", "DS1-D3V", "SS1-D1N", "SS1-D2N", "SS1-D3N"]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=str)
def test_an_id_is_family_draw_and_scoring(ruleset: Ruleset) -> None:
    assert ruleset.id == f"{ruleset.family}-{ruleset.mode}" == str(ruleset)
    assert RULESETS[ruleset.id] is ruleset
    assert ruleset.cards == 52 * ruleset.decks


def test_stock_and_columns_are_those_of_r2_and_r11() -> None:
    double, single = RULESETS["DS1-D1N"], RULESETS["SS1-D1N"]
    assert (double.columns, double.stock, double.slots, double.undo_limit) == (9, 59, 8, 200)
    assert (single.columns, single.stock, single.slots, single.undo_limit) == (7, 24, 4, None)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=str)
def test_only_turning_the_waste_over_may_cost_points(ruleset: Ruleset) -> None:
    assert min(ruleset.to_foundation, ruleset.waste_to_column, ruleset.turned, ruleset.recycle_cost) >= 0
