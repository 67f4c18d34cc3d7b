"""Bells: rung with a number, missed in silence, and confirmed again after every reconnection."""

from __future__ import annotations

import asyncio
import signal

import pytest
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError

from server.store import keys
from server.store.bells import Bells
from server.store.connect import Store, open_store
from tests.store_fixture import Server, until

ROOM, HEAT = "ABCDEFGHJK", "KJHGFEDCBA"
LOG, BELL = keys.room_log(ROOM), keys.bell(ROOM)
BOARD = keys.board_log(ROOM, HEAT, 0)


class Listener:
    """Remembers what it heard."""

    def __init__(self, bells: Bells, channel: str) -> None:
        self.heard: list[tuple[bytes, int]] = []
        self.ready = 0
        bells.subscribe(channel, lambda payload, number: self.heard.append((payload, number)), self._ready)

    def _ready(self) -> None:
        self.ready += 1

    async def readied(self, times: int, seconds: float = 5.0) -> None:
        await until(lambda: self.ready >= times, seconds)

    async def rung(self, times: int, seconds: float = 5.0) -> None:
        await until(lambda: len(self.heard) >= times, seconds)


async def test_an_append_a_claim_and_a_closing_ring(store: Store) -> None:
    listener = Listener(store.bells, BELL)
    await listener.readied(1)
    await store.logs.append(LOG, 0, [b"a", b"b"], bell=(BELL, b"log"))
    await store.logs.claim(BOARD, "n1", bell=(BELL, b"claim 0"))
    await store.logs.append(LOG, 0, [b"x"], bell=(BELL, b"refused"))
    await store.logs.append(LOG, 0, [b"a", b"b"], bell=(BELL, b"repeated"))
    await store.logs.close_heat(LOG, 2, [BOARD], tag=19, at_ms=1, heat=HEAT, bell=(BELL, b"closed"))
    await listener.rung(3)
    assert listener.heard == [(b"log", 2), (b"claim 0", 1), (b"closed", 3)]


async def test_after_leaving_nothing_is_heard(store: Store) -> None:
    listener = Listener(store.bells, BELL)
    other = Listener(store.bells, keys.bell("BCDEFGHJKL"))
    await listener.readied(1)
    store.bells.unsubscribe(BELL)
    store.bells.unsubscribe("nobody listens here")
    await other.readied(1)
    await store.client.execute_command("PUBLISH", BELL, "1 x")
    await store.client.execute_command("PUBLISH", keys.bell("BCDEFGHJKL"), "2 y")
    await other.rung(1)
    assert (listener.heard, other.heard) == ([], [(b"y", 2)])
    Listener(store.bells, BELL)


async def test_a_channel_has_one_listener(store: Store) -> None:
    Listener(store.bells, BELL)
    with pytest.raises(ValueError, match="has a listener"):
        Listener(store.bells, BELL)


async def test_what_is_no_ring_is_ignored(store: Store) -> None:
    listener = Listener(store.bells, BELL)
    await listener.readied(1)
    for text in ("", "x", "x 1", "-1 x", "7"):
        await store.client.execute_command("PUBLISH", BELL, text)
    await listener.rung(1)
    assert listener.heard == [(b"", 7)]


async def test_a_listener_that_raises_stops_nobody(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    def bad(payload: bytes, number: int) -> None:
        raise RuntimeError("broken")

    store.bells.subscribe(keys.bell("BCDEFGHJKL"), bad, lambda: None)
    listener = Listener(store.bells, BELL)
    await listener.readied(1)
    await store.client.execute_command("PUBLISH", keys.bell("BCDEFGHJKL"), "1 x")
    await store.client.execute_command("PUBLISH", BELL, "2 y")
    await listener.rung(1)
    assert "a listener to bells raised" in caplog.text


async def test_a_cut_connection_is_confirmed_again(store: Store) -> None:
    """F10: what was rung meanwhile is gone; the confirmation is the sign to look."""
    listener = Listener(store.bells, BELL)
    await listener.readied(1)
    await store.client.execute_command("CLIENT KILL", "TYPE", "pubsub")
    await listener.readied(2)
    await store.client.execute_command("PUBLISH", BELL, "1 x")
    await listener.rung(1)
    assert store.bells.reconnections >= 1


async def test_rings_flow_again_after_the_store_was_killed(server: Server) -> None:
    """D1: two processes, the store restarts, rings cross again within 5 s."""
    one, two = await open_store(server.url), await open_store(server.url)
    listener = Listener(two.bells, BELL)
    await listener.readied(1)
    server.kill()
    await asyncio.sleep(0.3)
    server.start()
    await listener.readied(2, seconds=5)
    await one.logs.append(LOG, 0, [b"a"], bell=(BELL, b"log"))
    await listener.rung(1)
    assert listener.heard == [(b"log", 1)]
    await one.close()
    await two.close()


@pytest.mark.slow
async def test_a_connection_that_falls_silent_is_dropped(server: Server) -> None:
    store = await open_store(server.url)
    listener = Listener(store.bells, BELL)
    await listener.readied(1)
    assert server.child is not None
    server.child.send_signal(signal.SIGSTOP)
    await until(lambda: not store.bells.connected, 6)
    server.child.send_signal(signal.SIGCONT)
    await listener.readied(2)
    await store.close()


@pytest.mark.parametrize(("refusal", "lines"), [("MISCONF Errors writing to the AOF file", 0), ("ERR what", 1)])
async def test_a_store_that_refuses_for_now_is_no_fault_and_is_listened_to_again(
    store_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, refusal: str, lines: int
) -> None:
    """F22: a disk that is full refuses even the PING of a silent connection."""
    talk = Bells._talk
    refused: list[str] = []

    async def once(self: Bells, connection: AbstractConnection) -> None:
        if not refused:
            refused.append(refusal)
            raise ExceptionGroup("talking", [ResponseError(refusal)])
        await talk(self, connection)

    monkeypatch.setattr(Bells, "_talk", once)
    store = await open_store(store_url)
    listener = Listener(store.bells, BELL)
    await listener.readied(1)
    await store.close()
    assert len([record for record in caplog.records if record.levelname == "ERROR"]) == lines
