"""Codes, host tokens, deals of rounds and the public list of tournaments, in a real store."""

from __future__ import annotations

import pytest

from server.store import keys
from server.store.connect import Store
from server.store.due import DueItem
from server.store.rooms import StoredDeal

ONE, OTHER = "ABCDEFGHJK", "KJHGFEDCBA"


async def test_a_code_leads_to_its_tournament_for_ever_and_to_no_room(store: Store) -> None:
    code = await store.tournaments.new_code(ONE)
    assert await store.tournaments.by_code(code) == ONE
    assert await store.rooms.room_of_code(code) is None
    assert await store.client.execute_command("TTL", keys.tournament_code(code)) == -1
    assert await store.tournaments.by_code("*") is None


async def test_of_a_host_token_only_the_hash_is_stored(store: Store) -> None:
    token = await store.tournaments.new_host(ONE, "Ada")
    assert await store.tournaments.host_of(ONE, token) == "Ada"
    assert await store.tournaments.host_of(OTHER, token) is None
    stored = await store.client.execute_command("HGETALL", keys.hosts(ONE))
    assert token.encode() not in stored


async def test_a_revoked_token_is_worthless(store: Store) -> None:
    token = await store.tournaments.new_host(ONE, "Ada")
    kept = await store.tournaments.new_host(ONE, "Grace")
    assert await store.tournaments.revoke_host(ONE, "Ada") == 1
    assert await store.tournaments.revoke_host(ONE, "Ada") == 0
    assert await store.tournaments.host_of(ONE, token) is None
    assert await store.tournaments.host_of(ONE, kept) == "Grace"
    assert await store.tournaments.hosts(ONE) == ["Grace"]


async def test_the_deal_of_a_round_is_stored_once(store: Store) -> None:
    first, second = StoredDeal("DS1-D1N-A", "1"), StoredDeal("DS1-D1N-B", "2")
    assert await store.tournaments.get_deal(ONE, 1) is None
    assert await store.tournaments.put_deal(ONE, 1, first) == first
    assert await store.tournaments.put_deal(ONE, 1, second) == first
    assert await store.tournaments.get_deal(ONE, 1) == first
    assert await store.tournaments.get_deal(ONE, 2) is None


async def test_public_tournaments_are_listed_until_they_are_stale(store: Store) -> None:
    await store.tournaments.show("ABCDE", b"row", 1_000)
    await store.tournaments.show("EDCBA", b"other", 5_000)
    assert await store.tournaments.listed(500) == [b"other", b"row"]
    assert await store.tournaments.listed(2_000) == [b"other"]


async def test_a_deadline_of_a_tournament_is_told_from_that_of_a_room(store: Store) -> None:
    await store.due.put(ONE, 5)
    await store.due.put(keys.due_tournament(ONE), 6)
    room, tournament = await store.due.take(10)
    assert (room, room.kind, room.id) == (DueItem(ONE, 5), "", ONE)
    assert (tournament.kind, tournament.id, tournament.at_ms) == ("t", ONE, 6)
    await store.due.done(tournament)
    assert [item.kind for item in await store.due.peek()] == [""]


@pytest.mark.parametrize("wrong", ["", "abc", "*", "ABCDEFGHJKL"])
def test_what_is_no_tournament_reaches_no_key(wrong: str) -> None:
    for build in (keys.tournament_log, keys.tournament_bell, keys.hosts, keys.due_tournament, keys.tournament_code):
        with pytest.raises(keys.BadKey):
            build(wrong)
    with pytest.raises(keys.BadKey):
        keys.round_deal(ONE, 0)
    with pytest.raises(keys.BadKey):
        keys.due_member(f"t:{wrong}", 1)
    with pytest.raises(keys.BadKey):
        keys.due_member(f"x:{ONE}", 1)
