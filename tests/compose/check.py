"""A race through the proxy of docker-compose.yml, with a server killed in the middle of it.

Run while the compose project is up, with the project's Python: `python -m tests.compose.check`.
Ann and Bob race on one deal, one on each server. The server under one of them is killed; that player
comes back through the proxy and goes on, nobody loses a confirmed move, and the heat comes to its
result, which opens the commitment made before the gun. Then the store's container is replaced, and
both are still known. Frames are read by `msgpack`, not by the code under test.
Exit status 0: all of it held; 1: what did not, in one line.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from engine.deal_code import commitment
from server.wire.messages import COMMANDS, EVENTS, PROTOCOL_VERSION, ResultRow

SOCKET = "/ws"
DRAW, RESIGN = 1, 6
MOVES = 12
"""Draws of each player, half of them before the kill."""
BACK_WITHIN_S = 10.0
TAGS = {kind.__name__: kind.__struct_config__.tag for kind in COMMANDS}
NAMES = {kind.__struct_config__.tag: kind.__name__ for kind in EVENTS}
FIELDS = {kind.__name__: kind.__struct_fields__ for kind in EVENTS}

Frame = dict[str, Any]


class Failed(Exception):
    """What did not hold."""


def expect(held: bool, what: str) -> None:
    """Raise Failed with `what` unless it held."""
    if not held:
        raise Failed(what)


def compose(*arguments: str) -> str:
    """Output of `docker compose …` in the project that is up."""
    done = subprocess.run(["docker", "compose", *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


class Player:
    """One person: a token, a socket that comes back when it breaks, and what was confirmed."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.name = address, name
        self.token = self.player = self.room = ""
        self.confirmed = self.drops = self.slowest_ms = 0
        self._n = 0
        self._seen: dict[str, Frame] = {}
        self._socket: ClientConnection | None = None

    async def come(self) -> Frame:
        """Open a socket and say hello; returns the `Welcome`."""
        self._seen.clear()
        origin = f"http://{self.address}"
        self._socket = await connect(f"ws://{self.address}{SOCKET}", origin=origin, compression=None, open_timeout=5)  # type: ignore[arg-type]
        welcome = await self.ask("Hello", PROTOCOL_VERSION, self.token, self.name, "en", answer="Welcome")
        self.token, self.player = welcome["token"] or self.token, welcome["player"]
        return welcome

    async def come_back(self) -> None:
        """After a broken socket: as a browser would, until the board is there again."""
        began = time.monotonic()
        self.drops += 1
        while True:
            try:
                await self.come()
                await self.ask("EnterRoom", self.room, False, answer="Entered")
                break
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError) as error:
                expect(time.monotonic() - began < BACK_WITHIN_S, f"{self.name} did not get back: {error!r}")
                await asyncio.sleep(0.2)
        self.slowest_ms = max(self.slowest_ms, round((time.monotonic() - began) * 1000))

    async def send(self, command: str, *values: object) -> None:
        """One frame out."""
        assert self._socket is not None
        await self._socket.send(msgpack.packb([TAGS[command], *values]))

    async def hear(self, wanted: Callable[[Frame], bool], within_s: float = 10.0) -> Frame:
        """The first event that is `wanted`; others are read and left."""
        assert self._socket is not None
        async with asyncio.timeout(within_s):
            while True:
                tag, *values = msgpack.unpackb(await self._socket.recv())
                name = NAMES.get(tag, "?")
                event = {"event": name, **dict(zip(FIELDS.get(name, ()), values, strict=False))}
                self._seen[name] = event
                if wanted(event):
                    return event

    async def latest(self, name: str, within_s: float = 10.0) -> Frame:
        """The last event of this name on this socket, or the next one when there was none yet."""
        return self._seen.get(name) or await self.hear(lambda e: e["event"] == name, within_s)

    async def ask(self, command: str, *values: object, answer: str = "Done") -> Frame:
        """Send a numbered command and wait for its answer."""
        self._n += 1
        number = self._n
        await self.send(command, number, *values)
        event = await self.hear(lambda e: e.get("n") == number)
        expect(event["event"] == answer, f"{self.name}: {command} was answered {event}")
        return event

    async def play(self, kind: int) -> None:
        """One move until it is confirmed, over however many sockets that takes."""
        ply = self.confirmed
        while True:
            try:
                await self.send("Play", ply, kind, 0, 0, 0)
                event = await self.hear(lambda e: e["event"] in ("Moved", "Restored", "Denied") and e["ply"] == ply)
                expect(event["event"] == "Moved", f"{self.name}: move {ply} was answered {event}")
                self.confirmed += 1
                return
            except (ConnectionClosed, TimeoutError):
                await self.come_back()
                dealt = await self.latest("Dealt")
                expect(dealt["view"][0] >= self.confirmed, f"{self.name} lost confirmed moves: {dealt}")

    async def result(self) -> Frame:
        """The heat's result, over however many sockets that takes."""
        while True:
            try:
                return await self.latest("HeatResult", 30.0)
            except ConnectionClosed:
                await self.come_back()


