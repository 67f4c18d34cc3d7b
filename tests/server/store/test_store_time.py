"""Which of a store's clocks is followed (ruling 20)."""

from __future__ import annotations

from typing import Any

import pytest
from redis.asyncio import RedisCluster
from redis.asyncio.cluster import ClusterNode

from server.store import keys
from server.store.connect import Store, read_time_ms

SLOTS = 16384


async def test_in_a_cluster_all_processes_follow_the_same_primary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever node the client would choose by itself, and whichever it came in by."""
    asked: list[ClusterNode] = []

    async def answer(*words: Any, target_nodes: ClusterNode) -> dict[str, tuple[int, int]]:
        assert words == ("TIME",)
        asked.append(target_nodes)
        return {target_nodes.name: (1_700_000_000, 250_000)}

    for entrance in (7001, 7002):
        client = RedisCluster(host="127.0.0.1", port=entrance)
        nodes = [ClusterNode("127.0.0.1", port, "primary") for port in (7001, 7002, 7003)]
        client.nodes_manager.slots_cache = {slot: [nodes[slot * 3 // SLOTS]] for slot in range(SLOTS)}
        monkeypatch.setattr(client, "execute_command", answer)
        for _ in range(3):
            assert await read_time_ms(client) == 1_700_000_000_250
        assert asked[-1] is nodes[client.keyslot(keys.SCHEMA) * 3 // SLOTS]
    assert len(asked) == 6
    assert len({node.name for node in asked}) == 1


async def test_a_store_alone_tells_its_own_time(store: Store) -> None:
    assert abs(await read_time_ms(store.client) - store.clock.now_ms()) < 1_000
