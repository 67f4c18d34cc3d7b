"""A tournament of sixty-four over two processes, one of which is killed in the middle of a heat."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from server.core.tournament import events as log
from server.core.tournament import machine, table
from server.core.tournament.state import TournamentState
from server.store import keys
from server.store.connect import Store
from tests.faults.process import ServerProcess, kupa
from tests.store_fixture import store, store_url
from tests.wire_client import WireClient

__all__ = ["store", "store_url"]

pytestmark = pytest.mark.long
PEOPLE = 64
ROUNDS = 2


class Tournament:
    """The tournament, its two processes and its people."""

    def __init__(self, folder: Path, store: Store, url: str) -> None:
        self.store = store
        self.servers = [
            ServerProcess(folder / f"log{at}.txt", REDIS_URL=url, KUPA_DURABILITY="second") for at in range(2)
        ]  # fmt: skip
        self.people: list[WireClient] = []
        self.code = self.token = ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.servers[1].port}"

    async def begin(self) -> None:
        """Two processes, a tournament made from the command line, and people who come in on both."""
        await asyncio.gather(*(server.start() for server in self.servers))
        words = ("--name", "Sixty four", "--format", "swiss", "--rounds", str(ROUNDS), "--pause", "1")
        made = await kupa("tournament", "create", self.address, *words, "--json")
        assert made.status == 0, made.err
        told = json.loads(made.out)
        self.code, self.token = told["code"], told["token"]
        self.people = [WireClient(self.servers[at % 2].url, f"Player {at}") for at in range(PEOPLE)]
        for person in self.people:
            await person.come()
            await person.ask("OpenTournament", self.code, True)
        started = await kupa("tournament", "host", self.address, self.code, "start", "--token", self.token)
        assert started.status == 0, started.err

    async def to_heat(self, person: WireClient) -> None:
        """Go to the room that the tournament names, and wait for the cards."""
        you = await person.hear(lambda e: e["event"] == "TournamentYou" and e["room"] not in ("", person.room), 30)
        await person.enter(you["room"])
        await person.latest("Dealt", 30)
        assert person.board is not None

    async def kill(self) -> None:
        """One process is gone; its people go to the other one."""
        dead, alive = self.servers
        await dead.kill()
        lost = [person for person in self.people if person.url == dead.url]
        for person in lost:
            person.url = alive.url
        await asyncio.gather(*(self.come_back(person) for person in lost))

    async def come_back(self, person: WireClient) -> None:
        await person.back(30)
        await person.ask("OpenTournament", self.code, False)

    async def state(self) -> TournamentState:
        found = await self.store.tournaments.by_code(self.code)
        assert found is not None
        return machine.fold(log.decode_log(await self.store.logs.load(keys.tournament_log(found))))

    async def end(self) -> None:
        """Everybody goes and both processes end."""
        for person in self.people:
            await person.go()
        for server in self.servers:
            await server.kill()


async def give_up(person: WireClient, moves: int) -> None:
    """Play so many moves and resign."""
    await person.think(moves)
    assert person.board is not None
    await person.play(person.board.ply, 6)


async def test_sixty_four_players_over_two_processes_one_of_which_is_killed(
    tmp_path: Path, store: Store, store_url: str
) -> None:
    held = Tournament(tmp_path, store, store_url)
    try:
        await held.begin()
        await asyncio.gather(*(held.to_heat(person) for person in held.people))
        await asyncio.gather(*(person.think(2) for person in held.people))
        await held.kill()
        await asyncio.gather(*(give_up(person, at % 5) for at, person in enumerate(held.people)))
        for _ in range(ROUNDS - 1):
            for person in held.people:
                person.seen.pop("Dealt", None)
            await asyncio.gather(*(held.to_heat(person) for person in held.people))
            await asyncio.gather(*(give_up(person, at % 3) for at, person in enumerate(held.people)))
        await held.people[1].hear(lambda e: e["event"] == "TournamentInfo" and e["phase"] == "ended", 30)
        await check(held, tmp_path / "kept.json")
        assert held.servers[1].errors() == []
    finally:
        await held.end()


async def check(held: Tournament, file: Path) -> None:
    """The exported file needs no server, is whole, and says what the log says."""
    kept = await kupa("tournament", "export", held.address, held.code, "--out", str(file), within_s=60)
    assert kept.status == 0, kept.err
    shown = await kupa("tournament", "show", str(file), "--json", within_s=60)
    assert (shown.status, shown.err) == (0, "")
    told, state = json.loads(shown.out), await held.state()
    assert told["faults"] == []
    assert [(row["entrant"], row["place"], row["points"]) for row in told["standings"]] == [
        (line.entrant, line.place, line.points) for line in table.standings(state)
    ]
    assert [len(number.heats) for number in state.rounds] == [PEOPLE // 2] * ROUNDS
    assert all(number.code and number.reported for number in state.rounds), "no ghost of a heat"
    assert table.record(state).byes() == {}
    ends = {row.ended for number in state.rounds for row in number.rows()}
    assert ends == {"resigned"}, "nobody lost by the kill"
