"""The store freezes, dies or loses its subscriptions in the middle of a race (F3, F7, F10).

Two servers run in the test's loop; the store is a real program that is stopped, killed and started again.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest_asyncio

from engine.moves import unpack_entry
from server.core import events as log
from server.core.credits import raced
from server.store import keys
from server.store.connect import open_store
from tests.faults.racer import Racer, check_log, check_result
from tests.server.services.kit import Servers, deafen, push
from tests.store_fixture import Server, until
from tests.wire_client import DRAW, RESIGN, Frame, WireClient, options

FROZEN_S = 2.0


class Frail(Servers):
    """Servers on a store program of their own."""

    program: Server

    async def boards(self, heat: Frame, *people: WireClient) -> dict[str, list[bytes]]:
        """The logs of the people's boards, by name."""
        return {person.name: await self.board(person, heat["heat"]) for person in people}

    async def events(self, code: str) -> list[log.RoomEvent]:
        """The room's log."""
        return log.decode_log(await self.store.logs.load(keys.room_log(await self.room_id(code))))

    async def ended(self, heat: Frame, *racers: Racer) -> None:
        """All come to the same result, on the sockets they began with, and nothing was lost or doubled."""
        results = await asyncio.gather(*(racer.ends() for racer in racers))
        assert all(result == results[0] for result in results)
        people = [racer.person for racer in racers]
        boards = await self.boards(heat, *people)
        for person in people:
            check_log(person, boards[person.name])
            assert person.codes == [], "no socket was closed"
        check_result(results[0], boards)


@pytest_asyncio.fixture
async def frail() -> AsyncIterator[Frail]:
    """Two servers on a store that may die."""
    with tempfile.TemporaryDirectory(prefix="kupa") as folder:
        program = Server(Path(folder), "--appendonly", "yes", "--appendfsync", "everysec")
        program.start()
        store = await open_store(program.url)
        made = Frail(store, program.url)
        made.program = program
        await made.start(moves=1000)
        await made.start(moves=1000)
        yield made
        await made.close()
        await store.close()
        program.kill()


async def racing(frail: Frail) -> tuple[Frame, Racer, Racer]:
    """Ann on one server and Bob on the other, in a race that runs."""
    ann, bob = await frail.person("Ann", at=0), await frail.person("Bob", at=1)
    heat = await frail.race(ann, bob)
    return heat, Racer(ann, lambda: [frail.url(0)]), Racer(bob, lambda: [frail.url(1)])


