"""A tournament through the proxy: people and bots, a server killed in a round, everything put away and brought back.

What lives here: the story of the evening. What does not: people and the project's commands (player).
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.compose.player import DRAW, RESIGN, Failed, Player, compose, expect, kill_one_server

BOTS = 6
ROUNDS = 2
NEXT_S = 60.0
"""From a round to the next one, whatever happens in between."""


def kupa(*words: str) -> str:
    """Output of a command of this checkout."""
    done = subprocess.run([sys.executable, "-m", "server.cli", *words], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"kupa {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def fetched(address: str, code: str) -> dict[str, Any]:
    """The tournament as everybody reads it."""
    with urllib.request.urlopen(f"http://{address}/api/tournament/{code}", timeout=10) as answer:
        found: dict[str, Any] = json.loads(answer.read())
    return found


def standings(address: str, code: str) -> list[tuple[object, ...]]:
    """Who stands where with what."""
    rows = fetched(address, code)["standings"]
    return [(row["entrant"], row["place"], row["points"], row["values"], row["played"]) for row in rows]


def create(address: str) -> tuple[str, str]:
    """A League with bots: its code and its host's token."""
    words = ("--name", "Evening", "--rounds", str(ROUNDS), "--pause", "3", "--minutes", "3", "--json")
    made = json.loads(kupa("tournament", "create", f"http://{address}", *words))
    code, token = made["code"], made["token"]
    host(address, code, token, "bots", "--key", "3", "--value", str(BOTS))
    return code, token


def host(address: str, code: str, token: str, action: str, *words: str) -> None:
    """Something that the host does."""
    kupa("tournament", "host", f"http://{address}", code, action, "--token", token, *words)


async def heat(person: Player) -> None:
    """Wait for the next heat, over however many sockets that takes, and go there until the cards are dealt."""
    began, before = time.monotonic(), person.room
    while True:
        try:
            you = await person.latest("TournamentYou")
            if you["room"] in ("", before):
                you = await person.hear(
                    lambda e: e["event"] == "TournamentYou" and e["room"] not in ("", before), NEXT_S
                )
            person.room, person.confirmed = you["room"], 0
            person.forget("Dealt")
            await person.ask("EnterRoom", person.room, False, answer="Entered")
            await person.latest("Dealt", 30.0)
            return
        except ConnectionClosed:
            expect(time.monotonic() - began < NEXT_S, f"{person.name} does not come to the next heat")
            await person.come_back()


async def rounds(people: list[Player]) -> None:
    """Every round; in the first one a server is killed."""
    for number in range(ROUNDS):
        await asyncio.gather(*(heat(person) for person in people))
        await asyncio.gather(*(person.play(DRAW) for person in people))
        if number == 0:
            await asyncio.to_thread(kill_one_server)
        await asyncio.gather(*(person.play(DRAW) for person in people))
        await asyncio.gather(*(person.play(RESIGN) for person in people))


async def ended(address: str, code: str) -> dict[str, Any]:
    """The tournament once it is over."""
    for _ in range(150):
        found = await asyncio.to_thread(fetched, address, code)
        if found["info"]["phase"] == "ended":
            return found
        await asyncio.sleep(1)
    raise Failed(f"the tournament does not end: {found['info']}")


def check_file(address: str, code: str) -> None:
    """The exported file says the same without the server."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "evening.json")
        kupa("tournament", "export", f"http://{address}", code, "--out", file)
        told = json.loads(kupa("tournament", "show", file, "--json"))
    expect(told["faults"] == [], f"the exported file is not whole: {told['faults']}")
    rows = [(row["entrant"], row["place"], row["points"], row["values"], row["played"]) for row in told["standings"]]
    expect(rows == standings(address, code), "the exported file has other standings")


def restore() -> None:
    """A backup, an empty store, and the backup put back, as HOSTING.md says."""
    compose("run", "--rm", "backup", "kupa backup --force /backups/now.gz")
    compose("stop", "server")
    compose("exec", "-T", "store", "valkey-cli", "FLUSHALL")
    compose("run", "--rm", "--no-deps", "backup", "kupa restore /backups/now.gz")
    compose("up", "-d", "--wait")


async def evening(address: str) -> str:
    """The whole story, at the address that people use; returns what to print."""
    code, token = await asyncio.to_thread(create, address)
    people = [Player(address, "Ann"), Player(address, "Bob")]
    for person in people:
        await person.come()
        await person.ask("OpenTournament", code, True)
        person.tournament = code
    await asyncio.to_thread(host, address, code, token, "start")
    await rounds(people)
    found = await ended(address, code)
    expect(len(found["rounds"]) == ROUNDS, f"{ROUNDS} rounds were expected: {found['info']}")
    rows = [row for one in found["rounds"] for each in one["heats"] for row in each["rows"]]
    expect(len(rows) == ROUNDS * (BOTS + 2), f"results are missing: {len(rows)}")
    expect(all(one["code"] and not one["open"] for one in found["rounds"]), "a round has not been opened")
    before = standings(address, code)
    await asyncio.to_thread(check_file, address, code)
    await asyncio.to_thread(compose, "down")
    await asyncio.to_thread(compose, "up", "-d", "--wait")
    expect(standings(address, code) == before, "after down and up the standings are others")
    await asyncio.to_thread(restore)
    expect(standings(address, code) == before, "after a restore the standings are others")
    slowest = max(person.slowest_ms for person in people)
    told = f"a tournament of {BOTS + 2}, a server killed mid-round: back after {slowest} ms at most"
    return f"{told}; after down and up, and after a restore, the standings are the same"
