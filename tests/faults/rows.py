"""The faults of the failure model (reliability 4) that can be forced on one machine, as a table.

Lives here: what goes wrong, and how long it may take until people are back in play. Lives elsewhere: when it goes
wrong (moments), faults that need a crowd (test_crowds), those that need no process at all (the table `ELSEWHERE`
names their tests).

A fault returns the instant (monotonic) from which on people should be back: the death of a server, the return of a
store.
"""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis
from redis.crc import key_slot
from redis.exceptions import RedisError

from server.store import keys
from tests.faults.player import Player
from tests.faults.process import ServerProcess
from tests.faults.relay import BOTH, Way
from tests.faults.site import Site
from tests.faults.stores import Node, command, told

Fault = Callable[[Site, random.Random], Coroutine[Any, Any, float]]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    id: str
    """F1–F24, with a letter where a row has several ways."""
    what: str
    back_s: float
    """Back in play within this."""
    fault: Fault
    kind: str = "plain"
    """Of the store."""
    rolls_back: bool = False


def store_of(site: Site) -> Node:
    """The one store of this site."""
    assert site.plain is not None
    return site.plain


def _signal(server: ServerProcess, number: int) -> None:
    server.child.send_signal(number)


async def server_killed(site: Site, chance: random.Random) -> float:
    began = time.monotonic()
    await site.servers[0].kill()
    site.ways[0].reset()
    return began


async def server_killed_with_moves_on_their_way(site: Site, chance: random.Random) -> float:
    """What it had sent to the store may or may not have come there; what it confirmed has."""
    site.to_store[0].late(0.4, 0.0, Way.UP)
    await asyncio.sleep(chance.uniform(0.3, 0.6))
    began = await server_killed(site, chance)
    site.to_store[0].reset()
    site.to_store[0].fair()
    return began


async def server_told_to_end(site: Site, chance: random.Random) -> float:
    began = time.monotonic()
    _signal(site.servers[0], signal.SIGTERM)
    assert await site.servers[0].ended(20) == 0
    assert time.monotonic() - began <= 20
    return began


async def store_killed(site: Site, chance: random.Random) -> float:
    for _ in range(2):
        store_of(site).kill()
        await asyncio.sleep(chance.uniform(0.05, 0.4))
        store_of(site).start()
        await told(store_of(site), "'loading': 0", "INFO", "persistence")
        ready = time.monotonic()
        await asyncio.sleep(chance.uniform(0.0, 0.2))
    return ready


async def primary_dies_watched(site: Site, chance: random.Random) -> float:
    assert site.watched is not None
    began = time.monotonic()
    site.watched.nodes[0].kill()
    await promoted(site.watched.nodes[1:], "'role': 'master'", "INFO", "replication")
    assert time.monotonic() - began < 12
    return time.monotonic()


