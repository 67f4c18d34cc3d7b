"""Where a board stands among all that had its deal, whichever heat they were in (ruling 26)."""

from __future__ import annotations

from server.core.ids import EntrantId, RoomCode, RoomId
from server.core.tournament.record import ABANDONED, Round, Row, TournamentHeat
from server.core.tournament.results import percentiles


def row(name: str, ended: str = "time_up", out: int = 0, score: int = 0, at_ms: int = 9, moves: int = 5) -> Row:
    return Row(EntrantId(name), 1, ended, out, score, moves, at_ms)


def dealt(*heats: list[Row], code: str = "DS1-D1N-AAAAAAB") -> Round:
    made = [
        TournamentHeat(RoomId(f"R{at}"), RoomCode("AAAAA"), tuple(one.entrant for one in rows), rows=tuple(rows))
        for at, rows in enumerate(heats)
    ]
    return Round(number=1, drawn_ms=0, gun_ms=0, minutes=10, heats=made, byes=(), code=code)


def test_the_field_is_everybody_who_had_the_deal_in_any_heat() -> None:
    number = dealt([row("ann", "won", 104, at_ms=60_000), row("bob", out=20)], [row("eve", out=70), row("joe", out=7)])
    assert percentiles(number, "first") == {"ann": 100, "eve": 66, "bob": 33, "joe": 0}


def test_by_score_the_score_counts_and_equals_stand_equal() -> None:
    number = dealt([row("ann", score=50), row("bob", score=300)], [row("eve", score=50)])
    assert percentiles(number, "score") == {"bob": 100, "ann": 0, "eve": 0}


def test_who_never_came_is_not_in_the_field_and_alone_there_is_none() -> None:
    number = dealt([row("ann", out=3), row("bob", ABANDONED, moves=0)])
    assert percentiles(number, "first") == {"ann": -1}


def test_nothing_is_told_while_the_deal_is_sealed() -> None:
    assert percentiles(dealt([row("ann"), row("bob")], code=""), "first") == {}
