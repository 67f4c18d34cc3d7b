"""Ordinary commands ride together over one connection; a command whose ride failed goes redis-py's own way."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import weakref
from collections.abc import AsyncIterator

import pytest
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

from server.store.connect import open_store
from server.store.line import Line, LineClient
from server.store.topology import COMMAND_S
from tests.store_fixture import Server, until


@pytest.fixture
async def client(server: Server) -> AsyncIterator[LineClient]:
    """The ordinary client of a store on a server program of its own."""
    store = await open_store(server.url)
    assert isinstance(store.client, LineClient)
    yield store.client
    await store.close()


async def connections(client: LineClient) -> dict[str, str]:
    """The last command of each open connection, by its id."""
    listed = (await client.execute_command("CLIENT", "LIST")).decode().splitlines()
    fields = [dict(word.split("=", 1) for word in line.split()) for line in listed]
    return {each["id"]: each["cmd"] for each in fields}


async def test_what_is_asked_at_once_needs_one_connection(client: LineClient) -> None:
    before = await connections(client)
    answers = await asyncio.gather(*(client.execute_command("INCR", "n") for _ in range(200)))
    assert answers == list(range(1, 201))
    assert (await connections(client)).keys() == before.keys()


async def test_the_time_is_asked_on_a_way_of_its_own(client: LineClient) -> None:
    """It would seem later than it is, had it waited for others."""
    await client.line.aclose()
    seconds, microseconds = await client.execute_command("TIME")
    assert seconds > 1_700_000_000
    assert 0 <= microseconds < 1_000_000
    assert client.line._pipe is None


async def test_answers_are_read_as_redis_py_reads_them(client: LineClient) -> None:
    assert await client.execute_command("HSET", "h", "a", "1") == 1
    assert await client.execute_command("HGETALL", "h") == {b"a": b"1"}
    assert await client.execute_command("CONFIG GET", "appendonly") == {"appendonly": "yes"}


async def test_an_option_that_only_says_how_an_answer_is_read_needs_no_way_of_its_own(client: LineClient) -> None:
    before = await connections(client)
    answers = [client.execute_command("SET", "k", value, "NX", "GET", get=True) for value in ("first", "second")]
    assert await asyncio.gather(*answers) == [None, b"first"]
    assert await client.execute_command("SET", "k", "third") is True
    assert (await connections(client)).keys() == before.keys()


async def test_a_refused_command_harms_no_other_of_its_turn(client: LineClient) -> None:
    asked = [
        client.execute_command("SET", "s", "x"),
        client.execute_command("INCR", "s"),
        client.execute_command("GET", "s"),
    ]
    stored, refused, read = await asyncio.gather(*asked, return_exceptions=True)
    assert stored is True
    assert isinstance(refused, ResponseError)
    assert read == b"x"


async def test_words_that_cannot_be_sent_are_refused_alone(client: LineClient) -> None:
    good = asyncio.ensure_future(client.execute_command("PING"))
    with pytest.raises(TypeError):
        await client.execute_command("SET", "s", object())
    assert await good


async def test_who_goes_away_meanwhile_takes_nobody_elses_answer(client: LineClient) -> None:
    impatient = asyncio.ensure_future(client.execute_command("SET", "mine", "1"))
    patient = asyncio.ensure_future(client.execute_command("ECHO", "yours"))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await patient == b"yours"
    assert await client.execute_command("ECHO", "next") == b"next"


async def test_a_lost_connection_is_made_again_and_the_command_is_answered(client: LineClient) -> None:
    mine = await client.execute_command("CLIENT", "ID")
    await client.execute_command("CLIENT", "KILL", "ID", mine, "SKIPME", "no")
    assert await client.execute_command("SET", "s", "x")
    assert await client.execute_command("CLIENT", "ID") != mine


async def test_a_silent_store_is_given_up_by_all_who_wait(server: Server, client: LineClient) -> None:
    await client.execute_command("PING")
    assert server.child is not None
    os.kill(server.child.pid, signal.SIGSTOP)
    asked = [asyncio.ensure_future(client.line.ask(("PING",)))]
    await asyncio.sleep(COMMAND_S / 4)
    asked.append(client.line.ask(("PING",)))
    try:
        lost = await asyncio.gather(*asked, return_exceptions=True)
    finally:
        os.kill(server.child.pid, signal.SIGCONT)
    assert all(isinstance(each, TimeoutError) for each in lost)
    assert await client.execute_command("PING")


async def test_a_server_that_became_a_replica_is_left(server: Server, client: LineClient) -> None:
    """Its refusal passes when the primary is found; until then redis-py's way tries again, and tells it."""
    await client.execute_command("CONFIG", "SET", "repl-timeout", "1")
    await client.execute_command("REPLICAOF", "127.0.0.1", "1")
    writing = asyncio.ensure_future(client.execute_command("SET", "s", "x"))
    with pytest.raises(ResponseError, match="read only"):
        await writing
    await client.execute_command("REPLICAOF", "NO", "ONE")
    assert await client.execute_command("SET", "s", "x")


async def test_a_closed_line_leaves_nobody_waiting(client: LineClient) -> None:
    waiting = client.line.ask(("PING",))
    await client.line.aclose()
    with pytest.raises(ConnectionError):
        await waiting


async def test_a_refusal_and_a_loss_leave_nothing_that_has_to_be_looked_for(client: LineClient) -> None:
    """The collector looks rarely (server.serving), and what a lost exchange holds has buffers."""

    class Buffer:
        pass

    left: list[weakref.ref[object]] = []

    async def unreachable() -> AbstractConnection:
        buffer = Buffer()
        left.append(weakref.ref(buffer))
        raise OSError("nobody listens")

    await client.execute_command("SET", "s", "x")
    gc.collect()
    gc.disable()
    try:
        try:
            await client.execute_command("INCR", "s")
        except ResponseError as refused:
            left.append(weakref.ref(refused))
        with contextlib.suppress(ConnectionError):
            await Line(unreachable, 1.0).ask(("PING",))
        assert len(left) == 2
        await until(lambda: all(each() is None for each in left))
    finally:
        gc.enable()
