"""Best of n (ruling 3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.match import Places, Racer, decided, points

ANN, BOB, CEM, DEE = (Racer(name) for name in ("ann", "bob", "cem", "dee"))


def heat(**places: int) -> Places:
    return tuple((Racer(name), place) for name, place in places.items())


def test_in_a_duel_a_deal_won_is_one_point() -> None:
    assert points([heat(ann=1, bob=2), heat(ann=2, bob=1), heat(ann=1, bob=2)]) == {ANN: 2, BOB: 1}


def test_a_shared_first_place_of_a_duel_is_a_point_for_nobody() -> None:
    assert points([heat(ann=1, bob=1)]) == {ANN: 0, BOB: 0}


def test_with_more_than_two_places_are_points_and_equals_get_equal_ones() -> None:
    assert points([heat(ann=1, bob=2, cem=2, dee=4)]) == {ANN: 4, BOB: 3, CEM: 3, DEE: 1}


def test_who_misses_a_deal_has_no_points_for_that_deal_only() -> None:
    assert points([heat(ann=1, bob=2, cem=3), heat(ann=1, bob=2)]) == {ANN: 6, BOB: 4, CEM: 1}


def test_racing_alone_counts_the_deals_won() -> None:
    assert points([heat(ann=1), heat(ann=1)]) == {ANN: 2}


def test_nobody_has_points_before_the_first_deal() -> None:
    assert points([]) == {}


@pytest.mark.parametrize(("best_of", "wins_needed"), [(3, 2), (5, 3)])
def test_a_majority_decides_a_duel_early(best_of: int, wins_needed: int) -> None:
    won = [heat(ann=1, bob=2)] * wins_needed
    assert not decided(won[1:], best_of)
    assert decided(won, best_of)


def test_a_duel_of_ties_ends_after_n_deals() -> None:
    assert not decided([heat(ann=1, bob=1)] * 2, 3)
    assert decided([heat(ann=1, bob=1)] * 3, 3)


def test_three_racers_play_all_deals() -> None:
    assert not decided([heat(ann=1, bob=2, cem=3)] * 4, 5)
    assert decided([heat(ann=1, bob=2, cem=3)] * 5, 5)


def test_an_absent_rival_forfeits_that_deal_and_the_match_goes_on() -> None:
    """N28: absent at the second deal of three; back at the third."""
    assert decided([heat(ann=1, bob=2), heat(ann=1)], 3)
    assert not decided([heat(ann=2, bob=1), heat(ann=1)], 3)


@given(st.lists(st.permutations(["ann", "bob"]).map(lambda order: heat(**{order[0]: 1, order[1]: 2})), max_size=5))
def test_nobody_wins_more_deals_than_were_played(heats: list[Places]) -> None:
    """R32."""
    assert sum(points(heats).values()) <= len(heats)
