"""The result of a closed heat: places, points in the match, names.

What lives here: from summaries of the sealed boards to the rows of `HeatResult`, and the provisional places
that are shown before. What does not: the order itself (`standings`) and how points are counted (`match`).
"""

from __future__ import annotations

from collections.abc import Iterable

from server.core.events import BoardEnded
from server.core.heat import Heat
from server.core.match import points
from server.core.standings import WON, BoardSummary, place_among, standings
from server.core.state import RoomState
from server.wire.messages import ResultRow


def judge(state: RoomState, boards: Iterable[BoardSummary]) -> tuple[ResultRow, ...]:
    """The rows of the heat that is closed, in order of places, for `inputs.Judged`.

    `boards`: one summary for each of the heat's seats, from its sealed log. Raises ValueError when there is
    no closed heat or the seats are not those of the heat: a fault of the caller.
    """
    boards = list(boards)
    heat = state.heat
    if heat is None or not heat.closed:
        raise ValueError("no closed heat")
    if sorted(board.seat for board in boards) != [one.seat for one in heat.seats]:
        raise ValueError("summaries of other seats than those of the heat")
    rows = standings(boards, state.options.goal)
    places = tuple((heat.racers[row.board.seat], row.place) for row in rows)
    tally = points([*state.match, places])
    names = {one.seat: _name(state, one.seat) for one in heat.seats}
    return tuple(
        ResultRow(
            row.board.seat, row.place, row.board.ended, row.board.out, row.board.score, row.board.moves,
            row.at_ms, row.reason, tally[heat.racers[row.board.seat]], names[row.board.seat],
            row.board.undos, row.board.peeks,
        )
        for row in rows
    )  # fmt: skip


def _name(state: RoomState, seat: int) -> str:
    """The name borne at the end of the heat, or at its draw by who has left since."""
    assert state.heat is not None
    taken = state.heat.taken(seat)
    assert taken is not None
    member = state.members.get(taken.player)
    return member.name if member is not None else taken.name


def provisional_places(state: RoomState) -> dict[int, int]:
    """The places by seat of boards that have ended, while others may still play or have entries on their way.

    Boards still played are taken to end behind one that was won and ahead of one that was not.
    """
    heat = state.heat
    if heat is None:
        return {}
    rows = standings([_summary(heat, news) for news in heat.ended.values()], state.options.goal)
    return {row.board.seat: row.place + _ahead(heat, row.board.ended) for row in rows}


def provisional_place(state: RoomState, seat: int) -> int | None:
    """The same for one board, in less time; None when there is no news of its end."""
    heat = state.heat
    if heat is None or seat not in heat.ended:
        return None
    boards = (_summary(heat, news) for news in heat.ended.values())
    own = heat.ended[seat]
    return place_among(_summary(heat, own), boards, state.options.goal) + _ahead(heat, own.ended)


def _ahead(heat: Heat, ended: str) -> int:
    """How many who still play are taken to come in ahead of a board that ended so."""
    return 0 if ended == WON else len(heat.seats) - len(heat.ended)


def _summary(heat: Heat, news: BoardEnded) -> BoardSummary:
    """News tells less than a log: the time of the end stands for all times."""
    at_ms = heat.ended_ms(news)
    return BoardSummary(news.seat, news.ended, news.out, news.score, 0, at_ms, at_ms, at_ms)
