"""League: everybody plays every round's deal.

Points by place: with r entrants in the biggest round, place p gives r − p + 1, so that a first place is worth
the same in every round. Points by score: the sum of the scores. Who was not there has nothing for that round.
"""

from __future__ import annotations

from server.core.formats.base import NOBODY, Draw, Field, Format
from server.core.ids import EntrantId
from server.core.tournament.record import Record, Round, round_places
from server.wire.messages import TournamentOptions

BY_SCORE = "score"


def _sound(options: TournamentOptions) -> bool:
    return options.rounds >= 1


def _draw(field: Field) -> Draw:
    everybody = tuple(one.entrant for one in field.runners)
    return Draw((everybody,)) if len(everybody) > 1 else NOBODY


def _over(field: Field) -> bool:
    return field.next_round > field.options.rounds


def _points(record: Record) -> dict[EntrantId, int]:
    total: dict[EntrantId, int] = {}
    biggest = max((len(number.entrants()) for number in record.rounds), default=0)
    for number in record.rounds:
        for entrant, points in _of_round(number, record, biggest).items():
            total[entrant] = total.get(entrant, 0) + points
    return total


def _of_round(number: Round, record: Record, biggest: int) -> dict[EntrantId, int]:
    if record.points == BY_SCORE:
        return {row.entrant: row.score for row in number.rows() if not row.absent}
    return {entrant: biggest - place + 1 for entrant, place in round_places(number, record.goal).items()}


LEAGUE = Format(
    id="league", sound=_sound, draw=_draw, over=_over, points=_points,
    tie_breaks=("first_places", "best_place", "total_out", "total_time"),
)  # fmt: skip
