"""The ready check: when a deal is wanted (P2, N28, N29)."""

from __future__ import annotations

from server.core import events as log
from server.core import room
from server.core.machine import RefusalCode
from server.core.ready import racers, startable_ms
from server.wire.messages import LeaveRoom, Ready, StandUp, StartHeat
from tests.server.core.driver import HERE, START_MS, THERE, N, Room, player, summary


def two() -> Room:
    race = Room()
    race.enters("bob")
    return race


def match_of(*names: str) -> Room:
    """A quick-match room that ann and these people were sent to, one second apart."""
    race = Room(match=True)
    for name in names:
        race.passes(1_000).enters(name, seat_only=True)
    return race


def test_a_deal_is_wanted_when_everybody_seated_is_ready() -> None:
    race = two().readies("ann")
    assert not race.wants_deal()
    assert race.readies("bob").wants_deal()


def test_the_host_may_play_alone() -> None:
    assert Room().readies("ann").wants_deal()


def test_bots_are_always_ready_but_never_start_alone() -> None:
    race = Room(bots=[1, 3])
    assert not race.wants_deal()
    assert race.readies("ann").draws().seats == [
        log.SeatTaken(0, player("ann"), "ann", 0, 0),
        log.SeatTaken(1, player(""), "", 1, 7),
        log.SeatTaken(2, player(""), "", 3, 8),
    ]


def test_with_bots_alone_the_countdown_starts_at_once() -> None:
    assert Room(bots=[2], ready=True).wants_deal()


def test_watchers_are_not_waited_for() -> None:
    race = Room()
    race.enters("eve", watch=True)
    assert race.readies("ann").wants_deal()


def test_taking_ones_readiness_back_stops_it() -> None:
    race = two().readies("ann", "bob")
    race.must("bob", Ready(N, False))
    assert not race.wants_deal()


def test_an_absent_player_is_not_counted_ready_and_after_ten_seconds_not_waited_for() -> None:
    race = two().readies("bob")
    race.drops("bob")
    race.readies("ann")
    assert not race.wants_deal()
    assert not race.passes(9_999).wants_deal()
    assert race.passes(1).wants_deal()
    assert [taken.player for taken in race.draws().seats] == ["ann"]


def test_who_comes_back_in_time_is_ready_as_before() -> None:
    race = two().readies("ann", "bob")
    race.drops("bob")
    assert not race.passes(3_000).wants_deal()
    race.enters("bob", THERE)
    assert race.wants_deal()
    assert len(race.draws().seats) == 2


def test_absent_people_start_nothing() -> None:
    race = two().readies("ann", "bob")
    race.drops("ann")
    race.drops("bob")
    assert not race.passes(60_000).wants_deal()


def test_when_the_last_unready_one_leaves_nobody_is_left_to_wait_for() -> None:
    race = two().readies("ann")
    race.must("bob", LeaveRoom(N))
    assert race.wants_deal()


def test_readiness_is_for_one_heat() -> None:
    """N29: fifty changes of mind, a lost connection and a return leave nothing to the next heat."""
    race = two().readies("ann", "bob")
    race.begins()
    for _ in range(50):
        for yes in (True, False):
            assert race.ask("bob", Ready(N, yes)) is RefusalCode.NOT_NOW
    race.drops("bob")
    race.enters("bob", THERE)
    race.passes(60_000).closes()
    race.judges(summary(0), summary(1))
    assert not race.passes(60_000).wants_deal()
    assert all(seat.ready_ms is None for seat in race.state.seats.values())


def test_a_racers_repeated_yes_in_the_countdown_is_a_yes() -> None:
    race = two().readies("ann", "bob")
    race.draws()
    assert race.ask("bob", Ready(N, True)) == []
    assert race.ask("bob", Ready(N, False)) is RefusalCode.NOT_NOW


# ---------------------------------------------------------------- the host starts


