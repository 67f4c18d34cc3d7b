"""One is not told as several."""

from __future__ import annotations

import pytest

from server.plural import number_of


@pytest.mark.parametrize(("count", "told"), [(0, "0 players"), (1, "1 player"), (2, "2 players")])
def test_of_one_there_is_one(count: int, told: str) -> None:
    assert number_of(count, "player") == told


@pytest.mark.parametrize(("count", "told"), [(0, "0 are ready"), (1, "1 is ready"), (2, "2 are ready")])
def test_what_has_a_plural_of_its_own_takes_it(count: int, told: str) -> None:
    assert f"{number_of(count, 'is', 'are')} ready" == told
