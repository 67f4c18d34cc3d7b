"""A connection to the store whose bytes are handled as they come: a round of commands out, their answers back.

What lives here: one round at a time, and its end by answers, by time or by loss. What does not: how a connection is
made (redis-py does: address, TLS, login), what is asked, and what an unknown outcome means (line, outlet). Reading
through streams costs four times as much a round, and a round may be for a single move.
"""

from __future__ import annotations

import asyncio
from typing import Any

from hiredis import Reader
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse


class Pipe(asyncio.Protocol):
    """Takes a connection of redis-py over, with RESP 2 and nothing on its way: from then on it is the pipe's alone."""

    def __init__(self, connection: AbstractConnection) -> None:
        writer = connection._writer  # no public name leads there; tests/server/store/test_pipe.py sees that this does
        if writer is None:
            raise ConnectionError("the connection is not open")
        self._connection = connection
        self._transport = writer.transport
        self._reader = Reader(protocolError=InvalidResponse, replyError=connection._parser.parse_error)
        self._round: asyncio.Future[list[Any]] | None = None
        self._found: list[Any] = []
        self._count = 0
        self._loop = asyncio.get_running_loop()
        self._until = 0.0
        """When the round is late, on the loop's clock."""
        self._timer: asyncio.TimerHandle | None = None
        """One for many rounds: a timer each would cost more than their bytes."""
        self._transport.set_protocol(self)

    def ask(self, commands: bytes, count: int, timeout_s: float) -> asyncio.Future[list[Any]]:
        """Send `count` (≥ 1) packed commands, when the last round has ended. The future is their answers, in order; a
        refusal is a `ResponseError` among them. It fails with one of `guard.LOST` when not all have come within
        `timeout_s`, or will never come: the pipe is of no use then."""
        answers = self._round = self._loop.create_future()
        self._found, self._count = [], count
        if self._transport.is_closing():
            self._fail(ConnectionError("the store closed the connection"))
        else:
            self._until = self._loop.time() + timeout_s
            if self._timer is None or self._timer.when() > self._until:
                self._watch(timeout_s)
            self._transport.write(commands)
        return answers

    async def close(self) -> None:
        """Close the connection at once; a round that is on its way fails."""
        self._fail(ConnectionError("the pipe was closed"))
        await self._connection.disconnect(nowait=True)

    # ------------------------------------------------------------ asyncio.Protocol

    def data_received(self, data: bytes) -> None:
        """Answers, or a part of one."""
        found, reader = self._found, self._reader
        try:
            reader.feed(data)
            while (answer := reader.gets()) is not False:  # not whole yet; RESP 2 has no other False
                if isinstance(answer, RedisConnectionError):  # it loads its data, say
                    raise answer
                found.append(answer)
        except Exception as error:
            self._fail(error.with_traceback(None))  # where it was raised is here: a circle
            return
        if found and len(found) == self._count:
            answers, self._round = self._round, None
            self._found, self._count = [], 0  # whoever asked has them alone
            if answers is not None and not answers.done():
                answers.set_result(found)
        elif len(found) > self._count:
            self._fail(InvalidResponse("an answer that nobody asked for"))

    def connection_lost(self, exc: Exception | None) -> None:
        """The other side closed it, or we did."""
        self._fail(ConnectionError(f"the connection to the store was lost: {exc or 'closed'}"))

    # ------------------------------------------------------------ ends

    def _watch(self, for_s: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(for_s, self._look)

    def _look(self) -> None:
        self._timer = None
        left_s = self._until - self._loop.time()
        if self._round is not None and left_s > 0:
            self._watch(left_s)
        elif self._round is not None:
            self._fail(TimeoutError("the store did not answer in time"))

    def _fail(self, error: Exception) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        answers, self._round = self._round, None
        self._found, self._count = [], 0
        if answers is not None and not answers.done():
            answers.set_exception(error)
        self._transport.abort()
