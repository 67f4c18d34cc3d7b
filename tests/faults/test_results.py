"""Results outlast whatever happens between the last move and the leaderboards: a process is killed in between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from engine import solver
from engine.moves import AUTO
from server.core import boards
from server.core.boards import Period, Tab
from server.core.daily import Day
from server.store import keys
from server.store.boards import Rule
from server.store.connect import Store
from server.store.deals import PooledDeal
from server.store.ids import new_id
from tests.faults.process import Ended, ServerProcess, kupa
from tests.server.services.daily_kit import opens
from tests.server.services.kit import eventually
from tests.server.services.won import won
from tests.store_fixture import store, store_url
from tests.wire_client import RESIGN, Frame, WireClient

__all__ = ["store", "store_url"]

GAME = "SS1-D3N"
TRIES = 5
"""Of so many kills right after the last move, one comes before the result is on a board."""
SOON_S = 60.0
"""From the start of a process until what others left is on the boards; about a second on an idle machine."""


class Site:
    """A server process that is killed and started again on one store, and its people."""

    def __init__(self, store: Store, store_url: str, folder: Path) -> None:
        self.store = store
        self.settings: dict[str, Any] = {"REDIS_URL": store_url, "KUPA_DURABILITY": "second"}
        self.server = ServerProcess(folder / "log", **self.settings)
        self.people: list[WireClient] = []

    async def person(self, name: str) -> WireClient:
        made = WireClient(self.server.url, name)
        self.people.append(made)
        await made.come()
        return made

    async def certified(self) -> None:
        """The next deal that is drawn is one of which we know how to win it."""
        game = won(GAME)
        proof = [*game.moves, AUTO] if game.auto else game.moves
        assert await self.store.deals.put(GAME, PooledDeal(game.code, solver.pack(proof), "easy"), 10)

    async def audit(self) -> dict[str, Any]:
        """What `kupa audit` says, as an operator would ask."""
        ended = await kupa("audit", "--json", within_s=SOON_S, **self.settings)
        assert ended.status in (0, 1), ended.err
        return dict(json.loads(ended.out), status=ended.status)

    async def close(self) -> None:
        for person in self.people:
            await person.go()
        await self.server.kill()

    async def load(self, seconds: float) -> Ended:
        """A load run against the server."""
        words = ("--players", "8", "--mode", "open", "--rate", "200", "--seconds", str(seconds), "--json")
        return await kupa("load", self.server.url.replace("ws", "http", 1), *words, within_s=SOON_S)


@pytest_asyncio.fixture
async def site(store: Store, store_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    made = Site(store, store_url, tmp_path)
    yield made
    await made.close()


async def plays_to_the_end(person: WireClient) -> Frame:
    """All moves of the won game; returns the answer to the last one, the moment it comes."""
    moves = won(GAME).moves
    for at in range(0, len(moves) - 1, 10):
        await person.burst(at, moves[at : min(at + 10, len(moves) - 1)])
    return await person.play(len(moves) - 1, *moves[-1])


async def assert_agrees(site: Site, logs: int | None = None) -> None:
    """`kupa audit` replays every log and finds every row as it should be."""
    report = await site.audit()
    assert (report["status"], report["differences"], report["unreadable"], report["ratings"]) == (0, [], [], [])
    assert report["pending"] == 0
    assert report["logs"] == (report["logs"] if logs is None else logs) > 0


async def test_a_daily_result_that_was_confirmed_comes_to_the_boards_though_the_process_dies_first(site: Site) -> None:
    await site.certified()
    caught = False
    players: list[str] = []
    while not caught and len(players) < TRIES:
        await site.server.start()
        ann = await site.person(f"Ann {len(players)}")
        game = await opens(ann, ruleset=GAME)
        board = f"d.{game['date']}.{GAME}.{Tab.TIME}"
        last = await plays_to_the_end(ann)
        await site.server.kill()
        assert last["event"] == "Moved"
        players.append(ann.player)
        caught = await site.store.boards.row(board, ann.player) is None
        if caught:
            member = keys.attempt_member(game["date"], GAME, ann.player)
            assert await site.store.unprojected.waiting(member) is not None, "noted before the end was written"
    assert caught, "no process was killed in time"
    await site.server.start()

    async def there() -> bool:
        return all([await site.store.boards.row(board, player) for player in players])

    await eventually(there, SOON_S)
    await assert_agrees(site, logs=len(players))
    assert site.server.errors() == []


async def test_a_race_that_was_judged_comes_to_boards_and_ratings_once_though_the_process_dies_first(
    site: Site,
) -> None:
    board = boards.name(Period.RACE, Day(""), GAME, Tab.TIME)
    caught, races, heat = False, 0, ""
    winners: list[str] = []
    while not caught and races < TRIES:
        await site.certified()
        await site.server.start()
        ann, bob = await site.person(f"Ann {races}"), await site.person(f"Bob {races}")
        code = await ann.create(ruleset=GAME, public=True, certified=True)
        await bob.enter(code)
        await asyncio.gather(ann.ask("Ready", True), bob.ask("Ready", True))
        heat = (await bob.latest("HeatInfo"))["heat"]
        await asyncio.gather(ann.latest("Dealt"), bob.latest("Dealt"))
        await bob.play(0, RESIGN)
        await plays_to_the_end(ann)
        await bob.latest("HeatResult")
        await site.server.kill()
        races += 1
        winners.append(ann.player)
        caught = await site.store.boards.row(board, ann.player) is None
    assert caught, "no process was killed in time"
    await site.server.start()

    async def there() -> bool:
        rated = await site.store.ratings.of_heat(GAME, heat)
        return rated is not None and all([await site.store.boards.row(board, winner) for winner in winners])

    await eventually(there, SOON_S)
    rated = [entry.heat async for entry in site.store.ratings.log(GAME)]
    assert len(rated) == len(set(rated)) == races
    report = await site.audit()
    assert (report["status"], report["differences"], report["ratings"], report["pending"]) == (0, [], [], 0)
    assert site.server.errors() == []


@pytest.mark.long
async def test_the_audit_is_clean_after_a_load_run_and_after_one_in_whose_middle_the_process_died(site: Site) -> None:
    await site.certified()
    await site.server.start()
    ann = await site.person("Ann")
    await opens(ann, ruleset=GAME)
    load, _ = await asyncio.gather(site.load(2), plays_to_the_end(ann))
    assert load.status == 0, load.err
    await ann.latest("DailyResult")
    await assert_agrees(site)

    bob = await site.person("Bob")
    await opens(bob, ruleset=GAME)
    broken = asyncio.create_task(site.load(8))
    await bob.burst(0, won(GAME).moves[:10])
    before = await stored(site)

    async def playing() -> bool:
        return await stored(site) >= before + 8

    await eventually(playing, SOON_S)
    await site.server.kill()
    assert (await broken).status != 0
    await site.server.start()
    report = await site.audit()
    assert (report["status"], report["differences"], report["unreadable"]) == (0, [], [])
    bob.url = site.server.url
    await bob.come()
    await opens(bob, ruleset=GAME)
    assert bob.board is not None
    assert bob.board.ply == 10, "and nothing of what was confirmed is lost"


@pytest.mark.long
async def test_somebody_meddles_with_the_boards_and_the_operator_finds_and_mends_it(site: Site) -> None:
    await site.certified()
    await site.server.start()
    people = [await site.person(name) for name in ("Ann", "Bob", "Eve")]
    for person in people:
        date = (await opens(person, ruleset=GAME))["date"]
        await person.play(0, RESIGN)
        await person.latest("DailyResult")
    ann, bob, _ = (person.player for person in people)
    score = boards.name(Period.DAY, Day(date), GAME, Tab.SCORE)
    stands = await site.store.boards.row(score, ann)
    assert stands is not None
    better = msgspec.structs.replace(stands.row, score=900)
    await site.store.boards.put(score, ann, boards.packed(Period.DAY, Tab.SCORE, better), better, Rule.SET)
    await site.store.boards.remove(score, bob)
    nobody = new_id()
    await site.store.boards.put(score, nobody, stands.number, stands.row, Rule.FIRST)
    report = await site.audit()
    assert report["status"] == 1
    assert {(each["board"], each["player"]) for each in report["differences"]} == {
        (score, ann), (score, bob), (score, nobody),
    }  # fmt: skip
    mended = await kupa("audit", "--repair", within_s=SOON_S, **site.settings)
    assert (mended.status, "3 rows mended" in mended.out) == (0, True)
    await assert_agrees(site, logs=3)


async def stored(site: Site) -> int:
    """How many keys the store holds."""
    return int(await site.store.client.execute_command("DBSIZE"))
