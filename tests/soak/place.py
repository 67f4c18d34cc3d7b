"""Where a soak takes place: one store, two servers; what is done to them, and what they hold.

Lives here: starting, harming and ending them, and reading their memory, tasks, sockets and keys. Lives elsewhere:
people (people), what is made of the figures (figures).
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import signal
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from server.store.connect import Store
from tests.faults.process import ServerProcess
from tests.faults.site import descriptors
from tests.faults.stores import Node, command
from tests.soak.people import Crowd
from tests.store_fixture import free_port

KEPT = re.compile(
    r"kupa:(?:player|token|solo|schema|flags|heat)\b|kupa:\{(?:lb|history|rating):|kupa:\{[A-Z]{10}\}:(?:log|b:|deal:|kept|from|progress)"
)
"""Keys that may be there when everybody has gone: what lasts, and what expires by itself."""
LASTING = re.compile(r"kupa:\{([A-Z]{10})\}:")
STAND_STILL_S = 1.0
DOWN_S = 2.0
BROKEN_SHARE = 0.2
"""Of all connections, when connections are reset."""


class Place:
    """A store and two servers. The first server lives from beginning to end; the second one is killed now and then."""

    def __init__(self, folder: Path, crowd: Callable[[Place], Crowd]) -> None:
        self.store = Node(folder / "store", "--appendonly", "yes", "--appendfsync", "always")
        self.secret = secrets.token_urlsafe(32)
        self.admin = [free_port(), free_port()]
        self.servers = [
            ServerProcess(
                folder / f"log{number}.txt", KUPA_ADMIN=f"127.0.0.1:{self.admin[number]}",
                KUPA_ADMIN_SECRET=self.secret, KUPA_ADDRESS_CONNECTIONS="10000", KUPA_MOVES="10",
                REDIS_URL=self.store.url,
            )
            for number in (0, 1)
        ]  # fmt: skip
        self.crowd = crowd(self)
        self.harms: list[tuple[str, Callable[[], Awaitable[None]]]] = [
            ("a server is killed and started again", self._kill),
            ("the store stands still for a second", self._freeze),
            ("the bells' connections are cut", self._cut_bells),
            ("a fifth of all connections is reset", self._reset),
        ]

    async def start(self) -> None:
        """Start everything."""
        self.store.start()
        for server in self.servers:
            await server.start()

    async def stop(self) -> None:
        """End everything."""
        for server in self.servers:
            await server.kill()
        self.store.kill()

    def urls(self, home: int) -> list[str]:
        """The servers that live, the one of this number first."""
        order = (home, 1 - home)
        return [self.servers[n].url for n in order if self.servers[n].alive] or [self.servers[home].url]

    # ------------------------------------------------------------ harm

    async def _kill(self) -> None:
        await self.servers[1].kill()
        await asyncio.sleep(DOWN_S)
        await self.servers[1].start()

    async def _freeze(self) -> None:
        assert self.store.child is not None
        os.kill(self.store.child.pid, signal.SIGSTOP)
        await asyncio.sleep(STAND_STILL_S)
        os.kill(self.store.child.pid, signal.SIGCONT)

    async def _cut_bells(self) -> None:
        await command(self.store, "CLIENT", "KILL", "TYPE", "pubsub")

    async def _reset(self) -> None:
        self.crowd.reset(BROKEN_SHARE)

    # ------------------------------------------------------------ looking

    async def metrics(self, number: int) -> dict[str, float]:
        """The plain numbers a server gives its operator."""
        return await asyncio.to_thread(_scraped, self.admin[number], self.secret)

    async def held(self, number: int) -> dict[str, float]:
        """What a server holds now."""
        found = await self.metrics(number)
        pid = self.servers[number].child.pid
        names = ("kupa_sockets", "kupa_sessions", "kupa_tasks", "kupa_rooms", "kupa_boards", "kupa_store_waiting")
        return {
            **{name.removeprefix("kupa_"): found[name] for name in names},
            "descriptors": float(sum(descriptors(pid, set()))),
            "memory_kib": found["process_resident_memory_bytes"] / 1024,
        }


def _scraped(port: int, secret: str) -> dict[str, float]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {secret}"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return {line.split()[0]: float(line.split()[1]) for line in lines if not line.startswith("#")}


async def left_over(store: Store) -> Counter[str]:
    """Keys that should be gone when everybody has left, by kind; empty when there are none."""
    client, found = store.client, Counter[str]()
    keys = {key.decode() async for key in client.scan_iter("kupa:*", count=1000)}
    saved = await _saved_games(store, keys)
    for key in keys:
        room = LASTING.match(key)
        if key.startswith("kupa:node:"):
            continue
        if not KEPT.match(key):
            if await client.execute_command("TTL", key) < 0:
                found[re.sub(r"[A-Z]{10}|[A-Z]{5}$", "…", key)] += 1
        elif (
            room
            and room[1] not in saved
            and f"kupa:{{{room[1]}}}:kept" not in keys
            and await client.execute_command("TTL", key) < 0
        ):
            found[re.sub(r"[A-Z]{10}", "…", key) + " for ever"] += 1
    return found


async def _saved_games(store: Store, keys: set[str]) -> set[str]:
    """Ids of the games that people left off, which stay for ever (one a player and ruleset)."""
    found: set[str] = set()
    for key in keys:
        if key.startswith("kupa:solo:"):
            values = await store.client.execute_command("HVALS", key)
            found.update(word.decode() for value in values for word in re.findall(rb"[A-Z]{10}", value))
    return found
