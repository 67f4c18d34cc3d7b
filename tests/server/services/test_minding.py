"""Every two seconds a process looks after its rooms: those where something is to be done, and all of them in turn."""

from __future__ import annotations

from typing import Any

import pytest

from server.core import events as log
from server.core.ids import PlayerId
from server.services import hub as hubs
from server.services.heat_host import HeatHost
from server.store import keys
from tests.server.services.kit import Servers
from tests.store_fixture import until
from tests.wire_client import RESIGN


def neglected(heat: HeatHost) -> bool:
    return heat.neglected(heat.heat.gun_ms + 1)


async def test_a_heat_whose_boards_are_all_played_here_needs_nobody(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    heat = await server.heat(ann.room)
    await until(lambda: not neglected(heat))
    await bob.play(0, RESIGN)
    await ann.latest("BoardEnded")
    await until(lambda: not neglected(heat))


async def test_a_board_that_is_played_elsewhere_or_by_nobody_is_looked_after(servers: Servers) -> None:
    await servers.start()
    await servers.start()
    ann, bob = await servers.person("Ann", at=0), await servers.person("Bob", at=1)
    await servers.race(ann, bob)
    assert neglected(await servers.heat(ann.room, 0))
    heat = await servers.heat(ann.room, 1)
    assert neglected(heat)
    heat.boards.clear()
    assert neglected(heat)


async def test_a_board_that_another_connection_holds_is_looked_after(server: Servers) -> None:
    ann = await server.person("Ann")
    await server.race(ann)
    heat = await server.heat(ann.room)
    [played] = heat.boards.values()
    played.peer, peer = None, played.peer
    assert neglected(heat)
    played.peer = peer
    await until(lambda: not neglected(heat))


async def test_a_bot_that_nobody_plays_is_looked_after(server: Servers) -> None:
    ann = await server.person("Ann")
    await ann.create(3)
    await server.again(ann)
    await server.gun(ann)
    heat = await server.heat(ann.room)
    await until(lambda: not neglected(heat))
    bots, heat._bots = heat._bots, {}
    assert neglected(heat)
    heat._bots = bots


async def test_what_no_bell_told_is_found_in_every_room_within_five_rounds(
    server: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pieces: a thousand rooms at once would keep everybody's moves waiting."""
    monkeypatch.setattr(hubs, "PIECE", 2)
    monkeypatch.setattr(hubs, "SPREAD_S", 0.01)
    people: list[Any] = [await server.person(f"Person{at}") for at in range(5)]
    for one in people:
        await one.create()
    hub = server.apps[0].services.lobby.hub
    for host in hub.rooms.values():
        event = log.Joined(0, PlayerId("somebody"), "Somebody", "1234", hub.shared.node)
        await server.store.logs.append(keys.room_log(host.room), host.state.version, [log.encode(event)])
    for _ in range(hubs.LOOK_AT_ALL):
        await hub._mind()
    await until(lambda: all("somebody" in host.state.members for host in hub.rooms.values()))
    assert len(hub.rooms) == 5
