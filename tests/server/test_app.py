"""One process put together: it starts, serves, tells its state, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from server.app import App, CannotStart, running
from server.config import Config
from server.services import hub
from tests.server.services.kit import settings
from tests.store_fixture import Server, until
from tests.wire_client import DRAW, WireClient


@pytest.fixture
def own_store() -> Iterator[Server]:
    """A store program for one test alone, to be killed."""
    with tempfile.TemporaryDirectory(prefix="kupa") as folder:
        made = Server(Path(folder), "--appendonly", "yes", "--appendfsync", "everysec")
        made.start()
        yield made
        made.kill()


def url(app: App) -> str:
    """Where its sockets are."""
    return f"ws://127.0.0.1:{app.port}"


async def page(app: App, path: str) -> tuple[int, str]:
    """Status and text of a page."""

    def fetch() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{app.port}{path}", timeout=5) as answer:
                return int(answer.status), answer.read().decode()
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, refusal.read().decode()

    return await asyncio.to_thread(fetch)


async def test_pages_and_sockets_come_from_one_port(store_url: str) -> None:
    async with running(settings(store_url)) as app:
        assert (await page(app, "/"))[0] == 200
        assert (await page(app, "/healthz"))[0] == 200
        assert (await page(app, "/readyz"))[0] == 200
        ann = WireClient(url(app))
        assert (await ann.come())["event"] == "Welcome"
        await ann.go()


async def test_an_app_that_has_ended_leaves_no_task_and_no_port(store_url: str) -> None:
    """I9: what was there at the start is there at the end."""
    before = asyncio.all_tasks()
    for _ in range(3):
        async with running(settings(store_url)) as app:
            ann, bob = WireClient(url(app), "Ann"), WireClient(url(app), "Bob")
            await ann.come()
            await bob.come()
            await bob.enter(await ann.create(3, public=True))
            await ann.ask("Ready", True)
            await bob.ask("Ready", True)
            await ann.latest("HeatInfo")
            port = app.port
        assert await ann.closed() == 1001
        await ann.go()
        await bob.go()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
    await until(lambda: asyncio.all_tasks() == before)


async def test_a_port_that_is_taken_is_named_and_everything_started_is_ended(store_url: str) -> None:
    async with running(settings(store_url)) as app:
        before = asyncio.all_tasks()
        with pytest.raises(CannotStart, match=rf"port {app.port} .*another port"):
            async with running(Config(host="127.0.0.1", port=app.port, redis_url=store_url, durability="second")):
                raise AssertionError("it must not start")
        await until(lambda: asyncio.all_tasks() == before)


async def test_a_store_that_cannot_be_used_is_no_traceback() -> None:
    with pytest.raises(CannotStart, match="store"):
        async with running(Config(host="127.0.0.1", port=0, redis_url="unix:///no/such/socket")):
            raise AssertionError("it must not start")


async def test_the_embedded_store_keeps_everybody_over_a_restart(tmp_path: Path) -> None:
    config = Config(host="127.0.0.1", port=0, data=tmp_path / "data")
    ann = WireClient("")
    for player in ("", "the same"):
        async with running(config) as app:
            ann.url = url(app)
            welcome = await ann.come()
            assert player == "" or welcome["token"] == ""
            if player:
                assert welcome["room"] == ann.room
                assert (await ann.enter())["seat"] == 0
            else:
                await ann.create()
            await ann.go()


async def test_readyz_says_so_while_the_store_is_away_and_players_wait(own_store: Server) -> None:
    async with running(settings(own_store.url)) as app:
        ann = WireClient(url(app))
        await ann.come()
        await ann.create()
        await ann.ask("Ready", True)
        await ann.latest("Dealt")
        own_store.kill()
        await ann.push(0, DRAW)
        await until(lambda: app.store.logs.away_since is not None)
        status, words = await page(app, "/readyz")
        assert (status, "store" in words) == (503, True)
        assert (await page(app, "/healthz"))[0] == 200
        assert await ann.refused("ListRooms") == "busy"
        own_store.start()
        assert (await ann.answer(0))["event"] == "Moved"
        await until(lambda: app.store.away_since is None)
        assert (await page(app, "/readyz"))[0] == 200
        await ann.go()


async def test_readyz_says_that_the_store_is_full_while_nobody_plays(own_store: Server) -> None:
    """F8: nobody new is led to a server on which nothing can be begun."""
    async with running(settings(own_store.url)) as app:
        store = app.store
        await store.client.execute_command("CONFIG SET", "maxmemory", "1")
        await until(lambda: store.away_since is not None)
        assert store.logs.away_since is None
        assert await page(app, "/readyz") == (503, "store: the store takes no writes: out of memory or disk\n")
        await store.client.execute_command("CONFIG SET", "maxmemory", "0")
        await until(lambda: store.away_since is None)
        assert (await page(app, "/readyz"))[0] == 200


@pytest.mark.parametrize(
    ("spoilt", "mended"),
    [
        ((("appendonly", "no"),), (("appendonly", "yes"),)),
        ((("maxmemory-policy", "allkeys-lru"), ("maxmemory", "1gb")), (("maxmemory", "0"),)),
    ],
)
async def test_readyz_says_that_a_store_which_kept_everything_does_so_no_more(
    own_store: Server,
    monkeypatch: pytest.MonkeyPatch,
    spoilt: tuple[tuple[str, str], ...],
    mended: tuple[tuple[str, str], ...],
) -> None:
    """It was restarted with other settings, say: what the start refuses is not served in silence later on."""
    monkeypatch.setattr(hub, "LOOK_S", 0.1)
    async with running(settings(own_store.url)) as app:
        for setting in spoilt:
            await app.store.client.execute_command("CONFIG SET", *setting)
        await until(lambda: app.store.unfit != "")
        assert await page(app, "/readyz") == (503, "store: it may forget what it is told; the log says why\n")
        assert "; set " in app.store.unfit
        for setting in mended:
            await app.store.client.execute_command("CONFIG SET", *setting)
        await until(lambda: app.store.unfit == "")
        assert (await page(app, "/readyz"))[0] == 200


async def test_draining_says_good_bye_and_lets_nobody_new_in(store_url: str) -> None:
    async with running(settings(store_url)) as app:
        people = [WireClient(url(app), f"P{number}x") for number in range(5)]
        for person in people:
            await person.come()
        draining = asyncio.create_task(app.drain(0.3))
        assert [await person.closed() for person in people] == [1012] * 5
        await draining
        assert all(0 <= person.seen["Goodbye"]["retry_ms"] <= 5_000 for person in people)
        assert (await page(app, "/readyz"))[0] == 503
        with pytest.raises(InvalidStatus) as refused:
            await WireClient(url(app)).come()
        assert refused.value.response.status_code == 503


async def test_limits_of_an_address_come_from_the_settings(store_url: str) -> None:
    async with running(settings(store_url, address_connections=2)) as app:
        people = [WireClient(url(app)) for _ in range(3)]
        for person in people[:2]:
            await person.come()
        with pytest.raises(InvalidStatus):
            await people[2].come()
        await people[0].go()
        await until(lambda: app.listener.counts.sockets == 1)
        await people[2].come()
        for person in people:
            await person.go()


async def test_only_pages_of_this_host_or_a_named_origin_may_open_a_socket(store_url: str) -> None:
    async with running(settings(store_url, public_url="https://play.example.org")) as app:
        for origin, allowed in (("https://play.example.org", True), ("https://evil.example.org", False)):
            ann = WireClient(url(app), origin=origin)
            if allowed:
                await ann.come()
                await ann.go()
            else:
                with pytest.raises(InvalidStatus) as refused:
                    await ann.come()
                assert refused.value.response.status_code == 403
