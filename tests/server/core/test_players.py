"""Coming, going, sitting, standing (N2, N13, N17, N19, N34)."""

from __future__ import annotations

import pytest

from server.core import events as log
from server.core import room
from server.core.inputs import Arrive, Drop, NodeLost
from server.core.machine import Refusal, RefusalCode
from server.core.players import MAX_WATCHERS
from server.wire.messages import LeaveRoom, LockRoom, React, Ready, RemoveSeat, Rename, SitDown, StandUp
from tests.server.core.driver import HERE, START_MS, THERE, N, Room, player, summary


def names(race: Room) -> dict[int, str]:
    return {no: seat.player for no, seat in race.state.seats.items()}


def watchers(race: Room) -> list[str]:
    return [who for who, member in race.state.members.items() if member.seat == room.WATCHES]


# ---------------------------------------------------------------- entering


def test_a_newcomer_takes_the_lowest_free_seat() -> None:
    race = Room(bots=[1])
    assert race.enters("bob") == [
        log.Joined(START_MS, player("bob"), "bob", "0000", HERE),
        log.SatDown(START_MS, player("bob"), 2),
    ]


def test_where_no_seat_is_free_a_newcomer_watches_and_waits() -> None:
    race = Room(seats=1)
    assert race.enters("bob") == [log.Joined(START_MS, player("bob"), "bob", "0000", HERE, waits=True)]


@pytest.mark.parametrize("into_ms", [0, 3_000, 60_000, 600_000])
def test_who_comes_while_a_heat_is_on_watches(into_ms: int) -> None:
    race = Room(ready=True)
    race.draws()
    race.passes(into_ms).enters("bob")
    assert watchers(race) == ["bob"]


def test_who_asks_to_watch_watches() -> None:
    race = Room()
    race.enters("eve", watch=True)
    assert watchers(race) == ["eve"]
    assert not race.state.members[player("eve")].waits


def test_coming_back_is_no_news_but_the_connection() -> None:
    """N13, N19: ten reloads are one seat, and nobody hears of an entrance."""
    race = Room()
    race.enters("bob")
    race.readies("bob")
    for node in (THERE, HERE) * 5:
        assert race.enters("bob", node, watch=True) == [log.Present(race.now, player("bob"), node)]
    assert race.enters("bob", HERE) == []
    assert names(race) == {0: "ann", 1: "bob"}
    assert race.state.seats[1].ready_ms is not None


def test_coming_back_into_a_heat_is_coming_back_to_the_board() -> None:
    race = Room(ready=True)
    race.enters("bob")
    race.readies("bob").begins()
    race.drops("bob")
    race.passes(20_000).enters("bob", THERE)
    assert race.heat.board_of(player("bob")) == 1
    assert race.state.members[player("bob")].seat == 1


def test_somebody_renamed_elsewhere_comes_back_with_the_new_name() -> None:
    race = Room()
    race.must("ann", Rename(N, "Anna"))
    assert race.enters("ann") == [log.Renamed(race.now, player("ann"), "ann")]


def test_into_a_locked_room_only_those_come_who_are_in_it() -> None:
    race = Room()
    race.enters("bob")
    race.must("ann", LockRoom(N, True))
    assert race.enters("cem") is RefusalCode.LOCKED
    race.drops("bob")
    assert race.enters("bob") == [log.Present(race.now, player("bob"), HERE)]


def test_who_was_kicked_stays_out_until_the_host_opens_the_room() -> None:
    race = Room()
    race.enters("bob")
    race.must("ann", RemoveSeat(N, 1))
    assert race.enters("bob") is RefusalCode.LOCKED
    race.must("ann", LockRoom(N, False))
    assert isinstance(race.enters("bob"), list)


def test_who_wants_nothing_but_a_seat_gets_one_or_hears_full() -> None:
    race = Room(match=True, seats=2)
    assert isinstance(race.enters("bob", seat_only=True), list)
    assert race.enters("cem", seat_only=True) is RefusalCode.FULL
    other = Room(match=True, ready=True)
    other.enters("bob")
    other.readies("bob").draws()
    assert other.enters("cem", seat_only=True) is RefusalCode.FULL


def test_a_room_has_place_for_so_many_watchers() -> None:
    race = Room()
    for at in range(MAX_WATCHERS):
        room.apply(race.state, log.Joined(race.now, player(f"w{at}"), "w", "0000", HERE))
    one_more = Arrive(player("eve"), "eve", "0000", HERE, watch=True)
    assert room.decide(race.state, race.now, player(""), one_more) == Refusal(RefusalCode.FULL)


def test_nobody_enters_a_closed_room_whichever_comes_first() -> None:
    """N2: a join and a close at one instant, in both orders."""
    race = Room()
    race.must("ann", LeaveRoom(N))
    race.passes(600_000).upkeep()
    assert race.enters("bob") is RefusalCode.NOROOM
    other = Room()
    other.must("ann", LeaveRoom(N))
    other.passes(600_000).enters("bob")
    assert other.upkeep() == []
    assert other.state.host == "bob"


# ---------------------------------------------------------------- connections


def test_closing_the_old_one_of_two_tabs_changes_nothing() -> None:
    """N17: a second tab on another process; then the first is closed."""
    race = Room()
    race.enters("ann", THERE)
    assert race.drops("ann", HERE) == []
    assert race.state.members[player("ann")].present
    race.drops("ann", THERE)
    assert not race.state.members[player("ann")].present


