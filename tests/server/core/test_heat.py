"""Phases of a heat, and when it is to be closed (rulings 1 and 2)."""

from __future__ import annotations

import pytest

from server.core import room
from server.core.heat import Phase, length_ms, phase
from server.wire.messages import LeaveRoom
from tests.server.core.driver import N, Room, player


def running(minutes: int = 10) -> Room:
    race = Room(ready=True, minutes=minutes)
    race.enters("bob")
    race.readies("bob").draws()
    return race


def test_without_a_heat_the_room_is_open() -> None:
    assert phase(None, 5) is Phase.OPEN


def test_the_gun_is_three_seconds_after_the_draw_and_the_deadline_the_chosen_minutes_later() -> None:
    race = running(minutes=5)
    assert race.heat.gun_ms == race.now + 3_000
    assert race.heat.deadline_ms == race.heat.gun_ms + 300_000


@pytest.mark.parametrize(("minutes", "ms"), [(3, 180_000), (60, 3_600_000), (0, 3_600_000)])
def test_no_limit_means_an_hour(minutes: int, ms: int) -> None:
    assert length_ms(minutes) == ms


def test_phases_follow_from_time_alone() -> None:
    heat = running().heat
    assert phase(heat, heat.gun_ms - 1) is Phase.COUNTDOWN
    assert phase(heat, heat.gun_ms) is Phase.RUNNING
    assert phase(heat, heat.deadline_ms - 1) is Phase.RUNNING
    assert phase(heat, heat.deadline_ms) is Phase.CLOSING


def test_the_heat_closes_two_seconds_after_the_deadline() -> None:
    race = running()
    assert not room.wants_close(race.state, race.heat.deadline_ms + 1_999)
    assert room.wants_close(race.state, race.heat.deadline_ms + 2_000)


def test_the_heat_closes_at_once_when_every_board_has_ended() -> None:
    race = running()
    race.passes(63_000).ends(0)
    assert not room.wants_close(race.state, race.now)
    race.passes(1_000).ends(1, "resigned")
    assert race.state.phase(race.now) is Phase.CLOSING
    assert room.wants_close(race.state, race.now)


def test_a_closed_heat_is_not_closed_again_but_judged() -> None:
    race = running()
    race.now = race.heat.deadline_ms + 2_000
    assert not room.wants_judging(race.state, race.now)
    race.closes()
    assert race.heat.closed
    assert not room.wants_close(race.state, race.now)
    assert room.wants_judging(race.state, race.now)


def test_a_racer_who_left_the_room_has_no_board_any_more_even_when_back() -> None:
    race = running()
    assert race.heat.board_of(player("bob")) == 1
    race.ask("bob", LeaveRoom(N))
    race.enters("bob")
    assert race.heat.board_of(player("bob")) is None


def test_who_does_not_race_has_no_board() -> None:
    race = running()
    assert race.heat.board_of(player("eve")) is None
    assert race.heat.taken(7) is None
