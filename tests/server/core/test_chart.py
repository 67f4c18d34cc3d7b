"""The bars of the chart lie side by side and hold every result once."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core import boards
from server.core.boards import Tab
from server.core.chart import Bar, chart, least
from server.core.daily import DAILY, LONGEST_MS


@pytest.mark.parametrize("ruleset", DAILY)
@pytest.mark.parametrize("tab", list(Tab))
def test_bars_lie_side_by_side_without_bounds_at_the_ends(tab: Tab, ruleset: str) -> None:
    bars = chart(tab, ruleset)
    assert bars[0].low is None
    assert bars[-1].high is None
    for one, other in itertools.pairwise(bars):
        assert one.high is not None
        assert one.high == other.low
    assert 10 <= len(bars) <= 20


def place(bars: list[Bar], value: int) -> int:
    (at,) = [
        at
        for at, bar in enumerate(bars)
        if (bar.low is None or bar.low <= value) and (bar.high is None or value < bar.high)
    ]
    return at


@given(st.sampled_from(DAILY), st.integers(-104, 1600), st.integers(0, LONGEST_MS))
def test_a_result_is_counted_in_the_bar_that_shows_it(ruleset: str, score: int, time_ms: int) -> None:
    for tab, value, number in (
        (Tab.SCORE, score, boards.pack_score(score, time_ms)),
        (Tab.TIME, time_ms, boards.pack_time(time_ms)),
    ):
        bars = chart(tab, ruleset)
        best_first = bars if tab is Tab.TIME else bars[::-1]
        counted = next(bar for bar in best_first if number >= least(tab, bar))
        assert counted == bars[place(bars, value)]
