"""The load generator against a server that is there, and one that goes away meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from server.load.player import LoadError
from server.load.runner import Plan, run
from tests.server.services.kit import Servers
from tests.store_fixture import until


@pytest.mark.parametrize("mode", ["open", "closed", "idle"])
async def test_a_server_that_goes_away_is_no_measurement(server: Servers, mode: str) -> None:
    app = server.apps[0]
    plan = Plan(server.url().replace("ws", "http", 1), 4, 4, mode, 20.0, warm_s=0.1, seconds=1.5)
    running = asyncio.create_task(run(plan))
    await until(lambda: any(host.state.seats for host in app.services.lobby.hub.rooms.values()), 15)
    if mode != "idle":
        await until(lambda: any(host.heat is not None for host in app.services.lobby.hub.rooms.values()), 15)
        await server.pass_time(10_000)
    await until(lambda: app.listener.counts.sockets == 4, 15)
    for connection in list(app.listener._connections):
        connection.abort()
    with pytest.raises(LoadError, match=r"went away|closed a connection|refuses"):
        await running
