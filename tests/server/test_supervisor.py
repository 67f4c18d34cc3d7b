"""Several processes on one port: what the parent hands to its workers, and that it keeps them."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import socket
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server import supervisor
from server.app import CannotStart
from server.config import read_config
from server.core import events as events_of
from server.net.handover import Place
from server.store import keys
from server.store.connect import open_store
from server.store.embedded import shared_url
from server.supervisor import Supervisor, reserve
from server.tasks import ended
from tests.store_fixture import until
from tests.wire_client import WireClient


async def test_a_reserved_port_is_the_workers_and_nobody_elses() -> None:
    """Two servers that share a port would each have half of the people, in rooms that the other does not know."""
    with reserve("127.0.0.1", 0) as held:
        port = held.getsockname()[1]
        worker = await asyncio.start_server(lambda *_: None, "127.0.0.1", port, reuse_port=True)
        with pytest.raises(CannotStart, match="choose another port"):
            reserve("127.0.0.1", port)
        worker.close()
        await worker.wait_closed()


def test_a_port_can_be_reserved_while_connections_of_the_server_before_linger() -> None:
    """The end that closes first keeps the address for a minute: that of a server that has just ended."""
    with socket.socket() as before:
        before.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        before.bind(("127.0.0.1", 0))
        before.listen()
        port = before.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            served, _ = before.accept()
            served.close()
            assert client.recv(1) == b""
    reserve("127.0.0.1", port).close()


@pytest.mark.parametrize("host", ["192.0.2.77", "2001:db8::77", "no.such.host.invalid", "x" * 70, "a..b"])
def test_an_address_of_another_machine_cannot_be_reserved_and_the_port_is_not_blamed(host: str) -> None:
    with pytest.raises(CannotStart, match="set KUPA_HOST") as refused:
        reserve(host, 8123)
    assert "port" not in str(refused.value)
    assert host in str(refused.value)


async def test_who_reads_that_a_worker_ended_reads_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, listens = tmp_path / "worker", asyncio.Event()
    monkeypatch.setattr(sys, "executable", str(program))
    parent = Supervisor(read_config({}), "redis://127.0.0.1:1", 1, str(tmp_path))
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o700)
    with pytest.raises(CannotStart, match=r"a worker did not start \(exit status 3\)"):
        await parent.keep(0, listens)
    program.write_text("#!/bin/sh\necho the store is away\nexit 2\n")
    with pytest.raises(CannotStart, match=r"^the store is away$"):
        await parent.keep(0, listens)
    program.write_text("#!/bin/sh\necho ready\nkill -9 $$\n")
    with capture_logs() as logs:
        keeper = asyncio.create_task(parent.keep(0, listens))
        await until(lambda: bool(logs))
        await ended(keeper)
    assert logs[0] == {"event": "worker.ended", "number": 0, "how": "killed by SIGKILL", "log_level": "error"}


async def test_a_worker_that_does_not_come_again_is_logged_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, listens = tmp_path / "worker", asyncio.Event()
    monkeypatch.setattr(sys, "executable", str(program))
    program.write_text("#!/bin/sh\necho the store is away\nexit 2\n")
    program.chmod(0o700)
    listens.set()
    parent = Supervisor(read_config({}), "redis://127.0.0.1:1", 1, str(tmp_path))
    with capture_logs() as logs:
        keeper = asyncio.create_task(parent.keep(0, listens))
        await until(lambda: bool(logs))
        await ended(keeper)
    assert (logs[0]["how"], logs[0]["why"]) == ("exit status 2", "the store is away")


async def test_a_worker_hangs_when_so_many_signs_in_a_row_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "SIGN_S", 0.01)
    silent = asyncio.StreamReader()
    silent.feed_data(b"\n\n")
    assert await supervisor.hangs(silent)


async def test_a_worker_that_gives_signs_until_its_end_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "SIGN_S", 0.05)
    lively, loop = asyncio.StreamReader(), asyncio.get_running_loop()
    for number in range(5 * supervisor.HANGS):
        loop.call_later(0.02 * number, lively.feed_data, b"\n")
    loop.call_later(0.02 * 5 * supervisor.HANGS, lively.feed_eof)
    assert not await supervisor.hangs(lively)


async def test_a_parent_that_was_held_up_itself_says_nothing_against_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine was suspended, or has no time for anybody."""
    monkeypatch.setattr(supervisor, "SIGN_S", 0.001)
    hours = itertools.count(step=3_600)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(supervisor.hangs(asyncio.StreamReader(), lambda: float(next(hours))), 0.3)


