"""Keys are built from checked parts only, and a room shares its slot with its boards."""

from __future__ import annotations

import pytest
from redis.crc import key_slot

from server.store import keys
from server.store.ids import new_code, new_id, new_link_code, new_token

ROOM, HEAT = "ABCDEFGHJK", "KJHGFEDCBA"
WRONG = ["", "ABCDE", "abcdefghjk", "ABCDEFGHIK", "ABCDEFGHJK ", "ABCDEFGHJK\n", "*", "{}", "ABCDE{}HJK", "ABCDEFGHJKL"]


@pytest.mark.parametrize("room", WRONG)
def test_what_is_no_id_reaches_no_key(room: str) -> None:
    for build in (keys.room_log, keys.progress, keys.bell, keys.seat, keys.player):
        with pytest.raises(keys.BadKey):
            build(room)
    with pytest.raises(keys.BadKey):
        keys.board_log(ROOM, room, 0)
    with pytest.raises(keys.BadKey):
        keys.board_log(room, HEAT, 0)
    with pytest.raises(keys.BadKey):
        keys.deal(ROOM, room)
    with pytest.raises(keys.BadKey):
        keys.due_member(room, 1)


@pytest.mark.parametrize("text", ["ABCD", "ABCDEF", "ABCDI", "ABCDO", "abcde", "AB*DE", "ABCD\n"])
def test_what_is_no_room_code_reaches_no_key(text: str) -> None:
    assert not keys.is_code(text)
    with pytest.raises(keys.BadKey):
        keys.code(text)


@pytest.mark.parametrize("seat", [-1, 1000])
def test_a_seat_has_a_range(seat: int) -> None:
    with pytest.raises(keys.BadKey):
        keys.board_log(ROOM, HEAT, seat)


@pytest.mark.parametrize("node", ["", "a b", "-a", "a" * 33, "a:b", "{a}"])
def test_a_node_id_is_checked(node: str) -> None:
    with pytest.raises(keys.BadKey):
        keys.node(node)


def test_a_ruleset_is_checked() -> None:
    assert keys.match("DS1-D1N") == "kupa:match:DS1-D1N"
    with pytest.raises(keys.BadKey):
        keys.match("DS1-D1N*")


def test_everything_of_a_room_has_one_slot() -> None:
    board = keys.board_log(ROOM, HEAT, 999)
    names = [keys.room_log(ROOM), board, keys.meta(board), keys.deal(ROOM, HEAT), keys.progress(ROOM)]
    assert len({key_slot(name.encode()) for name in names}) == 1
    assert key_slot(keys.LOBBY_ROWS.encode()) == key_slot(keys.LOBBY_UNTIL.encode())


def test_a_leaderboard_and_a_history_have_one_slot_each() -> None:
    for names in (
        (keys.ranking("a.DS1-D1N.time"), keys.ranking_rows("a.DS1-D1N.time")),
        (keys.history(ROOM), keys.history_counts(ROOM), keys.history_days(ROOM)),
        (keys.attempts("2026-07-29", "DS1-D1N"), keys.practice("2026-07-29", "DS1-D1N")),
    ):
        assert len({key_slot(name.encode()) for name in names}) == 1


def test_members_of_what_is_unprojected_are_checked() -> None:
    assert keys.attempt_member("2026-07-29", "DS1-D1N", ROOM) == f"d:2026-07-29:DS1-D1N:{ROOM}"
    assert keys.heat_member(ROOM, HEAT) == f"h:{ROOM}:{HEAT}"
    for day, ruleset, player in (("2026-07-29", "DS1-D1N", "x"), ("today", "DS1-D1N", ROOM), ("2026-07-29", "*", ROOM)):
        with pytest.raises(keys.BadKey):
            keys.attempt_member(day, ruleset, player)
    with pytest.raises(keys.BadKey):
        keys.heat_member(ROOM, "x")


def test_a_boards_key_tells_what_it_is() -> None:
    assert keys.board_of(keys.board_log(ROOM, HEAT, 12)) == (ROOM, HEAT, 12)
    for other in (keys.room_log(ROOM), keys.board_log(ROOM, HEAT, 0) + ":m", "x"):
        with pytest.raises(keys.BadKey):
            keys.board_of(other)


def test_secrets_are_stored_as_hashes_only() -> None:
    token, code = new_token(), new_link_code()
    assert token not in keys.token(keys.token_hash(token))
    assert code not in keys.link(code)


def test_new_ids_have_the_form_of_ids_and_differ() -> None:
    ids = {new_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(keys.is_id(text) for text in ids)
    assert all(keys.is_code(new_code()) for _ in range(200))
    assert len(new_link_code()) == 8
    assert len(new_token()) == 32
