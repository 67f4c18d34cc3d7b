"""What of a tournament may be shown: the wire events that are built from its state.

What lives here: pure functions from `TournamentState` to frames. Deals are in the state only when they are open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from server.core.ids import EntrantId, RoomId
from server.core.tournament.state import Phase, Status, TournamentState, deadline_ms
from server.core.tournament.table import TableLine, begun, field
from server.core.tournament.upkeep import next_ms
from server.wire import messages as wire

PAGE = 20
"""Rows of a page of standings: a frame stays small."""


def info(state: TournamentState, at_ms: int) -> wire.TournamentInfo:
    """The tournament as a whole, the same for everybody."""
    last = state.rounds[-1] if state.rounds else None
    heats = [heat for number in state.open_rounds() for heat in number.heats]
    ends = state.format.ends(field(state, at_ms)) if state.started_ms is not None else None
    everybody = state.entrants.values()
    sentence, sentence_ms = state.announced or (-1, 0)
    return wire.TournamentInfo(
        code=state.code,
        options=state.options,
        phase=state.phase(at_ms).value,
        entrants=state.taken(),
        waiting=sum(one.status is Status.WAITING for one in everybody),
        checked=sum(one.checked and one.plays for one in everybody),
        start_ms=state.started_ms or state.start_ms,
        check_in_ms=state.check_in_from() or 0,
        next_ms=next_ms(state) or 0,
        round=len(state.rounds),
        rounds=state.rounds_limit if state.options.format in ("league", "swiss") else 0,
        heats=len(heats),
        reported=sum(not heat.open for heat in heats),
        gun_ms=0 if last is None else last.gun_ms,
        deadline_ms=ends or (0 if last is None else deadline_ms(last)),
        late=state.late_open(),
        sentence=sentence,
        sentence_ms=sentence_ms,
        version=state.version,
    )


def you(
    state: TournamentState, entrant: EntrantId, line: TableLine | None, is_there: Callable[[RoomId], bool]
) -> wire.TournamentYou:
    """How a person stands to it. `is_there`: the room of a heat can be entered."""
    known = state.entrants.get(entrant)
    racing = None if known is None else state.racing(entrant)
    if racing is not None and not is_there(racing[1].room):
        racing = None
    number = racing[0] if racing is not None else state.rounds[-1] if state.rounds else None
    return wire.TournamentYou(
        status="" if known is None else known.status.value,
        checked=known is not None and (known.checked or not state.check_in_ms),
        room="" if racing is None else racing[1].code,
        round=0 if number is None else number.number,
        gun_ms=0 if number is None else number.gun_ms,
        bye=number is not None and entrant in number.byes,
        place=0 if line is None or not begun(state) else line.place,
        points=0 if line is None else line.points,
        queue=_queue(state, entrant) if known is not None and known.status is Status.WAITING else 0,
    )


def _queue(state: TournamentState, entrant: EntrantId) -> int:
    waiting = [one.id for one in state.entrants.values() if one.status is Status.WAITING]
    return waiting.index(entrant) + 1


def rows(state: TournamentState, lines: Sequence[TableLine]) -> list[wire.StandingRow]:
    """Lines of the standings with who they are about; without places before anything has counted."""
    counts = begun(state)
    played: dict[EntrantId, int] = {}
    for number in state.rounds:
        for row in number.rows():
            played[row.entrant] = played.get(row.entrant, 0) + 1
    found = []
    for line in lines:
        one = state.entrants[line.entrant]
        found.append(
            wire.StandingRow(
                line.entrant, one.name, one.tag, one.bot, line.place if counts else 0, line.points,
                list(line.values) if counts else [],
                line.decided_by, one.status.value, played.get(line.entrant, 0),
            )
        )  # fmt: skip
    return found


def page(state: TournamentState, lines: Sequence[TableLine], n: int, start: int, own: EntrantId) -> wire.Standings:
    """A page of the standings; start −1: the one with oneself in the middle."""
    if start < 0:
        at = next((index for index, line in enumerate(lines) if line.entrant == own), 0)
        start = max(0, min(at - PAGE // 2, len(lines) - PAGE))
    return wire.Standings(n, start, len(lines), rows(state, lines[start : start + PAGE]))


def is_over(state: TournamentState, at_ms: int) -> bool:
    """Nothing will happen by itself any more."""
    return state.phase(at_ms) is Phase.ENDED
