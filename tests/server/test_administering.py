"""What an operator may do to players."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from websockets.exceptions import ConnectionClosed

from server import administering
from server.administering import NoSuch
from server.app import App, running
from server.config import Config
from server.store.connect import Store
from tests.store_fixture import store, store_url
from tests.wire_client import WireClient

__all__ = ["store", "store_url"]


@pytest_asyncio.fixture
async def app(store: Store, store_url: str) -> AsyncIterator[App]:
    async with running(Config(redis_url=store_url, durability="second", host="127.0.0.1", port=0)) as app:
        yield app


async def test_a_banned_player_is_let_in_no_more_until_the_ban_is_lifted(app: App) -> None:
    ann = WireClient(f"ws://127.0.0.1:{app.port}")
    await ann.come()
    await ann.go()
    banned = await administering.ban(app.config, ann.player, "sold places")
    assert banned.banned == "sold places"
    with pytest.raises(ConnectionClosed) as refused:
        await ann.come()
    assert refused.value.rcvd is not None
    assert refused.value.rcvd.code == 4403
    assert (await administering.unban(app.config, ann.player)).banned == ""
    assert (await ann.come())["player"] == ann.player
    await ann.go()


async def test_a_banned_player_brings_no_other_device_in(app: App) -> None:
    ann, other = WireClient(f"ws://127.0.0.1:{app.port}"), WireClient(f"ws://127.0.0.1:{app.port}")
    await ann.come()
    await other.come()
    code = (await ann.ask("LinkDevice", answer="DeviceCode"))["code"]
    await administering.ban(app.config, ann.player, "sold places")
    assert await other.refused("UseDeviceCode", code) == "code_expired"
    await ann.go()
    await other.go()


async def test_a_name_given_by_the_operator_obeys_the_rules_of_names(app: App) -> None:
    ann = WireClient(f"ws://127.0.0.1:{app.port}")
    await ann.come()
    assert (await administering.rename(app.config, ann.player, "Ayşe K.")).name == "Ayşe K."
    assert (await administering.show(app.config, ann.player)).name == "Ayşe K."
    with pytest.raises(NoSuch, match="2 to 20"):
        await administering.rename(app.config, ann.player, "x")
    await ann.go()


@pytest.mark.parametrize("nobody", ["", "ABCDEFGHJK", "*", "{}", "kupa:player:x"])
async def test_who_is_not_there_is_named_in_one_line(app: App, nobody: str) -> None:
    with pytest.raises(NoSuch, match="no player"):
        await administering.show(app.config, nobody)
    with pytest.raises(NoSuch, match="reason"):
        await administering.ban(app.config, nobody, " ")
