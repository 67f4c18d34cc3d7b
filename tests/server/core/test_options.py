"""What a host may choose (P2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from engine.ruleset import RULESETS
from engine.solver import CERTIFIABLE
from server.core.machine import Refusal, RefusalCode
from server.core.options import checked
from server.wire.messages import RoomOptions
from tests.server.core import strategies


@given(strategies.room_options)
def test_everything_on_offer_may_be_combined(options: RoomOptions) -> None:
    assert checked(options) == options


@pytest.mark.parametrize(
    "options",
    [
        {"ruleset": "DS1-D9N"},
        {"ruleset": ""},
        {"goal": "fastest"},
        {"minutes": 4},
        {"minutes": -1},
        {"best_of": 2},
        {"undo": "some"},
        {"seats": 0},
        {"seats": 9},
    ],
)
def test_what_is_not_on_offer_is_refused(options: dict[str, Any]) -> None:
    assert checked(RoomOptions(**options)) == Refusal(RefusalCode.BAD_OPTIONS)


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_certified_deals_are_wanted_only_where_there_are_such(ruleset: str) -> None:
    wanted = checked(RoomOptions(ruleset=ruleset, certified=True))
    assert wanted == RoomOptions(ruleset=ruleset, certified=ruleset in CERTIFIABLE)
    given = checked(RoomOptions(ruleset=ruleset, code=f"{ruleset}-ABCDEFG", certified=True))
    assert given == RoomOptions(ruleset=ruleset, code=f"{ruleset}-ABCDEFG")


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_given_code_is_kept_in_its_canonical_form(ruleset: str) -> None:
    for letters in ("ABCDEFG", "ABCDEFG-HIJKLMN"):
        typed = RoomOptions(ruleset=ruleset, code=f" {ruleset}-{letters} ".lower())
        assert checked(typed) == RoomOptions(ruleset=ruleset, code=f"{ruleset}-{letters}")


@pytest.mark.parametrize("code", ["DS1-D3N-ABCDEFG", "SS1-D1N-ABCDEFG", "ABC", "DS1-D1N-ABC", "DS1-D1N-ABCDEF?", "*"])
def test_a_code_that_is_none_or_of_another_game_is_refused(code: str) -> None:
    assert checked(RoomOptions(ruleset="DS1-D1N", code=code)) == Refusal(RefusalCode.BAD_CODE)
