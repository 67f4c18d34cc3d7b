"""Rows of a leaderboard are ranked by what is shown and by nothing else (ruling 25, findings L1, L2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core import boards, daily
from server.core.boards import DayResult, Period, Result, Row, Tab
from server.core.daily import Day

DAY = Day("2026-07-29")
times = st.integers(0, daily.LONGEST_MS)
scores = st.integers(-104, 2_000)
sums = st.integers(-104 * 8_191, 2_000 * 8_191)
totals = st.integers(0, 8_191 * daily.LONGEST_MS)
day_counts = st.integers(0, boards.MOST_DAYS)


@given(scores, times, scores, times)
def test_the_score_board_is_ranked_by_points_then_time(score: int, time_ms: int, other: int, other_ms: int) -> None:
    one, two = boards.pack_score(score, time_ms), boards.pack_score(other, other_ms)
    assert (one > two) == ((score, -time_ms) > (other, -other_ms))
    assert (one == two) == ((score, time_ms) == (other, other_ms))


@given(times, times)
def test_the_time_board_is_ranked_by_time_alone(time_ms: int, other_ms: int) -> None:
    one, two = boards.pack_time(time_ms), boards.pack_time(other_ms)
    assert (one > two) == (time_ms < other_ms)
    assert (one == two) == (time_ms == other_ms)


@given(sums, sums)
def test_sums_are_ranked_by_points(points: int, other: int) -> None:
    assert (boards.pack_sum(points) > boards.pack_sum(other)) == (points > other)
    assert (boards.pack_sum(points) == boards.pack_sum(other)) == (points == other)


@given(day_counts, totals, day_counts, totals)
def test_days_won_come_before_the_time_they_took(days: int, total: int, other: int, other_total: int) -> None:
    one, two = boards.pack_days(days, total), boards.pack_days(other, other_total)
    assert (one > two) == ((days, -total) > (other, -other_total))
    assert (one == two) == ((days, total) == (other, other_total))


@given(scores, times, sums, day_counts, totals)
def test_every_packed_number_is_exact_in_a_double(score: int, time_ms: int, points: int, days: int, total: int) -> None:
    for number in (
        boards.pack_score(score, time_ms), boards.pack_time(time_ms), boards.pack_sum(points),
        boards.pack_days(days, total),
    ):  # fmt: skip
        assert 0 <= number < 2**53
        assert int(float(number)) == number


def test_the_widest_numbers_still_fit() -> None:
    assert boards.pack_days(boards.MOST_DAYS, 0) == 2**53 - 1
    assert boards.pack_score(-boards.SCORE_OFFSET, (1 << boards.TIME_BITS) - 1) == 0


@pytest.mark.parametrize(
    ("pack", "values"),
    [
        (boards.pack_time, (-1,)),
        (boards.pack_time, (1 << 27,)),
        (boards.pack_score, (40_000, 0)),
        (boards.pack_score, (-40_000, 0)),
        (boards.pack_sum, (1 << 41,)),
        (boards.pack_days, (8_192, 0)),
        (boards.pack_days, (1, 1 << 40)),
    ],
)
def test_what_does_not_fit_is_refused_and_not_cut(pack: object, values: tuple[int, ...]) -> None:
    assert callable(pack)
    with pytest.raises(ValueError, match="out of range"):
        pack(*values)


# ---------------------------------------------------------------- names


def test_boards_are_named_after_period_ruleset_and_order() -> None:
    names = {period: boards.name(period, DAY, "DS1-D1N", Tab.TIME) for period in Period}
    assert names == {
        Period.DAY: "d.2026-07-29.DS1-D1N.time",
        Period.WEEK: "w.2026-W31.DS1-D1N.time",
        Period.MONTH: "m.2026-07.DS1-D1N.time",
        Period.ALL: "a.DS1-D1N.time",
        Period.RACE: "r.DS1-D1N.time",
    }


def test_every_day_has_boards_of_its_own() -> None:
    """Findings L6: yesterday's board is not today's, and no later day overwrites an earlier one."""
    days = [daily.nth(daily.number(DAY) - ago) for ago in range(400)]
    assert len({boards.name(Period.DAY, day, "DS1-D1N", tab) for day in days for tab in Tab}) == 800


def test_a_period_covers_whole_days() -> None:
    assert boards.span(Period.DAY, DAY) == (DAY, DAY)
    assert boards.span(Period.WEEK, DAY) == ("2026-07-27", "2026-08-02")
    assert boards.span(Period.MONTH, DAY) == ("2026-07-01", "2026-07-31")
    assert boards.span(Period.ALL, DAY) is None


# ---------------------------------------------------------------- rows

WON = Result("DS1-D1N", "won", 104, 1385, 268, 412_730, 412_730, "KMPQRTVWXY", ("quick",))
GIVEN_UP = Result("DS1-D1N", "resigned", 40, 520, 120, 300_000, 250_000, "KMPQRTVWXY")


def test_a_result_stands_by_points_when_it_came_to_them() -> None:
    assert boards.result_row(Tab.SCORE, GIVEN_UP) == Row(520, 250_000, 0, 40, 120, 1, "KMPQRTVWXY")


def test_only_who_won_stands_by_time() -> None:
    assert boards.result_row(Tab.TIME, GIVEN_UP) is None
    assert boards.result_row(Tab.TIME, WON) == Row(1385, 412_730, 1, 104, 268, 1, "KMPQRTVWXY", ("quick",))


DAYS = {
    Day("2026-07-26"): DayResult(100, True, 10_000),
    Day("2026-07-27"): DayResult(200, False, 20_000),
    Day("2026-07-29"): DayResult(-50, True, 30_000),
}


def test_a_week_adds_up_its_days() -> None:
    week = daily.week_days(DAY)
    assert boards.sum_row(Tab.SCORE, DAYS, week) == Row(150, 0, 1, 0, 0, days=2)
    assert boards.sum_row(Tab.TIME, DAYS, week) == Row(-50, 30_000, 1, 0, 0, days=1)


def test_all_days_add_up_without_bounds() -> None:
    assert boards.sum_row(Tab.SCORE, DAYS, None) == Row(250, 0, 2, 0, 0, days=3)
    assert boards.sum_row(Tab.TIME, DAYS, None) == Row(50, 40_000, 2, 0, 0, days=2)


def test_nothing_adds_up_to_no_row() -> None:
    assert boards.sum_row(Tab.SCORE, {}, None) is None
    assert boards.sum_row(Tab.TIME, {DAY: DayResult(1, False, 1)}, None) is None


@given(st.dictionaries(st.integers(0, 400).map(daily.nth), st.builds(DayResult, scores, st.booleans(), times)))
def test_one_more_day_never_makes_fewer(days: dict[Day, DayResult]) -> None:
    """What `grown` of the store relies on: of two sums of one player, the later has no fewer days."""
    sofar: dict[Day, DayResult] = {}
    counts = []
    for day, result in days.items():
        sofar[day] = result
        counts.append([row.days if (row := boards.sum_row(tab, sofar, None)) else 0 for tab in Tab])
    assert counts == sorted(counts)


def test_rows_are_packed_by_what_their_board_ranks() -> None:
    row = Row(520, 250_000, 1, 40, 120, 3)
    assert boards.packed(Period.DAY, Tab.SCORE, row) == boards.pack_score(520, 250_000)
    assert boards.packed(Period.DAY, Tab.TIME, row) == boards.pack_time(250_000)
    assert boards.packed(Period.RACE, Tab.TIME, row) == boards.pack_time(250_000)
    for period in boards.SUMS:
        assert boards.packed(period, Tab.SCORE, row) == boards.pack_sum(520)
        assert boards.packed(period, Tab.TIME, row) == boards.pack_days(3, 250_000)


@pytest.mark.parametrize(
    ("lower", "players", "expected"), [(0, 1, -1), (0, 2, 0), (1, 2, 100), (2, 4, 66), (999, 1000, 100)]
)
def test_a_percentile_is_the_share_of_all_others_who_have_less(lower: int, players: int, expected: int) -> None:
    assert boards.percentile(lower, players) == expected
