"""A tournament goes on by itself: its host is gone, the store dies in a round, every process is restarted in turn."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from server.core.tournament import events as log
from server.core.tournament import machine, table
from server.core.tournament.record import Round
from server.core.tournament.state import TournamentState
from server.store import keys
from server.store.connect import open_store
from tests.faults.process import ServerProcess, kupa
from tests.store_fixture import Server
from tests.wire_client import WireClient

pytestmark = pytest.mark.long
PEOPLE = 7
ROUNDS = 3
"""One with the store dying in it, one for each process."""
PATIENCE_S = 60.0
"""For everything that comes by itself, on a slow machine too."""


class Evening:
    """A Swiss of seven, so that each round has a bye, over two processes and a store that may die."""

    def __init__(self, folder: Path) -> None:
        self.program = Server(folder, "--appendonly", "yes", "--appendfsync", "always")
        settings = {"REDIS_URL": self.program.url}
        self.servers = [ServerProcess(folder / f"log{at}.txt", **settings) for at in range(2)]
        self.people: list[WireClient] = []
        """By turns on each process."""
        self.code = ""

    async def begin(self) -> None:
        """Made and started from the command line: the host is gone from then on."""
        self.program.start()
        await asyncio.gather(*(server.start() for server in self.servers))
        address = f"http://127.0.0.1:{self.servers[0].port}"
        words = ("--name", "Seven", "--format", "swiss", "--rounds", str(ROUNDS), "--pause", "1", "--json")
        made = await kupa("tournament", "create", address, *words)
        assert made.status == 0, made.err
        self.code, token = (made.out.split('"')[at] for at in (3, 7))
        for number in range(PEOPLE):
            server = self.servers[number % 2]
            person = WireClient(server.url, f"Player {number}")
            self.people.append(person)
            await person.come()
            await person.ask("OpenTournament", self.code, True)
        started = await kupa("tournament", "host", address, self.code, "start", "--token", token)
        assert started.status == 0, started.err

    async def entries(self) -> list[bytes]:
        """The tournament's log."""
        store = await open_store(self.program.url)
        try:
            found = await store.tournaments.by_code(self.code)
            assert found is not None
            return await store.logs.load(keys.tournament_log(found))
        finally:
            await store.close()

    async def state(self) -> TournamentState:
        """What the log folds to."""
        return machine.fold(log.decode_log(await self.entries()))

    async def ended(self) -> TournamentState:
        """The tournament once it is over."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                state = await self.state()
                if state.ended_ms is not None:
                    return state
                await asyncio.sleep(0.2)

    async def drawn(self, number: int) -> Round:
        """The round of this number, once it is drawn."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                rounds = (await self.state()).rounds
                if len(rounds) >= number:
                    return rounds[number - 1]
                await asyncio.sleep(0.2)

    async def to_heats(self, number: int) -> list[WireClient]:
        """All who are drawn for this round have their cards."""
        names = (await self.drawn(number)).entrants()
        racing = [person for person in self.people if person.player in names]

        async def go(person: WireClient) -> None:
            before = person.room
            you = person.seen.get("TournamentYou", {"room": ""})
            if you["room"] in ("", before):
                you = await person.hear(
                    lambda e: e["event"] == "TournamentYou" and e["room"] not in ("", before), PATIENCE_S
                )
            person.seen.pop("Dealt", None)
            await person.enter(you["room"])
            await person.latest("Dealt", PATIENCE_S)

        await asyncio.gather(*(go(person) for person in racing))
        return racing

    async def restart(self, at: int, racing: list[WireClient]) -> None:
        """One process dies and another one takes its place; its people come back to it."""
        server = self.servers[at]
        await server.kill()
        await server.start()
        for person in self.people[at :: len(self.servers)]:
            person.url = server.url
            await (person.back(PATIENCE_S) if person in racing else person.come())
            await person.ask("OpenTournament", self.code, False)

    async def end(self) -> None:
        """Everybody goes, everything ends."""
        await asyncio.gather(*(person.go() for person in self.people))
        for server in self.servers:
            await server.kill()
        self.program.kill()


@pytest_asyncio.fixture
async def evening() -> AsyncIterator[Evening]:
    """Nothing has begun."""
    with tempfile.TemporaryDirectory(prefix="kupa") as folder:
        made = Evening(Path(folder))
        try:
            yield made
        finally:
            await made.end()


async def give_up(person: WireClient, moves: int) -> None:
    """Play so many moves and resign."""
    await person.think(moves)
    assert person.board is not None
    await person.play(person.board.ply, 6)


async def test_nothing_is_lost_or_doubled_when_the_store_dies_in_a_round_and_every_process_in_turn(
    evening: Evening,
) -> None:
    await evening.begin()
    for number in range(1, ROUNDS + 1):
        racing = await evening.to_heats(number)
        await asyncio.gather(*(person.think(1) for person in racing))
        before = await evening.entries()
        if number == 1:
            evening.program.kill()
            evening.program.start()
        else:
            await evening.restart(number - 2, racing)
        after = await evening.entries()
        assert after[: len(before)] == before, "nothing is cleared"
        await asyncio.gather(*(give_up(person, at % 3) for at, person in enumerate(racing)))
    check(await evening.ended())
    for server in evening.servers:
        assert server.errors() == []


def check(state: TournamentState) -> None:
    """Every heat has its result, nobody a second bye, and the points are those of the results."""
    assert len(state.rounds) == ROUNDS
    assert all(number.reported and not number.open and number.code for number in state.rounds), "no ghost of a heat"
    assert {len(number.heats) for number in state.rounds} == {PEOPLE // 2}
    byes = table.record(state).byes()
    assert sorted(byes.values()) == [1] * ROUNDS, "a bye in each round, and nobody a second one"
    rows = [row for number in state.rounds for row in number.rows()]
    assert len(rows) == ROUNDS * (PEOPLE - 1)
    assert {row.ended for row in rows} == {"resigned"}, "nobody lost by an outage"
    points = {one: 2 * count for one, count in byes.items()}
    for number in state.rounds:
        for heat in number.heats:
            places = [row.place for row in heat.rows or ()]
            for row in heat.rows or ():
                won = 1 if places.count(1) == 2 else 2 if row.place == 1 else 0
                points[row.entrant] = points.get(row.entrant, 0) + won
    assert {line.entrant: line.points for line in table.standings(state) if line.points} == {
        one: count for one, count in points.items() if count
    }
