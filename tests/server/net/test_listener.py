"""Who is let in, how many, and how all of them are let go."""

from __future__ import annotations

import asyncio
import logging
from ipaddress import ip_network

import pytest

from server.core.limits import Rate
from server.net.listener import GOODBYE_SPREAD_MS
from server.net.pages import PageRequest, Reply, text
from server.net.settings import NetSettings
from server.wire.messages import Done, Goodbye, Ready
from tests.server.net.conftest import Stage, Stages
from tests.server.net.raw import Raw, handshake

GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
LOCAL = (ip_network("127.0.0.0/8"),)


async def knock(stage: Stage, headers: str = "", origin: str | None = None) -> str:
    """Ask for a socket; the head of the answer."""
    raw = await stage.connect()
    raw.write(handshake(stage.port, headers, origin=origin))
    return await raw.head()


async def get(stage: Stage, path: str) -> tuple[str, bytes]:
    """A page: head and body."""
    raw = await stage.connect()
    raw.write(GET % path.encode())
    return await raw.head(), await raw.reader.read()


# ---------------------------------------------------------------- limits


async def test_above_the_limit_of_sockets_others_are_told_to_come_back(stages: Stages) -> None:
    stage = await stages(NetSettings(max_connections=2))
    first, _ = await stage.socket(), await stage.socket()
    head = await knock(stage)
    assert head.startswith("HTTP/1.1 503 ")
    assert "\r\nRetry-After: " in head
    assert (await get(stage, "/"))[0].startswith("HTTP/1.1 200 ")
    first.cut()
    await stage.until(lambda: stage.service.sessions[0].closings == 1)
    assert (await knock(stage)).startswith("HTTP/1.1 101 ")
    assert stage.listener.counts.refused == {"full": 1}


