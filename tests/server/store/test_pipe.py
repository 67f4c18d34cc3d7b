"""A pipe takes a connection over from redis-py: rounds of commands, and each ends in one of three ways."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest
from redis.exceptions import BusyLoadingError, InvalidResponse, NoScriptError, ReadOnlyError, ResponseError

from server.store.pipe import Pipe
from server.store.resp import pack
from server.store.topology import open_topology
from server.store.url import parse
from tests.store_fixture import Server, until

PATIENCE_S = 20.0


@pytest.fixture
async def pipe(server: Server) -> AsyncIterator[Pipe]:
    """A pipe to a server program of its own."""
    topology = open_topology(parse(server.url))
    opened = Pipe(await topology.connect(topology.node(0)))
    yield opened
    await opened.close()
    await topology.aclose()


def ask(pipe: Pipe, *commands: tuple[object, ...], timeout_s: float = PATIENCE_S) -> asyncio.Future[list[object]]:
    return pipe.ask(pack(commands), len(commands), timeout_s)


async def test_a_round_is_all_answers_in_order(pipe: Pipe) -> None:
    assert await ask(pipe, ("SET", "a", 1), ("INCR", "a"), ("GET", "nothing")) == [b"OK", 2, None]
    assert await ask(pipe, ("ECHO", b"\xff\x00"), ("ECHO", "")) == [b"\xff\x00", b""]


async def test_an_answer_that_comes_in_pieces_is_put_together(pipe: Pipe) -> None:
    long = b"x" * 3_000_000
    assert await ask(pipe, ("SET", "long", long), ("GET", "long"), ("PING",)) == [b"OK", long, b"PONG"]


async def test_refusals_are_values_of_the_kinds_redis_py_has(pipe: Pipe) -> None:
    script, other, fine = await ask(pipe, ("EVALSHA", "0" * 40, 0), ("LPUSH", "only"), ("PING",))
    assert isinstance(script, NoScriptError)
    assert isinstance(other, ResponseError)
    assert fine == b"PONG"
    await ask(pipe, ("REPLICAOF", "127.0.0.1", "1"))
    (refused,) = await ask(pipe, ("SET", "a", 1))
    assert isinstance(refused, ReadOnlyError)


async def test_a_store_that_closes_the_connection_ends_the_round_and_all_that_follow(pipe: Pipe) -> None:
    (own,) = await ask(pipe, ("CLIENT", "ID"))
    waiting = ask(pipe, ("BLPOP", "nothing", 0))
    pipe._transport.abort()
    with pytest.raises(ConnectionError):
        await waiting
    with pytest.raises(ConnectionError):
        await ask(pipe, ("PING",))
    assert isinstance(own, int)


async def test_a_silent_store_ends_the_round_in_time_and_the_pipe_with_it(server: Server, pipe: Pipe) -> None:
    assert server.child is not None
    os.kill(server.child.pid, signal.SIGSTOP)
    try:
        with pytest.raises(TimeoutError):
            await ask(pipe, ("PING",), timeout_s=0.05)
    finally:
        os.kill(server.child.pid, signal.SIGCONT)
    with pytest.raises(ConnectionError):
        await ask(pipe, ("PING",))


async def test_a_round_has_its_own_time_whatever_the_last_one_had(server: Server, pipe: Pipe) -> None:
    await ask(pipe, ("PING",), timeout_s=PATIENCE_S)
    await ask(pipe, ("PING",), timeout_s=0.01)
    assert await ask(pipe, ("BLPOP", "nothing", 0.1), timeout_s=PATIENCE_S) == [None]
    waiting = ask(pipe, ("BLPOP", "nothing", 0), timeout_s=0.05)
    async with asyncio.timeout(PATIENCE_S / 2):
        with pytest.raises(TimeoutError, match="in time"):
            await waiting


async def test_closing_fails_the_round_that_is_on_its_way(pipe: Pipe) -> None:
    waiting = ask(pipe, ("BLPOP", "nothing", 0))
    await pipe.close()
    with pytest.raises(ConnectionError, match="closed"):
        await waiting


async def test_who_stops_waiting_breaks_nothing(pipe: Pipe) -> None:
    waiting = ask(pipe, ("PING",))
    waiting.cancel()
    await until(lambda: pipe._round is None)  # the answer that nobody waits for is through
    assert await ask(pipe, ("ECHO", "x")) == [b"x"]


async def test_a_store_that_loads_its_data_ends_the_round_as_a_loss(pipe: Pipe) -> None:
    waiting = ask(pipe, ("BLPOP", "nothing", 0))
    pipe.data_received(b"-LOADING Redis is loading the dataset in memory\r\n")
    with pytest.raises(BusyLoadingError):
        await waiting


@pytest.mark.parametrize("junk", [b"+OK\r\n+OK\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
async def test_what_is_no_answer_ends_the_pipe(pipe: Pipe, junk: bytes) -> None:
    """Two answers to one command, and another protocol altogether."""
    waiting = ask(pipe, ("BLPOP", "nothing", 0))
    pipe.data_received(junk)
    with pytest.raises(InvalidResponse):
        await waiting
    with pytest.raises(ConnectionError):
        await ask(pipe, ("PING",))
