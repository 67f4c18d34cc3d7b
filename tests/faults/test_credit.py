"""The credit of ruling 21 is exact: what the store did not confirm is given back, all of it, nothing else, once.

Everything is judged by instants that were measured (when a move went out, when the store could answer again, when
the answer came), not by how long something ought to take.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest
import pytest_asyncio

from engine.moves import unpack_entry
from server.core import events as log
from server.core import room
from server.core.closed_heat import closed_heat
from server.core.credits import raced
from server.core.ids import HeatId
from server.core.settling import WORTH_A_CREDIT_MS
from server.store import keys
from server.store.connect import open_store
from tests.faults.invariants import CLOCK_MS
from tests.faults.player import Player
from tests.faults.site import Site
from tests.wire_client import DRAW, Frame

pytestmark = pytest.mark.asyncio(loop_scope="module")
HELD_MS = 250
"""So long may a process that is not alone on its machine be held up between two instants that it reads."""
AWAY_S = 2.2
SHORT_S = 0.2
TRIES = 8
"""Of a short outage, which a slow machine makes longer than it was meant."""
Record = Callable[[str, object], None]
Switch = Callable[[bool], None]
"""Turns something off, or on again."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def place(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """Two servers on one store."""
    made = Site(tmp_path_factory.mktemp("credit"), 1)
    try:
        await made.start()
        yield made
    finally:
        await made.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def site(place: Site) -> Site:
    """Where everybody has gone and every server lives."""
    return await place.emptied()


def now_ms() -> int:
    """This machine's clock, which is the store's."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Away:
    """Instants of an outage, as people could see them."""

    began_ms: int
    asked_ms: int
    """The last of the first moves that came into it was on its way."""
    ended_ms: int
    answered_ms: int
    """The last of them was confirmed."""


def silent(site: Site) -> Switch:
    """Neither questions nor answers get through, to and from both servers."""

    def turn(off: bool) -> None:
        for way in site.to_store:
            if off:
                way.silent()
            else:
                way.fair()

    return turn


def broken(site: Site) -> Switch:
    """As `silent`, and every connection is reset: the servers know at once."""

    def turn(off: bool) -> None:
        silent(site)(off)
        for way in site.to_store if off else ():
            way.reset()

    return turn


def stopped(site: Site) -> Switch:
    """The store itself stands still."""
    assert site.plain is not None
    child = site.plain.child
    assert child is not None
    return lambda off: child.send_signal(signal.SIGSTOP if off else signal.SIGCONT)


async def outage(site: Site, way: Callable[[Site], Switch], seconds: float) -> Away:
    """The store is away for so long; everybody makes a move at its beginning, and the first of them another one late:
    before what the others do when it is over."""
    turn = way(site)
    plies = [player.board.ply for player in site.players if player.board is not None]
    began_ms = now_ms()
    turn(True)
    for player, ply in zip(site.players, plies, strict=True):
        await player.push(ply, DRAW)
    asked_ms = now_ms()
    await asyncio.sleep(seconds)
    await site.players[0].push(plies[0] + 1, DRAW)
    ended_ms = now_ms()
    turn(False)
    asked = [*zip(site.players, plies, strict=True), (site.players[0], plies[0] + 1)]
    answers = [await player.answer(ply) for player, ply in asked]
    assert {answer["event"] for answer in answers} == {"Moved"}
    return Away(began_ms, asked_ms, ended_ms, now_ms())


async def credits(site: Site) -> list[log.Credited]:
    """Of the room, as its log has them now."""
    return [event for event in await events(site) if isinstance(event, log.Credited)]


async def events(site: Site) -> list[log.RoomEvent]:
    """The room's log."""
    store = await open_store(site.own_url)
    try:
        room_id = await store.rooms.room_of_code(site.players[0].room)
        assert room_id is not None
        return log.decode_log(await store.logs.load(keys.room_log(room_id)))
    finally:
        await store.close()


async def racing(site: Site) -> tuple[Player, Player, Frame]:
    """Ann at one server and Bob at the other, each with three moves made; the heat as it was told."""
    ann, bob = await site.room()
    await site.race()
    heat = ann.seen["HeatInfo"]
    for player in (ann, bob):
        await player.play_until(lambda p=player: len(p.played) >= 3)  # type: ignore[misc]
    return ann, bob, heat


async def one_more(player: Player) -> tuple[int, int, int]:
    """Another move: its ply, when it went out, when it was confirmed."""
    assert player.board is not None
    ply, before_ms = player.board.ply, now_ms()
    await player.play(ply, DRAW)
    return ply, before_ms, now_ms()