def test_a_late_away_in_the_log_marks_nobody_offline() -> None:
    race = Room()
    race.enters("ann", THERE)
    race.append([log.Away(race.now, player("ann"), HERE)])
    assert race.state.members[player("ann")].present


def test_a_second_drop_is_no_news() -> None:
    race = Room()
    race.drops("ann")
    assert race.tell(Drop(player("ann"), HERE)) == []
    assert race.tell(Drop(player("nobody"), HERE)) == []


def test_a_process_that_dies_takes_its_connections_with_it_and_no_others() -> None:
    race = Room()
    race.enters("bob", THERE)
    race.enters("cem", THERE)
    assert [event.player for event in race.tell(NodeLost(THERE)) if isinstance(event, log.Away)] == ["bob", "cem"]
    assert race.state.members[player("ann")].present
    assert race.tell(NodeLost(THERE)) == []


def test_a_rivals_lost_connection_changes_nothing_of_ones_own() -> None:
    """N27, N37: the clock, the board and the seat of everybody stay as they are."""
    race = Room(ready=True)
    race.enters("bob")
    race.readies("bob").begins()
    before = (race.heat.gun_ms, race.heat.deadline_ms, list(race.heat.seats), names(race))
    for away_ms in (3_000, 20_000):
        race.drops("bob")
        race.passes(away_ms).enters("bob", THERE)
        race.drops("bob", THERE)
        race.enters("bob", HERE)
    assert (race.heat.gun_ms, race.heat.deadline_ms, list(race.heat.seats), names(race)) == before


# ---------------------------------------------------------------- leaving, seats, names


def test_leaving_frees_the_seat() -> None:
    race = Room()
    race.enters("bob")
    race.must("bob", LeaveRoom(N))
    assert names(race) == {0: "ann"}


def test_leaving_twice_is_leaving_once() -> None:
    race = Room()
    race.must("ann", LeaveRoom(N))
    assert race.ask("ann", LeaveRoom(N)) == []


def test_a_seat_left_during_a_heat_is_still_judged() -> None:
    race = Room(ready=True)
    race.enters("bob")
    race.readies("bob").begins()
    race.must("bob", LeaveRoom(N))
    race.closes()
    assert [row.name for row in race.judges(summary(0), summary(1, "resigned", 3)).rows] == ["ann", "bob"]


def test_watchers_may_sit_down_and_players_stand_up_between_heats() -> None:
    race = Room()
    race.must("ann", StandUp(N))
    assert (watchers(race), names(race)) == (["ann"], {})
    race.must("ann", SitDown(N))
    assert (watchers(race), names(race)) == ([], {0: "ann"})


def test_sitting_or_standing_already_is_a_yes() -> None:
    race = Room()
    assert race.ask("ann", SitDown(N)) == []
    race.must("ann", StandUp(N))
    assert race.ask("ann", StandUp(N)) == []


def test_without_a_free_seat_nobody_sits_down() -> None:
    race = Room(seats=1)
    race.enters("eve", watch=True)
    assert race.ask("eve", SitDown(N)) is RefusalCode.NO_SEAT


def test_who_stands_up_is_not_ready_any_more() -> None:
    race = Room()
    race.enters("bob")
    race.readies("bob")
    race.must("bob", StandUp(N))
    race.must("bob", SitDown(N))
    assert race.state.seats[1].ready_ms is None


def test_watchers_are_not_asked_whether_they_are_ready() -> None:
    race = Room()
    race.enters("eve", watch=True)
    assert race.ask("eve", Ready(N, True)) is RefusalCode.NOT_SEATED


def test_watchers_come_and_go_without_touching_a_race() -> None:
    """N34."""
    race = Room(ready=True, seats=2)
    race.enters("bob")
    race.readies("bob").begins()
    before = (list(race.heat.seats), race.heat.deadline_ms, names(race), race.state.host)
    for name in ("eve", "fay", "gil"):
        race.enters(name)
        assert race.ask(name, SitDown(N)) is RefusalCode.NOT_NOW
        race.drops(name)
        race.enters(name, THERE)
        race.must(name, LeaveRoom(N))
    assert (list(race.heat.seats), race.heat.deadline_ms, names(race), race.state.host) == before
    assert watchers(race) == []


def test_a_name_may_be_changed_at_any_time_and_the_seat_stays() -> None:
    race = Room(ready=True)
    race.begins()
    race.must("ann", Rename(N, "  Anna  Lee "))
    assert race.state.members[player("ann")].name == "Anna Lee"
    assert race.heat.board_of(player("ann")) == 0
    assert race.ask("ann", Rename(N, "Anna Lee")) == []


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", RefusalCode.NAME_SHORT),
        ("x", RefusalCode.NAME_SHORT),
        ("admin", RefusalCode.NAME_RESERVED),
        ("a\u202eb", RefusalCode.NAME_CHARS),
    ],
)
def test_what_is_no_name_is_refused(name: str, code: RefusalCode) -> None:
    assert Room().ask("ann", Rename(N, name)) is code


def test_everybody_in_the_room_may_react_and_nothing_is_kept_of_it() -> None:
    race = Room()
    race.enters("eve", watch=True)
    assert race.ask("eve", React(N, 3)) == []
    assert race.ask("stranger", React(N, 3)) is RefusalCode.NOROOM
