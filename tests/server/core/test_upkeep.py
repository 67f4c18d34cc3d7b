"""What time alone makes happen in a room (ruling 2, N4, N33)."""

from __future__ import annotations

from server.core import events as log
from server.core import room
from server.core.machine import RefusalCode
from server.wire.messages import AddBot, HandOver, LeaveRoom, RemoveSeat, StandUp
from tests.server.core.driver import HERE, START_MS, THERE, N, Room, player, summary

MINUTE = 60_000


# ---------------------------------------------------------------- the host


def test_the_host_is_whoever_made_the_room() -> None:
    assert Room("ann").state.host == "ann"


def test_a_host_who_is_away_for_thirty_seconds_loses_the_role_to_the_longest_present_player() -> None:
    race = Room()
    race.passes(1_000).enters("bob")
    race.passes(1_000).enters("cem")
    race.drops("ann")
    assert room.due(race.state) == race.now + 30_000
    assert race.passes(29_999).upkeep() == []
    assert race.passes(1).upkeep() == [log.HostGiven(race.now, player("bob"))]


def test_a_blip_does_not_cost_the_role() -> None:
    race = Room()
    race.enters("bob")
    race.drops("ann")
    race.passes(3_000).enters("ann", THERE)
    assert race.passes(60_000).upkeep() == []
    assert race.state.host == "ann"


def test_an_idle_watcher_is_no_host_while_somebody_is_seated() -> None:
    """N33."""
    race = Room()
    race.enters("eve", watch=True)
    race.enters("bob")
    race.drops("ann")
    race.passes(30_000).upkeep()
    assert race.state.host == "bob"


def test_a_watcher_does_not_inherit_from_an_absent_player() -> None:
    race = Room()
    race.enters("eve", watch=True)
    race.drops("ann")
    race.passes(60_000).upkeep()
    assert race.state.host == "ann"


def test_among_watchers_alone_the_role_goes_on_too() -> None:
    race = Room()
    race.must("ann", StandUp(N))
    race.enters("eve", watch=True)
    race.drops("ann")
    race.passes(30_000).upkeep()
    assert race.state.host == "eve"


def test_a_host_who_returns_does_not_take_the_role_back_but_may_be_given_it() -> None:
    race = Room()
    race.enters("bob")
    race.drops("ann")
    race.passes(30_000).upkeep()
    race.enters("ann")
    race.upkeep()
    assert race.state.host == "bob"
    race.must("bob", HandOver(N, 0))
    assert race.state.host == "ann"


def test_the_role_goes_on_during_a_heat() -> None:
    race = Room(ready=True)
    race.enters("bob")
    race.readies("bob").begins()
    race.drops("ann")
    race.passes(30_000).upkeep()
    assert race.state.host == "bob"


def test_a_host_who_leaves_hands_the_role_on_at_once() -> None:
    race = Room()
    race.passes(1_000).enters("bob")
    race.enters("cem")
    assert race.must("ann", LeaveRoom(N)) == [
        log.Left(race.now, player("ann"), "left"),
        log.HostGiven(race.now, player("bob")),
    ]


def test_when_a_host_leaves_absent_players_come_before_watchers() -> None:
    race = Room()
    race.enters("bob")
    race.enters("eve", watch=True)
    race.drops("bob")
    race.must("ann", LeaveRoom(N))
    assert race.state.host == "bob"


def test_who_comes_into_an_empty_room_is_its_host() -> None:
    race = Room()
    race.must("ann", LeaveRoom(N))
    assert race.state.host == ""
    race.enters("bob")
    assert race.state.host == "bob"


# ---------------------------------------------------------------- latecomers


def late_room() -> Room:
    """ann and bob race for two seats; cem and dee wait, eve only watches."""
    race = Room(seats=2, ready=True)
    race.enters("bob")
    race.readies("bob").begins()
    for name in ("cem", "dee"):
        race.enters(name)
    race.enters("eve", watch=True)
    return race


def test_a_latecomer_watches_and_is_seated_before_the_next_deal() -> None:
    race = late_room()
    race.must("bob", LeaveRoom(N))
    assert race.upkeep() == [], "nobody sits down while a heat is on"
    race.closes()
    race.judges(summary(0), summary(1))
    assert race.upkeep() == [log.SatDown(race.now, player("cem"), 1)]


def test_who_asked_to_watch_is_not_seated() -> None:
    race = late_room()
    for name in ("bob", "cem", "dee"):
        race.must(name, LeaveRoom(N))
    race.closes()
    race.judges(summary(0), summary(1))
    assert race.upkeep() == []


