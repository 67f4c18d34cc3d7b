"""The load generator against a server that is there, and one that goes away meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from server.load.player import LoadError
from server.load.runner import Plan, places_of, run
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


async def test_players_play_up_to_their_places_before_anything_is_measured(server: Servers) -> None:
    app = server.apps[0]
    plan = Plan(server.url().replace("ws", "http", 1), 4, 4, "open", 1.0, warm_s=0, places=(9, 9), seconds=0.1)
    running = asyncio.create_task(run(plan))
    rooms = app.services.lobby.hub.rooms
    await until(lambda: any(host.heat is not None for host in rooms.values()), 15)
    await server.pass_time(10_000)
    [host] = rooms.values()
    assert host.heat is not None
    boards = host.heat.boards
    report = await running
    plies = [boards[seat].ply for seat in range(4)]
    assert all(have >= wanted > 0 for have, wanted in zip(plies, places_of(plan, 4), strict=True))
    assert report.denied == 0
