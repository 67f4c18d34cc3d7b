"""Tie-breaks: what decides between entrants with equal points, as a table.

What lives here: `TIEBREAKS`, each entry with its name, its rule in a sentence, a link to the rule it follows
where there is one, and its function. What does not: which format uses which (`server.core.formats`), and
applying them (`server.core.tournament.table`). To add one: one entry.

A function answers a value for each entrant of the group that is tied so far; more is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from server.core.ids import EntrantId
from server.core.standings import WON
from server.core.tournament.record import Record, Row, round_places

Values: TypeAlias = dict[EntrantId, int]
Points: TypeAlias = dict[EntrantId, int]
FIDE = "https://handbook.fide.com/chapter/TieBreakRegulations082024"
"""The handbook from which the usual tie-breaks of duels are taken, applied to heats of any size."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One way to tell equals apart."""

    id: str
    name: str
    rule: str
    """In one sentence."""
    link: str
    """Where the rule is written down; empty when the sentence is all of it."""
    values: Callable[[Record, Points, frozenset[EntrantId]], Values]


def _rows(record: Record) -> Iterable[Row]:
    return (row for heat in record.counted() for row in heat.rows or () if not row.absent)


def _first_places(record: Record, _: Points, group: frozenset[EntrantId]) -> Values:
    total = dict.fromkeys(group, 0)
    for heat in record.counted():
        firsts = {row.entrant for row in heat.rows or () if row.place == 1 and not row.absent}
        for entrant in group & firsts:
            total[entrant] += 1
    return total


def _best_place(record: Record, _: Points, group: frozenset[EntrantId]) -> Values:
    return _best([round_places(number, record.goal) for number in record.rounds], group)


def _best(places: list[dict[EntrantId, int]], group: frozenset[EntrantId]) -> Values:
    never = max((len(one) for one in places), default=0) + 1
    return {entrant: -min((one.get(entrant, never) for one in places), default=never) for entrant in group}


def _total_out(record: Record, _: Points, group: frozenset[EntrantId]) -> Values:
    total = dict.fromkeys(group, 0)
    for row in _rows(record):
        if row.entrant in total:
            total[row.entrant] += row.out
    return total


def _total_time(record: Record, _: Points, group: frozenset[EntrantId]) -> Values:
    """A round without a win counts with the round's whole time."""
    total = dict.fromkeys(group, 0)
    for number in record.rounds:
        if not number.rows():
            continue
        won = {row.entrant: row.at_ms for row in number.rows() if row.ended == WON}
        limit = number.minutes * 60_000 + max(0, number.extra_ms)
        for entrant in group:
            total[entrant] -= min(won.get(entrant, limit), limit)
    return total


def _pairs(record: Record) -> Iterable[tuple[Row, Row]]:
    """Every two who raced in one heat that counts, both ways."""
    for heat in record.counted():
        for row in heat.rows or ():
            for other in heat.rows or ():
                if row is not other:
                    yield row, other


def _beat(row: Row, other: Row) -> int:
    """2: was before the other; 1: beside; 0: behind or not there."""
    if row.absent or row.place > other.place:
        return 0
    return 2 if row.place < other.place or other.absent else 1


def _direct(record: Record, _: Points, group: frozenset[EntrantId]) -> Values:
    total = dict.fromkeys(group, 0)
    met: set[frozenset[EntrantId]] = set()
    for row, other in _pairs(record):
        if row.entrant in group and other.entrant in group:
            total[row.entrant] += _beat(row, other)
            met.add(frozenset((row.entrant, other.entrant)))
    everybody_met = len(met) == len(group) * (len(group) - 1) // 2
    return total if everybody_met else dict.fromkeys(group, 0)


def _buchholz(record: Record, points: Points, group: frozenset[EntrantId]) -> Values:
    total = dict.fromkeys(group, 0)
    for row, other in _pairs(record):
        if row.entrant in group:
            total[row.entrant] += points.get(other.entrant, 0)
    for entrant, byes in record.byes().items():
        if entrant in group:
            total[entrant] += byes * points.get(entrant, 0)
    return total


def _sonneborn_berger(record: Record, points: Points, group: frozenset[EntrantId]) -> Values:
    """Twice the usual value, so that it is a whole number."""
    total = dict.fromkeys(group, 0)
    for row, other in _pairs(record):
        if row.entrant in group:
            total[row.entrant] += _beat(row, other) * points.get(other.entrant, 0)
    for entrant, byes in record.byes().items():
        if entrant in group:
            total[entrant] += 2 * byes * points.get(entrant, 0)
    return total


def _last_place(record: Record, _: Points, group: frozenset[EntrantId]) -> Values:
    last: Values = dict.fromkeys(group, 0)
    for number in record.rounds:
        for entrant in group & set(number.byes):
            last[entrant] = -1
        for heat in number.heats:
            for row in heat.rows or ():
                if row.entrant in group:
                    last[row.entrant] = -row.place
    return last


def _last_result(record: Record, _: Points, group: frozenset[EntrantId]) -> Values:
    last: Values = dict.fromkeys(group, 0)
    for number in record.rounds:
        places = round_places(number, record.goal)
        absent = len(places) + 1
        for row in number.rows():
            if row.entrant in group:
                last[row.entrant] = -places.get(row.entrant, absent)
    return last


TIEBREAKS: dict[str, TieBreak] = {
    one.id: one
    for one in (
        TieBreak("first_places", "First places", "Heats in which one was first, alone or with others.", "",
                 _first_places),
        TieBreak("best_place", "Best place", "The best place in any one round.", "", _best_place),
        TieBreak("total_out", "Cards out", "Cards on the foundations, all heats together.", "", _total_out),
        TieBreak("total_time", "Time", "Time of all rounds together; a round not won counts with its whole limit.",
                 "", _total_time),
        TieBreak("direct", "Direct encounter",
                 "Results among those who are equal, if each of them has met each other one.", FIDE, _direct),
        TieBreak("buchholz", "Buchholz", "Points of all opponents; in place of an opponent, a bye has one's own.",
                 FIDE, _buchholz),
        TieBreak("sonneborn_berger", "Sonneborn-Berger",
                 "Points of everybody one beat, and half the points of everybody one tied with, doubled.", FIDE,
                 _sonneborn_berger),
        TieBreak("last_place", "Last heat", "Place in the last heat one raced in.", "", _last_place),
        TieBreak("last_result", "Last round", "Place among all boards of the last round one raced in.", "",
                 _last_result),
    )
}  # fmt: skip
