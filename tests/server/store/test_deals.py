"""The pool of certified deals: each is taken once, by one; nothing of it is logged or backed up (ruling 24)."""

from __future__ import annotations

import asyncio

import pytest
from redis.crc import key_slot

from server.store import archive, keys
from server.store.connect import Store
from server.store.deals import PooledDeal

RULESET = "DS1-D1N"
MOST = 64


def pooled(number: int) -> PooledDeal:
    return PooledDeal(
        f"{RULESET}-AAAAAAA-{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[number] * 7}", bytes([number, 0, 1, 255]), "easy"
    )


async def test_a_deal_is_taken_as_it_was_put_and_only_once(store: Store) -> None:
    assert await store.deals.take(RULESET) is None
    assert await store.deals.put(RULESET, pooled(1), MOST)
    assert await store.deals.count(RULESET) == 1
    assert await store.deals.take(RULESET) == pooled(1)
    assert await store.deals.take(RULESET) is None
    assert await store.deals.count(RULESET) == 0
    assert await store.client.execute_command("KEYS", "*deals*") == []


async def test_the_oldest_deal_is_taken_first(store: Store) -> None:
    for number in range(5):
        await store.deals.put(RULESET, pooled(number), MOST)
    assert [await store.deals.take(RULESET) for _ in range(5)] == [pooled(number) for number in range(5)]


async def test_each_ruleset_has_its_own_pool(store: Store) -> None:
    await store.deals.put(RULESET, pooled(1), MOST)
    assert await store.deals.take("DS1-D3N") is None
    assert await store.deals.count("DS1-D3N") == 0


async def test_a_full_pool_and_a_known_deal_are_refused(store: Store) -> None:
    assert await store.deals.put(RULESET, pooled(0), 2)
    assert not await store.deals.put(RULESET, pooled(0), 2)
    assert await store.deals.put(RULESET, pooled(1), 2)
    assert not await store.deals.put(RULESET, pooled(2), 2)
    assert await store.deals.count(RULESET) == 2


async def test_many_at_once_get_different_deals(store: Store) -> None:
    for number in range(20):
        await store.deals.put(RULESET, pooled(number), MOST)
    taken = await asyncio.gather(*(store.deals.take(RULESET) for _ in range(30)))
    codes = [deal.code for deal in taken if deal is not None]
    assert len(codes) == len(set(codes)) == 20


async def test_a_code_whose_solution_is_gone_is_passed_over(store: Store) -> None:
    await store.deals.put(RULESET, pooled(0), MOST)
    await store.deals.put(RULESET, pooled(1), MOST)
    await store.client.execute_command("HDEL", keys.pool_solutions(RULESET), pooled(0).code)
    assert await store.deals.take(RULESET) == pooled(1)


async def test_what_is_no_ruleset_reaches_no_key(store: Store) -> None:
    for wrong in ("", "DS1", "DS1-D1N}x", "*"):
        with pytest.raises(keys.BadKey):
            await store.deals.take(wrong)
        with pytest.raises(keys.BadKey):
            await store.deals.count(wrong)


def test_a_pool_has_one_slot() -> None:
    assert key_slot(keys.pool(RULESET).encode()) == key_slot(keys.pool_solutions(RULESET).encode())


def test_a_deal_does_not_print_its_secret() -> None:
    secret = pooled(3)
    for text in (repr(secret), str(secret), f"{secret}"):
        assert "DDDDDDD" not in text
        assert "solution" not in text


async def test_a_backup_holds_no_deal_of_the_pool(store: Store) -> None:
    """Restored later, a deal could come up again that somebody has played since."""
    await store.deals.put(RULESET, pooled(1), MOST)
    lines = [line async for line in archive.lines(store.client, 0, 1)]
    assert len(lines) == 2
    assert await archive.empty(store.client)
