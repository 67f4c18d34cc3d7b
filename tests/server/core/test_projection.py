"""What of a room is shown to the people in it."""

from __future__ import annotations

from dataclasses import replace

from server.core import projection
from server.core.inputs import Credit
from server.wire import messages as wire
from server.wire.messages import LockRoom, StandUp
from tests.server.core.driver import START_MS, N, Room, player, summary


def test_an_open_room() -> None:
    race = Room(bots=[2])
    race.enters("eve", watch=True)
    assert projection.room_info(race.state, race.now) == wire.RoomInfo(
        code="ABCDE", options=wire.RoomOptions(), phase="open", host=0, locked=False, watchers=1, deal=1,
        decided=False, startable_ms=0,
    )  # fmt: skip
    assert projection.heat_info(race.state) is None
    assert projection.heat_result(race.state) is None


def test_seats_say_who_is_there_and_which_is_ones_own() -> None:
    race = Room(bots=[2])
    race.enters("bob")
    race.readies("bob")
    race.drops("ann")
    assert projection.seat_rows(race.state, player("bob")) == [
        wire.SeatRow(0, "ann", "ann", "0000", 0, ready=False, present=False, you=False, wins=0),
        wire.SeatRow(1, "", "", "", 2, ready=True, present=True, you=False, wins=0),
        wire.SeatRow(2, "bob", "bob", "0000", 0, ready=True, present=True, you=True, wins=0),
    ]


def test_the_phase_of_the_room_follows_the_clock() -> None:
    race = Room(ready=True)
    race.draws()
    gun_ms = race.heat.gun_ms
    phases = [projection.room_info(race.state, at_ms).phase for at_ms in (gun_ms - 1, gun_ms, gun_ms + 600_000)]
    assert phases == ["countdown", "running", "closing"]


def test_a_watching_host_has_no_seat() -> None:
    race = Room()
    race.must("ann", StandUp(N))
    assert projection.room_info(race.state, race.now).host == -1


def test_a_quick_match_has_no_host() -> None:
    race = Room(match=True)
    assert projection.room_info(race.state, race.now).host == -1


def test_the_host_sees_from_when_on_the_heat_may_be_started() -> None:
    race = Room()
    race.enters("bob")
    race.passes(5_000).readies("bob")
    assert projection.room_info(race.state, race.now).startable_ms == START_MS + 25_000


def test_only_watchers_who_are_there_are_counted() -> None:
    race = Room()
    race.enters("eve", watch=True)
    race.drops("eve")
    assert projection.room_info(race.state, race.now).watchers == 0


def test_who_entered_learns_the_own_seat() -> None:
    race = Room()
    race.enters("eve", watch=True)
    assert projection.entered(race.state, player("ann"), 7) == wire.Entered(7, "ABCDE", 0)
    assert projection.entered(race.state, player("eve"), 8) == wire.Entered(8, "ABCDE", -1)


def test_a_drawn_heat_shows_its_times_its_seats_and_the_commitment() -> None:
    race = Room(ready=True, bots=[1])
    race.draws()
    assert projection.heat_info(race.state) == wire.HeatInfo(
        "HEAT1", 1, "c0ffee", race.now + 3_000, race.now + 603_000, [0, 1]
    )


def test_who_leaves_a_heat_keeps_the_name_until_the_next() -> None:
    race = Room(ready=True, bots=[1])
    race.enters("bob")
    race.readies("bob").begins()
    race.must("bob", wire.LeaveRoom(1))
    info = projection.heat_info(race.state)
    assert info is not None
    assert [one.name for one in info.gone] == ["bob"]
    assert [row.seat for row in projection.seat_rows(race.state, player("ann"))] == [
        seat for seat in info.seats if seat != info.gone[0].seat
    ]


def test_a_boards_end_is_shown_with_a_provisional_place() -> None:
    race = Room(ready=True, bots=[1])
    race.begins()
    race.passes(5_000).ends(1)
    assert projection.board_ended(race.state, 1) == wire.BoardEnded(1, "won", 5_000, 1)
    assert projection.board_ended(race.state, 0) is None


