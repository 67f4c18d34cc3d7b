"""The day of a daily deal: when it begins, ends and is final, and what is counted in days (ruling 25).

Lives here: from an instant to a UTC date and back, weeks and months, streaks; which rulesets have a daily.
Lives elsewhere: attempts and their boards (services), places (`boards`). Nothing here knows the time: every
function takes it, so that one instant, read once, decides everything that follows from it (findings L8, L9).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NewType

Day = NewType("Day", str)
"""A UTC date as `2026-07-29`: the name of a day's deals."""

DAILY: Final = ("DS1-D1N", "DS1-D3N", "DS1-D1V", "SS1-D3N")
"""Rulesets that have a deal every day; the first is the headline (P6)."""
HEADLINE: Final = DAILY[0]
DAY_MS: Final = 86_400_000
FINAL_AFTER_MS: Final = 7_200_000
"""What was begun on the day may be finished until so long after its end."""
LONGEST_MS: Final = DAY_MS + FINAL_AFTER_MS
"""No attempt lasts longer."""

_EPOCH: Final = date(1970, 1, 1)
_DAY: Final = re.compile(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}")


def day_of(at_ms: int) -> Day:
    """The day to which an instant (ms since the Unix epoch, ≥ 0) belongs."""
    return Day((_EPOCH + timedelta(days=at_ms // DAY_MS)).isoformat())


def parse_day(text: str) -> Day | None:
    """The day that a text names, in this one form and in the years 2000 to 2999; None for anything else."""
    if _DAY.fullmatch(text) is None:
        return None
    try:
        return Day(date.fromisoformat(text).isoformat())
    except ValueError:
        return None


def number(day: Day) -> int:
    """Days since the Unix epoch: consecutive days have consecutive numbers."""
    return (date.fromisoformat(day) - _EPOCH).days


def nth(days: int) -> Day:
    """The day with this number: the inverse of `number`."""
    return Day((_EPOCH + timedelta(days=days)).isoformat())


def start_ms(day: Day) -> int:
    """The first instant of the day."""
    return number(day) * DAY_MS


def end_ms(day: Day) -> int:
    """The first instant of the next day: from then on nobody can begin."""
    return start_ms(day) + DAY_MS


def final_ms(day: Day) -> int:
    """From when on nothing of the day changes any more: deadline of every attempt, and the reveal."""
    return end_ms(day) + FINAL_AFTER_MS


def is_final(day: Day, now_ms: int) -> bool:
    """Whether code and replays of the day may be shown."""
    return now_ms >= final_ms(day)


def begins(day: Day, now_ms: int) -> bool:
    """Whether an attempt at the day's deals may be begun now: on the day and at no other time."""
    return day_of(now_ms) == day


# ---------------------------------------------------------------- weeks and months


def week_of(day: Day) -> str:
    """The ISO week, e.g. `2026-W31`. The days around New Year may belong to a week of the other year."""
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year}-W{week:02}"


def month_of(day: Day) -> str:
    """The month, e.g. `2026-07`."""
    return day[:7]


def week_days(day: Day) -> tuple[Day, Day]:
    """Monday and Sunday of the day's week."""
    monday = number(day) - date.fromisoformat(day).weekday()
    return nth(monday), nth(monday + 6)


def month_days(day: Day) -> tuple[Day, Day]:
    """First and last day of the day's month."""
    first = date.fromisoformat(day).replace(day=1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return Day(first.isoformat()), Day(last.isoformat())


# ---------------------------------------------------------------- streaks


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row with a daily result."""

    now: int
    """The row that goes on today: it is kept up by a result of today or yesterday."""
    best: int
    today: bool
    """There is a result of today."""


def streak(days: Iterable[Day], today: Day) -> Streak:
    """The streak of somebody with results of these days, in any order and any number a day."""
    numbers = sorted({number(day) for day in days})
    row = best = 0
    last: int | None = None
    for this in numbers:
        row = row + 1 if last is not None and this == last + 1 else 1
        best = max(best, row)
        last = this
    here = number(today)
    goes_on = last is not None and last >= here - 1
    return Streak(row if goes_on else 0, best, last == here)
