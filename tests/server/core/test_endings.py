"""Boards that the server ends: of who left, and of who stays away (ruling 2)."""

from __future__ import annotations

from server.core import events as log
from server.core import room
from server.core.endings import ABANDONED, BY_LEAVING, Ending
from server.core.inputs import NodeLost
from server.wire.messages import LeaveRoom
from tests.server.core.driver import HERE, N, Room

MINUTE = 60_000


def racing(*names: str, bots: tuple[int, ...] = (), minutes: int = 10) -> Room:
    """ann and these people race; the gun has been fired."""
    race = Room(bots=bots, ready=True, minutes=minutes)
    for name in names:
        race.enters(name)
        race.readies(name)
    race.begins()
    return race


def wanted(race: Room) -> list[Ending]:
    return room.wants_endings(race.state, race.now)


def test_while_everybody_plays_the_server_ends_nothing() -> None:
    race = racing("bob").passes(9 * MINUTE)
    assert wanted(race) == []
    assert room.due(race.state) == race.heat.deadline_ms + 2_000


def test_who_leaves_the_room_has_resigned_then() -> None:
    race = racing("bob").passes(MINUTE)
    left_ms = race.now
    race.must("bob", LeaveRoom(N))
    assert wanted(race.passes(5_000)) == [Ending(1, BY_LEAVING, left_ms)]
    race.ends(1, "resigned")
    assert wanted(race) == []


def test_who_leaves_in_the_countdown_has_resigned_at_the_gun() -> None:
    race = Room(ready=True)
    race.draws()
    race.must("ann", LeaveRoom(N))
    assert wanted(race) == []
    assert room.due(race.state) == race.heat.gun_ms
    assert wanted(race.passes(3_000)) == [Ending(0, BY_LEAVING, race.heat.gun_ms)]


def test_coming_back_does_not_undo_having_left() -> None:
    race = racing("bob")
    race.must("bob", LeaveRoom(N))
    race.enters("bob")
    assert [ending.seat for ending in wanted(race)] == [1]


def test_who_is_absent_keeps_the_board_as_long_as_somebody_plays() -> None:
    """N19, N37: no forfeit for a lost connection."""
    race = racing("bob")
    race.drops("bob")
    assert wanted(race.passes(9 * MINUTE)) == []


def test_once_everybody_else_has_ended_an_absent_player_has_resigned_after_five_minutes() -> None:
    race = racing("bob")
    race.drops("bob")
    race.passes(2 * MINUTE).ends(0)
    assert wanted(race.passes(3 * MINUTE - 1)) == []
    assert wanted(race.passes(1)) == [Ending(1, ABANDONED, race.now)]
    assert room.due(race.state) == race.now


def test_who_has_been_absent_for_long_has_resigned_when_the_last_other_ends() -> None:
    race = racing("bob")
    race.drops("bob")
    race.passes(7 * MINUTE).ends(0)
    assert wanted(race) == [Ending(1, ABANDONED, race.now)]


def test_who_comes_back_plays_on() -> None:
    race = racing("bob")
    race.drops("bob")
    race.ends(0)
    race.passes(4 * MINUTE).enters("bob")
    assert wanted(race.passes(5 * MINUTE)) == []
    race.drops("bob")
    assert wanted(race.passes(MINUTE - 2)) == [], "only the newest absence counts"


def test_absent_players_do_not_wait_for_each_other() -> None:
    race = racing("bob", "cem")
    race.tell(NodeLost(HERE))
    race.enters("ann")
    race.ends(0)
    race.passes(5 * MINUTE)
    assert [ending.seat for ending in wanted(race)] == [1, 2]


def test_a_race_that_everybody_walked_away_from_ends_after_five_minutes() -> None:
    race = racing(minutes=0)
    race.drops("ann")
    assert wanted(race.passes(5 * MINUTE)) == [Ending(0, ABANDONED, race.now)]


def test_a_bot_that_still_plays_is_waited_for() -> None:
    race = racing(bots=(1,))
    race.drops("ann")
    assert wanted(race.passes(6 * MINUTE)) == []
    race.ends(1)
    assert wanted(race) == [Ending(0, ABANDONED, race.now)]


def test_who_left_is_not_waited_for() -> None:
    race = racing("bob")
    race.drops("bob")
    race.must("ann", LeaveRoom(N))
    race.passes(5 * MINUTE)
    assert [(ending.seat, ending.count) for ending in wanted(race)] == [(0, BY_LEAVING), (1, ABANDONED)]


def test_an_ending_is_the_same_whoever_asks_for_it_and_when() -> None:
    race = racing("bob")
    race.drops("bob")
    race.ends(0)
    first = wanted(race.passes(5 * MINUTE))
    assert wanted(race.passes(MINUTE)) == first


def test_nobody_resigns_at_or_after_the_deadline() -> None:
    race = racing("bob", minutes=5)
    race.drops("bob")
    race.ends(0)
    assert wanted(race.passes(5 * MINUTE)) == [], "time is up: the closing ends this board"
    race.must("ann", LeaveRoom(N))
    assert wanted(race) == []


def test_after_the_closing_nothing_is_left_to_end() -> None:
    race = racing("bob")
    race.must("bob", LeaveRoom(N))
    race.closes()
    assert wanted(race) == []


def test_an_idle_rival_changes_nothing_for_who_has_finished() -> None:
    """N36: one of four does nothing; the others' ends are news at once, and the heat ends by rule."""
    race = racing("bob", "cem", "dee").passes(MINUTE)
    for seat in (0, 1, 2):
        (news,) = race.ends(seat)
        assert isinstance(news, log.BoardEnded)
    assert not room.wants_close(race.state, race.now)
    assert room.due(race.state) == race.heat.deadline_ms + 2_000
