"""A listener on a free port of this machine, with a clock that stands still."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import pytest

from server.clock import ManualClock
from server.net.handover import Place
from server.net.listener import Listener
from server.net.pages import Pages
from server.net.settings import NetSettings
from server.net.static import Asset
from server.net.sweep import SLOTS
from tests.server.net.raw import Raw, Service

INDEX = b"<!doctype html><title>Kupa</title>"


@dataclass
class Stage:
    """A running server and what tests look at."""

    listener: Listener
    service: Service
    clock: ManualClock
    port: int

    raws: list[Raw] = field(default_factory=list)

    async def connect(self) -> Raw:
        self.raws.append(await Raw.connect(self.port))
        return self.raws[-1]

    async def socket(self, *, greet: bool = True, headers: str = "") -> Raw:
        """A WebSocket, greeted unless told otherwise."""
        raw = await self.connect()
        await raw.upgrade(self.port, headers)
        if greet:
            await raw.greet()
        return raw

    async def end(self) -> None:
        """Clients leave, the server closes."""
        for raw in self.raws:
            await raw.leave()
        await self.listener.close()

    def sweep(self, advance_ms: int = 0) -> None:
        """Let time pass, then visit every connection once."""
        self.clock.advance(advance_ms)
        for _ in range(SLOTS):
            self.listener.sweep.tick()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds; looked at whenever a session hears or closes."""
        async with asyncio.timeout(5):
            while not holds():
                self.service.changed.clear()
                await self.service.changed.wait()


Stages = Callable[..., Awaitable[Stage]]
"""Makes a stage: `stages(settings, service, place)`, all as they are by default when left out."""


@pytest.fixture
async def stages() -> AsyncIterator[Stages]:
    """Make a stage with settings of its own."""
    async with AsyncExitStack() as stack:

        async def make(
            settings: NetSettings | None = None, service: Service | None = None, place: Place | None = None
        ) -> Stage:
            clock = ManualClock()
            service = service if service is not None else Service()
            pages = Pages({"/index.html": Asset(INDEX, None, "tag", "text/html; charset=utf-8")}, "0123456789ab")
            listener = Listener(service, pages, clock, settings, chance=lambda: 0.5)
            await listener.start("127.0.0.1", 0, place=place)
            stage = Stage(listener, service, clock, listener.ports[0])
            stack.push_async_callback(stage.end)
            return stage

        yield make


@pytest.fixture
async def stage(stages: Stages) -> Stage:
    """A server with the settings it has by default."""
    return await stages()
