"""Commands as the store reads them, and its answers as they come."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError


def pack(commands: Iterable[tuple[Any, ...]]) -> bytes:
    """One buffer with all commands; their words are str, bytes, int or float."""
    return b"".join(map(pack_command, commands))


async def next_answer(connection: AbstractConnection) -> Any:
    """The next answer, without a limit in time; a refusal is a value. A lost connection raises."""
    try:
        return await connection.read_response(timeout=math.inf)
    except ResponseError as error:
        return error.with_traceback(None)  # where it has been holds it too: a circle
