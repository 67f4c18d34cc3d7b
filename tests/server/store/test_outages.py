"""What happens to appends while the store is frozen, dead, full or read-only (reliability F3–F9)."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator

import pytest

from server.store import keys
from server.store.connect import Store, open_store
from server.store.errors import StoreAway, StoreBusy, StoreError, StoreFull
from server.store.lane import Append, Outage, Verdict
from server.store.logs import Durability, LogWriter
from tests.store_fixture import Server, free_port, until

ROOM, HEAT = "ABCDEFGHJK", "KJHGFEDCBA"
LOG = keys.room_log(ROOM)
BOARD = keys.board_log(ROOM, HEAT, 0)


def entry(n: int) -> bytes:
    return n.to_bytes(8, "big")


@contextlib.asynccontextmanager
async def opened(server: Server, **options: object) -> AsyncIterator[Store]:
    made = await open_store(server.url, **options)  # type: ignore[arg-type]
    try:
        yield made
    finally:
        await made.close(timeout_s=0.2)


async def test_a_frozen_store_gets_every_entry_exactly_once(server: Server) -> None:
    """F7: no answer in time is an unknown outcome; the same request is sent again until it is known."""
    async with opened(server) as store:
        outages: list[Outage] = []
        store.logs.on_back = outages.append
        await store.logs.append(BOARD, 0, [entry(0)])
        assert server.child is not None
        server.child.send_signal(signal.SIGSTOP)
        frozen_ms = store.clock.now_ms()
        waiting = [asyncio.create_task(store.logs.append(BOARD, n, [entry(n)])) for n in range(1, 50)]
        claiming = asyncio.create_task(store.logs.claim(keys.board_log(ROOM, HEAT, 1), "n1"))
        for _ in range(10):  # turns of the loop, after which the first of them is on its way
            await asyncio.sleep(0)
        sent_ms = store.clock.now_ms()
        await asyncio.sleep(1.5)
        assert store.logs.away_since is not None
        assert frozen_ms <= store.logs.away_since <= sent_ms
        assert store.logs.trouble == "the store does not answer"
        assert not any(task.done() for task in waiting)
        server.child.send_signal(signal.SIGCONT)
        answers = await asyncio.wait_for(asyncio.gather(*waiting), 5)
        assert {verdict for verdict, _ in answers} <= {Verdict.OK, Verdict.DUP}
        assert await store.logs.load(BOARD) == [entry(n) for n in range(50)]
        assert (await asyncio.wait_for(claiming, 5)).epoch == 1
        assert store.logs.away_since is None
        (outage,) = outages
        assert frozen_ms <= outage.from_ms <= sent_ms
        assert 1400 <= outage.to_ms - outage.from_ms < 4000
        assert outage.covers(LOG)


async def test_that_the_store_is_back_is_told_before_what_had_waited_is_settled(server: Server) -> None:
    """What is given back then comes before the news of what settled (ruling 21)."""
    async with opened(server) as store:
        told: list[str] = []
        store.logs.on_back = lambda _: told.append("back")
        server.kill()
        store.logs.push(Append(BOARD, 0, [entry(0)], lambda *_: told.append("settled")))
        await until(lambda: store.logs.away_since is not None, 3)
        server.start()
        await until(lambda: "settled" in told)
        assert told == ["back", "settled"]


async def test_an_idle_process_sees_the_outage_too(server: Server) -> None:
    async with opened(server) as store:
        server.kill()
        await until(lambda: store.logs.away_since is not None, 3)
        server.start()
        await until(lambda: store.logs.away_since is None)


@pytest.mark.parametrize("server", ["always", "everysec"], indirect=True, ids=["disk", "second"])
async def test_killing_the_store_loses_nothing_that_was_acknowledged(server: Server) -> None:
    """F3: what was answered is in the log after kill -9; what was not waits and gets through."""
    async with opened(server) as store:
        boards = [keys.board_log(ROOM, HEAT, seat) for seat in range(4)]
        acknowledged = [0] * 4
        running = True

        async def play(seat: int) -> None:
            while running:
                n = acknowledged[seat]
                verdict, length = await store.logs.append(boards[seat], n, [entry(n)])
                assert verdict in (Verdict.OK, Verdict.DUP)
                assert length == n + 1
                acknowledged[seat] = n + 1

        players = [asyncio.create_task(play(seat)) for seat in range(4)]
        for _ in range(3):
            before = sum(acknowledged)
            await until(lambda: sum(acknowledged) > before + 200)  # noqa: B023 - used at once
            server.kill()
            await asyncio.sleep(0.05)
            server.start()
        before = sum(acknowledged)
        await until(lambda: sum(acknowledged) > before + 100)
        running = False
        await asyncio.wait_for(asyncio.gather(*players), 5)
        for seat in range(4):
            assert await store.logs.load(boards[seat]) == [entry(n) for n in range(acknowledged[seat])]


async def test_an_emptied_script_cache_goes_unnoticed(server: Server) -> None:
    async with opened(server) as store:
        await store.logs.append(LOG, 0, [b"a"])
        await store.client.execute_command("SCRIPT FLUSH")
        assert await store.logs.append(LOG, 1, [b"b"]) == (Verdict.OK, 2)
        assert await store.rooms.lobby(0) == []


@pytest.mark.parametrize(
    ("spoil", "mend", "trouble"),
    [
        (("CONFIG SET", "maxmemory", "1"), ("CONFIG SET", "maxmemory", "0"), "out of memory or disk"),
        (("CONFIG SET", "min-replicas-to-write", "1"), ("CONFIG SET", "min-replicas-to-write", "0"), "NOREPLICAS"),
        (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE"), "READONLY"),
    ],
)
async def test_a_store_that_refuses_for_now_is_asked_again(
    server: Server, spoil: tuple[str, ...], mend: tuple[str, ...], trouble: str
) -> None:
    """F8, F9: full, without replicas, read-only: reading goes on, appends wait, nothing has to be restarted."""
    async with opened(server) as store:
        await store.logs.append(LOG, 0, [b"a"])
        await store.client.execute_command(*spoil)
        waiting = asyncio.create_task(store.logs.append(LOG, 1, [b"b"], due=(ROOM, 7)))
        await until(lambda: store.logs.trouble != "")
        assert trouble in store.logs.trouble
        assert await store.logs.load(LOG) == [b"a"]
        with pytest.raises(StoreAway):
            await store.nodes.beat("n1")
        assert not waiting.done()
        await store.client.execute_command(*mend)
        assert await asyncio.wait_for(waiting, 3) == (Verdict.OK, 2)
        assert len(await store.due.peek()) == 1


async def test_a_full_store_says_that_it_is_full(server: Server) -> None:
    async with opened(server) as store:
        await store.client.execute_command("CONFIG SET", "maxmemory", "1")
        with pytest.raises(StoreFull):
            await store.rooms.new_code(ROOM)


async def test_a_dead_store_is_away_for_ordinary_commands(server: Server) -> None:
    async with opened(server) as store:
        server.kill()
        with pytest.raises(StoreAway):
            await store.logs.load(LOG)
        with pytest.raises(StoreAway):
            await store.ping()


async def test_a_full_queue_says_no_and_what_was_taken_still_counts(server: Server) -> None:
    async with opened(server) as store:
        small = LogWriter(store.topology, store.client, store.clock, queue=3)
        small.start()
        server.kill()
        verdicts: list[Verdict] = []
        taken = [
            small.push(Append(BOARD, n, [entry(n)], lambda a, verdict, length: verdicts.append(verdict)))
            for n in range(5)
        ]
        assert taken == [True, True, True, False, False]
        assert small.waiting == 3
        with pytest.raises(StoreBusy):
            await small.claim(BOARD, "n1")
        server.start()
        await until(lambda: len(verdicts) == 3)
        assert verdicts == [Verdict.OK] * 3
        assert await small.close() == 0


async def test_closing_while_the_store_is_away_tells_what_is_left(server: Server) -> None:
    async with opened(server) as store:
        writer = LogWriter(store.topology, store.client, store.clock)
        writer.start()
        await writer.append(BOARD, 0, [entry(0)])
        server.kill()
        writer.push(Append(BOARD, 1, [entry(1)], lambda *_: pytest.fail("never settled")))
        claiming = asyncio.create_task(writer.claim(BOARD, "n1"))
        await asyncio.sleep(0.05)
        assert await writer.close(timeout_s=0.1) == 2
        with pytest.raises(StoreAway):
            await claiming
        assert not writer.push(Append(BOARD, 1, [entry(1)], lambda *_: None))


async def test_a_script_that_fails_is_a_fault_of_its_ask_alone(server: Server) -> None:
    async with opened(server) as store:
        await store.client.execute_command("SET", keys.meta(BOARD), "no hash")
        with pytest.raises(StoreError):
            await asyncio.wait_for(store.logs.claim(BOARD, "n1"), 3)
        assert await store.logs.append(LOG, 0, [b"a"]) == (Verdict.OK, 1)
        assert store.logs.away_since is None


async def test_a_callback_that_raises_stops_nobody_else(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    def bad(append: Append, verdict: Verdict, length: int) -> None:
        raise RuntimeError("a machine is broken")

    async with opened(server) as store:
        assert store.logs.push(Append(BOARD, 0, [entry(0)], bad))
        assert await store.logs.append(LOG, 0, [b"a"]) == (Verdict.OK, 1)
    assert "the callback of an append raised" in caplog.text


async def test_level_replica_counts_only_what_a_replica_has(
    server: Server, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Also after a reconnection, when the repetition itself writes nothing new."""
    port = free_port()
    async with opened(server) as plain:
        await plain.client.execute_command("CONFIG SET", "port", str(port), "repl-diskless-sync-delay", "0")
    replica = Server(
        tmp_path_factory.mktemp("r"), "--replicaof", f"127.0.0.1 {port}", "--repl-diskless-sync-delay", "0"
    )
    replica.start()
    try:
        await _replica_confirms(server, replica)
    finally:
        replica.kill()


async def _online(primary: Store) -> None:
    for _ in range(200):
        if "online" in str(await primary.client.execute_command("INFO", "replication")):
            return
        await asyncio.sleep(0.05)
    pytest.fail("the replica did not come")


async def _replica_confirms(server: Server, replica: Server) -> None:
    async with opened(server) as plain:
        await _online(plain)
        async with opened(server, durability=Durability.REPLICA) as store:
            assert (await store.logs.append(LOG, 0, [b"a"]))[0] in (Verdict.OK, Verdict.DUP)
            assert replica.child is not None
            replica.child.send_signal(signal.SIGSTOP)
            waiting = asyncio.create_task(store.logs.append(LOG, 1, [b"b"]))
            await until(lambda: store.logs.away_since is not None)
            assert "NOREPLICAS" in store.logs.trouble
            await plain.client.execute_command("CLIENT KILL", "TYPE", "normal", "SKIPME", "yes")
            await asyncio.sleep(1.2)
            assert not waiting.done()
            assert await plain.logs.length(LOG) == 2
            replica.child.send_signal(signal.SIGCONT)
            assert await asyncio.wait_for(waiting, 5) == (Verdict.DUP, 2)
