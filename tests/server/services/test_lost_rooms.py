"""A store that has lost a whole room, as a failover right after it was made does, or an operator who emptied it."""

from __future__ import annotations

import pytest

from tests.server.services.kit import Servers, settled
from tests.wire_client import DRAW


async def test_a_room_the_store_has_lost_is_closed_for_everybody_in_it(
    server: Servers, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.drawn(ann, bob)
    await server.gun(ann, bob)
    hub = server.apps[0].services.lobby.hub
    await server.store.client.execute_command("FLUSHALL")
    await ann.push(0, DRAW)
    for person in (ann, bob):
        assert (await person.latest("LeftRoom"))["reason"] == "closed"
    await settled(lambda: not hub.rooms)
    shown = capsys.readouterr()
    assert (shown.out + shown.err).count("room.lost") == 1
    assert "room.failed" not in shown.out + shown.err
    await ann.ask("LeaveRoom")
    assert await ann.refused("EnterRoom", ann.room, False) == "noroom"
    await ann.enter(await bob.create())


async def test_a_lost_room_that_is_only_waited_in_is_closed_at_the_next_command(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await bob.enter(await ann.create())
    await server.store.client.execute_command("FLUSHALL")
    assert await ann.refused("Ready", True) == "noroom"
    assert (await bob.latest("LeftRoom"))["reason"] == "closed"
