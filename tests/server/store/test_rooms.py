"""Room codes, the lobby, quick match, deals, deadlines and signs of life."""

from __future__ import annotations

import pytest

from server.store import keys
from server.store.connect import Store, open_store
from server.store.due import DueItem
from server.store.ids import new_id
from server.store.rooms import StoredDeal

ROOM, OTHER, HEAT, ADA = "ABCDEFGHJK", "BCDEFGHJKL", "KJHGFEDCBA", "AAAAAAAAAA"
NOW = 1_700_000_000_000


async def test_a_code_leads_to_one_room(store: Store) -> None:
    code = await store.rooms.new_code(ROOM)
    assert await store.rooms.room_of_code(code) == ROOM
    assert not await store.rooms.claim_code(code, OTHER)
    assert await store.rooms.claim_code(code, ROOM)
    await store.rooms.free_code(code, OTHER)
    assert await store.rooms.room_of_code(code) == ROOM
    await store.rooms.free_code(code, ROOM)
    assert await store.rooms.room_of_code(code) is None
    assert await store.rooms.claim_code(code, OTHER)


async def test_a_code_expires_unless_it_is_renewed(store: Store) -> None:
    code = await store.rooms.new_code(ROOM, seconds=5)
    assert 0 < await store.client.execute_command("TTL", keys.code(code)) <= 5
    await store.rooms.renew_code(code, seconds=100)
    assert 90 < await store.client.execute_command("TTL", keys.code(code)) <= 100


async def test_what_is_no_code_leads_nowhere(store: Store) -> None:
    for typed in ("*", "{}", "abcde", "ABCDEF", "ABCDI"):
        assert await store.rooms.room_of_code(typed) is None
    with pytest.raises(keys.BadKey):
        await store.rooms.claim_code("ABCDE", "no id")


async def test_a_player_finds_the_way_back(store: Store) -> None:
    assert await store.rooms.room_of_player(ADA) is None
    await store.rooms.seat(ADA, ROOM)
    await store.rooms.seat(ADA, OTHER)
    await store.rooms.unseat(ADA, ROOM)
    assert await store.rooms.room_of_player(ADA) == OTHER
    await store.rooms.unseat(ADA, OTHER)
    assert await store.rooms.room_of_player(ADA) is None


async def test_the_lobby_shows_the_last_renewed_first_and_forgets(store: Store) -> None:
    for n, code in enumerate(("AAAAA", "BBBBB", "CCCCC")):
        await store.rooms.show(code, code.lower().encode(), NOW + 1000 * (n + 1))
    assert await store.rooms.lobby(NOW) == [("CCCCC", b"ccccc"), ("BBBBB", b"bbbbb"), ("AAAAA", b"aaaaa")]
    assert await store.rooms.lobby(NOW, limit=1) == [("CCCCC", b"ccccc")]
    assert await store.rooms.lobby(NOW + 1000) == [("CCCCC", b"ccccc"), ("BBBBB", b"bbbbb")]
    await store.rooms.show("BBBBB", b"new", NOW + 9000)
    await store.rooms.hide("CCCCC")
    assert await store.rooms.lobby(NOW + 2000) == [("BBBBB", b"new")]
    assert await store.client.execute_command("HLEN", keys.LOBBY_ROWS) == 1


async def test_quick_match_offers_the_longest_waiting_room(store: Store) -> None:
    now_ms = store.clock.now_ms()
    for code, ruleset in (("BBBBB", "DS1-D1N"), ("AAAAA", "DS1-D1N"), ("BBBBB", "DS1-D1N"), ("CCCCC", "SS1-D3N")):
        await store.rooms.offer_match(ruleset, code, now_ms + 60_000)
    assert await store.rooms.matches("DS1-D1N", now_ms) == ["BBBBB", "AAAAA"]
    await store.rooms.withdraw_match("DS1-D1N", "BBBBB")
    assert await store.rooms.matches("DS1-D1N", now_ms) == ["AAAAA"]
    assert await store.rooms.matches("DS1-D1N", now_ms + 62_000) == []


