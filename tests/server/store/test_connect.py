"""A store that is not ours is checked at start, and refused with one line that says how to mend it."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import ssl
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.store import checks, keys
from server.store.connect import open_store
from server.store.errors import StoreUnusable
from server.store.logs import Durability
from server.store.probe import Life, Probe
from server.store.url import unix_url
from tests.store_fixture import Server, free_port


async def command(server: Server, *words: str) -> None:
    store = await open_store(server.url, check=False)
    await store.client.execute_command(*words)
    await store.close()


async def refused(url: str, **options: object) -> str:
    """The line with which opening is refused."""
    with pytest.raises(StoreUnusable) as caught:
        await open_store(url, **options)  # type: ignore[arg-type]
    line = str(caught.value)
    assert "\n" not in line
    assert "s3cret" not in line
    return line


async def test_nobody_there() -> None:
    assert "cannot reach the store at redis://***@127.0.0.1" in await refused(
        f"redis://me:s3cret@127.0.0.1:{free_port()}"
    )
    assert "cannot reach" in await refused(unix_url("/nowhere/s"))


@contextlib.contextmanager
def loading(folder: Path, seconds: float) -> Iterator[Server]:
    """A server program that has just started and loads its data for so long: a little for each key."""
    count, delay = round(seconds * 10_000), 100  # it answers after each thousand of them
    made = Server(folder, "--appendonly", "yes", "--key-load-delay", str(delay))
    made.start()
    with Probe(made.socket) as probe:
        for first in range(0, count, 5_000):  # a question has a second for its answer
            probe._ask("EVAL", f"for i = {first}, {first + 4_999} do redis.call('SET', 'k' .. i, i) end", "0")
    made.kill()
    made.start()
    try:
        with Probe(made.socket) as probe:
            assert probe.life() is Life.LOADING
        yield made
    finally:
        made.kill()


async def test_a_store_that_loads_its_data_is_waited_for(tmp_path: Path) -> None:
    """After a restart of the machine both start at once."""
    with loading(tmp_path, 1.0) as server:
        store = await open_store(server.url, check=False)
        assert await store.client.execute_command("DBSIZE") >= 10_000
        await store.close()


async def test_a_store_that_loads_for_long_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "PATIENCE_S", 0.2)
    with loading(tmp_path, 10.0) as server:
        assert "still loads its data; start again when it has" in await refused(server.url)


async def test_sentinels_that_name_no_primary(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are given the time of an election."""
    monkeypatch.setattr(checks, "PATIENCE_S", 0.2)
    said = await refused(f"redis+sentinel://me:s3cret@127.0.0.1:{free_port()}/main")
    assert "names a primary; are they running, and is the name right?" in said


async def test_an_option_nobody_knows(server: Server) -> None:
    said = await refused(f"{server.url}?colour=red")
    assert said.endswith(
        "has an option colour that is not taken; those of unix:// are db, username, password, client_name"
    )


async def test_a_database_that_the_store_does_not_have(server: Server) -> None:
    for number in ("99", "99999999999999999999"):
        said = await refused(f"{server.url}?db={number}")
        assert "no database of this number" in said
        assert "running" not in said


async def test_a_connection_over_tls_shows_a_trusted_certificate(server: Server, tmp_path: Path) -> None:
    """The packaged server program speaks no TLS: a relay in front of it does."""
    async with tls_relay(server, tmp_path) as port:
        url = f"rediss://localhost:{port}"
        assert "is not trusted; add ?ssl_ca_certs=FILE" in await refused(url)
        store = await open_store(f"{url}?ssl_ca_certs={tmp_path / 'cert'}")
        assert (await store.logs.append(keys.room_log("ABCDEFGHJK"), 0, [b"a"]))[1] == 1
        await store.close()


