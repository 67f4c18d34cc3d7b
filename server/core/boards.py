"""Leaderboards: their names, the order of their rows, and what a result adds to which board (P6, ruling 25).

Lives here: packing what is shown into the one number that ranks it, and sums over days.
Lives elsewhere: storing and reading boards (server.store.boards), days (`daily`), the chart (`chart`).

A bigger packed number is a better place, equal numbers are equal places, and the number holds exactly what
decides: nothing hidden (no id, no name, no order of arrival) separates two rows. Every packed number is a whole
number from 0 to 2⁵³ − 1, so that the store's doubles hold it exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import msgspec

from server.core import daily
from server.core.daily import Day

TIME_BITS: Final = 27
"""One time: up to 37 hours in milliseconds; the longest attempt takes 26."""
SCORE_OFFSET: Final = 1 << 15
"""Added to one score, which may be negative (Vegas)."""
SUM_OFFSET: Final = 1 << 40
"""Added to a sum of scores."""
TOTAL_BITS: Final = 40
"""A sum of times: 34 years of play."""
MOST_DAYS: Final = (1 << 13) - 1
"""Days that a sum may have: 22 years without a gap."""


class Tab(StrEnum):
    """The two orders."""

    SCORE = "score"
    TIME = "time"


class Period(StrEnum):
    """What a board covers."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    ALL = "all"
    """All daily deals of a ruleset."""
    RACE = "race"
    """The best time each player won a race of rooms in; by time only."""


SUMS: Final = (Period.WEEK, Period.MONTH, Period.ALL)
"""Boards that add up days."""


class Row(msgspec.Struct, array_like=True, frozen=True):
    """What a board keeps and shows of one player. Fields are only ever appended, with a default; `grown` of
    the store's script reads `days` by its index."""

    score: int
    """Points, or the sum of the days' points."""
    time_ms: int
    """By score: when the score was reached. By time: how long it took, or the sum over the days won. Sums by
    score: 0."""
    won: int
    """Days or games won."""
    out: int
    """Cards on the foundations; 0 for sums."""
    moves: int
    """Counted moves; 0 for sums."""
    days: int = 1
    """Days counted."""
    game: str = ""
    """The attempt, or the heat; empty for sums."""
    flags: tuple[str, ...] = ()
    """See `pace`."""
    where: str = ""
    """Races: room, seat and undo policy, by which the log is found again: `<room>:<seat>:<undo>`."""


DAYS_FIELD: Final = Row.__struct_fields__.index("days") + 1
"""Index of `days` for a script of the store, which counts from 1."""


class DayResult(msgspec.Struct, array_like=True, frozen=True):
    """What one day of one ruleset adds to a player's sums."""

    score: int
    won: bool
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class Result:
    """One ranked board that has ended, replayed from its log. Times count from the gun."""

    ruleset: str
    ended: str
    """won, resigned, abandoned or time_up."""
    out: int
    score: int
    moves: int
    elapsed_ms: int
    """When it ended."""
    at_ms: int
    """When it last came to its score."""
    game: str
    """Id of the attempt, or of the heat."""
    flags: tuple[str, ...] = ()

    @property
    def won(self) -> bool:
        """All cards are out."""
        return self.ended == "won"

    @property
    def of_day(self) -> DayResult:
        """What it adds to sums."""
        return DayResult(self.score, self.won, self.elapsed_ms)


# ---------------------------------------------------------------- names


def name(period: Period, day: Day, ruleset: str, tab: Tab) -> str:
    """The board of this period around `day`, e.g. `w.2026-W31.DS1-D1N.time` (`day` means nothing to ALL, RACE)."""
    match period:
        case Period.DAY:
            return f"d.{day}.{ruleset}.{tab}"
        case Period.WEEK:
            return f"w.{daily.week_of(day)}.{ruleset}.{tab}"
        case Period.MONTH:
            return f"m.{daily.month_of(day)}.{ruleset}.{tab}"
        case Period.ALL:
            return f"a.{ruleset}.{tab}"
        case Period.RACE:
            return f"r.{ruleset}.{Tab.TIME}"


def span(period: Period, day: Day) -> tuple[Day, Day] | None:
    """First and last day that the board around `day` covers; None: no bounds."""
    match period:
        case Period.DAY:
            return day, day
        case Period.WEEK:
            return daily.week_days(day)
        case Period.MONTH:
            return daily.month_days(day)
    return None


# ---------------------------------------------------------------- packing


def _within(value: int, limit: int, what: str) -> int:
    if not 0 <= value < limit:
        raise ValueError(f"{what} out of range: {value}")
    return value


def pack_time(time_ms: int) -> int:
    """Shorter is better."""
    return (1 << TIME_BITS) - 1 - _within(time_ms, 1 << TIME_BITS, "time")


def pack_score(score: int, time_ms: int) -> int:
    """More points are better, then the shorter time."""
    return _within(score + SCORE_OFFSET, 2 * SCORE_OFFSET, "score") << TIME_BITS | pack_time(time_ms)


def pack_sum(score: int) -> int:
    """More points are better."""
    return _within(score + SUM_OFFSET, 2 * SUM_OFFSET, "sum of scores")


def pack_days(days: int, time_ms: int) -> int:
    """More days won are better, then the shorter time in all."""
    total = (1 << TOTAL_BITS) - 1 - _within(time_ms, 1 << TOTAL_BITS, "sum of times")
    return _within(days, MOST_DAYS + 1, "days") << TOTAL_BITS | total


def packed(period: Period, tab: Tab, row: Row) -> int:
    """The number that ranks a row on a board of this kind. ValueError when a value is out of range."""
    if period in SUMS:
        return pack_sum(row.score) if tab is Tab.SCORE else pack_days(row.days, row.time_ms)
    return pack_score(row.score, row.time_ms) if tab is Tab.SCORE else pack_time(row.time_ms)


# ---------------------------------------------------------------- rows


def result_row(tab: Tab, result: Result, where: str = "") -> Row | None:
    """The row of one result on the board of its day (or of races); None: it does not stand there (not won)."""
    if tab is Tab.TIME and not result.won:
        return None
    time_ms = result.at_ms if tab is Tab.SCORE else result.elapsed_ms
    return Row(
        result.score, time_ms, int(result.won), result.out, result.moves,
        game=result.game, flags=result.flags, where=where,
    )  # fmt: skip


def sum_row(tab: Tab, days: Mapping[Day, DayResult], covers: tuple[Day, Day] | None) -> Row | None:
    """The row of a player's days within `covers`; None: no day counts."""
    counted = [one for day, one in days.items() if covers is None or covers[0] <= day <= covers[1]]
    won = [one for one in counted if one.won]
    if tab is Tab.TIME:
        counted = won
    if not counted:
        return None
    time_ms = sum(one.elapsed_ms for one in won) if tab is Tab.TIME else 0
    return Row(sum(one.score for one in counted), time_ms, len(won), 0, 0, days=len(counted))


def percentile(lower: int, players: int) -> int:
    """Of all others, how many in a hundred have less, rounded down (ruling 26); −1: there is nobody else.

    `lower` of `players` (the one in question included) have less.
    """
    return 100 * lower // (players - 1) if players > 1 else -1
