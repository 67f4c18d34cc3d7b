"""Server processes die in the middle of a race (F1): the others go on, and nobody loses a confirmed move."""

from __future__ import annotations

import asyncio
import itertools
import signal
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from server.core import events as log
from server.store import keys
from server.store.connect import Store, open_store
from tests.faults.process import ServerProcess
from tests.faults.racer import Racer, check_log, check_result
from tests.store_fixture import store_url
from tests.wire_client import Frame, WireClient

__all__ = ["store_url"]

pytestmark = pytest.mark.asyncio(loop_scope="module")

BACK_S = 2.0
"""From the break to the own board on another process (promise 4)."""


class Pair:
    """Two server processes on one store."""

    def __init__(self, store: Store, store_url: str, folder: Path) -> None:
        settings = {"REDIS_URL": store_url, "KUPA_DURABILITY": "second"}
        self.store = store
        self.servers = [ServerProcess(folder / f"log{number}", **settings) for number in (0, 1)]
        self.people: list[WireClient] = []

    def urls(self) -> list[str]:
        """Those that live."""
        return [server.url for server in self.servers if server.alive]

    async def person(self, name: str, at: int) -> WireClient:
        """Somebody new, connected to the server of this number."""
        made = WireClient(self.servers[at].url, name)
        self.people.append(made)
        await made.come()
        return made

    async def countdown(self, *people: WireClient, bots: tuple[int, ...] = (), minutes: int = 3) -> Frame:
        """All are in a room, and ready."""
        first, *others = people
        code = await first.create(*bots, minutes=minutes)
        for person in others:
            await person.enter(code)
        for person in people:
            await person.ask("Ready", True)
        for person in people:
            await person.latest("HeatInfo")
        return first.seen["HeatInfo"]

    async def boards(self, heat: Frame, *people: WireClient) -> dict[str, list[bytes]]:
        """The logs of the people's boards, by name."""
        room = await self.store.rooms.room_of_code(people[0].room)
        assert room is not None
        found = {}
        for person in people:
            seat = person.all("Dealt")[-1]["seat"]
            found[person.name] = await self.store.logs.load(keys.board_log(room, heat["heat"], seat))
        return found

    async def ended(self, heat: Frame, *racers: Racer) -> None:
        """All come to the same result; nothing was lost, doubled, or reported as a fault."""
        results = await asyncio.gather(*(racer.ends() for racer in racers))
        assert all(result == results[0] for result in results)
        people = [racer.person for racer in racers]
        boards = await self.boards(heat, *people)
        for person in people:
            check_log(person, boards[person.name])
        check_result(results[0], boards)
        for server in self.servers:
            assert server.errors() == []
            text = server.log.read_text()
            assert [person.name for person in people if person.token in text] == []
            assert results[0]["nonce"] not in text


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def standing(store_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pair]:
    """Two server processes, for one test after the other: starting them is what takes time."""
    store = await open_store(store_url)
    await store.client.execute_command("FLUSHALL")
    made = Pair(store, store_url, tmp_path_factory.mktemp("pair"))
    try:
        yield made
    finally:
        for server in made.servers:
            await server.kill()
        await store.close()


@pytest_asyncio.fixture(loop_scope="module")
async def pair(standing: Pair) -> AsyncIterator[Pair]:
    """Both live, and nobody is there."""
    await asyncio.gather(*(server.start() for server in standing.servers if not server.alive))
    yield standing
    for person in standing.people:
        await person.go()
    standing.people.clear()


def until(end: float) -> Callable[[], bool]:
    """Whether this instant (monotonic seconds) has come."""
    return lambda: time.monotonic() >= end


async def test_servers_die_one_after_the_other_and_the_race_goes_on(pair: Pair) -> None:
    ann, bob = await pair.person("Ann", at=0), await pair.person("Bob", at=1)
    heat = await pair.countdown(ann, bob)
    await asyncio.gather(ann.latest("Dealt"), bob.latest("Dealt"))
    racers = [Racer(ann, pair.urls), Racer(bob, pair.urls)]
    over = asyncio.Event()

    async def murder() -> None:
        await asyncio.sleep(0.4)
        await pair.servers[0].kill()
        await pair.servers[0].start()
        await asyncio.sleep(0.4)
        await pair.servers[1].kill()
        await asyncio.sleep(1.0)
        over.set()

    await asyncio.gather(murder(), *(racer.play(over.is_set) for racer in racers))
    assert len(racers[0].cuts) + len(racers[1].cuts) >= 2
    assert max(itertools.chain(*(racer.cuts for racer in racers))) < BACK_S
    assert max(racer.slowest_s for racer in racers) < BACK_S, "who was elsewhere noticed nothing"
    await pair.ended(heat, *racers)