async def test_files_for_tls_that_are_not_there_or_hold_something_else(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("no certificate", encoding="utf-8")
    for option in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"):
        for file in (tmp_path / "nowhere", tmp_path):
            said = await refused(f"rediss://me:s3cret@127.0.0.1:{free_port()}?{option}={file}")
            assert said.startswith(f"{option} of the store's URL names a file that cannot be read: ")
        said = await refused(f"rediss://me:s3cret@127.0.0.1:{free_port()}?{option}={words}")
        assert said.startswith("the options ssl_… of the store's URL rediss://***@127.0.0.1:")
    assert "cannot be used" in await refused(f"rediss://127.0.0.1:{free_port()}?ssl_ciphers=none")


@contextlib.asynccontextmanager
async def tls_relay(server: Server, folder: Path) -> AsyncIterator[int]:
    """A TLS port in front of the server's socket, with a certificate of its own in `folder/cert`."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("no openssl to make a certificate with")
    words = [*("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost")]
    words += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(folder / "key"), "-out", str(folder / "cert")]
    await (await asyncio.create_subprocess_exec(openssl, *words, stderr=asyncio.subprocess.DEVNULL)).wait()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert", folder / "key")

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_unix_connection(str(server.socket))
        await asyncio.gather(copy(reader, there[1]), copy(there[0], writer))

    listener = await asyncio.start_server(relay, "127.0.0.1", 0, ssl=context)
    try:
        yield int(listener.sockets[0].getsockname()[1])
    finally:
        listener.close()


async def test_a_wrong_password(server: Server) -> None:
    await command(server, "CONFIG SET", "requirepass", "other")
    assert "refuses user or password" in await refused(server.url)
    assert "refuses user or password" in await refused(server.url.replace("unix://", "unix://:s3cret@"))
    store = await open_store(server.url.replace("unix://", "unix://:other@"))
    assert (await store.logs.append(keys.room_log("ABCDEFGHJK"), 0, [b"a"]))[1] == 1
    assert "other" not in f"{store.url} {store.url!r}"
    await store.close()


async def test_a_read_only_replica(server: Server) -> None:
    await command(server, "REPLICAOF", "127.0.0.1", "1")
    assert "read-only replica" in await refused(server.url)


async def test_a_store_that_keeps_nothing(server: Server) -> None:
    await command(server, "CONFIG SET", "appendonly", "no")
    assert "set appendonly yes" in await refused(server.url)
    store = await open_store(server.url, allow_volatile=True)
    await store.close()


async def test_a_store_that_throws_data_away(server: Server) -> None:
    await command(server, "CONFIG SET", "maxmemory", "1gb", "maxmemory-policy", "allkeys-lru")
    assert "set maxmemory-policy noeviction" in await refused(server.url)


async def test_disk_is_not_promised_where_the_store_syncs_every_second(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    await (await open_store(server.url, durability=Durability.SECOND)).close()
    assert caplog.text == ""
    await (await open_store(server.url, durability=Durability.DISK)).close()
    assert "acknowledged moves of up to 2 s" in caplog.text
    caplog.clear()
    await command(server, "CONFIG SET", "appendfsync", "always")
    await (await open_store(server.url, durability=Durability.DISK)).close()
    assert caplog.text == ""


async def test_level_replica_without_a_replica(server: Server) -> None:
    assert "has no replica" in await refused(server.url, durability=Durability.REPLICA)


async def test_a_node_of_a_cluster_as_if_it_were_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    ports = ["--port", str(free_port()), "--cluster-port", str(free_port())]  # the bus is else at port + 10,000
    node = Server(tmp_path_factory.mktemp("c"), "--cluster-enabled", "yes", "--appendonly", "yes", *ports)
    node.start()
    try:
        line = await refused(node.url)
    finally:
        node.kill()
    assert "use redis+cluster://" in line


async def test_a_store_of_a_newer_server(server: Server) -> None:
    await command(server, "SET", keys.SCHEMA, "99")
    assert "written by a newer server (schema 99" in await refused(server.url)


async def test_level_replica_on_a_cluster_is_not_supported() -> None:
    assert "not supported on a cluster" in await refused("redis+cluster://a:1", durability=Durability.REPLICA)


async def test_a_user_with_few_rights_is_enough(server: Server) -> None:
    """S16: keys and channels of kupa only, nothing for administrators."""
    rights = ["on", ">s3cret", "~kupa:*", "&kupa:*", "+@all", "-@admin", "-@dangerous", "+info"]
    await command(server, "ACL", "SETUSER", "kupa", *rights)
    store = await open_store(server.url.replace("unix://", "unix://kupa:s3cret@"))
    board = keys.board_log("ABCDEFGHJK", "KJHGFEDCBA", 0)
    claim = await store.logs.claim(board, "n1", bell=(keys.bell("ABCDEFGHJK"), b"c"))
    row = (keys.progress("ABCDEFGHJK"), "0", b"row")
    answer = await store.logs.append(board, 0, [b"12345678"], epoch=claim.epoch, progress=row, due=("ABCDEFGHJK", 1))
    assert answer[1] == 1
    assert len(await store.due.take(5)) == 1
    await store.close()
