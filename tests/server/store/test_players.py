"""Identities: one secret per device, revocable; a one-time code adds a device (ruling 14)."""

from __future__ import annotations

import re

import pytest

from server.store import keys
from server.store.connect import Store
from server.store.ids import new_id, new_token
from server.store.players import LINK_S, tag_of

NOW = 1_700_000_000_000


async def test_a_token_finds_its_player(store: Store) -> None:
    token = new_token()
    ada = await store.players.new_player("Ada", token, NOW)
    assert await store.players.by_token(token) == ada
    assert await store.players.by_id(ada.id) == ada
    assert (ada.name, ada.made_ms) == ("Ada", NOW)
    assert await store.players.by_token(new_token()) is None
    assert await store.players.by_id(new_id()) is None


async def test_the_token_itself_is_nowhere_in_the_store(store: Store) -> None:
    token = new_token()
    ada = await store.players.new_player("Ada", token, NOW)
    for key in await store.client.execute_command("KEYS", "*"):
        assert token.encode() not in key
    assert token not in str(await store.client.execute_command("HGETALL", keys.player(ada.id)))


async def test_a_name_can_be_changed_and_the_tag_stays(store: Store) -> None:
    token = new_token()
    ada = await store.players.new_player("Ada", token, NOW)
    await store.players.rename(ada.id, "Łucja")
    found = await store.players.by_token(token)
    assert found is not None
    assert (found.name, found.tag) == ("Łucja", ada.tag)
    assert re.fullmatch(r"[0-9A-F]{4}", tag_of(ada.id))


async def test_a_device_code_works_once_and_for_ten_minutes(store: Store) -> None:
    ada = await store.players.new_player("Ada", new_token(), NOW)
    code = await store.players.offer_device(ada.id)
    assert 0 < await store.client.execute_command("TTL", keys.link(code)) <= LINK_S == 600
    used = await store.players.use_device_code(f" {code[:4].lower()}-{code[4:]} ", NOW)
    assert used is not None
    player, token = used
    assert player == ada
    assert await store.players.by_token(token) == ada
    assert await store.players.use_device_code(code, NOW) is None


async def test_a_wrong_device_code_is_nobodys(store: Store) -> None:
    for code in ("", "ABC", "ABCDEFGH", "*" * 8, "ABCDEFGHJ"):
        assert await store.players.use_device_code(code, NOW) is None


async def test_revoking_leaves_only_this_device(store: Store) -> None:
    mine = new_token()
    ada = await store.players.new_player("Ada", mine, NOW)
    other = await store.players.use_device_code(await store.players.offer_device(ada.id), NOW)
    assert other is not None
    assert await store.players.revoke_others(ada.id, mine) == 1
    assert await store.players.by_token(other[1]) is None
    assert await store.players.by_token(mine) == ada
    assert await store.players.revoke_others(ada.id, mine) == 0


async def test_a_left_over_index_entry_lets_nobody_in(store: Store) -> None:
    """The player's own hash decides: a crash between the two steps of revoking opens nothing."""
    mine, theirs = new_token(), new_token()
    ada = await store.players.new_player("Ada", mine, NOW)
    await store.client.execute_command("SET", keys.token(keys.token_hash(theirs)), ada.id)
    assert await store.players.by_token(theirs) is None


async def test_names_are_read_together(store: Store) -> None:
    ann, bob = [await store.players.new_player(name, new_token(), NOW) for name in ("Ann", "Bob")]
    assert await store.players.names([ann.id, "AAAAAAAAAA", bob.id]) == {ann.id: "Ann", bob.id: "Bob"}
    assert await store.players.names([]) == {}
    with pytest.raises(keys.BadKey):
        await store.players.names(["*"])
