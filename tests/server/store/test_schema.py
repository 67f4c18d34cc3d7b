"""A store is raised to a newer schema only when every server knows it (reliability 2.9)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from server.store import keys, schema
from server.store.connect import Store
from server.store.errors import StoreUnusable


@pytest_asyncio.fixture(autouse=True)
async def as_before(store: Store) -> AsyncIterator[None]:
    """Other tests use the same store afterwards."""
    yield
    await stored(store, schema.KNOWN)


async def stored(store: Store, number: int) -> None:
    await store.client.execute_command("SET", keys.SCHEMA, number)


async def test_an_empty_store_gets_the_newest_schema(store: Store) -> None:
    await store.client.execute_command("DEL", keys.SCHEMA)
    assert await schema.settle(store.client, known=3) == 3
    assert (await schema.state(store.client, known=3)).finished


async def test_a_newer_server_goes_on_writing_the_older_schema(store: Store) -> None:
    await stored(store, 2)
    assert await schema.settle(store.client, known=3) == 2
    assert await schema.settle(store.client, known=2) == 2
    assert not (await schema.state(store.client, known=3)).finished


async def test_after_the_migration_an_older_server_refuses_to_start(store: Store) -> None:
    await stored(store, 2)
    assert (await schema.finish(store.client, known=3)).stored == 3
    assert await schema.settle(store.client, known=3) == 3
    with pytest.raises(StoreUnusable, match=r"newer server \(schema 3, this one knows 2\)"):
        await schema.settle(store.client, known=2)


async def test_a_schema_two_steps_back_is_not_read(store: Store) -> None:
    await stored(store, 1)
    with pytest.raises(StoreUnusable, match="step by step"):
        await schema.settle(store.client, known=3)


async def test_a_migration_waits_for_processes_that_know_only_the_older_schema(store: Store) -> None:
    await stored(store, schema.KNOWN)
    await store.nodes.beat("old")
    found = await schema.state(store.client, known=schema.KNOWN + 1)
    assert found.nodes == {"old": schema.KNOWN}
    assert found.behind == ["old"]
    with pytest.raises(StoreUnusable, match="old"):
        await schema.finish(store.client, known=schema.KNOWN + 1)
    assert (await schema.state(store.client)).stored == schema.KNOWN
    await store.nodes.gone("old")
    assert (await schema.finish(store.client, known=schema.KNOWN + 1)).stored == schema.KNOWN + 1


async def test_each_step_is_done_once_for_each_number(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []

    async def step(_: object) -> None:
        done.append(len(done))

    monkeypatch.setattr(schema, "STEPS", {2: step})
    await stored(store, 1)
    await schema.finish(store.client, known=2)
    await schema.finish(store.client, known=2)
    assert done == [0]
