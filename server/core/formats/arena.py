"""Arena: for a fixed time, whoever is free races whoever else is, each heat with a new deal.

A win (alone in first place) gives 2 points, sharing first place 1. After two wins in a row further wins count
double, until a heat is not won. Points near each other meet; the last opponents meet again only when nobody
else has been free for a while.
"""

from __future__ import annotations

from server.core.formats.base import NOBODY, Draw, Field, Format, Runner, ordered
from server.core.ids import EntrantId
from server.core.tournament.record import Record
from server.wire.messages import TournamentOptions

WIN = 2
SHARED = 1
STREAK = 2
"""Wins in a row after which a win counts double."""
GATHER_MS = 4_000
"""Who has become free waits so long for others."""
AGAIN_MS = 20_000
"""After this a rematch is better than waiting."""
MINUTE_MS = 60_000


def _sound(options: TournamentOptions) -> bool:
    return options.arena_minutes >= 1 and options.minutes >= 1


def ends_ms(field: Field) -> int:
    """No heat is drawn from then on."""
    return field.started_ms + field.options.arena_minutes * MINUTE_MS


def _draw(field: Field) -> Draw:
    """One heat, of the longest waiting and those nearest to them in points."""
    if field.at_ms >= ends_ms(field):
        return NOBODY
    groups = _groups(field)
    ready = [group for since, group in groups if field.at_ms >= since]
    return Draw((ready[0],)) if ready else NOBODY


def _groups(field: Field) -> list[tuple[int, tuple[EntrantId, ...]]]:
    """From when on which heat may be drawn, if nobody else becomes free."""
    if len(field.runners) < 2:
        return []
    first = min(field.runners, key=lambda one: (one.free_ms, one.seed))
    before = _last_opponents(field.record, first.entrant)
    others = [one for one in _nearest(field, first) if one.entrant not in before]
    if len(field.runners) > len(others) + 1:
        rivals = _nearest(field, first)[: field.options.heat - 1]
        again = (first.free_ms + AGAIN_MS, _heat(first, rivals, field))
    else:
        again = None
    found = [again] if again is not None else []
    if others:
        rivals = others[: field.options.heat - 1]
        waited = max(min(one.free_ms for one in rivals), first.free_ms)
        found.append((waited + GATHER_MS, _heat(first, rivals, field)))
    return sorted(found)


def _nearest(field: Field, first: Runner) -> list[Runner]:
    own = field.points.get(first.entrant, 0)
    others = [one for one in field.runners if one is not first]
    return sorted(others, key=lambda one: (abs(field.points.get(one.entrant, 0) - own), one.free_ms, one.seed))


def _heat(first: Runner, rivals: list[Runner], field: Field) -> tuple[EntrantId, ...]:
    return tuple(one.entrant for one in ordered([first, *rivals], field.points))


def _last_opponents(record: Record, entrant: EntrantId) -> set[EntrantId]:
    for number in reversed(record.rounds):
        for heat in number.heats:
            if entrant in heat.entrants:
                return set(heat.entrants) - {entrant}
    return set()


def _wakes(field: Field) -> int | None:
    if field.at_ms >= ends_ms(field):
        return None
    return min((since for since, _ in _groups(field) if since < ends_ms(field)), default=None)


def _over(field: Field) -> bool:
    return field.at_ms >= ends_ms(field)


def _points(record: Record) -> dict[EntrantId, int]:
    total: dict[EntrantId, int] = {}
    streaks: dict[EntrantId, int] = {}
    for heat in sorted(record.counted(), key=lambda one: (one.reported_ms, one.room)):
        firsts = [row.entrant for row in heat.rows or () if row.place == 1 and not row.absent]
        for row in heat.rows or ():
            streak = streaks.get(row.entrant, 0)
            if firsts == [row.entrant]:
                total[row.entrant] = total.get(row.entrant, 0) + WIN * (2 if streak >= STREAK else 1)
                streaks[row.entrant] = streak + 1
                continue
            streaks[row.entrant] = 0
            if row.entrant in firsts:
                total[row.entrant] = total.get(row.entrant, 0) + SHARED
    return total


ARENA = Format(
    id="arena", sound=_sound, draw=_draw, over=_over, points=_points,
    tie_breaks=("first_places", "direct", "total_out"), overlapping=True, wakes=_wakes, ends=ends_ms,
)  # fmt: skip