async def test_no_two_rooms_wait_at_the_same_place(store: Store) -> None:
    """Whoever was second sees the first: two who press at once find each other."""
    codes = ["DDDDD", "AAAAA", "CCCCC", "BBBBB", "EEEEE"]
    for code in codes:
        await store.rooms.offer_match("DS1-D1N", code, NOW)
    assert await store.rooms.matches("DS1-D1N", NOW - 60_000) == codes
    scores = [await store.client.execute_command("ZSCORE", keys.match("DS1-D1N"), code) for code in codes]
    assert len(set(scores)) == len(codes)


async def test_the_first_deal_of_a_heat_stands(store: Store) -> None:
    first, second = StoredDeal("DS1-D1N-ABCDEFG-HIJKLMN", "aa"), StoredDeal("DS1-D1N-NMLKJIH-GFEDCBA", "bb")
    assert await store.rooms.get_deal(ROOM, HEAT) is None
    assert await store.rooms.put_deal(ROOM, HEAT, first) == first
    assert await store.rooms.put_deal(ROOM, HEAT, second) == first
    assert await store.rooms.get_deal(ROOM, HEAT) == first
    assert await store.client.execute_command("TTL", keys.deal(ROOM, HEAT)) == -1
    heat = new_id()
    await store.rooms.put_deal(ROOM, heat, second, keep_s=50)
    assert 0 < await store.client.execute_command("TTL", keys.deal(ROOM, heat)) <= 50


def test_a_deal_shows_nothing_of_itself() -> None:
    assert "ABCDEFG" not in repr(StoredDeal("DS1-D1N-ABCDEFG-HIJKLMN", "aa"))


async def test_a_closed_room_is_kept_for_a_while(store: Store) -> None:
    await store.logs.append(keys.room_log(ROOM), 0, [b"a"])
    await store.rooms.keep_room(ROOM, 60)
    assert 0 < await store.client.execute_command("TTL", keys.room_log(ROOM)) <= 60


async def test_what_is_due_is_lent_and_comes_back_unless_done(store: Store) -> None:
    await store.due.put(ROOM, NOW + 5)
    await store.due.put(OTHER, NOW + 3)
    await store.due.put(OTHER, NOW + 900)
    assert await store.due.take(NOW) == []
    taken = await store.due.take(NOW + 10, lease_ms=100)
    assert taken == [DueItem(OTHER, NOW + 3), DueItem(ROOM, NOW + 5)]
    assert await store.due.take(NOW + 10) == []
    await store.due.done(taken[0])
    assert await store.due.take(NOW + 110) == [DueItem(ROOM, NOW + 5)]


async def test_a_later_deadline_replaces_no_earlier_one(store: Store) -> None:
    await store.due.put(ROOM, NOW + 5)
    await store.due.put(ROOM, NOW + 50)
    assert await store.due.peek() == [DueItem(ROOM, NOW + 5), DueItem(ROOM, NOW + 50)]


async def test_a_process_gives_signs_of_life(store: Store) -> None:
    assert not await store.nodes.alive("n1")
    await store.nodes.beat("n1")
    assert await store.nodes.alive("n1")
    assert 0 < await store.client.execute_command("PTTL", keys.node("n1")) <= 6000
    await store.nodes.gone("n1")
    assert not await store.nodes.alive("n1")


async def test_a_process_that_starts_begins_where_the_clocks_of_the_others_are(store: Store, store_url: str) -> None:
    """The store's time has jumped by three minutes under them (ruling 20): a heat keeps one timeline."""
    await store.nodes.beat("n1", 0.4)
    assert await store.nodes.ahead_ms() == 0
    await store.nodes.beat("n1", -180_000.2)
    assert await store.nodes.ahead_ms() == -180_000
    assert 0 < await store.client.execute_command("PTTL", keys.AHEAD) <= 6000
    newcomer = await open_store(store_url)
    try:
        assert newcomer.clock.now_ms() - store.clock.now_ms() == pytest.approx(-180_000, abs=2_000)
        assert newcomer.clock.skew_ms == pytest.approx(180_000, abs=2_000)
    finally:
        await newcomer.close()
