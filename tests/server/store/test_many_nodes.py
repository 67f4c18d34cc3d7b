"""Sentinel and Cluster, with real processes: appends find the primary, also after it moved (D4, ruling 19)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from redis.crc import key_slot

from server.core.boards import Row
from server.store import keys, listing
from server.store.boards import Rule
from server.store.connect import Store, open_store
from server.store.dailies import Attempt
from server.store.errors import StoreUnusable
from server.store.history import Played
from server.store.ids import new_id, new_token
from server.store.lane import Append, Outage, Verdict
from server.store.topology import ClusterTopology
from tests.faults.stores import SLOTS, Node, Sentinel, command, told
from tests.store_fixture import free_port, until

pytestmark = pytest.mark.slow


def entry(n: int) -> bytes:
    return n.to_bytes(8, "big")


# ---------------------------------------------------------------- sentinel


@pytest.fixture
def sentinel(tmp_path: Path) -> Iterator[tuple[Node, Node, int]]:
    """A primary, a replica, and a sentinel (alone: a quorum of one); (primary, replica, sentinel's port)."""
    nodes = [Node(_folder(tmp_path, "a"), "--appendonly", "yes")]
    nodes.append(Node(_folder(tmp_path, "b"), "--appendonly", "yes", "--replicaof", f"127.0.0.1 {nodes[0].port}"))
    folder = _folder(tmp_path, "s")
    config = folder / "conf"
    config.write_text(
        f"sentinel monitor main 127.0.0.1 {nodes[0].port} 1\nsentinel down-after-milliseconds main 500\n"
        "sentinel failover-timeout main 2000\n"
    )
    watcher = Sentinel(folder, config)
    try:
        for node in nodes:
            node.start()
        watcher.start()
        yield nodes[0], nodes[1], watcher.port
    finally:
        for server in (*nodes, watcher):
            server.kill()


def _folder(base: Path, name: str) -> Path:
    made = base / name
    made.mkdir()
    return made


async def test_a_failover_is_followed_and_what_waits_gets_through(sentinel: tuple[Node, Node, int]) -> None:
    primary, replica, port = sentinel
    await told(primary, "online", "INFO", "replication")
    await _sentinel_knows(port)
    store = await open_store(f"redis+sentinel://127.0.0.1:{port}/main")
    outages: list[Outage] = []
    store.logs.on_back = outages.append
    board = keys.board_log(new_id(), new_id(), 0)
    for n in range(20):
        assert await store.logs.append(board, n, [entry(n)]) == (Verdict.OK, n + 1)
    await told(replica, "20", "LLEN", board)
    primary.kill()
    waiting = [asyncio.create_task(store.logs.append(board, n, [entry(n)])) for n in range(20, 30)]
    answers = await asyncio.wait_for(asyncio.gather(*waiting), 15)
    assert {verdict for verdict, _ in answers} <= {Verdict.OK, Verdict.DUP}
    assert await command(replica, "LRANGE", board, 0, -1) == [entry(n) for n in range(30)]
    assert await store.logs.load(board) == [entry(n) for n in range(30)]
    assert len(outages) == 1
    await store.close()


async def test_a_service_that_sentinel_does_not_know_is_unusable(sentinel: tuple[Node, Node, int]) -> None:
    with pytest.raises(StoreUnusable, match=r"no Sentinel of .* names a primary"):
        await open_store(f"redis+sentinel://127.0.0.1:{sentinel[2]}/other")


async def _sentinel_knows(port: int) -> None:
    client = Redis(port=port, protocol=2)
    for _ in range(200):
        if await client.execute_command("SENTINEL", "REPLICAS", "main"):
            await client.aclose()
            return
        await asyncio.sleep(0.05)
    pytest.fail("sentinel never saw the replica")


# ---------------------------------------------------------------- cluster


@pytest_asyncio.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[list[Node]]:
    """Three primaries that share the slots."""
    options = ["--appendonly", "yes", "--cluster-enabled", "yes", "--cluster-node-timeout", "1000"]
    buses = [free_port() for _ in range(3)]
    options += ["--cluster-announce-ip", "127.0.0.1"]
    nodes = [Node(_folder(tmp_path, str(bus)), *options, "--cluster-port", str(bus)) for bus in buses]
    try:
        for n, node in enumerate(nodes):
            node.start()
            first, last = n * SLOTS // 3, (n + 1) * SLOTS // 3 - 1
            await command(node, "CLUSTER ADDSLOTSRANGE", first, last)
            await command(node, "CLUSTER SET-CONFIG-EPOCH", n + 1)
        for node, bus in zip(nodes[1:], buses[1:], strict=True):
            await command(nodes[0], "CLUSTER MEET", "127.0.0.1", node.port, bus)
        for node in nodes:
            await told(node, "'cluster_known_nodes': '3'", "CLUSTER INFO")
            await told(node, "'cluster_state': 'ok'", "CLUSTER INFO")
        yield nodes
    finally:
        for node in nodes:
            node.kill()


def owner(nodes: list[Node], key: str) -> Node:
    return nodes[next(n for n in range(3) if key_slot(key.encode()) < (n + 1) * SLOTS // 3)]


async def test_rooms_spread_over_the_nodes_and_everything_works(cluster: list[Node]) -> None:
    store = await open_store(f"redis+cluster://127.0.0.1:{cluster[1].port}")
    rooms = [new_id() for _ in range(12)]
    assert {owner(cluster, keys.room_log(room)) for room in rooms} == set(cluster)
    answers = await asyncio.gather(
        *(store.logs.append(keys.room_log(room), 0, [b"a"], due=(room, n)) for n, room in enumerate(rooms))
    )
    assert list(answers) == [(Verdict.OK, 1)] * 12
    assert len(await store.due.take(50)) == 12
    board = keys.board_log(rooms[0], new_id(), 0)
    claim = await store.logs.claim(board, "n1")
    row = (keys.progress(rooms[0]), "0", b"row")
    assert (await store.logs.append(board, 0, [entry(0)], epoch=claim.epoch, progress=row))[0] is Verdict.OK
    await _ends_are_noted(store, board, claim.epoch)
    closed = await store.logs.close_heat(keys.room_log(rooms[0]), 1, [board], tag=19, at_ms=1, heat=new_id())
    assert closed.lengths == (2,)
    await _others_work(store)
    assert store.logs.away_since is None
    await store.close()


async def _ends_are_noted(store: Store, board: str, epoch: int) -> None:
    """One append puts members into two sorted sets of different nodes, before it."""
    member = keys.heat_member(new_id(), new_id())
    written: asyncio.Future[tuple[Verdict, int]] = asyncio.get_running_loop().create_future()

    def done(_: Append, verdict: Verdict, length: int) -> None:
        written.set_result((verdict, length))

    store.logs.push(Append(board, 1, [entry(1)], done, epoch, due=(new_id(), 77), unprojected=(member, 9)))
    assert await written == (Verdict.OK, 2)
    assert await store.unprojected.take(9) == [member]
    assert [item.at_ms for item in await store.due.peek()].count(77) == 1


async def _others_work(store: Store) -> None:
    token = new_token()
    player = await store.players.new_player("Ada", token, 1)
    assert await store.players.by_token(token) == player
    assert await store.players.names([player.id]) == {player.id: "Ada"}
    await _boards_work(store, player.id)
    room = new_id()
    code = await store.rooms.new_code(room)
    assert await store.rooms.room_of_code(code) == room
    await store.rooms.show(code, b"row", 10**13)
    assert await store.rooms.lobby(1) == [(code, b"row")]
    heard: list[int] = []
    ready: list[bool] = []
    store.bells.subscribe(keys.bell(room), lambda payload, number: heard.append(number), lambda: ready.append(True))
    await until(lambda: bool(ready))
    await store.logs.append(keys.room_log(room), 0, [b"a"], bell=(keys.bell(room), b""))
    await until(lambda: heard == [1])


async def _boards_work(store: Store, player: str) -> None:
    for number in range(9):
        name = f"d.2026-07-2{number}.DS1-D1N.score"
        assert await store.boards.put(name, player, 7, Row(7, 1, 0, 1, 1), Rule.FIRST)
        assert [row.place for row in (await store.boards.page(name, 0, 9)).rows] == [1]
    assert len(await listing.leaderboards(store.client)) == 9
    played = Played("daily", 1, "DS1-D1N", new_id(), "2026-07-29", "", "won", 104, 7, 1, 1)
    assert await store.history.add(player, played)
    attempt = Attempt(new_id(), 1)
    assert await store.dailies.begin("2026-07-29", "DS1-D1N", player, attempt) == attempt
    assert [one.attempt async for one in store.dailies.attempts("2026-07-29", "DS1-D1N")] == [attempt]
    assert await store.dailies.seal(attempt.log) == 0


async def test_a_slot_that_moved_is_found(cluster: list[Node]) -> None:
    store = await open_store(f"redis+cluster://127.0.0.1:{cluster[0].port}")
    room = new_id()
    log = keys.room_log(room)
    source, slot = owner(cluster, log), key_slot(log.encode())
    target = cluster[(cluster.index(source) + 1) % 3]
    name = await command(target, "CLUSTER MYID")
    for node in (target, source, *cluster):
        await command(node, "CLUSTER SETSLOT", slot, "NODE", name)
    waiting = [asyncio.create_task(store.logs.append(log, n, [entry(n)])) for n in range(20)]
    answers = await asyncio.wait_for(asyncio.gather(*waiting), 5)
    assert list(answers) == [(Verdict.OK, n + 1) for n in range(20)]
    assert await command(target, "LLEN", log) == 20
    assert await store.logs.load(log) == [entry(n) for n in range(20)]
    await store.close()


async def test_a_dead_primary_holds_up_only_its_own_rooms(cluster: list[Node]) -> None:
    store = await open_store(f"redis+cluster://127.0.0.1:{cluster[0].port}")
    outages: list[Outage] = []
    store.logs.on_back = outages.append
    for node in cluster:
        await command(node, "CONFIG SET", "cluster-require-full-coverage", "no")
    rooms = {owner(cluster, keys.room_log(room)): room for room in (new_id() for _ in range(200))}
    logs = [keys.room_log(rooms[node]) for node in cluster]
    for log in logs:
        await store.logs.append(log, 0, [entry(0)])
    cluster[2].kill()
    hit = asyncio.create_task(store.logs.append(logs[2], 1, [entry(1)]))
    await until(lambda: store.logs.away_since is not None)
    for log in logs[:2]:
        assert await asyncio.wait_for(store.logs.append(log, 1, [entry(1)]), 10) == (Verdict.OK, 2)
    assert not hit.done()
    cluster[2].start()
    assert await asyncio.wait_for(hit, 30) == (Verdict.OK, 2)
    assert [[outage.covers(log) for log in logs] for outage in outages] == [[False, False, True]]
    await until(lambda: store.logs.away_since is None)
    await store.close()


async def test_the_table_of_slots_is_read_from_whoever_answers(cluster: list[Node]) -> None:
    store = await open_store(f"redis+cluster://127.0.0.1:{free_port()},127.0.0.1:{cluster[0].port}")
    assert isinstance(store.topology, ClusterTopology)
    assert store.topology.primaries == sorted(f"127.0.0.1:{node.port}" for node in cluster)
    await store.close()