async def primary_dies_in_a_cluster(site: Site, chance: random.Random) -> float:
    """The primary that holds the room."""
    assert site.cluster is not None
    room = await room_id(site)
    at = next(n for n in range(3) if key_slot(keys.room_log(room).encode()) < (n + 1) * 16384 // 3)
    site.cluster.nodes[at].kill()
    await promoted([site.cluster.nodes[at + 3]], "'role': 'master'", "INFO", "replication")
    return time.monotonic()


async def room_id(site: Site) -> str:
    for node in site.cluster.nodes if site.cluster is not None else []:
        client = Redis(port=node.port, protocol=2)
        try:
            found = await client.execute_command("GET", keys.code(site.players[0].room))
        except RedisError:
            continue
        finally:
            await client.aclose()
        if found:
            return str(found.decode())
    raise AssertionError("no node knows the room")


async def promoted(nodes: list[Node], word: str, *words: object) -> None:
    waits = [asyncio.create_task(told(node, word, *words, seconds=12)) for node in nodes]
    done, pending = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    for task in done:
        task.result()


async def tail_lost(site: Site, chance: random.Random) -> float:
    """A replica that is cut off is promoted: what the primary took meanwhile is gone."""
    site.rolled_back = True
    primary = store_of(site)
    replica = Node(site.folder / "replica", "--appendonly", "yes", "--replicaof", f"127.0.0.1 {primary.port}")
    site.own_store = replica
    replica.start()
    await told(replica, "'master_link_status': 'up'", "INFO", "replication")
    await _caught_up(replica, await _written(primary))
    await command(replica, "REPLICAOF", "NO", "ONE")
    await asyncio.sleep(chance.uniform(0.1, 0.4))
    primary.kill()
    site.plain = None
    for way in site.to_store:
        way.lead(("127.0.0.1", replica.port))
    return time.monotonic()


async def _caught_up(replica: Node, written: int) -> None:
    for _ in range(1500):
        if await _written(replica) >= written:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the replica never got what the primary had written")


async def _written(node: Node) -> int:
    """Up to where a primary has written, or its replica has what it wrote."""
    told = await command(node, "INFO", "replication")
    assert isinstance(told, dict)
    return int(told["slave_repl_offset" if told["role"] == "slave" else "master_repl_offset"])


async def store_late(site: Site, chance: random.Random) -> float:
    for way in site.to_store:
        way.late(0.5, 0.05, Way.DOWN)
    await asyncio.sleep(2.0)
    for way in site.to_store:
        way.fair()
    return time.monotonic()


async def store_far_away(site: Site, chance: random.Random) -> float:
    """It stays so: every append takes a while, and the other server's come in between."""
    for way in site.to_store:
        way.late(0.15, 0.05)
    return time.monotonic()


async def one_way_late(site: Site, chance: random.Random) -> float:
    """Only the first server's way to the store: what it writes is written later than what the other one does."""
    site.to_store[0].late(0.3, 0.0, Way.UP)
    await asyncio.sleep(1.5)
    site.to_store[0].fair()
    return time.monotonic()


async def store_frozen(site: Site, chance: random.Random) -> float:
    child = store_of(site).child
    assert child is not None
    for seconds in (0.3, chance.uniform(1.2, 2.5)):
        child.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        child.send_signal(signal.SIGCONT)
        back = time.monotonic()
        await asyncio.sleep(0.1)
    return back


async def store_silent(site: Site, chance: random.Random) -> float:
    """Answers are lost, questions are not: all is written, nothing is known."""
    for way in site.to_store:
        way.silent(Way.DOWN)
    await asyncio.sleep(1.5)
    for way in site.to_store:
        way.reset()
        way.fair()
    return time.monotonic()


def spoiled(*spoil: str, mend: tuple[str, ...]) -> Fault:
    """A setting of the store that makes it refuse for a while."""

    async def fault(site: Site, chance: random.Random) -> float:
        await command(store_of(site), *spoil)
        await asyncio.sleep(chance.uniform(0.8, 1.6))
        await command(store_of(site), *mend)
        return time.monotonic()

    return fault


async def connections_refused(site: Site, chance: random.Random) -> float:
    store = store_of(site)
    client = Redis(unix_socket_path=str(store.socket), protocol=2, single_connection_client=True)
    try:
        await client.execute_command("CONFIG SET", "maxclients", "1")
        await client.execute_command("CLIENT KILL", "TYPE", "normal", "SKIPME", "yes")
        await client.execute_command("CLIENT KILL", "TYPE", "pubsub")
        await asyncio.sleep(1.0)
        await client.execute_command("CONFIG SET", "maxclients", "1000")
        return time.monotonic()
    finally:
        await client.aclose()


async def disk_full(site: Site, chance: random.Random) -> float:
    """Its file may grow no further."""
    store = store_of(site)
    store.fill_disk(True)
    await asyncio.sleep(1.8)
    store.fill_disk(False)
    return time.monotonic()


async def subscriptions_cut(site: Site, chance: random.Random) -> float:
    for _ in range(25):
        await command(store_of(site), "CLIENT", "KILL", "TYPE", "pubsub")
        await asyncio.sleep(chance.uniform(0.02, 0.1))
    return time.monotonic()


async def half_open(site: Site, chance: random.Random) -> float:
    """Ann's way falls silent both ways without an end; new connections get through to the other server."""
    site.ways[0].silent(*BOTH)
    began = time.monotonic()
    held = site.servers[0]
    held.hidden = True
    await asyncio.sleep(10.5)
    held.hidden = False
    site.ways[0].reset()
    site.ways[0].fair()
    return began


async def answers_lost(site: Site, chance: random.Random) -> float:
    """What Ann sends arrives, and she hears nothing; then the connection is reset."""
    site.ways[0].silent(Way.DOWN)
    await asyncio.sleep(0.5)
    site.ways[0].reset()
    site.ways[0].fair()
    return time.monotonic()


async def hops(site: Site, chance: random.Random) -> float:
    """Connections break after so many bytes, again and again."""
    for _ in range(4):
        for way in site.ways:
            way.cut_after(chance.randint(50, 2000), chance.choice(BOTH))
        await asyncio.sleep(0.3)
    for way in site.ways:
        way.fair()
    return time.monotonic()


async def two_tabs(site: Site, chance: random.Random) -> float:
    """The same person comes a second time, at the other server; the first tab is told and stays out."""
    ann = site.players[0]
    tab = Player("Ann", site.urls(1), site.seed)
    tab.token, tab.room, tab.script = ann.token, ann.room, ann.script
    began = time.monotonic()
    await tab.back()
    site.players.insert(0, tab)
    if site.playing:
        site.play(tab)
    return began


async def sliced(site: Site, chance: random.Random) -> float:
    for way in (*site.ways, *site.to_store):
        way.sliced(1)
    await asyncio.sleep(1.0)
    for way in (*site.ways, *site.to_store):
        way.fair()
    return time.monotonic()


async def server_frozen(site: Site, chance: random.Random) -> float:
    """F21: a stall of a second and a half is nobody's disconnect."""
    _signal(site.servers[0], signal.SIGSTOP)
    await asyncio.sleep(1.5)
    _signal(site.servers[0], signal.SIGCONT)
    return time.monotonic()


_FULL: tuple[Any, ...] = ("CONFIG SET", "maxmemory", "1")
ROWS = (
    Row("F1", "server SIGKILL", 3.0, server_killed),
    Row("F1b", "server SIGKILL, moves on their way", 3.0, server_killed_with_moves_on_their_way),
    Row("F2", "server SIGTERM", 3.0, server_told_to_end),
    Row("F3", "store kill -9, twice", 2.0, store_killed),
    Row("F4", "failover, sentinel", 3.0, primary_dies_watched, kind="watched"),
    Row("F4c", "failover, cluster", 3.0, primary_dies_in_a_cluster, kind="cluster"),
    Row("F5", "failover loses the tail", 3.0, tail_lost, rolls_back=True),
    Row("F6", "store 500 ms late", 2.0, store_late),
    Row("F6b", "one server's way late", 2.0, one_way_late),
    Row("F6c", "store 150 ms away for good", 3.0, store_far_away),
    Row("F7", "store frozen", 2.0, store_frozen),
    Row("F7b", "answers of the store lost", 2.0, store_silent),
    Row("F8", "store full", 2.0, spoiled(*_FULL, mend=("CONFIG SET", "maxmemory", "0"))),
    Row("F9", "store read-only", 2.0, spoiled("REPLICAOF", "127.0.0.1", "1", mend=("REPLICAOF", "NO", "ONE"))),
    Row(
        "F9b", "store without replicas", 2.0,
        spoiled("CONFIG SET", "min-replicas-to-write", "1", mend=("CONFIG SET", "min-replicas-to-write", "0")),
    ),
    Row("F9c", "store takes no connections", 3.0, connections_refused),
    Row("F10", "pub/sub cut 25 times", 3.0, subscriptions_cut),
    Row("F12", "half-open connection", 11.0, half_open),
    Row("F12b", "answers to a client lost", 2.0, answers_lost),
    Row("F13", "connections cut after n bytes", 2.0, hops),
    Row("F14", "two tabs", 2.0, two_tabs),
    Row("F15s", "one byte at a time", 2.0, sliced),
    Row("F21", "server stalls 1.5 s", 2.0, server_frozen),
    Row("F22", "disk full", 3.0, disk_full),
)  # fmt: skip
BY_ID = {row.id: row for row in ROWS}
_RACE = "tests/server/services/test_race.py"
ELSEWHERE = (
    ("F15", "frames sent again", f"{_RACE}::test_a_move_sent_twice_is_answered_twice_and_counts_once"),
    ("F16", "clocks jump by an hour", "tests/server/test_clock.py::test_an_hour_back_makes_it_slower_not_wrong"),
    ("F17", "midnight", "tests/server/services/test_daily.py::test_what_was_begun_before_midnight_counts_for_its_day"),
    (
        "F17",
        "another time zone",
        "tests/server/core/test_daily.py::test_a_process_in_another_time_zone_has_the_same_days",
    ),
    ("F21", "the loop is held", "tests/server/test_watchdog.py::test_what_holds_the_loop_is_logged_with_its_stack"),
    ("F23", "orphaned store", "tests/server/store/test_embedded.py::test_an_orphan_is_ended_before_a_new_one_starts"),
)
"""Rows that need no process that dies, or one alone: id, what, and the test in the gate that holds it."""
