"""A day is a UTC date, the same for everybody, computed once (ruling 25, findings L8, L9)."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ruleset import RULESETS
from server.core import daily
from server.core.daily import Day, Streak


def ms(text: str) -> int:
    """The instant of an ISO time with its zone, e.g. `2026-07-29T23:59:59.999+00:00`."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)


instants = st.integers(ms("2000-01-01T00:00+00:00"), ms("2999-12-31T00:00+00:00"))
days = instants.map(daily.day_of)


def test_every_daily_is_a_ruleset_and_the_headline_is_one_of_them() -> None:
    assert set(daily.DAILY) <= set(RULESETS)
    assert daily.HEADLINE == "DS1-D1N"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2026-07-29", "2026-07-30"),
        ("2026-07-31", "2026-08-01"),
        ("2028-02-28", "2028-02-29"),
        ("2028-02-29", "2028-03-01"),
        ("2026-02-28", "2026-03-01"),
        ("2026-12-31", "2027-01-01"),
        ("2026-03-28", "2026-03-29"),
    ],
    ids=["midnight", "month end", "leap day begins", "leap day ends", "no leap day", "year end", "clocks change"],
)
def test_a_millisecond_parts_two_days(before: str, after: str) -> None:
    midnight = ms(f"{after}T00:00+00:00")
    assert (daily.day_of(midnight - 1), daily.day_of(midnight)) == (before, after)
    assert daily.end_ms(Day(before)) == daily.start_ms(Day(after)) == midnight


def test_the_day_does_not_depend_on_where_one_is() -> None:
    """One instant is one day, though it is 29, 30 and 31 July on the walls around the world."""
    instant = datetime(2026, 7, 30, 10, 30, tzinfo=UTC)
    walls = [instant.astimezone(timezone(timedelta(hours=hours))) for hours in (-11, -10, 0, 5, 13, 14)]
    assert {wall.date().isoformat() for wall in walls} == {"2026-07-29", "2026-07-30", "2026-07-31"}
    assert {daily.day_of(round(wall.timestamp() * 1000)) for wall in walls} == {"2026-07-30"}


ACROSS = (
    "2026-07-31T23:59:59.999", "2026-08-01T00:00", "2028-02-29T00:00", "2028-02-29T23:59:59.999", "2028-03-01T01:59",
)  # fmt: skip
TELL = """
import sys
from server.core import daily
for at_ms in map(int, sys.argv[1:]):
    day = daily.day_of(at_ms)
    print(day, daily.start_ms(day), daily.end_ms(day), daily.final_ms(day), daily.week_days(day), daily.month_days(day))
"""
"""Everything of a day, from instants."""


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"], ids=["14 h ahead", "11 h behind"])
def test_a_process_in_another_time_zone_has_the_same_days(zone: str) -> None:
    instants_ms = [str(ms(f"{text}+00:00")) for text in ACROSS]
    told = [
        subprocess.run(
            [sys.executable, "-c", f"import time\nassert time.timezone == {offset_s}\n{TELL}", *instants_ms],
            env={**os.environ, "TZ": name}, capture_output=True, text=True, check=True, timeout=60,
        ).stdout
        for name, offset_s in ((zone, -14 * 3600 if "Kiri" in zone else 11 * 3600), ("UTC", 0))
    ]  # fmt: skip
    assert told[0] == told[1]
    assert [line.split()[0] for line in told[0].splitlines()] == [text[:10] for text in ACROSS]


@given(instants)
def test_days_are_numbered_one_after_the_other(at_ms: int) -> None:
    day = daily.day_of(at_ms)
    assert daily.parse_day(day) == day
    assert daily.nth(daily.number(day)) == day
    assert daily.start_ms(day) <= at_ms < daily.end_ms(day)
    assert daily.day_of(daily.end_ms(day)) == daily.nth(daily.number(day) + 1)