def test_the_host_may_start_without_the_unready_twenty_seconds_after_the_first_ready() -> None:
    race = two()
    race.enters("cem")
    race.passes(5_000).readies("ann")
    race.passes(5_000).readies("bob")
    assert startable_ms(race.state) == START_MS + 25_000
    assert race.passes(14_999).ask("ann", StartHeat(N)) is RefusalCode.TOO_EARLY
    race.passes(1).must("ann", StartHeat(N))
    assert [taken.player for taken in race.draws().seats] == ["ann", "bob"]


def test_the_unready_keep_their_seats() -> None:
    race = two().readies("ann")
    race.passes(20_000).must("ann", StartHeat(N))
    race.draws()
    assert race.state.seats[1].player == "bob"
    assert race.heat.board_of(player("bob")) is None


def test_only_the_host_starts() -> None:
    race = two().readies("bob")
    assert race.passes(20_000).ask("bob", StartHeat(N)) is RefusalCode.HOST_ONLY


def test_with_nobody_ready_there_is_nothing_to_start() -> None:
    assert two().passes(60_000).ask("ann", StartHeat(N)) is RefusalCode.NOT_READY


def test_a_seated_host_who_starts_is_ready_with_that() -> None:
    race = two().readies("bob")
    race.passes(20_000).must("ann", StartHeat(N))
    assert len(race.draws().seats) == 2


def test_a_watching_host_starts_for_the_others() -> None:
    race = Room()
    race.enters("bob")
    race.enters("cem")
    race.must("ann", StandUp(N))
    race.readies("bob")
    race.passes(20_000).must("ann", StartHeat(N))
    assert [taken.player for taken in race.draws().seats] == ["bob"]


def test_a_start_that_was_asked_for_ends_with_the_last_readiness() -> None:
    race = two().readies("bob")
    race.passes(20_000).must("ann", StartHeat(N))
    race.must("ann", Ready(N, False))
    race.must("bob", Ready(N, False))
    race.readies("bob")
    assert not race.wants_deal()


def test_asking_twice_is_asking_once() -> None:
    race = two().readies("bob")
    race.passes(20_000).must("ann", StartHeat(N))
    assert race.ask("ann", StartHeat(N)) == []


# ---------------------------------------------------------------- quick match


def test_a_match_starts_by_itself_ten_seconds_after_its_second_person() -> None:
    race = match_of("bob")
    assert startable_ms(race.state) == race.now + 10_000
    race.passes(4_000).enters("cem", seat_only=True)
    assert not race.passes(5_999).wants_deal()
    assert len(race.passes(1).draws().seats) == 3


def test_a_match_starts_as_soon_as_all_are_ready() -> None:
    race = match_of("bob").readies("ann")
    assert not race.wants_deal()
    assert race.readies("bob").wants_deal()


def test_nobody_plays_a_match_alone() -> None:
    race = match_of().readies("ann")
    assert not race.passes(600_000).wants_deal()
    race = match_of("bob")
    race.drops("bob")
    assert not race.passes(600_000).wants_deal()


def test_who_says_no_to_a_match_is_not_counted_in() -> None:
    race = match_of("bob", "cem")
    race.must("cem", Ready(N, False))
    race.passes(10_000)
    assert racers(race.state) == [0, 1]
    assert [taken.seat for taken in race.draws().seats] == [0, 1]


def test_after_the_first_heat_of_a_match_a_rematch_needs_two_who_want_it() -> None:
    race = match_of("bob")
    race.passes(10_000).plays(0, 1)
    assert not race.passes(60_000).wants_deal()
    race.readies("ann")
    assert not race.passes(60_000).wants_deal()
    assert race.readies("bob").wants_deal()


def test_nobody_is_the_host_of_a_match() -> None:
    assert match_of("bob").readies("ann").passes(20_000).ask("ann", StartHeat(N)) is RefusalCode.HOST_ONLY


def test_once_a_heat_is_drawn_no_other_is_wanted() -> None:
    race = two().readies("ann", "bob")
    race.draws()
    assert not race.passes(60_000).wants_deal()
    assert startable_ms(race.state) == 0
    assert room.due(race.state) == race.heat.deadline_ms + 2_000


def test_the_node_does_not_matter() -> None:
    race = two()
    race.drops("bob", HERE)
    race.enters("bob", THERE)
    assert race.readies("ann", "bob").wants_deal()