def workers_of(parent: int) -> list[int]:
    """Process ids of the server processes below `parent`, by their numbers."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            words = (stat.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == parent and b"--worker" in words:
            found.append((words.partition(b"--worker\0")[2], int(stat.parent.name)))
    return [pid for _, pid in sorted(found)]


async def two_workers(data: Path) -> asyncio.subprocess.Process:
    """A server of two processes that begins, on a port of its own."""
    environ = {**os.environ, "KUPA_DATA": str(data), "KUPA_HOST": "127.0.0.1", "KUPA_PORT": "0"}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server.cli", "serve", "--workers", "2",
        env=environ, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip


async def nodes_of_a_room(maker: WireClient, data: Path) -> int:
    """At how many processes the people of a room are that seven others come to by its link."""
    code = await maker.create(seats=8)
    guests = [WireClient(maker.url, f"Guest {number}", query=f"?room={code}") for number in range(7)]
    for guest in guests:
        await guest.come()
        await guest.enter(code)
    store = await open_store(shared_url(data), check=False)
    room = await store.rooms.room_of_code(code)
    assert room is not None
    events = events_of.decode_log(await store.logs.load(keys.room_log(room)))
    await store.close()
    for guest in guests:
        await guest.go()
    came = [event for event in events if isinstance(event, events_of.Joined)]
    assert len(came) == 8
    return len({event.node for event in came})


async def test_a_worker_that_is_killed_is_replaced_and_all_end_when_told(tmp_path: Path) -> None:
    parent = await two_workers(tmp_path)
    try:
        assert parent.stdout is not None
        async with asyncio.timeout(30):
            said = (await parent.stdout.readline()).decode()
        port = said.strip().rstrip("/").rpartition(":")[2]
        before = workers_of(parent.pid)
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        await until(lambda: len(set(workers_of(parent.pid)) - {before[0]}) == 2, 30)
        person = WireClient(f"ws://127.0.0.1:{port}")
        assert (await person.come())["event"] == "Welcome"
        assert await nodes_of_a_room(person, tmp_path) == 1
        await person.go()
        parent.send_signal(signal.SIGTERM)
        async with asyncio.timeout(25):
            assert await parent.wait() == 0
        assert workers_of(parent.pid) == []
    finally:
        if parent.returncode is None:
            parent.kill()
            await parent.wait()


def of_worker(number: int) -> str:
    """What leads a connection to the worker of this number, of two."""
    place = Place(number, 2, "")
    codes = ("".join(letters) for letters in itertools.product("KMPQR", repeat=5))
    return f"?room={next(code for code in codes if place.has(code))}"


async def test_a_worker_that_hangs_is_replaced_and_its_people_come_again(tmp_path: Path) -> None:
    parent = await two_workers(tmp_path)
    try:
        assert parent.stdout is not None
        async with asyncio.timeout(30):
            url = (await parent.stdout.readline()).decode().split()[-1].rstrip("/").replace("http", "ws")
        before = workers_of(parent.pid)
        ann, bob = (WireClient(url, name, query=of_worker(at)) for at, name in enumerate(("Ann", "Bob")))
        await ann.come()
        await bob.come()
        os.kill(before[0], signal.SIGSTOP)
        assert await ann.closed(60) == 1006, "nobody lets her go in good order"
        await until(lambda: len(set(workers_of(parent.pid)) - {before[0]}) == 2, 60)
        assert before[1] in workers_of(parent.pid)
        assert (await ann.come())["player"] == ann.player
        await bob.settle()
        assert bob.codes == [], "who was elsewhere noticed nothing"
        for person in (ann, bob):
            await person.go()
        parent.send_signal(signal.SIGTERM)
        async with asyncio.timeout(25):
            assert await parent.wait() == 0
    finally:
        await end_all(parent)


async def test_the_folder_of_workers_whose_parent_was_killed_goes_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = tmp_path / "tmp"
    folders.mkdir()
    monkeypatch.setenv("TMPDIR", str(folders))
    names: list[set[str]] = []
    for number in (1, 2):
        parent = await two_workers(tmp_path / str(number))
        try:
            assert parent.stdout is not None
            async with asyncio.timeout(30):
                await parent.stdout.readline()
            names.append({path.name for path in folders.glob("kupa-workers-*")})
        finally:
            await end_all(parent)
    assert [len(found) for found in names] == [1, 1]
    assert names[0] != names[1]


async def end_all(parent: asyncio.subprocess.Process) -> None:
    """Kill it, and wait for its workers."""
    workers = workers_of(parent.pid)
    if parent.returncode is None:
        parent.kill()
        await parent.wait()
    try:
        await until(lambda: not any(map(lives, workers)), 30)
    finally:
        for worker in filter(lives, workers):
            os.kill(worker, signal.SIGKILL)


def lives(worker: int) -> bool:
    """Whether this process is there."""
    return Path(f"/proc/{worker}/cmdline").exists()


async def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    """They would keep the port, and people, of a server that nobody can stop."""
    parent = await two_workers(tmp_path)
    assert parent.stdout is not None
    async with asyncio.timeout(30):
        await parent.stdout.readline()
    workers = workers_of(parent.pid)
    assert len(workers) == 2
    await end_all(parent)
