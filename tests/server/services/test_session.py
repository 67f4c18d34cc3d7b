"""A connection's session, from its end on."""

from __future__ import annotations

import gc
import weakref

import pytest

from tests.server.services.kit import Servers
from tests.store_fixture import until
from tests.wire_client import DRAW


@pytest.mark.interpreted
@pytest.mark.parametrize("cut", [False, True], ids=["in good order", "cut off"])
async def test_a_closed_connection_leaves_nothing_that_has_to_be_looked_for(server: Servers, cut: bool) -> None:
    """The collector looks rarely (server.serving): what comes and goes by the thousand must not go in circles."""
    ann, bob = await server.person(), await server.person("Bob")
    await server.race(ann, bob)
    assert await ann.play(0, DRAW)
    await ann.ask("OpenTournament", "ABCDE", False, answer="Refused")
    sessions: list[weakref.ref[object]] = [weakref.ref(each) for each in server.apps[0].services.sessions]
    sessions += [weakref.ref(each.protocol) for each in server.apps[0].listener._connections]
    assert len(sessions) == 4
    gc.collect()
    gc.disable()
    try:
        for person in (ann, bob):
            if cut:
                person.socket.transport.abort()
            await person.go()
        await until(lambda: all(each() is None for each in sessions))
    finally:
        gc.enable()
