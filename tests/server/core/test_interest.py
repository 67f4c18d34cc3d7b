"""Rows of big heats (ruling 8)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.core.interest import FIRST, live_order, of_interest

ROWS = {0: (10, 100, 20, 0), 1: (104, 900, 300, 1), 2: (10, 105, 22, 0), 3: (104, 800, 250, 1), 4: (30, 50, 9, 2)}


def test_winners_by_time_come_before_those_with_most_cards_out_and_then_most_points() -> None:
    assert live_order(ROWS, "first", {1: 9_000, 3: 8_000}) == [3, 1, 4, 2, 0]


def test_for_best_score_only_points_count() -> None:
    assert live_order(ROWS, "score", {}) == [1, 3, 2, 0, 4]


def test_a_player_sees_the_first_five_the_own_row_and_one_neighbour_on_each_side() -> None:
    order = list(range(100, 140))
    assert of_interest(order, 20) == [100, 101, 102, 103, 104, 119, 120, 121]
    assert of_interest(order, 0) == [100, 101, 102, 103, 104]
    assert of_interest(order, 4) == [100, 101, 102, 103, 104, 105]
    assert of_interest(order, 5) == [100, 101, 102, 103, 104, 105, 106]
    assert of_interest(order, 39) == [100, 101, 102, 103, 104, 138, 139]


def test_a_watcher_sees_the_first_five() -> None:
    assert of_interest([7, 3, 9, 1, 2, 5], None) == [7, 3, 9, 1, 2]


@given(st.lists(st.integers(0, 999), unique=True, min_size=1), st.data())
def test_what_is_shown_keeps_the_order_and_is_never_more_than_eight(order: list[int], data: st.DataObject) -> None:
    own = data.draw(st.integers(0, len(order) - 1))
    shown = of_interest(order, own)
    assert shown == [seat for seat in order if seat in shown]
    assert len(shown) <= FIRST + 3
    assert set(order[max(0, own - 1) : own + 2]) <= set(shown)
