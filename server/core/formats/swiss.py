"""Swiss: duels of people with equal points, nobody twice against the same.

A win gives 2 points, a tie 1, a bye 2. The pairing is a maximum-weight matching (networkx): everybody is
paired if that is possible at all; then nobody has a second bye, then there is no rematch, then points differ
as little as may be. With an odd number one entrant has the bye, the lower in the standings the sooner.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from server.core.formats.base import NOBODY, Draw, Field, Format, Runner, ordered
from server.core.ids import EntrantId
from server.core.tournament.record import Record, TournamentHeat
from server.wire.messages import TournamentOptions

WIN = 2
TIE = 1
BYE = 2
NEAR = 12
"""At first everybody is matched only with so many next to them: big fields stay quick."""
_NOBODY = EntrantId("")
"""Who has the bye is paired with nobody."""
_REMATCH = 10**9
_SECOND_BYE = 10**13


def _sound(options: TournamentOptions) -> bool:
    return options.rounds >= 1 and options.heat == 2


def _draw(field: Field) -> Draw:
    order = ordered(field.runners, field.points)
    if len(order) < 2:
        return NOBODY
    met, byes = field.record.meetings(), field.record.byes()
    near = NEAR
    while True:
        costs = dict(_costs(order, field.points, met, byes, near))
        pairs = _matched(costs)
        everybody = 2 * len(pairs) >= len(order)
        if near >= len(order) or (everybody and all(costs[pair] < _REMATCH for pair in pairs)):
            break
        near *= 4
    place = {one.entrant: at for at, one in enumerate(order)}
    duels = sorted((place[one], place[other]) for one, other in pairs if _NOBODY not in (one, other))
    resting = tuple(one for one, other in pairs if other == _NOBODY)
    return Draw(tuple((order[one].entrant, order[other].entrant) for one, other in duels), resting)


def _costs(
    order: list[Runner],
    points: dict[EntrantId, int],
    met: set[frozenset[EntrantId]],
    byes: dict[EntrantId, int],
    near: int,
) -> Iterator[tuple[tuple[EntrantId, EntrantId], int]]:
    """What each possible pair costs: the better placed first, nobody second."""
    for at, one in enumerate(order):
        for other in order[at + 1 : at + 1 + near]:
            apart = points.get(one.entrant, 0) - points.get(other.entrant, 0)
            again = frozenset((one.entrant, other.entrant)) in met
            yield (one.entrant, other.entrant), again * _REMATCH + apart * apart
    if len(order) % 2:
        for above, one in enumerate(reversed(order)):
            yield (one.entrant, _NOBODY), byes.get(one.entrant, 0) * _SECOND_BYE + above * above


def _matched(costs: dict[tuple[EntrantId, EntrantId], int]) -> list[tuple[EntrantId, EntrantId]]:
    """The cheapest of the matchings that pair as many as can be."""
    networkx = _networkx()
    graph = networkx.Graph()
    most = max(costs.values(), default=0) + 1
    for (one, other), cost in costs.items():
        graph.add_edge(one, other, weight=most - cost)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted(pair if pair in costs else (pair[1], pair[0]) for pair in found)


def _networkx() -> Any:
    """A tenth of a second and eleven megabytes, for who holds a Swiss tournament only."""
    import networkx

    return networkx


def _over(field: Field) -> bool:
    return field.next_round > field.options.rounds


def duel_points(heat: TournamentHeat) -> dict[EntrantId, int]:
    """2 for who is alone in first place, 1 for sharing it, nothing for a no-show."""
    firsts = [row.entrant for row in heat.rows or () if row.place == 1 and not row.absent]
    return dict.fromkeys(firsts, WIN if len(firsts) == 1 else TIE)


def _points(record: Record) -> dict[EntrantId, int]:
    total = {entrant: BYE * count for entrant, count in record.byes().items()}
    for heat in record.counted():
        for entrant, points in duel_points(heat).items():
            total[entrant] = total.get(entrant, 0) + points
    return total


SWISS = Format(
    id="swiss", sound=_sound, draw=_draw, over=_over, points=_points,
    tie_breaks=("direct", "buchholz", "sonneborn_berger", "total_out"), prepare=_networkx,
)  # fmt: skip
