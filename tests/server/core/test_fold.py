"""From the log to the state: damaged and late entries."""

from __future__ import annotations

import typing

import pytest

from server.core import events as log
from server.core import fold, room
from server.core.ids import HeatId
from server.wire.messages import LeaveRoom
from tests.server.core.driver import HERE, N, Room, player, summary


def test_every_event_has_its_effect() -> None:
    assert set(fold._CHANGES) == set(typing.get_args(log.RoomEvent))


def test_a_log_begins_with_the_creation_of_its_room() -> None:
    with pytest.raises(log.LogError, match="begins with"):
        room.fold([log.RoomClosed(5)])
    with pytest.raises(log.LogError, match="empty"):
        room.fold([])


def test_a_room_is_created_once() -> None:
    race = Room()
    created = log.decode(race.log[0])
    with pytest.raises(log.LogError, match="once"):
        room.fold([created, created])
    with pytest.raises(log.LogError, match="once"):
        room.apply(race.state, created)


def test_the_version_is_the_length_of_the_log() -> None:
    race = Room(bots=[1, 2], ready=True)
    assert race.state.version == len(race.log) == 6
    race.plays(0, 1, 2)
    assert race.state.version == len(race.log) == 9


def test_the_time_of_a_room_never_goes_back() -> None:
    race = Room()
    race.append([log.Renamed(race.now - 500, player("ann"), "Anna")])
    assert race.state.at_ms == race.now
    assert race.passes(-700).must("ann", LeaveRoom(N))[0].at_ms == race.state.at_ms


@pytest.mark.parametrize(
    "late",
    [
        log.Present(9, player("gone"), HERE),
        log.Away(9, player("gone"), HERE),
        log.Renamed(9, player("gone"), "x"),
        log.ReadySet(9, player("gone"), True),
        log.StoodUp(9, player("gone")),
        log.Left(9, player("gone"), "left"),
        log.BotRemoved(9, 7),
        log.BoardEnded(9, HeatId("OLD"), 0, "won", 104, 0, 0),
        log.Credited(9, HeatId("OLD"), 0, 5_000),
        log.HeatClosed(9, HeatId("OLD"), []),
        log.HeatJudged(9, HeatId("OLD"), [], "", ""),
    ],
)
def test_an_event_about_who_or_what_is_gone_changes_nothing(late: log.RoomEvent) -> None:
    race = Room(ready=True)
    race.begins()
    before = room.fold(log.decode_log(race.log))
    race.append([late])
    race.state.version = before.version
    assert race.state == before


def test_a_closed_heat_takes_no_more_credit_and_is_closed_once() -> None:
    race = Room(ready=True)
    race.begins()
    race.closes()
    deadline_ms = race.heat.deadline_ms
    race.append([log.Credited(race.now, race.heat.id, 0, 5_000), log.HeatClosed(race.now, race.heat.id, [99])])
    assert (race.heat.deadline_ms, race.heat.lengths) == (deadline_ms, [0])
    race.judges(summary(0))
    assert race.state.heat is None
