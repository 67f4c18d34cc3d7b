"""How a room begins, and what its host may do."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.core import events as log
from server.core import room
from server.core.ids import NodeId, RoomCode, RoomId
from server.core.machine import Refusal, RefusalCode
from server.wire import messages as wire
from server.wire.messages import AddBot, HandOver, LockRoom, RemoveSeat, SetOptions
from tests.server.core.driver import HERE, START_MS, N, Room, player


def created(options: wire.RoomOptions, bots: list[int], ready: bool = False) -> list[log.RoomEvent] | Refusal:
    return room.create(
        START_MS, RoomId("R1"), RoomCode("ABCDE"), options, player=player("ann"), name="Ann", tag="4F2A",
        node=NodeId("here"), bots=bots, ready=ready,
    )  # fmt: skip


def test_the_creator_sits_down_first_and_bots_beside() -> None:
    options = wire.RoomOptions()
    assert created(options, [1, 3], ready=True) == [
        log.RoomCreated(START_MS, RoomId("R1"), RoomCode("ABCDE"), options, player("ann"), ""),
        log.Joined(START_MS, player("ann"), "Ann", "4F2A", HERE),
        log.SatDown(START_MS, player("ann"), 0),
        log.BotSeated(START_MS, 1, 1),
        log.BotSeated(START_MS, 2, 3),
        log.ReadySet(START_MS, player("ann"), True),
    ]


@pytest.mark.parametrize("bots", [[1, 1, 1, 1], [0], [4]])
def test_bots_without_a_seat_or_a_level_are_refused(bots: list[int]) -> None:
    assert created(wire.RoomOptions(seats=4), bots) == Refusal(RefusalCode.BAD_OPTIONS)


def test_a_room_begins_with_options_that_are_on_offer() -> None:
    assert created(wire.RoomOptions(goal="fun"), []) == Refusal(RefusalCode.BAD_OPTIONS)
    assert created(wire.RoomOptions(code="fun"), []) == Refusal(RefusalCode.BAD_CODE)


# ---------------------------------------------------------------- seats


def test_a_bot_takes_the_lowest_free_seat() -> None:
    race = Room()
    race.enters("bob")
    assert race.must("ann", AddBot(N, 2)) == [log.BotSeated(race.now, 2, 2)]


def test_a_bot_needs_a_free_seat_and_a_level() -> None:
    assert Room(seats=1).ask("ann", AddBot(N, 1)) is RefusalCode.NO_SEAT
    assert Room().ask("ann", AddBot(N, 9)) is RefusalCode.BAD_OPTIONS


def test_a_bot_is_taken_out_of_its_seat() -> None:
    race = Room(bots=[1])
    assert race.must("ann", RemoveSeat(N, 1)) == [log.BotRemoved(race.now, 1)]


def test_a_person_is_taken_out_of_the_room() -> None:
    race = Room()
    race.enters("bob")
    assert race.must("ann", RemoveSeat(N, 1)) == [log.Left(race.now, player("bob"), "kicked")]


@pytest.mark.parametrize("seat", [0, 3, 99])
def test_nobody_is_taken_out_of_an_empty_seat_or_ones_own(seat: int) -> None:
    assert Room().ask("ann", RemoveSeat(N, seat)) is RefusalCode.NO_SEAT


def test_nobody_is_taken_out_of_a_race() -> None:
    race = Room(ready=True, bots=[1])
    race.enters("bob")
    race.readies("bob").begins()
    assert race.ask("ann", RemoveSeat(N, 2)) is RefusalCode.NOT_NOW
    assert race.ask("ann", RemoveSeat(N, 1)) is RefusalCode.NOT_NOW


# ---------------------------------------------------------------- the door and the role


def test_locking_twice_is_locking_once() -> None:
    race = Room()
    assert race.must("ann", LockRoom(N, True)) == [log.Locked(race.now, True)]
    assert race.ask("ann", LockRoom(N, True)) == []
    assert race.must("ann", LockRoom(N, False)) == [log.Locked(race.now, False)]
    assert race.ask("ann", LockRoom(N, False)) == []


def test_the_role_is_handed_to_a_seated_person() -> None:
    race = Room(bots=[1])
    race.enters("bob")
    assert race.ask("ann", HandOver(N, 1)) is RefusalCode.NO_SEAT
    assert race.ask("ann", HandOver(N, 3)) is RefusalCode.NO_SEAT
    assert race.ask("ann", HandOver(N, 0)) == []
    assert race.must("ann", HandOver(N, 2)) == [log.HostGiven(race.now, player("bob"))]
    assert race.ask("ann", HandOver(N, 2)) is RefusalCode.HOST_ONLY


# ---------------------------------------------------------------- options


def test_other_options_make_everybody_unready() -> None:
    race = Room()
    race.enters("bob")
    race.readies("bob")
    race.sets(minutes=3)
    assert race.state.options.minutes == 3
    assert not race.readies("ann").wants_deal()


def test_other_options_begin_a_new_match() -> None:
    race = Room(ready=True, best_of=3)
    race.plays(0)
    assert race.state.deal_number() == 2
    race.sets(best_of=5)
    assert race.state.deal_number() == 1
    assert race.state.points() == {}


def test_the_same_options_change_nothing() -> None:
    race = Room().readies("ann")
    assert race.sets() == []
    assert race.wants_deal()


@pytest.mark.parametrize("change", [{"seats": 1}, {"goal": "fun"}, {"match": True}])
def test_options_that_do_not_fit_the_room_are_refused(change: dict[str, Any]) -> None:
    race = Room()
    race.enters("bob")
    assert race.sets(**change) is RefusalCode.BAD_OPTIONS


def test_a_given_code_must_be_one_of_the_ruleset() -> None:
    race = Room()
    assert race.sets(code="SS1-D1N-ABCDEFG") is RefusalCode.BAD_CODE
    race.sets(code="ds1-d1n-abcdefg")
    assert race.state.options.code == "DS1-D1N-ABCDEFG"


def test_options_of_a_running_heat_stand() -> None:
    race = Room(ready=True)
    race.draws()
    assert race.sets(minutes=3) is RefusalCode.NOT_NOW


def test_strangers_change_nothing() -> None:
    race = Room(match=True)
    changed = msgspec.structs.replace(race.state.options, minutes=3)
    assert race.ask("ann", SetOptions(N, changed)) is RefusalCode.HOST_ONLY, "nobody leads a quick match"
    assert race.ask("eve", SetOptions(N, changed)) is RefusalCode.NOROOM