async def test_a_server_that_dies_during_the_countdown_fires_no_gun_and_is_not_missed(pair: Pair) -> None:
    ann, bob = await pair.person("Ann", at=0), await pair.person("Bob", at=1)
    heat = await pair.countdown(ann, bob)
    await pair.servers[0].kill()
    ann.url = pair.servers[1].url
    await ann.come()
    await ann.enter()
    assert "Dealt" not in ann.seen
    assert ann.seen["HeatInfo"] == heat
    await asyncio.gather(ann.latest("Dealt", 5), bob.latest("Dealt", 5))
    assert abs(ann.heard[-1][0] - bob.heard[-1][0]) < 0.25
    racers = [Racer(ann, pair.urls), Racer(bob, pair.urls)]
    await asyncio.gather(*(racer.play(until(time.monotonic() + 0.3)) for racer in racers))
    await pair.ended(heat, *racers)


async def test_who_was_on_a_server_that_died_is_away_and_its_bots_play_on(pair: Pair) -> None:
    """Bob never comes back; Ann does, and her bot plays where it had stopped."""
    ann, bob = await pair.person("Ann", at=0), await pair.person("Bob", at=0)
    await pair.countdown(ann, bob, bots=(3,))
    await ann.hear(lambda e: e["event"] == "Progress" and 1 in e["rows"][::5] and e["rows"][e["rows"].index(1) + 3] > 0)
    await pair.servers[0].kill()
    ann.url = pair.servers[1].url
    await ann.back()
    moves = moves_of(await ann.latest("Progress"), 1)
    began = time.monotonic()
    away = ann.hear(lambda e: e["event"] == "SeatRow" and e["name"] == "Bob" and not e["present"], 15)
    assert (await away)["seat"] == 2
    assert time.monotonic() - began < 12
    await ann.hear(lambda e: e["event"] == "Progress" and 1 in e["rows"][::5] and moves_of(e, 1) > moves, 15)
    entries = await pair.store.logs.load(keys.room_log(str(await pair.store.rooms.room_of_code(ann.room))))
    events = [event for event in log.decode_log(entries) if isinstance(event, log.Away)]
    assert len([event for event in events if event.player == bob.player]) == 1


def moves_of(progress: Frame, seat: int) -> int:
    """Counted moves of a seat."""
    rows: list[int] = progress["rows"]
    at = rows[::5].index(seat) * 5
    return rows[at + 3]


async def test_a_server_that_is_told_to_end_lets_everybody_go_in_good_order(pair: Pair) -> None:
    """F2: Goodbye, the answers still owed, 1012, status 0; the race goes on elsewhere."""
    ann, bob = await pair.person("Ann", at=0), await pair.person("Bob", at=1)
    heat = await pair.countdown(ann, bob)
    await asyncio.gather(ann.latest("Dealt"), bob.latest("Dealt"))
    racers = [Racer(ann, pair.urls), Racer(bob, pair.urls)]
    told: list[float] = []

    async def end() -> int:
        await asyncio.sleep(0.3)
        pair.servers[0].signal(signal.SIGTERM)
        told.append(time.monotonic())
        return await pair.servers[0].ended(20)

    def over() -> bool:
        return bool(told) and time.monotonic() > told[0] + 2

    status, *_ = await asyncio.gather(end(), *(racer.play(over) for racer in racers))
    assert status == 0
    assert len(ann.all("Goodbye")) == 1
    assert 0 <= ann.all("Goodbye")[0]["retry_ms"] <= 5_000
    assert set(ann.codes) == {1012}
    assert (len(racers[0].cuts), racers[1].cuts) == (1, [])
    assert racers[0].cuts[0] < BACK_S
    await pair.ended(heat, *racers)
