"""Cup: heats of k, the best m go on, until one heat is left.

Seeding is by slots: whoever goes on takes the best slots of their heat, so that a cup of duels is the usual
bracket. Byes go to the best seeds, who have not had one yet. In duels they are all in the first round, as
many as make the rest a full bracket; in bigger heats there are as few as possible. Who is equal at the cut is
decided by slot, so that it is known before the race who goes on then.
"""

from __future__ import annotations

from server.core.formats.base import NOBODY, Draw, Field, Format
from server.core.ids import EntrantId
from server.core.tournament.record import Record, Round, TournamentHeat, rank
from server.wire.messages import TournamentOptions

DUEL = 2


def _sound(options: TournamentOptions) -> bool:
    return 1 <= options.advance < options.heat


def alive(field: Field) -> list[EntrantId]:
    """Who may still win, best slot first: the runners before the first round, later who went on."""
    free = {one.entrant: one.seed for one in field.runners}
    if not field.record.rounds:
        return sorted(free, key=free.__getitem__)
    slots = _slots(field)
    return [entrant for entrant in _went_on(field.record.rounds[-1], field, slots) if entrant in free]


def _slots(field: Field) -> dict[EntrantId, int]:
    """Each entrant's slot in the last round that was drawn, from 0."""
    first, *later = field.record.rounds
    slots = {entrant: at for at, entrant in enumerate(_as_drawn(first))}
    before = first
    for number in later:
        slots = {entrant: at for at, entrant in enumerate(_went_on(before, field, slots))}
        before = number
    return slots


def _as_drawn(number: Round) -> list[EntrantId]:
    """Entrants of the first round by slot, read back from its draw: `_snake` the other way."""
    most = max((len(heat.entrants) for heat in number.heats), default=0)
    drawn: list[EntrantId] = []
    for row in range(most):
        heats = number.heats if row % 2 == 0 else list(reversed(number.heats))
        drawn.extend(heat.entrants[row] for heat in heats if row < len(heat.entrants))
    return [*number.byes, *drawn]


def _went_on(number: Round, field: Field, slots: dict[EntrantId, int]) -> list[EntrantId]:
    """Who goes on from a round, by the slot that they take over."""
    taken = [(slots[entrant], entrant) for entrant in number.byes]
    for heat in number.heats:
        best = sorted(slots[entrant] for entrant in heat.entrants)
        taken.extend(zip(best, _advance(heat, field, slots), strict=False))
    return [entrant for _, entrant in sorted(taken)]


def _advance(heat: TournamentHeat, field: Field, slots: dict[EntrantId, int]) -> list[EntrantId]:
    """The best m of a heat; a no-show never goes on."""
    goal = field.record.goal
    shown = [row for row in heat.rows or () if not row.absent]
    shown.sort(key=lambda row: (rank(row, goal), slots[row.entrant]))
    return [row.entrant for row in shown[: field.options.advance]]


def _draw(field: Field) -> Draw:
    left = alive(field)
    if len(left) < DUEL:
        return NOBODY
    byes, heats = _shape(len(left), field.options.heat, field.options.advance)
    had = field.record.byes()
    slot = {entrant: at for at, entrant in enumerate(left)}
    resting = sorted(left, key=lambda one: (had.get(one, 0), slot[one]))[:byes]
    resting.sort(key=slot.__getitem__)
    racing = [entrant for entrant in left if entrant not in resting]
    return Draw(tuple(_snake(racing, heats)), tuple(resting))


def _shape(count: int, heat: int, advance: int) -> tuple[int, int]:
    """How many byes and how many heats for so many entrants."""
    if count <= heat:
        return 0, 1
    if heat == DUEL:
        byes = 2 ** (count - 1).bit_length() - count
        return byes, (count - byes) // DUEL
    for byes in range(count):
        heats = -(-(count - byes) // heat)
        if heats * (advance + 1) <= count - byes:
            return byes, heats
    raise AssertionError("one heat of advance + 1 is always to be had")


def _snake(entrants: list[EntrantId], heats: int) -> list[tuple[EntrantId, ...]]:
    """First to last heat, then back, and so on: the best meet as late as possible."""
    made: list[list[EntrantId]] = [[] for _ in range(heats)]
    for at, entrant in enumerate(entrants):
        lap, step = divmod(at, heats)
        made[step if lap % 2 == 0 else heats - 1 - step].append(entrant)
    return [tuple(heat) for heat in made]


def _over(field: Field) -> bool:
    """The final is played, or fewer than two are left."""
    if not field.record.rounds:
        return False
    last = field.record.rounds[-1]
    return (len(last.heats) == 1 and not last.byes) or len(alive(field)) < DUEL


def _points(record: Record) -> dict[EntrantId, int]:
    """One point for each round that one came to and was there for."""
    total: dict[EntrantId, int] = {}
    for number in record.rounds:
        absent = {row.entrant for row in number.rows() if row.absent}
        for entrant in (number.entrants() | set(number.byes)) - absent:
            total[entrant] = total.get(entrant, 0) + 1
    return total


CUP = Format(
    id="cup", sound=_sound, draw=_draw, over=_over, points=_points,
    tie_breaks=("last_place", "last_result"), late_entry=False,
)  # fmt: skip