async def start(ann: Player, bob: Player) -> Frame:
    """Both in one room, ready, and past the gun; returns the `HeatInfo`."""
    await ann.come()
    await bob.come()
    options = ["DS1-D1N", "first", 3, 2, "all", True, False, 1, "", False]
    entered = await ann.ask("CreateRoom", options, [], False, answer="Entered")
    ann.room = bob.room = entered["code"]
    await bob.ask("EnterRoom", bob.room, False, answer="Entered")
    await ann.ask("Ready", True)
    await bob.ask("Ready", True)
    heat = await ann.latest("HeatInfo")
    boards = await asyncio.gather(ann.latest("Dealt", 15.0), bob.latest("Dealt", 15.0))
    expect(boards[0]["view"][1:] == boards[1]["view"][1:], "the two were dealt different cards")
    return heat


def kill_one_server() -> None:
    """SIGKILL for the first of the two servers."""
    servers = compose("ps", "-q", "server").split()
    expect(len(servers) == 2, f"2 servers were expected, not {len(servers)}")
    subprocess.run(["docker", "kill", servers[0]], check=True, capture_output=True)


def check_result(heat: Frame, results: list[Frame], players: tuple[Player, Player]) -> None:
    """Both heard the same result, it holds every confirmed move, and it opens the commitment."""
    expect(results[0] == results[1], "the two heard different results")
    result = results[0]
    opened = commitment(result["heat"], result["code"], result["nonce"])
    expect(opened == result["commitment"] == heat["commitment"], f"the commitment does not open: {result}")
    rows = [dict(zip(ResultRow.__struct_fields__, row, strict=False)) for row in result["rows"]]
    moves = {row["name"]: row["moves"] for row in rows}
    for player in players:
        expect(moves.get(player.name) == MOVES, f"{player.name} made {MOVES} moves, the result says {moves}")


async def race(address: str) -> str:
    """The whole story; returns what to print."""
    ann, bob = Player(address, "Ann"), Player(address, "Bob")
    heat = await start(ann, bob)
    for _ in range(MOVES // 2):
        await asyncio.gather(ann.play(DRAW), bob.play(DRAW))
    await asyncio.to_thread(kill_one_server)
    for _ in range(MOVES // 2):
        await asyncio.gather(ann.play(DRAW), bob.play(DRAW))
    expect(ann.drops + bob.drops > 0, "nobody noticed: both were on the other server")
    await asyncio.gather(ann.play(RESIGN), bob.play(RESIGN))
    check_result(heat, list(await asyncio.gather(ann.result(), bob.result())), (ann, bob))

    known = (ann.player, bob.player)
    await asyncio.to_thread(compose, "up", "-d", "--wait", "--no-deps", "--force-recreate", "store")
    await ann.come_back()
    await bob.come_back()
    expect((ann.player, bob.player) == known, "after the store's container was replaced, nobody was known")
    return f"a server killed mid-race: back after {max(ann.slowest_ms, bob.slowest_ms)} ms at most, nothing lost"


def main() -> int:
    """Check the compose project that is up."""
    address = compose("port", "proxy", "80").replace("0.0.0.0", "127.0.0.1")
    try:
        for page in ("/", "/readyz"):
            with urllib.request.urlopen(f"http://{address}{page}", timeout=5) as answer:
                expect(answer.status == 200, f"{page} was answered {answer.status}")
        print(asyncio.run(race(address)))
    except (Failed, TimeoutError, subprocess.CalledProcessError) as error:
        print(f"compose check: {error!r}", file=sys.stderr)
        return 1
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
