"""The result of a heat, and what is shown before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.core import judging
from server.wire.messages import AddBot, LeaveRoom, RemoveSeat, Rename, ResultRow
from tests.server.core.driver import N, Room, summary


def racing(*names: str, **options: str) -> Room:
    race = Room(ready=True, goal=options.get("goal", "first"), best_of=3)
    for name in names:
        race.enters(name)
        race.readies(name)
    race.begins()
    return race


def test_rows_are_in_order_of_places_with_points_and_names() -> None:
    race = racing("bob")
    race.closes()
    slow, quick = summary(0, at_ms=9_000), replace(summary(1, at_ms=8_000), undos=4, peeks=1)
    assert judging.judge(race.state, [slow, quick]) == (
        ResultRow(1, 1, "won", 104, 500, 100, 8_000, "first", 1, "bob", 4, 1),
        ResultRow(0, 2, "won", 104, 500, 100, 9_000, "time", 0, "ann"),
    )


def test_the_name_is_that_of_the_end_of_the_heat() -> None:
    race = racing("bob", "cem")
    race.must("bob", Rename(N, "Bobby"))
    race.must("cem", LeaveRoom(N))
    race.closes()
    rows = judging.judge(race.state, [summary(0), summary(1), summary(2)])
    assert {row.name for row in rows} == {"ann", "Bobby", "cem"}


def test_points_are_those_of_the_person_wherever_seated() -> None:
    race = racing("bob")
    race.closes()
    race.judges(summary(0, at_ms=9), summary(1, at_ms=5))
    race.must("bob", LeaveRoom(N))
    race.enters("cem")
    race.enters("bob")
    race.readies("ann", "bob", "cem").begins()
    race.closes()
    rows = race.judges(summary(0, at_ms=1), summary(1, at_ms=2), summary(2, at_ms=3)).rows
    assert {row.name: row.tally for row in rows} == {"ann": 2 + 3, "cem": 2, "bob": 3 + 1}


def test_a_new_bot_does_not_inherit_the_points_of_the_one_before() -> None:
    race = Room(ready=True, bots=[1], best_of=3)
    race.plays(1, 0)
    race.passes(1).must("ann", RemoveSeat(N, 1))
    race.must("ann", AddBot(N, 2))
    assert race.state.points().get(race.state.racer(1), 0) == 0


def test_only_the_boards_of_a_closed_heat_are_judged() -> None:
    race = racing("bob")
    with pytest.raises(ValueError, match="no closed heat"):
        judging.judge(race.state, [summary(0), summary(1)])
    race.closes()
    with pytest.raises(ValueError, match="other seats"):
        judging.judge(race.state, [summary(0)])


def test_while_others_play_a_winner_is_placed_among_those_who_have_won() -> None:
    race = racing("bob", "cem")
    race.passes(50_000).ends(1)
    race.passes(1_000).ends(0)
    assert judging.provisional_places(race.state) == {0: 2, 1: 1}


def test_while_others_play_who_gave_up_is_placed_behind_them() -> None:
    race = racing("bob", "cem")
    race.passes(50_000).ends(1, "resigned", out=10)
    assert judging.provisional_places(race.state) == {1: 3}
    race.ends(2, "resigned", out=5)
    assert judging.provisional_places(race.state) == {1: 2, 2: 3}


def test_without_a_heat_there_is_no_provisional_place() -> None:
    assert judging.provisional_places(Room().state) == {}
