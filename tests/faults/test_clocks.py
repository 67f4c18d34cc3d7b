"""The clocks of a cluster's stores differ by minutes, and the one that is followed dies (ruling 20, F16): a heat has
one timeline all the same.

All processes follow one primary (store.connect says why not each room's own). What that primary's successor thinks
of the time is bent towards, never jumped to, also by a process that starts only then.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from redis.crc import key_slot

from server.clock import SLEW
from server.store import keys
from server.store.connect import open_store
from tests.faults.invariants import CLOCK_MS
from tests.faults.player import Player
from tests.faults.rows import promoted, room_id
from tests.faults.site import Site
from tests.faults.stores import SLOTS

pytestmark = pytest.mark.long
MINUTE_MS = 60_000
GUN_LATE_MS = 10_000
"""However slow this machine is: far less than the clocks differ by."""
TOLD_S = 20.0
"""Until a jump of the store's time has been sampled and told."""


def primary(key: str) -> int:
    """Number of the node that holds this key, as the cluster begins."""
    return next(n for n in range(3) if key_slot(key.encode()) < (n + 1) * SLOTS // 3)


FOLLOWED = primary(keys.SCHEMA)


@pytest_asyncio.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """A cluster in which only the primary that is followed has this machine's time."""
    made = Site(tmp_path, 1, kind="cluster", mutant="clocks_differ")
    assert made.cluster is not None
    off_ms = {node.port: (number - 2) * 4 * MINUTE_MS for number, node in enumerate(made.cluster.nodes)}
    off_ms |= {made.cluster.nodes[FOLLOWED].port: 0, made.cluster.nodes[FOLLOWED + 3].port: -3 * MINUTE_MS}
    for server in made.servers:
        server.settings["CLOCKS"] = ",".join(f"{port}={ms}" for port, ms in off_ms.items())
    try:
        await made.start()
        yield made
    finally:
        await made.stop()


async def elsewhere(site: Site) -> tuple[Player, Player]:
    """Ann and Bob in a room whose own primary has another time."""
    for _ in range(40):
        ann, bob = await site.room()
        if primary(keys.room_log(await room_id(site))) != FOLLOWED:
            return ann, bob
        for player in (ann, bob):
            await player.go()
        site.players.clear()
    raise AssertionError("forty rooms lie on one primary of three")


async def jump_told(site: Site) -> int:
    """Wait until the processes have told each other that the store's time is not theirs; by how much."""
    until = time.monotonic() + TOLD_S
    while time.monotonic() < until:
        store = await open_store(site.own_url, check=False)
        try:
            ahead_ms = await store.nodes.ahead_ms()
        finally:
            await store.close()
        if ahead_ms:
            return ahead_ms
    raise AssertionError(f"nobody saw the jump within {TOLD_S} s")


async def test_a_primary_whose_clock_is_off_by_minutes_harms_neither_heat_nor_gun(
    site: Site, record_property: Callable[[str, object], None]
) -> None:
    cell = ["F16c", "mid-race", "clocks of a cluster differ by minutes", "gun and I7 as ever, also after", "nothing"]
    record_property("cell", cell)
    assert site.cluster is not None
    ann, bob = await elsewhere(site)
    await site.race()
    dealt_ms = [next(line.wall_ms for line in p.tape.lines if line.frame["event"] == "Dealt") for p in (ann, bob)]
    late_ms = [at - ann.seen["HeatInfo"]["gun_ms"] for at in dealt_ms]
    assert -CLOCK_MS <= min(late_ms) <= max(late_ms) < GUN_LATE_MS
    for player in (ann, bob):
        await player.play_until(lambda p=player: len(p.played) >= 5)  # type: ignore[misc]
    died = time.monotonic()
    site.cluster.nodes[FOLLOWED].kill()
    await promoted([site.cluster.nodes[FOLLOWED + 3]], "'role': 'master'", "INFO", "replication")
    ahead_ms = await jump_told(site)
    assert ahead_ms == pytest.approx(3 * MINUTE_MS, abs=MINUTE_MS)
    await site.servers[1].kill()
    await site.start_server(1)
    for player in (ann, bob):
        await player.play_until(lambda p=player: len(p.played) >= 15)  # type: ignore[misc]
    assert bob.sockets > 1
    site.clock_ms = CLOCK_MS + (time.monotonic() - died) * 1000 * SLEW
    cell[-1] = f"gun {max(late_ms)} ms after its time, then {ahead_ms} ms ahead of the store, bent to"
    assert await site.verdict() == []
