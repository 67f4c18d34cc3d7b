"""The same on uvloop, where it exists: its transports differ in what they raise and buffer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from server.clock import ManualClock
from server.net.listener import Listener
from server.net.pages import Pages
from server.net.static import Asset
from server.wire.codec import frame
from server.wire.messages import Done, Goodbye, Moved, Play, Ready
from tests.server.net.conftest import Stage
from tests.server.net.raw import Service, client_frame, command

uvloop = pytest.importorskip("uvloop")


async def staged() -> Stage:
    clock, service = ManualClock(), Service()
    pages = Pages({"/index.html": Asset(b"page", None, "tag", "text/html")})
    listener = Listener(service, pages, clock, chance=lambda: 0.5)
    await listener.start("127.0.0.1", 0)
    return Stage(listener, service, clock, listener.ports[0])


async def floods(stage: Stage) -> None:
    raw = await stage.socket()
    raw.write(b"".join(command(Play(ply, 1, 0, 0, 0)) for ply in range(300)))
    assert await raw.close_code() == 4429


async def breaks_the_protocol(stage: Stage) -> None:
    raw = await stage.socket()
    raw.write(client_frame(b"text", 1))
    assert await raw.close_code() == 1003
    await raw.ended()


async def does_not_read(stage: Stage) -> None:
    lazy, reader = await stage.socket(), await stage.socket()
    lazy.writer.transport.pause_reading()  # type: ignore[attr-defined]
    peer, other = (session.peer for session in stage.service.sessions[-2:])
    while peer.is_open:
        for _ in range(50):
            peer.send(frame(Moved(1, 1, bytes(2000))))
        other.send(frame(Done(3)))
        assert await reader.event() == Done(3)
    stage.sweep(1_000)
    await stage.until(lambda: stage.service.sessions[-2].closings == 1)
    assert stage.listener.counts.closed[4013] == 1


async def asks_for_a_page(stage: Stage) -> None:
    raw = await stage.connect()
    raw.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (await raw.head()).startswith("HTTP/1.1 200 ")
    assert await raw.reader.read() == b"page"


async def hangs_up(stage: Stage) -> None:
    for way in ("cut", "write_eof"):
        raw = await stage.socket()
        raw.cut() if way == "cut" else raw.writer.write_eof()
        await stage.until(lambda: stage.service.sessions[-1].closings == 1)


async def is_let_go(stage: Stage) -> None:
    raw = await stage.socket()
    drain = asyncio.ensure_future(stage.listener.drain(spread_s=0.1))
    assert await raw.event() == Goodbye(2500)
    assert await raw.close_code() == 1012
    await drain


@pytest.mark.parametrize("scenario", [floods, breaks_the_protocol, does_not_read, asks_for_a_page, hangs_up, is_let_go])
def test_on_uvloop_somebody(scenario: Callable[[Stage], Awaitable[None]]) -> None:
    async def run() -> None:
        stage = await staged()
        try:
            await scenario(stage)
            if not stage.listener.draining:
                raw = await stage.socket()
                raw.say(Ready(2, True))
                assert await raw.event() == Done(2)
        finally:
            await stage.end()
        assert stage.listener.counts.sockets == 0

    uvloop.run(run())
