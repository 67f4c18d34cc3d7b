"""A League round of 500 in one heat, over real sockets: `python tests/bench/bench_event.py [--people N]`.

Two servers share a store of their own; the people come from two processes. Measured: from the gun to everybody's
cards, the first answered move after it, progress frames a second at each client, and meanwhile how quickly the
host's console and the hall's screen are answered. Exit status 1 when the gun or the progress misses the goal and
the machine had time to spare.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import msgpack  # noqa: E402
from websockets.asyncio.client import ClientConnection, connect  # noqa: E402

from server.wire.messages import COMMANDS, EVENTS, PROTOCOL_VERSION  # noqa: E402
from tests.faults.process import ServerProcess, kupa  # noqa: E402
from tests.store_fixture import Server  # noqa: E402

GOAL_MS = 500.0
GOAL_FRAMES = 5
"""Progress frames in any second; one more may fall into a second as the line delivers it."""
TAGS = {kind.__name__: kind.__struct_config__.tag for kind in COMMANDS}
EVENT = {kind.__name__: kind.__struct_config__.tag for kind in EVENTS}
YOU = {name: at for at, name in enumerate(next(k for k in EVENTS if k.__name__ == "TournamentYou").__struct_fields__)}
DRAW, RESIGN = 1, 6
PACE_S = 2.0
RACE_S = 12.0
WORKERS = 2


class Busy(Exception):
    """The server asks to be asked again."""


class Runner:
    """One person of the field."""

    def __init__(self, url: str, code: str, number: int) -> None:
        self.url, self.code, self.number = url, code, number
        self.dealt_ms = self.first_ms = 0.0
        """From the gun to the cards; from the first move to its answer."""
        self.progress: list[float] = []
        self.gun_ms = 0
        self.late = False
        """Came into the room when the gun had fired, and had the cards before the answer."""
        self._dealt = False

    async def run(self, door: asyncio.Semaphore) -> None:
        """From the door, where so many at a time come in, to the end of the heat."""
        origin = self.url.replace("ws", "http", 1)
        async with door:
            socket = await connect(f"{self.url}/ws", origin=origin, compression=None, open_timeout=60)  # type: ignore[arg-type]
            await self.say(socket, "Hello", 1, PROTOCOL_VERSION, "", f"Runner {self.number}", "en")
            await self.hear(socket, "Welcome")
            await self.say(socket, "OpenTournament", 2, self.code, True)
            await self.hear(socket, "Done")
        async with socket:
            while not (you := await self.hear(socket, "TournamentYou"))[YOU["room"]]:
                pass
            self.gun_ms = you[YOU["gun_ms"]]
            await self.enter(socket, you[YOU["room"]])
            self.late = self._dealt
            if not self.late:
                await self.hear(socket, "Dealt")
            self.dealt_ms = time.time() * 1000 - self.gun_ms
            self.progress.clear()  # what came while this process was reading how everybody came in
            await self.play(socket)

    async def enter(self, socket: ClientConnection, room: str) -> None:
        """Into the room; a server that is busy is asked again, as a browser does."""
        for number in range(3, 60):
            await self.say(socket, "EnterRoom", number, room, False)
            try:
                await self.hear(socket, "Entered")
                return
            except Busy:
                await asyncio.sleep(0.5)
        raise RuntimeError(f"runner {self.number} does not get in")

    async def play(self, socket: ClientConnection) -> None:
        """Draw every so often; everybody begins at once, as after a gun."""
        until, ply = time.monotonic() + RACE_S, 0
        while time.monotonic() < until:
            began = time.monotonic()
            await self.say(socket, "Play", ply, DRAW, 0, 0, 0)
            await self.hear(socket, "Moved")
            ply += 1
            self.first_ms = self.first_ms or (time.monotonic() - began) * 1000
            try:
                async with asyncio.timeout(PACE_S * (0.5 + (self.number * 7919 % 100) / 100)):
                    await self.hear(socket, "HeatResult")
            except TimeoutError:
                continue
        await self.say(socket, "Play", ply, RESIGN, 0, 0, 0)
        await self.hear(socket, "Moved")

    async def say(self, socket: ClientConnection, command: str, *values: object) -> None:
        """One frame out."""
        await socket.send(msgpack.packb([TAGS[command], *values]))

    async def hear(self, socket: ClientConnection, name: str) -> list[Any]:
        """The next event of this name; progress on the way is counted."""
        while True:
            frame: list[Any] = msgpack.unpackb(await socket.recv())
            tag, fields = frame[0], frame[1:]
            self._dealt |= tag == EVENT["Dealt"]
            if tag == EVENT["Progress"]:
                self.progress.append(time.monotonic())
            elif tag == EVENT["Refused"] and fields[1] == "busy":
                raise Busy
            elif tag == EVENT["Refused"] or tag == EVENT["Denied"]:
                raise RuntimeError(f"runner {self.number}: {fields}")
            if tag == EVENT[name]:
                return fields

    def busiest(self) -> int:
        """Most progress frames within a second."""
        return max((sum(0 <= other - at < 1 for other in self.progress) for at in self.progress), default=0)


async def field(urls: list[str], code: str, first: int, count: int) -> dict[str, list[float]]:
    """So many people from this process; what they measured."""
    door = asyncio.Semaphore(20)
    runners = [Runner(urls[at % len(urls)], code, first + at) for at in range(count)]
    async with asyncio.timeout(300):
        await asyncio.gather(*(runner.run(door) for runner in runners))
    return {
        "dealt": [one.dealt_ms for one in runners if not one.late], "first": [one.first_ms for one in runners],
        "frames": [float(one.busiest()) for one in runners],
    }  # fmt: skip


def worst(figures: list[float], share: float = 0.99) -> float:
    """The percentile."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def told(name: str, figures: list[float], unit: str = "ms") -> None:
    """A line of the report."""
    half, most = worst(figures, 0.5), max(figures, default=0)
    print(
        f"{name:<44} p50 {half:7.0f}  p99 {worst(figures):7.0f}  most {most:7.0f} {unit}  ({len(figures)})", flush=True
    )


