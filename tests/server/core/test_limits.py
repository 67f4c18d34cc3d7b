"""Rates: a burst at once, then one after another, and never more than that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.limits import Bucket, Keyed, Rate

START_MS = 1_700_000_000_000


def test_a_burst_passes_at_once_and_one_more_does_not() -> None:
    bucket = Bucket(Rate(10, 30))
    assert [bucket.take(START_MS) for _ in range(31)] == [True] * 30 + [False]


def test_after_the_burst_one_token_comes_every_tenth_of_a_second() -> None:
    bucket = Bucket(Rate(10, 30))
    assert bucket.take(START_MS, 30)
    assert not bucket.take(START_MS + 99)
    assert bucket.take(START_MS + 100)
    assert not bucket.take(START_MS + 199)


def test_a_refusal_costs_nothing() -> None:
    bucket = Bucket(Rate(1, 1))
    assert bucket.take(START_MS)
    assert not any(bucket.take(START_MS + 500) for _ in range(1000))
    assert bucket.take(START_MS + 1000)


def test_no_more_than_the_burst_is_saved_up() -> None:
    bucket = Bucket(Rate(10, 3))
    assert bucket.take(START_MS, 3)
    later = START_MS + 3_600_000
    assert [bucket.take(later) for _ in range(4)] == [True, True, True, False]


def test_the_wait_is_exactly_until_the_next_token() -> None:
    bucket = Bucket(Rate(3, 2))
    assert bucket.wait_ms(START_MS) == 0
    assert bucket.take(START_MS, 2)
    wait_ms = bucket.wait_ms(START_MS)
    assert wait_ms == 334
    assert not bucket.take(START_MS + wait_ms - 1)
    assert bucket.take(START_MS + wait_ms)


def test_more_than_the_burst_is_never_there_at_once() -> None:
    bucket = Bucket(Rate(10, 30))
    assert not bucket.take(START_MS, 31)
    assert bucket.wait_ms(START_MS, 31) == 100


def test_taking_nothing_always_works() -> None:
    bucket = Bucket(Rate(1, 1))
    assert bucket.take(START_MS, 1)
    assert bucket.take(START_MS, 0)


@pytest.mark.parametrize(("per_s", "burst"), [(0, 1), (-1, 1), (1, 0)])
def test_a_rate_that_lets_nothing_through_is_a_mistake(per_s: float, burst: int) -> None:
    with pytest.raises(ValueError, match="rate"):
        Rate(per_s, burst)


@given(
    st.integers(1, 50), st.integers(1, 20), st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 5)), max_size=60)
)
def test_in_any_window_no_more_than_burst_and_rate_pass(per_s: int, burst: int, asked: list[tuple[int, int]]) -> None:
    bucket, at_ms = Bucket(Rate(per_s, burst)), START_MS
    passed: list[tuple[int, int]] = []
    for gap_ms, n in asked:
        at_ms += gap_ms
        if bucket.take(at_ms, n):
            passed.append((at_ms, n))
    for first, (from_ms, _) in enumerate(passed):
        for last in range(first, len(passed)):
            window_ms = passed[last][0] - from_ms
            total = sum(n for _, n in passed[first : last + 1])
            assert total <= burst + window_ms * per_s / 1000 + 0.01


def test_keys_do_not_share_tokens() -> None:
    keyed = Keyed(Rate(1, 1))
    assert keyed.take("a", START_MS)
    assert not keyed.take("a", START_MS)
    assert keyed.take("b", START_MS)


def test_full_buckets_are_forgotten_and_empty_ones_are_not() -> None:
    keyed = Keyed(Rate(1, 1))
    for i in range(1000):
        assert keyed.take(f"early {i}", START_MS)
    for i in range(1000):
        assert keyed.take(f"late {i}", START_MS + 1000)
    assert len(keyed) <= 1001
    assert not keyed.take("late 3", START_MS + 1000)


def test_when_every_place_is_taken_new_keys_wait() -> None:
    keyed = Keyed(Rate(1, 1), most=2)
    assert keyed.take("a", START_MS)
    assert keyed.take("b", START_MS)
    assert not keyed.take("c", START_MS)
    assert keyed.take("c", START_MS + 1000)
