"""Records heats as they are really raced, for tests/golden/replays: `python -m tests.golden.build_replays`.

What lives here: a server, people who play over sockets, and the file of each heat as `kupa export` writes it. A file
that is there stays as it is, for ever (findings O5): old heats must play again by the rules they were played by.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
import sys
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.ruleset import RULESETS
from server.core import bots, replay
from server.services.replays import Replays
from server.store.connect import open_store
from tests.server.services.kit import Servers, push
from tests.server.services.won import CODES
from tests.store_fixture import Server
from tests.wire_client import RESIGN, UNDO, Frame, WireClient

FOLDER = Path(__file__).parent / "replays"
MOST_MOVES = 400


@dataclass(frozen=True)
class Plan:
    """A heat to record."""

    name: str
    options: dict[str, Any]
    moves: tuple[int, ...]
    """How many moves each person makes before resigning; 0: as many as there are."""
    undos: int = 0
    """In a hundred moves, how many are taken back at once."""
    ends: str = "resign"
    """How who has not won ends: `resign`, `time` (until time is up) or `leave` (the room)."""
    bots: tuple[int, ...] = ()
    seed: int = field(default=1)


PLANS = (
    Plan("ds1-d1n-secret", {"ruleset": "DS1-D1N", "public": True}, (0, 0), undos=6),
    Plan("ds1-d3n-score", {"ruleset": "DS1-D3N", "goal": "score"}, (0, 90, 40), undos=4, ends="time"),
    Plan("ds1-d1v-hidden", {"ruleset": "DS1-D1V", "goal": "score", "undo": "hidden"}, (0, 60), undos=10),
    Plan("ds1-d3v-none", {"ruleset": "DS1-D3V", "undo": "none"}, (0, 30), ends="leave"),
    Plan("ss1-d1n-secret", {"ruleset": "SS1-D1N"}, (0, 0), undos=8, ends="time"),
    Plan("ss1-d2n-alone", {"ruleset": "SS1-D2N", "undo": "hidden"}, (0,), undos=12),
    Plan("ss1-d3n-open", {"ruleset": "SS1-D3N", "code": CODES["SS1-D3N"]}, (0, 25), undos=3),
    Plan("ds1-d1n-open", {"ruleset": "DS1-D1N", "code": CODES["DS1-D1N"]}, (0, 120), undos=5),
    Plan("ds1-d1n-bots", {"ruleset": "DS1-D1N", "minutes": 3}, (50,), bots=(1, 3)),
)


@dataclass
class Racer:
    """Somebody who plays at human speed."""

    person: WireClient
    left: int
    """Moves until they stop."""
    next_ms: float
    """When the next move is made, from the gun."""
    memory: bots.Memory
    undoes: bool = False
    """The next move takes the last one back."""


class Session:
    """One server and who plays there."""

    def __init__(self, servers: Servers, plan: Plan) -> None:
        self.servers = servers
        self.plan = plan
        self.chance = random.Random(f"{plan.name} {plan.seed}")
        self.now_ms = 0.0

    async def record(self) -> bytes:
        """Race, and answer the file."""
        names = ("Ada", "Grace", "Emmy")[: len(self.plan.moves)]
        people = [await self.servers.person(name) for name in names]
        heat = await self.begun(people)
        playing = [
            Racer(person, moves or MOST_MOVES, self.pause(), bots.Memory(self.plan.seed + at))
            for at, (person, moves) in enumerate(zip(people, self.plan.moves, strict=True))
        ]
        while playing:
            racer = min(playing, key=lambda one: one.next_ms)
            await self.pass_until(racer.next_ms)
            if not await self.moves(racer):
                playing.remove(racer)
                await self.ends(racer.person)
        if self.plan.ends != "resign":
            await self.servers.pass_time(60 * 60_000)
        await people[0].latest("HeatResult", 30)
        found = await Replays(self.servers.store).whole(heat["heat"])
        assert found is not None
        assert replay.faults(found) == []
        return replay.write(found)

    async def begun(self, people: list[WireClient]) -> Frame:
        """The race runs."""
        first, *others = people
        code = await first.create(*self.plan.bots, **{"minutes": 10, **self.plan.options})
        for person in others:
            await person.enter(code)
        heat = await self.servers.again(*people)
        await self.servers.gun(*people)
        return heat

    async def pass_until(self, ms: float) -> None:
        """Time goes on: by the clocks, or where bots play, in truth, since they keep to the loop's timers."""
        step_ms, self.now_ms = ms - self.now_ms, ms
        if self.plan.bots:
            await asyncio.sleep(step_ms / 1000)
            return
        for app in self.servers.apps:
            push(app, round(step_ms))

    async def moves(self, racer: Racer) -> bool:
        """The racer makes one move; False when there is none, or no more are to be made."""
        board = racer.person.board
        assert board is not None
        racer.next_ms += self.pause()
        if racer.undoes:
            racer.undoes = False
            return (await racer.person.play(board.ply, UNDO))["event"] in ("Restored", "Denied")
        turn = bots.next_move(board.seen(), RULESETS[self.plan.options["ruleset"]], 3, racer.memory)
        if turn.move is None or board.ended or racer.left == 0:
            return False
        racer.memory = turn.memory
        racer.left -= 1
        racer.undoes = self.chance.randrange(100) < self.plan.undos
        if (await racer.person.play(board.ply, *turn.move))["event"] == "Moved":
            return not board.ended
        return False  # time is up

    def pause(self) -> float:
        """About as long as a person takes for a move."""
        return 700 * self.chance.lognormvariate(-0.2, 0.6)

    async def ends(self, person: WireClient) -> None:
        """The person has made all their moves."""
        assert person.board is not None
        if person.board.ended:
            return
        if self.plan.ends == "resign":
            await person.play(person.board.ply, RESIGN)
        elif self.plan.ends == "leave" and person is not self.servers.people[0]:
            await person.ask("LeaveRoom")


@contextlib.asynccontextmanager
async def session(plan: Plan) -> AsyncIterator[Session]:
    """A server on a store of its own."""
    with tempfile.TemporaryDirectory(prefix="kupa") as folder:
        program = Server(Path(folder), "--appendonly", "yes", "--appendfsync", "everysec")
        program.start()
        store = await open_store(program.url)
        servers = Servers(store, program.url)
        try:
            await servers.start(moves=1000)
            yield Session(servers, plan)
        finally:
            await servers.close()
            await store.close()
            program.kill()


async def main(names: list[str]) -> None:
    """Record what is not there yet (of these names, or all)."""
    FOLDER.mkdir(exist_ok=True)
    for plan in PLANS:
        file = FOLDER / f"{plan.name}.json"
        if file.exists() or (names and plan.name not in names):
            continue
        async with session(plan) as made:
            data = await made.record()
        file.write_bytes(data)
        with (FOLDER / "SHA256SUMS").open("a", encoding="ascii") as sums:
            sums.write(f"{hashlib.sha256(data).hexdigest()}  {file.name}\n")
        kept = replay.read(data)
        print(
            f"{file.name}: {len(data)} bytes", *(f"{one.name} {one.ended} {one.out}" for one in kept.boards), sep=", "
        )


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