def after(seconds: float) -> Callable[[], bool]:
    """Whether so much time has gone by from now."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


async def test_while_the_store_is_frozen_moves_wait_and_the_time_is_given_back(frail: Frail) -> None:
    """F7, ruling 21: nothing is acknowledged from memory, everything lands once, both clocks shift alike."""
    heat, ann, bob = await racing(frail)
    for racer in (ann, bob):
        await racer.person.think(2)
    assert frail.program.child is not None
    frail.program.child.send_signal(signal.SIGSTOP)
    frozen = time.monotonic()
    for racer in (ann, bob):
        for ply in (2, 3, 4):
            await racer.person.push(ply, DRAW)
    with contextlib.suppress(TimeoutError):
        await ann.person.hear("Moved", FROZEN_S - 0.2)
        raise AssertionError("a move was acknowledged that the log does not have")
    await ann.person.push(5, DRAW)  # late, and yet before what Bob does when it is over
    await asyncio.sleep(max(0.0, FROZEN_S - (time.monotonic() - frozen)))
    frail.program.child.send_signal(signal.SIGCONT)
    away_ms = (time.monotonic() - frozen) * 1000
    for racer, plies in ((ann, (2, 3, 4, 5)), (bob, (2, 3, 4))):
        for ply in plies:
            assert (await racer.person.answer(ply))["event"] == "Moved"
    await bob.person.play(5, DRAW)
    shifted = [
        await racer.person.hear(lambda e: e["event"] == "HeatInfo" and e["gun_ms"] != heat["gun_ms"])
        for racer in (ann, bob)
    ]
    (credited,) = [event for event in await frail.events(ann.person.room) if isinstance(event, log.Credited)]
    credit_ms = credited.to_ms - credited.from_ms
    assert away_ms - 300 < credit_ms < away_ms + 1_500
    for info in shifted:
        assert info["gun_ms"] - heat["gun_ms"] == info["deadline_ms"] - heat["deadline_ms"] == credit_ms
    away = (credited.from_ms - heat["gun_ms"], credited.to_ms - heat["gun_ms"])
    sixth = []
    for racer in (ann, bob):
        times = [unpack_entry(entry)[1] for entry in raced([away], await frail.board(racer.person))]
        assert len(times) == 6
        assert times[5] - times[1] < 1_500, "the outage is on nobody's clock"
        sixth.append(times[5])
    assert sixth[0] <= sixth[1], "who was first stays so"
    await frail.ended(heat, ann, bob)


async def test_a_heat_whose_deadline_passes_while_the_store_is_away_has_its_time_back_before_it_is_closed(
    frail: Frail,
) -> None:
    """Ruling 21: whoever looks first when the store is back, the closing comes after what is given back."""
    heat, ann, bob = await racing(frail)
    for racer in (ann, bob):
        await racer.person.think(2)
    clock = frail.apps[0].store.clock
    await frail.pass_time(heat["deadline_ms"] - 1_500 - clock.now_ms())
    hosts = [app.services.lobby.hub.rooms[await frail.room_id(ann.person.room)] for app in frail.apps]
    assert frail.program.child is not None
    frail.program.child.send_signal(signal.SIGSTOP)
    await ann.person.push(2, DRAW)
    over = after(FROZEN_S)
    while not over():
        for host in hosts:
            host._wake()  # it is due, and looks again and again
        await asyncio.sleep(0.1)
    for app in frail.apps:
        push(app, 3_000)
    for host in hosts:
        host._wake()
    await asyncio.sleep(0.3)
    frail.program.child.send_signal(signal.SIGCONT)
    for racer in (ann, bob):
        await racer.person.hear(lambda e: e["event"] == "HeatInfo" and e["deadline_ms"] > heat["deadline_ms"] + 4_000)
    assert await ann.person.play(3, DRAW)
    events = [type(event) for event in await frail.events(ann.person.room)]
    assert log.Credited in events
    assert log.HeatClosed not in events
    await frail.ended(heat, ann, bob)


async def test_a_store_that_is_killed_and_started_again_loses_and_doubles_nothing(frail: Frail) -> None:
    """F3: sockets stay open, moves wait."""
    heat, ann, bob = await racing(frail)
    over = asyncio.Event()

    async def crash() -> None:
        for _ in range(2):
            await asyncio.sleep(0.3)
            frail.program.kill()
            await asyncio.sleep(0.3)
            frail.program.start()
        await until(lambda: all(app.store.logs.away_since is None for app in frail.apps), 10)
        await asyncio.sleep(0.3)
        over.set()

    await asyncio.gather(crash(), ann.play(over.is_set), bob.play(over.is_set))
    assert len(ann.person.played) > 5
    await frail.ended(heat, ann, bob)


async def test_a_result_arrives_though_subscriptions_are_cut_all_the_time(frail: Frail) -> None:
    """F10: a bell only says *look*, and who hears none looks anyway."""
    heat, ann, bob = await racing(frail)
    over = asyncio.Event()

    async def cut() -> None:
        while not over.is_set():
            await frail.store.client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
            await asyncio.sleep(0.05)

    cutting = asyncio.create_task(cut())
    await asyncio.gather(ann.play(after(0.5)), bob.play(after(0.5)))
    began = time.monotonic()
    await frail.ended(heat, ann, bob)
    assert time.monotonic() - began < 5
    over.set()
    await cutting
    assert all(app.store.bells.reconnections > 0 for app in frail.apps)


async def test_the_last_event_of_a_room_is_not_missed_when_its_bell_is_lost(frail: Frail) -> None:
    """What shows no gap: nothing comes after it."""
    heat, ann, bob = await racing(frail)
    await ann.person.play(0, RESIGN)
    await ann.person.latest("BoardEnded")
    for listener in frail.apps[0].store.bells, frail.apps[1].store.bells:
        listener._listeners.clear()
    await bob.person.play(0, RESIGN)
    assert await ann.person.latest("HeatResult", 6) == await bob.person.latest("HeatResult", 6)
    assert ann.person.seen["HeatResult"]["heat"] == heat["heat"]


async def test_who_comes_while_the_store_is_away_is_told_to_try_again_and_comes_in_then(frail: Frail) -> None:
    heat, ann, bob = await racing(frail)
    await bob.person.go()
    frail.program.kill()
    await until(lambda: all(app.store.logs.away_since is not None for app in frail.apps))
    assert await ann.person.refused("CreateRoom", options(), [], False) == "busy"
    stranger = WireClient(frail.url(1), "Bob", token=bob.person.token)
    await stranger.open()
    await stranger.send("Hello", 1, 1, stranger.token, "", "en")
    assert await stranger.closed() == 1013
    frail.program.start()
    await until(lambda: all(app.store.logs.away_since is None for app in frail.apps), 10)
    await bob.person.back()
    assert (await bob.person.play(0, DRAW))["event"] == "Moved"
    bob.person.codes.clear()
    await frail.ended(heat, ann, bob)


async def test_what_was_rung_while_the_subscription_was_cut_is_read_when_it_stands_again(frail: Frail) -> None:
    _, ann, bob = await racing(frail)
    for app in frail.apps:
        deafen(app)
    await ann.person.settle()
    await bob.person.play(0, RESIGN)
    assert "BoardEnded" not in ann.person.seen
    await frail.store.client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
    assert (await ann.person.latest("BoardEnded", 5))["ended"] == "resigned"