def test_latecomers_are_seated_in_the_order_in_which_they_came() -> None:
    race = late_room()
    race.closes()
    race.judges(summary(0), summary(1))
    assert race.upkeep() == []
    race.must("bob", LeaveRoom(N))
    race.upkeep()
    race.must("ann", LeaveRoom(N))
    race.upkeep()
    assert (race.state.seats[1].player, race.state.seats[0].player) == ("cem", "dee")


def test_an_absent_latecomer_is_passed_over() -> None:
    race = late_room()
    race.drops("cem")
    race.must("bob", LeaveRoom(N))
    race.closes()
    race.judges(summary(0), summary(1))
    race.upkeep()
    assert race.state.seats[1].player == "dee"


def test_more_seats_seat_more_of_those_who_wait() -> None:
    race = Room(seats=1)
    race.enters("bob")
    race.enters("cem")
    race.sets(seats=2)
    race.upkeep()
    assert race.state.seats[1].player == "bob"


def test_a_bots_seat_goes_to_who_waits() -> None:
    race = Room(seats=2, bots=[1])
    race.enters("bob")
    race.must("ann", RemoveSeat(N, 1))
    race.upkeep()
    assert race.state.seats[1].player == "bob"
    assert race.ask("ann", AddBot(N, 1)) is RefusalCode.NO_SEAT


def test_who_stands_up_does_not_sit_down_again_by_itself() -> None:
    race = Room()
    race.must("ann", StandUp(N))
    assert race.upkeep() == []


# ---------------------------------------------------------------- absence and the end


def test_who_is_absent_between_heats_for_five_minutes_gives_the_seat_free() -> None:
    race = Room()
    race.enters("bob")
    race.drops("bob")
    assert race.passes(5 * MINUTE - 1).upkeep() == []
    assert race.passes(1).upkeep() == [log.Left(race.now, player("bob"), "away")]
    assert race.state.free_seats() == [1, 2, 3]


def test_an_absent_host_is_let_go_and_the_role_goes_on() -> None:
    race = Room()
    race.enters("eve", watch=True)
    race.drops("ann")
    race.passes(5 * MINUTE).upkeep()
    assert race.state.host == "eve"
    assert "ann" not in race.state.members


def test_with_nobody_there_nobody_is_in_the_way() -> None:
    race = Room()
    race.enters("bob")
    race.drops("bob")
    race.drops("ann")
    race.passes(10 * MINUTE - 1).upkeep()
    assert list(race.state.members) == ["ann", "bob"]


def test_absence_during_a_heat_does_not_count_between_heats() -> None:
    race = Room(ready=True)
    race.enters("bob")
    race.readies("bob").begins()
    race.drops("bob")
    race.now = race.heat.deadline_ms + 2_000
    race.closes()
    race.judges(summary(0), summary(1, "time_up", 3))
    assert race.upkeep() == []
    assert race.passes(5 * MINUTE).upkeep() == [log.Left(race.now, player("bob"), "away")]


def test_a_room_with_nobody_connected_closes_after_ten_minutes() -> None:
    """N4."""
    race = Room()
    race.enters("bob")
    race.drops("ann")
    race.passes(MINUTE).drops("bob")
    assert room.due(race.state) == race.now + 10 * MINUTE
    assert race.passes(10 * MINUTE).upkeep() == [log.RoomClosed(race.now)]
    assert race.state.closed
    assert room.due(race.state) is None


def test_a_room_that_everybody_left_closes_too() -> None:
    race = Room()
    race.must("ann", LeaveRoom(N))
    race.passes(10 * MINUTE).upkeep()
    assert race.state.closed


def test_a_room_whose_creator_never_came_closes() -> None:
    state = room.fold([log.decode(Room().log[0])])
    assert room.due(state) == START_MS + 10 * MINUTE


def test_a_return_keeps_the_room_open() -> None:
    race = Room()
    race.drops("ann")
    race.passes(9 * MINUTE).enters("ann")
    assert race.passes(60 * MINUTE).upkeep() == []


def test_a_room_does_not_close_while_a_heat_is_on_and_its_time_counts_from_the_end_of_the_heat() -> None:
    race = Room(ready=True, minutes=30)
    race.begins()
    race.drops("ann", HERE)
    assert race.passes(20 * MINUTE).upkeep() == []
    race.closes()
    race.judges(summary(0, "abandoned", 3))
    assert race.passes(10 * MINUTE - 1).upkeep() == []
    assert race.passes(1).upkeep() == [log.RoomClosed(race.now)]


def test_nothing_is_due_in_a_room_where_somebody_just_sits() -> None:
    assert room.due(Room().state) is None