def test_a_board_that_ended_while_the_store_was_away_has_that_time_back() -> None:
    """Its end was told before anybody knew; then it is told anew, and what ended before is not."""
    race = Room(ready=True, bots=[1, 1])
    race.begins()
    race.passes(5_000).ends(2)
    race.passes(4_000).ends(1)
    race.passes(1_000).tell(Credit(race.now - 4_000, race.now))
    assert projection.boards_credited(race.state) == [wire.BoardEnded(1, "won", 6_000, 2)]
    assert projection.board_ended(race.state, 1) == wire.BoardEnded(1, "won", 6_000, 2)
    race.passes(1_000).ends(0)
    assert [news.elapsed_ms for news in projection.boards_ended(race.state)] == [5_000, 6_000, 7_000]


def test_code_and_nonce_are_shown_when_the_heat_is_judged_and_with_them_the_commitment() -> None:
    race = Room(ready=True)
    judged = race.plays(0)
    assert projection.heat_result(race.state) == wire.HeatResult(
        "HEAT1", 1, judged.rows, "DS1-D1N-ABCDEFG-HIJKLMN", "77", "c0ffee"
    )
    race.readies("ann").draws()
    assert projection.heat_result(race.state) is None


def test_points_are_shown_until_the_rematch_begins() -> None:
    race = Room(ready=True, best_of=1)
    race.enters("bob")
    race.readies("bob").plays(1, 0)
    assert [row.wins for row in projection.seat_rows(race.state, player("ann"))] == [0, 1]
    assert projection.room_info(race.state, race.now).decided
    race.readies("ann", "bob").draws()
    assert [row.wins for row in projection.seat_rows(race.state, player("ann"))] == [0, 0]
    assert not projection.room_info(race.state, race.now).decided


def test_a_bots_seed_and_a_sealed_code_are_in_nothing_that_is_shown() -> None:
    seeds, code = (7_777_777, 8_888_888), "DS1-D1N-ABCDEFG-HIJKLMN"
    race = Room(ready=True, bots=[1, 2])
    race.tell(replace(race.deal(), bot_seeds=seeds))
    race.now = race.heat.gun_ms
    race.ends(0)
    race.closes()
    shown = repr(everything(race))
    assert not any(str(secret) in shown for secret in (*seeds, code))
    race.judges(summary(0), summary(1), summary(2))
    shown = repr(everything(race))
    assert code in shown
    assert not any(str(seed) in shown for seed in seeds)


def everything(race: Room) -> list[object]:
    """All that the projection builds from a room."""
    state = race.state
    seats = [projection.board_ended(state, seat) for seat in range(4)]
    return [
        projection.room_info(state, race.now), projection.seat_rows(state, player("ann")),
        projection.heat_info(state), projection.heat_result(state), projection.room_row(state, race.now), *seats,
    ]  # fmt: skip


# ---------------------------------------------------------------- the lobby


def test_a_public_room_is_listed() -> None:
    race = Room(public=True, bots=[1], ready=True)
    assert projection.room_row(race.state, race.now) == wire.RoomRow(
        "ABCDE", "ann", "DS1-D1N", "first", 10, 4, 2, 1, running=False
    )
    race.draws()
    row = projection.room_row(race.state, race.now)
    assert row is not None
    assert row.running


def test_a_private_a_locked_and_a_deserted_room_are_not_listed() -> None:
    """N2, N3: what cannot be joined is not offered."""
    private, locked, deserted = Room(), Room(public=True), Room(public=True)
    locked.must("ann", LockRoom(N, True))
    deserted.drops("ann")
    assert [projection.room_row(race.state, race.now) for race in (private, locked, deserted)] == [None] * 3
    deserted.passes(600_000).upkeep()
    assert projection.room_row(deserted.state, deserted.now) is None
