"""Bells: what other processes ring after they wrote something (architecture A5, reliability 2.5).

What lives here: subscriptions that survive a lost connection. What does not: data. A bell only says
*look*; bells are lost while the connection is, and nobody tells. So every confirmation of a
subscription, the first and each after a reconnection, calls `on_ready`: the reader must then look at
the log itself. A ring carries a number (the new length, or the epoch of a claim) and a payload that
names what changed.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

from server.store.guard import LOST, passes
from server.store.resp import pack
from server.store.topology import Topology
from server.tasks import ended

PING_S = 2.0
"""A silent connection is tried after this."""
SILENCE_S = 4.5
"""A connection that says nothing for this long is dropped: rings flow again within 5 s."""
BACKOFF_S = (0.05, 0.5)

OnBell = Callable[[bytes, int], None]
"""(payload, number): something changed."""
OnReady = Callable[[], None]
"""Rings may have been missed until now: look for yourself."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Listener:
    on_bell: OnBell
    on_ready: OnReady


class Bells:
    """The subscriptions of one process, over one connection of their own."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self._listeners: dict[bytes, _Listener] = {}
        self._outgoing: list[tuple[str, bytes]] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.connected = False
        """Whether the connection stands (for metrics)."""
        self.reconnections = 0

    def start(self) -> None:
        """Begin; call it inside the event loop."""
        self._task = asyncio.create_task(self._run(), name="kupa-bells")

    async def close(self) -> None:
        """End; nobody is called any more."""
        self._listeners.clear()
        if self._task is not None:
            await ended(self._task)
            self._task = None

    def subscribe(self, channel: str, on_bell: OnBell, on_ready: OnReady) -> None:
        """Listen to a channel: one listener a channel, ValueError for a second one.

        `on_ready` comes first, when the store has confirmed, and again after each reconnection.
        """
        name = channel.encode()
        if name in self._listeners:
            raise ValueError("this channel has a listener")
        self._listeners[name] = _Listener(on_bell, on_ready)
        self._outgoing.append(("SUBSCRIBE", name))
        self._wake.set()

    def unsubscribe(self, channel: str) -> None:
        """Listen no more; a channel without listener is ignored."""
        name = channel.encode()
        if self._listeners.pop(name, None) is not None:
            self._outgoing.append(("UNSUBSCRIBE", name))
            self._wake.set()

    # ------------------------------------------------------------ inside

    async def _run(self) -> None:
        failures = 0
        while True:
            connection: AbstractConnection | None = None
            try:
                connection = await self._topology.connect(self._topology.node(0))
                await self._talk(connection)
            except* LOST:
                failures = 0 if self.connected else failures + 1
            except* ResponseError as refused:
                failures += 1
                if not all(isinstance(error, ResponseError) and passes(error) for error in refused.exceptions):
                    _log.exception("the store refuses the bells; they try again")
            except* Exception:
                failures += 1
                _log.exception("the bells failed; they try again")
            finally:
                self.connected = False
                if connection is not None:
                    await connection.disconnect(nowait=True)
            self.reconnections += 1
            first, longest = BACKOFF_S
            await asyncio.sleep(min(longest, first * 2 ** min(failures, 6)) * random.uniform(0.5, 1))
            try:
                await self._topology.refresh()
            except LOST:
                continue

    async def _talk(self, connection: AbstractConnection) -> None:
        self._outgoing = [("SUBSCRIBE", name) for name in self._listeners]
        self._wake.set()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._send(connection))
            group.create_task(self._receive(connection))

    async def _send(self, connection: AbstractConnection) -> None:
        """Send what was asked for; a PING when there is nothing, so that silence means something."""
        while True:
            try:
                async with asyncio.timeout(PING_S):
                    await self._wake.wait()
            except TimeoutError:
                self._outgoing.append(("PING", b""))
            self._wake.clear()
            words, self._outgoing = self._outgoing, []
            if words:
                packed = pack((verb, name) if name else (verb,) for verb, name in words)
                await connection.send_packed_command(packed, check_health=False)

    async def _receive(self, connection: AbstractConnection) -> None:
        while True:
            async with asyncio.timeout(SILENCE_S):
                message = await connection.read_response(timeout=math.inf)
            self.connected = True
            if isinstance(message, list) and len(message) == 3:
                self._hear(message[0], message[1], message[2])

    def _hear(self, kind: bytes, channel: bytes, data: object) -> None:
        listener = self._listeners.get(channel)
        if listener is None:
            return
        try:
            if kind == b"subscribe":
                listener.on_ready()
            elif kind == b"message" and isinstance(data, bytes):
                number, _, payload = data.partition(b" ")
                if number.isdigit():
                    listener.on_bell(payload, int(number))
        except Exception:
            _log.exception("a listener to bells raised")
