"""How the times of entries are read in a heat that was given time back (ruling 21)."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.moves import Move, pack_entry, unpack_entry
from server.core.credits import Credit, outside, raced, raced_ms

FIVE_SECONDS = [(1_000, 6_000)]
instants = st.integers(0, 3_600_000)


@st.composite
def outages(draw: st.DrawFn) -> list[Credit]:
    """Times away, in order, the first of them perhaps before the gun."""
    edges = sorted(draw(st.sets(st.integers(-3_000, 3_600_000), max_size=12)))
    return list(zip(edges[::2], edges[1::2], strict=False))


def test_without_an_outage_the_time_is_as_it_was_written() -> None:
    assert [raced_ms([], at_ms) for at_ms in (0, 1, 60_000)] == [0, 1, 60_000]


def test_while_the_store_is_away_the_clock_stands_still() -> None:
    assert [raced_ms(FIVE_SECONDS, at_ms) for at_ms in (999, 1_000, 1_001, 6_000)] == [999, 1_000, 1_000, 1_000]


def test_after_it_the_clock_goes_on_from_there() -> None:
    assert [raced_ms(FIVE_SECONDS, at_ms) for at_ms in (6_001, 10_000)] == [1_001, 5_000]


def test_who_moved_late_in_an_outage_is_before_who_moved_after_it() -> None:
    """Won at 5.5 s of which 4.5 s were away, and won at 6.5 s of which 5 were."""
    assert raced_ms(FIVE_SECONDS, 5_500) < raced_ms(FIVE_SECONDS, 6_500)


def test_an_outage_over_the_gun_gives_the_rest_of_the_countdown_back() -> None:
    """Who saw the gun fire before that was known is read as moving at the gun."""
    assert [raced_ms([(-2_000, 3_000)], at_ms) for at_ms in (0, 2_999, 5_000, 5_001)] == [0, 0, 0, 1]


def test_entries_keep_their_moves_and_bear_the_time_of_the_clock() -> None:
    log = [pack_entry(Move(1, 2, 3, 4), at_ms) for at_ms in (500, 5_500, 6_700)]
    assert [unpack_entry(entry) for entry in raced(FIVE_SECONDS, log)] == [
        (Move(1, 2, 3, 4), 500), (Move(1, 2, 3, 4), 1_000), (Move(1, 2, 3, 4), 1_700),
    ]  # fmt: skip
    assert raced([], log) == log


@given(outages(), instants, instants)
def test_the_order_in_which_things_happened_stays(credits: list[Credit], one: int, other: int) -> None:
    first, second = sorted((one, other))
    assert 0 <= raced_ms(credits, first) <= raced_ms(credits, second) <= second


@given(outages(), instants)
def test_all_of_each_outage_is_given_back_and_nothing_else(credits: list[Credit], after_ms: int) -> None:
    """To what happens after all of them, and after the gun they have moved, as much as they took."""
    end_ms = max((to_ms for _, to_ms in credits), default=0)
    stood_ms = sum(to_ms - from_ms for from_ms, to_ms in credits)
    at_ms = max(end_ms, stood_ms) + after_ms
    assert raced_ms(credits, at_ms) == at_ms - stood_ms


@given(outages(), instants, instants)
def test_what_lies_outside_and_what_is_known_are_the_whole_and_do_not_overlap(
    known: list[Credit], one: int, other: int
) -> None:
    from_ms, to_ms = sorted((one, other))
    rest = outside(known, from_ms, to_ms)
    within = [(max(since, from_ms), min(until, to_ms)) for since, until in known]
    pieces = sorted([*rest, *(piece for piece in within if piece[0] < piece[1])])
    assert sum(until - since for since, until in pieces) == to_ms - from_ms
    assert all(before[1] <= after[0] for before, after in pairwise(pieces))
    assert all(since < until for since, until in rest)