class Watcher:
    """The host's console and the hall's screen, as they ask during the round."""

    def __init__(self, address: str, code: str) -> None:
        self.address, self.code = address, code
        self.live: list[float] = []
        self.whole: list[float] = []
        self.stalled: list[float] = []
        """How late this process itself woke: the machine was busy for so long."""

    async def watch(self) -> None:
        """Until it is cancelled."""
        for turn in self._turns():
            began = time.monotonic()
            await asyncio.to_thread(self._get, "" if turn % 3 == 2 else ".live")
            (self.whole if turn % 3 == 2 else self.live).append((time.monotonic() - began) * 1000)
            slept = time.monotonic()
            await asyncio.sleep(0.3)
            self.stalled.append((time.monotonic() - slept - 0.3) * 1000)

    def _turns(self) -> Iterator[int]:
        turn = 0
        while True:
            yield turn
            turn += 1

    def _get(self, kind: str) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}/api/tournament/{self.code}{kind}", timeout=30) as answer:
            found: dict[str, Any] = json.loads(answer.read())
        return found

    async def until(self, phase: str, people: int = 0) -> None:
        """Until the tournament has come so far."""
        async with asyncio.timeout(240):
            while True:
                info = (await asyncio.to_thread(self._get, ".live"))["info"]
                if info["phase"] == phase and info["entrants"] >= people:
                    return
                await asyncio.sleep(0.3)


async def made(address: str) -> tuple[str, str]:
    """The tournament's code and its host's token."""
    words = ("--name", "Five hundred", "--format", "league", "--rounds", "1", "--minutes", "3", "--places", "500")
    done = await kupa("tournament", "create", address, *words, "--json")
    if done.status:
        raise SystemExit(done.err)
    found = json.loads(done.out)
    return found["code"], found["token"]


async def measure(people: int) -> bool:
    """The whole round; whether the goals were met, or the machine could not tell."""
    with tempfile.TemporaryDirectory(prefix="kupa") as folder:
        program = Server(Path(folder), "--appendonly", "yes", "--appendfsync", "everysec")
        program.start()
        settings = {"REDIS_URL": program.url, "KUPA_DURABILITY": "second", "KUPA_ADDRESS_CONNECTIONS": "10000"}
        servers = [ServerProcess(Path(folder) / f"log{at}.txt", **settings) for at in range(2)]
        try:
            await asyncio.gather(*(server.start() for server in servers))
            return await round_of(people, servers)
        finally:
            for server in servers:
                await server.kill()
            program.kill()


async def round_of(people: int, servers: list[ServerProcess]) -> bool:
    """One round from the door to the result, and its report."""
    address = f"http://127.0.0.1:{servers[0].port}"
    code, token = await made(address)
    watcher = Watcher(address, code)
    share = people // WORKERS
    words = [code, json.dumps([server.url for server in servers])]
    began = time.monotonic()
    children = [
        await asyncio.create_subprocess_exec(
            sys.executable, __file__, "--field", *words, str(share * at), str(share), stdout=asyncio.subprocess.PIPE
        )
        for at in range(WORKERS)
    ]
    await watcher.until("entry", share * WORKERS)
    print(f"{share * WORKERS} people came in within {time.monotonic() - began:.1f} s", flush=True)
    watching = asyncio.create_task(watcher.watch())
    done = await kupa("tournament", "host", address, code, "start", "--token", token, within_s=60)
    if done.status:
        raise SystemExit(done.err)
    outs = [(await child.communicate())[0] for child in children]
    if any(child.returncode for child in children):
        raise SystemExit("a process of the field failed")
    await watcher.until("ended")
    watching.cancel()
    return report([json.loads(out) for out in outs], watcher)


def report(found: list[dict[str, list[float]]], watcher: Watcher) -> bool:
    """Print the figures; whether they are good."""
    dealt, first, frames = ([value for one in found for value in one[name]] for name in ("dealt", "first", "frames"))
    told("from the gun to the cards, of who was there", dealt)
    told("first move of everybody at once, answered", first)
    told("progress frames in the busiest second", frames, "  ")
    told("the hall's screen: .live", watcher.live)
    told("host's console: the whole tournament", watcher.whole)
    told("how late the watcher woke", watcher.stalled)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    good = worst(dealt) < GOAL_MS and max(frames) <= GOAL_FRAMES + 1
    frames_told = f"{max(frames):.0f} progress frames a second at most"
    people = f"{len(frames)} people, {len(frames) - len(dealt)} late"
    print(f"{people}: cards {worst(dealt):.0f} ms after the gun (p99), {frames_told}")
    return good or os.getloadavg()[0] > (os.cpu_count() or 1)


def main(arguments: list[str]) -> int:
    """The bench, or one process of its field."""
    if arguments[:1] == ["--field"]:
        code, urls, first, count = arguments[1:]
        print(json.dumps(asyncio.run(field(json.loads(urls), code, int(first), int(count)))))
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=500)
    return 0 if asyncio.run(measure(parser.parse_args(arguments).people)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
