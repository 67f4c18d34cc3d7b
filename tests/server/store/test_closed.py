"""A broken connection is a lost one on every event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvloop
from redis.asyncio.connection import UnixDomainSocketConnection
from redis.exceptions import ConnectionError as RedisConnectionError

from server.store import closed


async def asked(connection: UnixDomainSocketConnection) -> None:
    await connection.send_command("PING")
    await connection.read_response()


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_writing_to_a_connection_that_broke_says_that_it_is_lost(
    store_url: str, run: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    async def broken() -> None:
        connection = UnixDomainSocketConnection(path=store_url.removeprefix("unix://"), protocol=2)
        await connection.connect()
        assert connection._writer is not None
        connection._writer.transport.abort()
        await asyncio.sleep(0)
        with pytest.raises(RedisConnectionError):
            await asked(connection)
        await connection.disconnect(nowait=True)

    closed.known()
    run(broken())
