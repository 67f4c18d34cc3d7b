"""Rooms of a tournament: seats given by the draw, one heat, a deal that is open only when its round is closed."""

from __future__ import annotations

from server.core import events as log
from server.core import inputs, room
from server.core.closed_heat import closed_heat
from server.core.endings import Ending
from server.core.heat import Phase
from server.core.ids import SERVER
from server.core.projection import heat_result, room_info
from server.core.state import WATCHES
from server.wire import messages as wire
from tests.server.core.driver import HERE, START_MS, N, Room, player, summary

MINUTE = 60_000


def test_the_heat_is_drawn_at_once_with_everybody_who_was_drawn_for_it_there_or_not() -> None:
    race = Room.of_tournament("ann", "bob", bots=1)
    drawn = race.draws()
    assert [taken.player for taken in drawn.seats] == ["ann", "bob", ""]
    assert drawn.gun_ms == START_MS + 10_000
    assert not race.wants_deal()


def test_a_heat_that_is_drawn_late_still_has_its_countdown() -> None:
    race = Room.of_tournament("ann", "bob").passes(60_000)
    assert race.draws().gun_ms == race.now + 3_000


def test_a_person_comes_to_the_seat_that_was_given() -> None:
    race = Room.of_tournament("ann", "bob")
    race.enters("bob")
    assert race.state.members[player("bob")].seat == 1
    assert race.state.members[player("bob")].present


def test_who_was_not_drawn_only_watches() -> None:
    race = Room.of_tournament("ann", "bob")
    race.enters("eve")
    assert race.state.members[player("eve")].seat == WATCHES
    assert race.ask("eve", wire.SitDown(N)) == "no_seat"
    assert race.ask("ann", wire.StandUp(N)) == "not_now"


def test_nobody_is_host_of_it() -> None:
    race = Room.of_tournament("ann", "bob")
    race.enters("ann")
    race.passes(MINUTE).upkeep()
    assert race.ask("ann", wire.SetOptions(N, race.state.options)) == "host_only"
    assert room_info(race.state, race.now).host == WATCHES


def test_who_has_not_come_a_minute_after_the_gun_has_missed_the_heat() -> None:
    race = Room.of_tournament("ann", "bob")
    race.enters("ann")
    race.begins()
    race.passes(59_999)
    assert room.wants_endings(race.state, race.now) == []
    race.passes(1)
    assert room.wants_endings(race.state, race.now) == [Ending(1, 1, race.now)]


def test_who_comes_within_the_minute_races_with_the_clock_running() -> None:
    race = Room.of_tournament("ann", "bob")
    race.begins()
    race.passes(50_000).enters("bob")
    race.drops("bob")
    race.passes(MINUTE)
    assert [ending.seat for ending in room.wants_endings(race.state, race.now)] == [0]


def test_without_such_a_limit_one_may_come_until_the_end() -> None:
    race = Room.of_tournament("ann", "bob", absent_ms=0)
    race.enters("ann")
    race.begins()
    race.passes(5 * MINUTE)
    assert room.wants_endings(race.state, race.now) == []


def test_a_host_moves_the_deadline_and_moves_it_back() -> None:
    race = Room.of_tournament("ann", "bob", minutes=10)
    before = race.begins().deadline_ms
    race.tell(inputs.Extend(300_000))
    assert race.tell(inputs.Extend(300_000)) == []
    assert race.heat.deadline_ms == before + 300_000
    race.tell(inputs.Extend(0))
    assert race.heat.deadline_ms == before


def test_an_outage_of_the_store_is_credited_beside_it() -> None:
    race = Room.of_tournament("ann", "bob")
    before = race.begins().deadline_ms
    race.passes(20_000).tell(inputs.Credit(race.now - 10_000, race.now))
    race.tell(inputs.Extend(60_000))
    assert race.heat.deadline_ms == before + 70_000


def test_a_round_that_is_closed_before_its_time_ends_the_heat_then() -> None:
    race = Room.of_tournament("ann", "bob")
    race.begins()
    race.passes(MINUTE).tell(inputs.Extend(0, race.now))
    assert race.state.phase(race.now) is Phase.CLOSING
    assert race.tell(inputs.Extend(0, race.now)) == []
    assert room.wants_close(race.state, race.now + 2_000)


def test_the_deal_stays_sealed_until_its_round_is_closed() -> None:
    race = Room.of_tournament("ann", "bob")
    race.enters("ann")
    drawn = race.begins()
    race.passes(MINUTE).closes()
    assert race.tell(inputs.Reveal("DS1-D1N-X", "77")) == []
    rows = room_rows(race)
    race.tell(inputs.Judged(drawn.heat, rows, "", ""))
    sealed = heat_result(race.state)
    assert sealed is not None
    assert sealed.code == ""
    race.drops("ann")
    assert race.passes(60 * MINUTE).upkeep() == [], "it stays until then"
    race.tell(inputs.Reveal("DS1-D1N-X", "77"))
    opened = heat_result(race.state)
    assert opened is not None
    assert (opened.code, opened.nonce, opened.rows) == ("DS1-D1N-X", "77", sealed.rows)
    assert race.tell(inputs.Reveal("DS1-D1N-X", "77")) == []
    found = closed_heat(log.decode_log(race.log), drawn.heat)
    assert found is not None
    assert (found.code, found.series) == ("DS1-D1N-X", "T1")
    assert race.upkeep() == [log.RoomClosed(race.now)]


def room_rows(race: Room) -> tuple[wire.ResultRow, ...]:
    from server.core.judging import judge

    return judge(race.state, [summary(0), summary(1, "time_up", 3)])


def test_a_second_heat_is_never_drawn() -> None:
    race = Room.of_tournament("ann", "bob")
    race.plays(0, 1)
    assert race.passes(MINUTE).wants_deal() is False


def test_a_room_of_its_own_has_nothing_to_reveal() -> None:
    race = Room()
    race.readies("ann").plays(0)
    assert race.ask(SERVER, inputs.Reveal("x", "y")) == []


def test_a_seat_is_kept_for_whoever_is_away() -> None:
    race = Room.of_tournament("ann", "bob")
    race.enters("bob", HERE)
    race.drops("bob")
    race.passes(60 * MINUTE).upkeep()
    assert race.state.seats[1].player == "bob"
