"""A person on the compose project that is up, and the project's commands.

Frames are read by `msgpack`, not by the code under test.
"""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from server.wire.messages import COMMANDS, EVENTS, PROTOCOL_VERSION

SOCKET = "/ws"
DRAW, RESIGN = 1, 6
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
        self.token = self.player = self.room = self.tournament = ""
        self.confirmed = self.drops = self.slowest_ms = 0
        self._n = 0
        self._seen: dict[str, Frame] = {}
        self._socket: ClientConnection | None = None

    async def come(self) -> Frame:
        """Open a socket and say hello; returns the `Welcome`."""
        self._seen.clear()
        origin = f"http://{urlsplit(f'http://{self.address}').netloc}"
        url = f"ws://{self.address}{SOCKET}"
        self._socket = await connect(url, origin=origin, compression=None, open_timeout=5)  # type: ignore[arg-type]
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
                if self.tournament:
                    await self.ask("OpenTournament", self.tournament, False)
                if self.room:
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

    def forget(self, name: str) -> None:
        """The next event of this name is a new one."""
        self._seen.pop(name, None)

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


def kill_one_server() -> None:
    """SIGKILL for the first of the two servers."""
    servers = compose("ps", "-q", "server").split()
    expect(len(servers) == 2, f"2 servers were expected, not {len(servers)}")
    subprocess.run(["docker", "kill", servers[0]], check=True, capture_output=True)