async def times(site: Site, player: Player, heat: Frame) -> list[int]:
    """Of the player's entries, on the clock of the heat."""
    store = await open_store(site.own_url)
    try:
        room_id = await store.rooms.room_of_code(player.room)
        assert room_id is not None
        found = room.fold(log.decode_log(await store.logs.load(keys.room_log(room_id)))).heat
        assert found is not None
        entries = await store.logs.load(keys.board_log(room_id, heat["heat"], player.all("Dealt")[-1]["seat"]))
        return [unpack_entry(entry)[1] for entry in raced(found.credits, entries)]
    finally:
        await store.close()


@pytest.mark.parametrize(
    ("way", "what"),
    [
        (silent, "both ways to the store silent"),
        pytest.param(stopped, "store stands still", marks=pytest.mark.long),
    ],
)
async def test_the_time_without_confirmation_is_given_back_exactly_and_once(
    site: Site, record_property: Record, way: Callable[[Site], Switch], what: str
) -> None:
    cell = ["R21", "mid-race", what, "credit = time unconfirmed, once", "nothing"]
    record_property("cell", cell)
    ann, bob, heat = await racing(site)
    away = await outage(site, way, AWAY_S)
    told = [
        await p.hear(lambda e: e["event"] == "HeatInfo" and e["gun_ms"] != heat["gun_ms"])
        if p.seen["HeatInfo"]["gun_ms"] == heat["gun_ms"] else p.seen["HeatInfo"]
        for p in (ann, bob)
    ]  # fmt: skip
    (credited,) = await credits(site)
    credit_ms = credited.to_ms - credited.from_ms
    early_ms, late_ms = credited.from_ms - away.began_ms, credited.to_ms - away.ended_ms
    cell[-1] = f"away {away.ended_ms - away.began_ms} ms, credited from +{early_ms} to +{late_ms}: {credit_ms} ms"
    assert away.began_ms - CLOCK_MS <= credited.from_ms <= away.asked_ms + HELD_MS
    assert away.ended_ms - CLOCK_MS <= credited.to_ms <= away.answered_ms + HELD_MS
    for info in told:
        assert (info["gun_ms"] - heat["gun_ms"], info["deadline_ms"] - heat["deadline_ms"]) == (credit_ms, credit_ms)
    gun_ms = heat["gun_ms"] + credit_ms
    clocks = []
    for player in (ann, bob):
        ply, before_ms, after_ms = await one_more(player)
        clock = await times(site, player, heat)
        assert before_ms - gun_ms - CLOCK_MS <= clock[ply] <= after_ms - gun_ms + CLOCK_MS
        clocks.append(clock)
    last, after = clocks[0][-2], clocks[1][-1]
    assert 0 <= last - (credited.from_ms - heat["gun_ms"]) <= HELD_MS, "the outage is not on its clock"
    assert last < after, "who moved late in it is before who moved after it"
    assert await site.verdict() == []
    found = closed_heat(await events(site), HeatId(heat["heat"]))
    assert found is not None
    assert (found.gun_ms - heat["gun_ms"], found.deadline_ms - heat["deadline_ms"]) == (credit_ms, credit_ms)
    assert await credits(site) == [credited]


async def test_a_short_outage_and_the_death_of_a_server_earn_nothing(site: Site, record_property: Record) -> None:
    cell = ["R21", "mid-race", "outage < 1 s; a server dies", "no credit", "nothing"]
    record_property("cell", cell)
    ann, bob, heat = await racing(site)
    for _ in range(TRIES):
        before = await credits(site)
        away = await outage(site, broken, SHORT_S)
        for player in (ann, bob):
            await player.settle()
        if away.answered_ms - away.began_ms < WORTH_A_CREDIT_MS:
            break
    else:
        raise AssertionError(f"this machine makes a second of {SHORT_S} s, {TRIES} times")
    short_ms = away.answered_ms - away.began_ms
    assert await credits(site) == before
    await site.servers[0].kill()
    site.ways[0].reset()
    await ann.back()
    await ann.until_dealt()
    for player in (ann, bob):
        await player.play_until(lambda p=player: len(p.played) >= 8)  # type: ignore[misc]
    cell[-1] = f"away {short_ms} ms, then one of two servers: {len(await credits(site)) - len(before)} credits"
    assert await site.verdict() == []
    assert await credits(site) == before
    found = closed_heat(await events(site), HeatId(heat["heat"]))
    assert found is not None
    assert found.gun_ms - heat["gun_ms"] == sum(one.to_ms - one.from_ms for one in before)