@given(instants)
def test_an_attempt_begins_on_the_day_and_ends_before_two_o_clock(at_ms: int) -> None:
    day = daily.day_of(at_ms)
    final_ms = daily.final_ms(day)
    assert daily.begins(day, at_ms)
    assert not daily.begins(day, daily.start_ms(day) - 1)
    assert not daily.begins(day, daily.end_ms(day))
    assert not daily.is_final(day, final_ms - 1)
    assert daily.is_final(day, final_ms)
    assert final_ms - daily.end_ms(day) == 2 * 3_600_000
    assert final_ms - at_ms <= daily.LONGEST_MS < 2**32


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-7-29",
        "20260729",
        "2026-W31-3",
        "2026-02-29",
        "2026-13-01",
        "1999-12-31",
        "\u0662026-07-29",
        "2026-07-29 ",
    ],
)
def test_a_day_is_written_in_one_way(text: str) -> None:
    assert daily.parse_day(text) is None


# ---------------------------------------------------------------- weeks and months


@pytest.mark.parametrize(
    ("day", "week"),
    [
        ("2026-07-29", "2026-W31"),
        ("2026-12-31", "2026-W53"),
        ("2027-01-01", "2026-W53"),
        ("2027-01-03", "2026-W53"),
        ("2027-01-04", "2027-W01"),
        ("2024-12-30", "2025-W01"),
    ],
)
def test_the_days_around_new_year_belong_to_one_week(day: str, week: str) -> None:
    assert daily.week_of(Day(day)) == week


@given(days)
def test_a_week_has_seven_days_of_one_name(day: Day) -> None:
    first, last = daily.week_days(day)
    week = [daily.nth(daily.number(first) + at) for at in range(7)]
    assert week[-1] == last
    assert day in week
    assert {daily.week_of(each) for each in week} == {daily.week_of(day)}
    assert daily.week_of(daily.nth(daily.number(last) + 1)) != daily.week_of(day)


@given(days)
def test_a_month_has_the_days_of_its_name(day: Day) -> None:
    first, last = daily.month_days(day)
    assert first <= day <= last
    assert daily.month_of(first) == daily.month_of(last) == daily.month_of(day)
    assert daily.month_of(daily.nth(daily.number(first) - 1)) != daily.month_of(day)
    assert daily.month_of(daily.nth(daily.number(last) + 1)) != daily.month_of(day)


# ---------------------------------------------------------------- streaks

TODAY = Day("2026-03-01")


def back(*days_ago: int) -> list[Day]:
    return [daily.nth(daily.number(TODAY) - ago) for ago in days_ago]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([], Streak(0, 0, False)),
        (back(0), Streak(1, 1, True)),
        (back(1), Streak(1, 1, False)),
        (back(2), Streak(0, 1, False)),
        (back(2, 1, 0), Streak(3, 3, True)),
        (back(3, 2, 1), Streak(3, 3, False)),
        (back(9, 8, 7, 6, 1, 0), Streak(2, 4, True)),
        (back(0, 0, 1, 1, 0), Streak(2, 2, True)),
    ],
    ids=["none", "today", "yesterday", "broken", "three", "not yet today", "best was earlier", "two dailies a day"],
)
def test_a_streak_is_days_in_a_row_up_to_today_or_yesterday(days: list[Day], expected: Streak) -> None:
    assert daily.streak(days, TODAY) == expected
    assert daily.streak(reversed(days), TODAY) == expected


def test_a_traveller_who_plays_each_utc_day_keeps_the_streak() -> None:
    """Seven days, the last of them after a flight from UTC+14 to UTC−11."""
    east = [f"2026-07-{day:02}T09:00+14:00" for day in range(2, 7)]
    west = ["2026-07-05T23:00-11:00", "2026-07-07T08:00-11:00"]
    days = [daily.day_of(ms(text)) for text in east + west]
    assert daily.streak(days, days[-1]).now == 7


@given(st.lists(st.integers(0, 60), max_size=60))
def test_a_streak_is_what_counting_backwards_gives(ago: list[int]) -> None:
    here = set(ago)
    first = 0 if 0 in here else 1
    expected = next(at for at in range(first, 70) if at not in here) - first
    found = daily.streak(back(*ago), TODAY)
    assert found.now == expected
    assert found.now <= found.best <= len(here)
