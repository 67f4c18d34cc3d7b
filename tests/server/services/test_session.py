"""A connection's session, from its end on."""

from __future__ import annotations

import gc
import weakref

from tests.server.services.kit import Servers
from tests.store_fixture import until
from tests.wire_client import DRAW


async def test_a_closed_connection_leaves_nothing_that_has_to_be_looked_for(server: Servers) -> None:
    """The collector looks rarely (server.serving): what comes and goes by the thousand must not go in circles."""
    ann, bob = await server.person(), await server.person("Bob")
    await server.race(ann, bob)
    assert await ann.play(0, DRAW)
    await ann.ask("OpenTournament", "ABCDE", False, answer="Refused")
    sessions = [weakref.ref(each) for each in server.apps[0].services.sessions]
    assert len(sessions) == 2
    gc.collect()
    gc.disable()
    try:
        await ann.go()
        await bob.go()
        await until(lambda: all(each() is None for each in sessions))
    finally:
        gc.enable()
