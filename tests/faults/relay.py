"""A way over which a network can misbehave: between a person and a server, or between a server and its store.

Lives here: one TCP relay and what can be wrong with it: late, silent in one direction, cut, reset, one byte at a
time, closed on one side only. Lives elsewhere: when that happens (rows).

What is silent is not lost: like a network, it delivers later what was sent meanwhile, unless the connection is
given up first.
"""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from dataclasses import dataclass, field
from enum import Enum

_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER: on, 0 seconds. Closing then sends a reset."""


class Way(Enum):
    """A direction."""

    UP = "up"
    """Towards the server, or the store."""
    DOWN = "down"
    """Back."""


BOTH = (Way.UP, Way.DOWN)


@dataclass(slots=True)
class Weather:
    """What happens to bytes of one direction."""

    latency_s: float = 0.0
    jitter_s: float = 0.0
    slice_bytes: int = 0
    """At most so many bytes in one write; 0: as they come."""
    cut_after: int = -1
    """The connection is reset after so many bytes; −1: never."""
    clear: asyncio.Event = field(default_factory=asyncio.Event)
    """Unset: nothing gets through."""


class _Link:
    """One connection through the relay."""

    def __init__(self, relay: Relay, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.relay = relay
        self.reader, self.writer = reader, writer
        self.far: asyncio.StreamWriter | None = None

    async def run(self) -> None:
        host, port = self.relay.target
        try:
            there, self.far = await asyncio.open_connection(host, port)
        except OSError:
            self.reset()
            return
        pumps = {
            asyncio.create_task(self._pump(Way.UP, self.reader, self.far)),
            asyncio.create_task(self._pump(Way.DOWN, there, self.writer)),
        }
        try:
            await asyncio.gather(*pumps)
        finally:
            for pump in pumps:
                pump.cancel()
            self.writer.close()
            self.far.close()

    async def _pump(self, way: Way, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry bytes in order, each as late as the weather was when it came."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(4096)
        carrier = asyncio.create_task(self._carry(way, waiting, writer))
        try:
            while True:
                try:
                    data = await reader.read(65536)
                except OSError:
                    data = b""
                weather = self.relay.weather[way]
                late = weather.latency_s + weather.jitter_s * self.relay.chance.random()
                await waiting.put((loop.time() + late, data))
                if not data:
                    await carrier
                    return
        finally:
            carrier.cancel()

    async def _carry(self, way: Way, waiting: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        weather = self.relay.weather[way]
        while True:
            at, data = await waiting.get()
            if at > loop.time():
                await asyncio.sleep(at - loop.time())
            await weather.clear.wait()
            try:
                if not data:
                    if writer.can_write_eof():
                        writer.write_eof()
                    return
                await self._write(weather, data, writer)
            except (OSError, RuntimeError):
                self.reset()
                return

    async def _write(self, weather: Weather, data: bytes, writer: asyncio.StreamWriter) -> None:
        if weather.cut_after >= 0:
            data, weather.cut_after = data[: weather.cut_after], max(0, weather.cut_after - len(data))
        step = weather.slice_bytes or len(data) or 1
        for start in range(0, len(data), step):
            writer.write(data[start : start + step])
            if weather.slice_bytes:
                await asyncio.sleep(0)
        await writer.drain()
        if weather.cut_after == 0:
            weather.cut_after = -1
            self.reset()

    def reset(self) -> None:
        """Both ends see a reset."""
        for writer in (self.writer, self.far):
            if writer is None:
                continue
            taken = writer.get_extra_info("socket")
            if taken is not None and taken.fileno() >= 0:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            writer.transport.abort()


class Relay:
    """Listens on a free port of this machine and leads to `target`."""

    def __init__(self, target: tuple[str, int], seed: int = 0) -> None:
        self.target = target
        self.chance = random.Random(seed)
        self.weather = {way: Weather() for way in BOTH}
        self.port = 0
        self._links: dict[_Link, asyncio.Task[None]] = {}
        self._server: asyncio.Server | None = None
        self.fair()

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._come, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """End, and break what is open."""
        assert self._server is not None
        self._server.close()
        tasks = list(self._links.values())
        self.reset()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def open(self) -> int:
        """Connections through it."""
        return len(self._links)

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = _Link(self, reader, writer)
        task = asyncio.current_task()
        assert task is not None
        self._links[link] = task
        try:
            await link.run()
        except asyncio.CancelledError:
            link.reset()
        finally:
            self._links.pop(link, None)

    # ------------------------------------------------------------ what can be wrong

    def fair(self) -> None:
        """Nothing is wrong any more; what was held up gets through."""
        for weather in self.weather.values():
            weather.latency_s = weather.jitter_s = 0.0
            weather.slice_bytes, weather.cut_after = 0, -1
            weather.clear.set()

    def late(self, seconds: float, jitter: float = 0.0, *ways: Way) -> None:
        """Everything comes so much later."""
        for way in ways or BOTH:
            self.weather[way].latency_s, self.weather[way].jitter_s = seconds, jitter

    def silent(self, *ways: Way) -> None:
        """Nothing gets through, and nobody is told."""
        for way in ways or BOTH:
            self.weather[way].clear.clear()

    def sliced(self, count: int = 1) -> None:
        """Bytes come in small pieces."""
        for weather in self.weather.values():
            weather.slice_bytes = count

    def cut_after(self, count: int, way: Way) -> None:
        """The connection is reset once so many more bytes have come through."""
        self.weather[way].cut_after = count

    def reset(self) -> None:
        """Every connection is reset now; new ones get through."""
        for link in list(self._links):
            link.reset()

    def half_close(self, way: Way) -> None:
        """This direction is ended properly, the other one stays open."""
        for link in self._links:
            writer = link.far if way is Way.UP else link.writer
            if writer is not None and writer.can_write_eof() and not writer.is_closing():
                writer.write_eof()

    def lead(self, target: tuple[str, int]) -> None:
        """New connections lead elsewhere; the open ones are reset."""
        self.target = target
        self.reset()
