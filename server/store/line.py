"""Ordinary commands over one connection: all that are asked in a turn of the loop go out with one write.

What lives here: one exchange after another over that connection, and a client that sends its single commands so.
What does not: what becomes of a command whose exchange failed (redis-py's own way, with its pool and its retries),
and the log writer's calls (outlet). Through redis-py's pool a command costs several times what the store does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hiredis import pack_command
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

from server.store.guard import LOST, passes
from server.store.pipe import Pipe
from server.tasks import ended

Asked = tuple[bytes, asyncio.Future[Any]]
_READING = frozenset({"get"})
"""Options of redis-py that only say how the answer is read."""


class Line:
    """One connection, made when it is first needed and again after it was lost."""

    def __init__(self, connect: Callable[[], Awaitable[AbstractConnection]], timeout_s: float) -> None:
        """`timeout_s`: what takes longer is given up, together with the connection."""
        self._connect = connect
        self._timeout_s = timeout_s
        self._pipe: Pipe | None = None
        self._waiting: list[Asked] = []
        self._task: asyncio.Task[None] | None = None

    def ask(self, words: tuple[Any, ...]) -> asyncio.Future[Any]:
        """Send a command with the others of this turn. The future is the store's answer, a `ResponseError` where it
        refuses; it fails with one of `LOST` when the answer will never come: the outcome is unknown then."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        name, *rest = words
        self._waiting.append((pack_command((*name.split(), *rest)), answer))  # "CONFIG SET" are two words
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="kupa-store-line")
        return answer

    async def aclose(self) -> None:
        """Close the connection; who still waits is told that it is lost."""
        if self._task is not None:
            await ended(self._task)
        await self.drop()
        _fail(self._waiting, ConnectionError("the line was closed"))
        self._waiting = []

    async def drop(self) -> None:
        """Ask for a new connection next time: this one leads to a server that is no primary any more."""
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            await pipe.close()

    async def _run(self) -> None:
        try:
            while self._waiting:
                asked, self._waiting = self._waiting, []
                try:
                    await self._exchange(asked)
                except BaseException as error:
                    _fail(asked + self._waiting, error)
                    self._waiting = []
                    await self.drop()
                    if not isinstance(error, LOST):
                        raise
        finally:
            self._task = None

    async def _exchange(self, asked: list[Asked]) -> None:
        pipe = self._pipe
        if pipe is None:
            async with asyncio.timeout(self._timeout_s):
                pipe = self._pipe = Pipe(await self._connect())
        found = await pipe.ask(b"".join([command for command, _ in asked]), len(asked), self._timeout_s)
        for (_, answer), value in zip(asked, found, strict=True):
            if not answer.done():
                answer.set_result(value)


def _fail(asked: list[Asked], error: BaseException) -> None:
    """To each a loss of their own: where `error` has been are the connection and all who wait, in a circle."""
    kind = TimeoutError if isinstance(error, TimeoutError) else ConnectionError
    for _, answer in asked:
        if not answer.done():
            answer.set_exception(kind(repr(error)))


class LineClient(Redis):
    """redis-py's client, whose single commands go over a `Line` and fall back to its pool when that fails."""

    line: Line

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """As redis-py's. Commands are sent again when their outcome is unknown: they must be repeatable."""
        if args[0] == "TIME" or options.keys() - _READING:  # whose way there and back is measured waits for no others
            return await super().execute_command(*args, **options)  # type: ignore[no-untyped-call]
        try:
            answer = await self.line.ask(args)
        except LOST:
            return await super().execute_command(*args, **options)  # type: ignore[no-untyped-call]
        if isinstance(answer, ResponseError):
            if not passes(answer):
                try:
                    raise answer
                finally:
                    del answer  # where it has been is here: it would hold itself
            await self.line.drop()
            return await super().execute_command(*args, **options)  # type: ignore[no-untyped-call]
        read = self.response_callbacks.get(args[0])
        return answer if read is None else read(answer, **options)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        """As redis-py's."""
        await self.line.aclose()
        await super().aclose(close_connection_pool)