async def test_far_too_many_connections_are_cut_before_they_ask(
    stages: Stages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.listener.SLACK", 1)
    stage = await stages(NetSettings(max_connections=1))
    await stage.socket()
    await stage.connect()
    crowd = await stage.connect()
    assert await crowd.head() == ""
    assert stage.listener.counts.refused == {"crowded": 1}


async def test_one_address_has_so_many_sockets_and_another_its_own(stages: Stages) -> None:
    stage = await stages(NetSettings(address_connections=2, trusted_proxies=LOCAL))
    for _ in range(2):
        assert (await knock(stage, "X-Forwarded-For: 198.51.100.7\r\n")).startswith("HTTP/1.1 101 ")
    assert (await knock(stage, "X-Forwarded-For: 198.51.100.7\r\n")).startswith("HTTP/1.1 503 ")
    assert (await knock(stage, "X-Forwarded-For: 198.51.100.8\r\n")).startswith("HTTP/1.1 101 ")
    for _ in range(2):
        assert (await knock(stage, "X-Forwarded-For: 2001:db8:1:2::7\r\n")).startswith("HTTP/1.1 101 ")
    assert (await knock(stage, "X-Forwarded-For: 2001:db8:1:2:ffff::9\r\n")).startswith("HTTP/1.1 503 ")
    assert (await knock(stage, "X-Forwarded-For: 2001:db8:1:3::7\r\n")).startswith("HTTP/1.1 101 ")
    assert stage.listener.counts.refused == {"address_full": 2}


async def test_a_place_of_an_address_is_free_again_when_its_socket_is_gone(stages: Stages) -> None:
    stage = await stages(NetSettings(address_connections=1))
    for turn in range(3):
        raw = await stage.socket()
        raw.cut()
        await stage.until(lambda turn=turn: stage.service.sessions[turn].closings == 1)  # type: ignore[misc]
    assert stage.listener.counts.opened == 3


async def test_one_address_opens_so_many_sockets_a_second(stages: Stages) -> None:
    stage = await stages(NetSettings(address_handshakes=Rate(1, 2)))
    heads = [(await knock(stage))[9:12] for _ in range(3)]
    assert heads == ["101", "101", "503"]
    stage.clock.advance(1000)
    assert (await knock(stage))[9:12] == "101"
    assert stage.listener.counts.refused == {"address_fast": 1}


# ---------------------------------------------------------------- origins and proxies


async def test_programs_without_an_origin_only_where_that_is_allowed(stages: Stages) -> None:
    strict, open_ = await stages(), await stages(NetSettings(allow_no_origin=True))
    assert (await knock(strict, origin=""))[9:12] == "403"
    assert (await knock(open_, origin=""))[9:12] == "101"
    assert (await knock(open_, origin="Origin: https://evil.example\r\n"))[9:12] == "403"


async def test_the_public_address_behind_a_proxy_is_on_the_list(stages: Stages) -> None:
    stage = await stages(NetSettings(origins=frozenset({"https://Play.example.org:443"})))
    assert (await knock(stage, origin="Origin: https://play.example.org\r\n"))[9:12] == "101"
    assert (await knock(stage, origin="Origin: http://play.example.org\r\n"))[9:12] == "403"
    assert (await knock(stage, origin="Origin: https://play.example.org.evil.example\r\n"))[9:12] == "403"


async def test_below_a_path_pages_and_the_socket_are_found_whether_the_proxy_takes_the_path_off_or_not(
    stages: Stages,
) -> None:
    stage = await stages(NetSettings(base="/kupa"))
    for path in ("/", "/kupa/", "/kupa/r/KMPQR", "/r/KMPQR", "/kupa/healthz"):
        assert "200" in (await get(stage, path))[0]
    assert "404" in (await get(stage, "/kupas/"))[0]
    status, _ = await get(stage, "/kupa")
    assert "308" in status
    raw = await stage.connect()
    raw.write(handshake(stage.port).replace(b"GET /ws ", b"GET /kupa/ws "))
    assert (await raw.head()).startswith("HTTP/1.1 101 ")
    await raw.greet()


async def test_a_header_is_believed_from_a_trusted_proxy_only(stages: Stages) -> None:
    trusting, wary = await stages(NetSettings(trusted_proxies=LOCAL)), await stages()
    for stage in (trusting, wary):
        await stage.socket(headers="X-Forwarded-For: 1.1.1.1, 203.0.113.9\r\nX-Forwarded-For: 127.0.0.2\r\n")
    assert trusting.service.sessions[0].peer.address == "203.0.113.9"
    assert wary.service.sessions[0].peer.address == "127.0.0.1"


async def test_a_local_socket_is_a_proxy(stage: Stage, tmp_path: object) -> None:
    path = f"{tmp_path}/kupa.sock"
    await stage.listener.start_unix(path)
    raw = Raw(*await asyncio.open_unix_connection(path))
    stage.raws.append(raw)
    await raw.upgrade(stage.port, "X-Forwarded-For: 203.0.113.9\r\n")
    assert stage.service.sessions[0].peer.address == "203.0.113.9"
    assert stage.listener.ports == [stage.port]


# ---------------------------------------------------------------- pages of services


async def test_a_service_may_take_its_time_for_a_page(stage: Stage) -> None:
    asked = asyncio.Event()

    async def slow(request: PageRequest) -> Reply:
        asked.set()
        await go.wait()
        return text(200, f"{request.path} {request.query} {request.address}")

    go = asyncio.Event()
    stage.listener._pages.route("/api/", slow)
    raw = await stage.connect()
    raw.write(GET % b"/api/rooms?page=2")
    raw.writer.write_eof()  # the client is done asking; it still wants the answer
    await asked.wait()
    go.set()
    assert (await raw.head()).startswith("HTTP/1.1 200 ")
    assert await raw.reader.read() == b"/api/rooms page=2 127.0.0.1\n"


async def test_a_page_that_takes_longer_than_ten_seconds_is_given_up(stage: Stage) -> None:
    asked, ended = asyncio.Event(), asyncio.Event()

    async def endless(request: PageRequest) -> Reply:
        asked.set()
        try:
            await asyncio.Event().wait()
            return text(200)
        finally:
            ended.set()

    stage.listener._pages.route("/api/x", endless)
    raw = await stage.connect()
    raw.write(GET % b"/api/x")
    await asked.wait()
    stage.sweep(10_000)
    assert await raw.head() == ""
    async with asyncio.timeout(5):
        await ended.wait()
    assert (await get(stage, "/"))[0].startswith("HTTP/1.1 200 ")


@pytest.mark.parametrize("asynchronous", [True, False])
async def test_a_page_that_fails_is_500_and_logged(
    stage: Stage, caplog: pytest.LogCaptureFixture, asynchronous: bool
) -> None:
    async def later(request: PageRequest) -> Reply:
        raise RuntimeError("a bug")

    def now(request: PageRequest) -> Reply:
        raise RuntimeError("a bug")

    stage.listener._pages.route("/api/x", later if asynchronous else now)
    head, body = await get(stage, "/api/x")
    assert head.startswith("HTTP/1.1 500 ")
    assert b"bug" not in body
    assert "a request failed" in caplog.text


async def test_a_page_that_is_not_taken_is_cut_after_ten_seconds(stage: Stage) -> None:
    raw = await stage.connect()
    raw.write(GET % b"/")
    assert (await raw.head()).startswith("HTTP/1.1 200 ")
    await raw.reader.read()
    assert len(stage.listener._connections) == 1  # the client has not closed its side
    stage.sweep(10_000)
    await stage.listener.close()
    assert len(stage.listener._connections) == 0


# ---------------------------------------------------------------- the end


async def test_a_drain_says_goodbye_waits_for_answers_and_closes_with_1012(stages: Stages) -> None:
    stage = await stages()
    idle, busy = await stage.socket(), await stage.socket()
    stage.service.sessions[1].owes = 1
    drain = asyncio.ensure_future(stage.listener.drain(spread_s=0.1))
    for raw in (idle, busy):
        assert await raw.event() == Goodbye(GOODBYE_SPREAD_MS // 2)
    assert await idle.close_code() == 1012
    assert stage.service.sessions[1].peer.is_open
    head, _ = await get(stage, "/readyz")
    assert head.startswith("HTTP/1.1 503 ")
    assert (await get(stage, "/healthz"))[0].startswith("HTTP/1.1 200 ")
    assert (await knock(stage))[9:12] == "503"
    stage.service.sessions[1].owes = 0
    assert await busy.close_code() == 1012
    await drain
    assert stage.listener.counts.refused == {"draining": 1}


async def test_a_drain_does_not_wait_for_answers_for_ever(stages: Stages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.net.listener.OWED_S", 0.2)
    stage = await stages()
    raw = await stage.socket()
    stage.service.sessions[0].owes = 1
    await stage.listener.drain(spread_s=0.1)
    assert await raw.event() == Goodbye(GOODBYE_SPREAD_MS // 2)
    assert await raw.close_code() == 1012


async def test_waves_are_spread(stages: Stages) -> None:
    stage = await stages()
    raws = [await stage.socket() for _ in range(6)]
    drain = asyncio.ensure_future(stage.listener.drain(spread_s=0.3))
    await asyncio.gather(*(raw.close_code() for raw in raws))
    assert stage.listener.draining
    await drain
    assert [session.peer.is_open for session in stage.service.sessions] == [False] * 6


async def test_a_drain_of_nobody_is_done_at_once(stage: Stage) -> None:
    await stage.listener.drain()
    assert stage.listener.draining


async def test_closing_ends_every_connection_and_frees_the_port(stages: Stages) -> None:
    stage = await stages()
    raw, asking = await stage.socket(), await stage.connect()
    closing = asyncio.ensure_future(stage.listener.close())
    assert await raw.close_code() == 1001
    raw.cut()
    assert await asking.head() == ""
    async with asyncio.timeout(1):
        await closing
    assert stage.service.sessions[0].closings == 1
    with pytest.raises(ConnectionRefusedError):
        await Raw.connect(stage.port)


async def test_a_client_that_does_not_answer_the_close_frame_is_cut(
    stages: Stages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.net.settings.CLOSE_MS", 50)
    stage = await stages()
    await stage.socket()
    await stage.listener.close()
    assert stage.service.sessions[0].closings == 1


async def test_the_library_is_quiet(stage: Stage) -> None:
    raw = await stage.socket()
    raw.say(Ready(2, True))
    assert await raw.event() == Done(2)
    assert logging.getLogger("websockets").level == logging.WARNING
