"""A broken connection is a lost one on every event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
import uvloop
from redis.asyncio.connection import UnixDomainSocketConnection
from redis.exceptions import ConnectionError as RedisConnectionError

from server.store import closed


def connection_to(store_url: str, within_s: float | None = None) -> UnixDomainSocketConnection:
    return UnixDomainSocketConnection(path=store_url.removeprefix("unix://"), protocol=2, socket_timeout=within_s)


async def asked(connection: UnixDomainSocketConnection) -> None:
    await connection.send_command("PING")
    await connection.read_response()


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_writing_to_a_connection_that_broke_says_that_it_is_lost(
    store_url: str, run: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    async def broken() -> None:
        connection = connection_to(store_url)
        await connection.connect()
        assert connection._writer is not None
        connection._writer.transport.abort()
        await asyncio.sleep(0)
        with pytest.raises(RedisConnectionError):
            await asked(connection)
        await connection.disconnect(nowait=True)

    closed.known()
    run(broken())


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_connection_that_another_task_closes_during_a_send_is_lost(
    store_url: str, run: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    async def crossed() -> None:
        connection = connection_to(store_url, 5.0)
        await connection.connect()
        asking = asyncio.create_task(asked(connection))
        await asyncio.sleep(0)
        await connection.disconnect(nowait=True)
        with pytest.raises(RedisConnectionError):
            await asking

    closed.known()
    run(crossed())


async def test_a_fault_in_what_is_to_be_sent_is_no_lost_connection(store_url: str) -> None:
    def packed() -> Iterator[bytes]:
        raise AttributeError("nothing of the kind", name="kind", obj=None)
        yield b""

    closed.known()
    connection = connection_to(store_url)
    await connection.connect()
    with pytest.raises(AttributeError):
        await connection.send_packed_command(packed())
    await connection.disconnect(nowait=True)
