"""A place where something goes wrong: a store, two server processes, the ways between, and two people who race.

Lives here: building it up, a race, gathering the evidence, tearing it down. Lives elsewhere: what goes wrong (rows)
and when (moments), what must be true afterwards (invariants).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from engine.moves import Move
from server import auditing
from server.config import Config
from server.core import events as log
from server.store import keys
from server.store.connect import Store, open_store
from server.store.topology import POOL
from tests.e2e.solved import SINGLE, solution
from tests.faults.invariants import CLOCK_MS, Evidence, violations
from tests.faults.player import Player
from tests.faults.process import ServerProcess
from tests.faults.relay import Relay
from tests.faults.stores import Cluster, Node, Watched
from tests.wire_client import Frame

SPARE_DESCRIPTORS = 4
"""So many more may be open once everybody has gone than at the start, connections to the store left out."""
TO_STORE = {"plain": POOL + 8, "watched": 4 * POOL + 8, "cluster": 6 * POOL}
"""A server's pools of connections to a store of this kind grow up to this, the more is asked at once."""
PROJECTED_S = 30.0
PATIENCE_S = 30.0
"""Who waits longer for a result waits in vain."""
KNOWN = solution(SINGLE)


class StoreKind(Protocol):
    """What is started and ended as one."""

    def kill(self) -> None:
        """End all its processes."""


class Plain(Node):
    """One store alone; servers reach it through a relay."""

    def __init__(self, folder: Path, fsync: str = "everysec") -> None:
        super().__init__(folder, "--appendonly", "yes", "--appendfsync", fsync)


class Site:
    """Everything for one cell."""

    def __init__(self, folder: Path, seed: int, *, kind: str = "plain", mutant: str = "", servers: int = 2) -> None:
        """`kind`: plain, watched (sentinels) or cluster. `mutant`: a fault that is put into the servers."""
        self.folder, self.seed = folder, seed
        self.kind = kind
        self.plain = Plain(folder / "store") if kind == "plain" else None
        self.watched = Watched(folder / "store") if kind == "watched" else None
        self.cluster = Cluster(folder / "store") if kind == "cluster" else None
        self.to_store = [Relay(("127.0.0.1", self.plain.port if self.plain else 0), seed + n) for n in range(servers)]
        self.servers = [ServerProcess(folder / f"log{n}.txt", mutant=mutant) for n in range(servers)]
        self.ways = [Relay(("127.0.0.1", 0), seed + 10 + n) for n in range(servers)]
        self.players: list[Player] = []
        self.patience_s = PATIENCE_S
        self.rolled_back = False
        self.clock_ms: float = CLOCK_MS
        """How far the servers' clocks may be from this machine's."""
        self.own_store: Node | None = None
        """Instead of the plain one, after it was replaced."""
        self.over = False
        """Whoever plays stops."""
        self._playing: set[asyncio.Task[None]] = set()
        self._descriptors: dict[int, int] = {}

    # ------------------------------------------------------------ up and down

    async def start(self) -> None:
        """Store, relays, servers."""
        if self.plain is not None:
            self.plain.start()
        for many in (self.watched, self.cluster):
            if many is not None:
                await many.start()
        for relay in (*self.to_store, *self.ways):
            await relay.start()
        await asyncio.gather(*(self.start_server(n) for n in range(len(self.servers))))

    async def start_server(self, number: int) -> None:
        """Start a server (again), and lead its way to it."""
        server = self.servers[number]
        server.settings |= {"REDIS_URL": self.url(number), "KUPA_DURABILITY": self.durability}
        await server.start()
        self.ways[number].target = ("127.0.0.1", server.port)
        self._descriptors[server.child.pid] = descriptors(server.child.pid, self._store_ports)[0]

    def url(self, number: int) -> str:
        """Of the store, as this server reaches it."""
        for many in (self.watched, self.cluster):
            if many is not None:
                return many.url
        return f"redis://127.0.0.1:{self.to_store[number].port}"

    @property
    def own_url(self) -> str:
        """Of the store, without a way that may be cut."""
        alone = self.own_store or self.plain
        return alone.url if alone is not None else self.url(0)

    @property
    def _store_ports(self) -> set[int]:
        """Where the servers reach it."""
        ports = {relay.port for relay in self.to_store}
        if self.watched is not None:
            ports |= {one.port for one in (*self.watched.nodes, *self.watched.sentinels)}
        if self.cluster is not None:
            ports |= {one.port for one in self.cluster.nodes}
        return ports

    @property
    def durability(self) -> str:
        return "replica" if self.kind == "watched" else "second"

    async def renew(self, seed: int) -> None:
        """Everybody has gone, and what died is started again: ready for another cell."""
        self.seed, self.over = seed, False
        self.players.clear()
        for relay in (*self.to_store, *self.ways):
            relay.fair()
            relay.chance.seed(seed)
        dead = [n for n, server in enumerate(self.servers) if not server.alive]
        await asyncio.gather(*(self.start_server(n) for n in dead))

    async def emptied(self) -> Site:
        """This one, ready for another test: everybody leaves, and what died is started again."""
        for player in self.players:
            await player.go()
        await self.renew(1)
        return self

    @property
    def worn(self) -> bool:
        """Its store is not what it was: not to be used for another cell."""
        return self.own_store is not None or self.plain is None

    async def stop(self) -> None:
        """End everything."""
        for task in self._playing:
            task.cancel()
        for player in self.players:
            player.cut()
        for server in self.servers:
            await server.kill()
        for relay in (*self.to_store, *self.ways):
            await relay.close()
        stores: Sequence[StoreKind | None] = (self.plain, self.own_store, self.watched, self.cluster)
        for store in stores:
            if store is not None:
                store.kill()

    # ------------------------------------------------------------ people

    def urls(self, first: int) -> Callable[[], list[str]]:
        """The servers that live, the `first` one first, each by its own way."""
        order = [first, *(n for n in range(len(self.servers)) if n != first)]
        return lambda: (
            [f"ws://127.0.0.1:{self.ways[n].port}" for n in order if self.servers[n].alive]
            or [f"ws://127.0.0.1:{self.ways[first].port}"]
        )

    async def player(self, name: str, at: int) -> Player:
        """Somebody new, at the server of this number."""
        made = Player(name, self.urls(at), self.seed * 100 + len(self.players))
        self.players.append(made)
        await made.come()
        return made

    async def room(self, *, known: bool = False) -> tuple[Player, Player]:
        """Ann and Bob, on different servers, in one room. `known`: both know the deal and how to win it."""
        ann, bob = await self.player("Ann", 0), await self.player("Bob", 1 % len(self.servers))
        code: dict[str, Any] = {"ruleset": "SS1-D1N", "code": SINGLE} if known else {}
        await ann.create(minutes=10, public=True, **code)
        await bob.enter(ann.room)
        for player in (ann, bob):
            player.script = script() if known else ()
        return ann, bob

    async def race(self) -> None:
        """Both are ready; returns when both have their cards."""
        await asyncio.gather(*(player.surely("Ready", True) for player in self.players))
        await asyncio.gather(*(player.until_dealt() for player in self.players))

    @property
    def playing(self) -> bool:
        """Somebody plays."""
        return bool(self._playing)

    def play(self, player: Player, pause_s: float = 0.03) -> None:
        """This player plays on until `over`, beside what else goes on."""
        task = asyncio.create_task(player.play_until(lambda: self.over, pause_s))
        self._playing.add(task)

    async def played_out(self) -> None:
        """Wait until all have played to the end."""
        await asyncio.gather(*self._playing)
        self._playing.clear()

    async def halt(self) -> None:
        """Nobody plays any more, whatever they wait for."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        self._playing.clear()

    async def played(self) -> None:
        """It is over; wait until all have stopped."""
        self.over = True
        await self.played_out()

    # ------------------------------------------------------------ what came of it

    async def verdict(self) -> list[str]:
        """All have heard the result and gone; what is wrong."""
        here = [player for player in self.players if not player.superseded]
        results = await asyncio.gather(*(player.result(self.patience_s) for player in here), return_exceptions=True)
        late = [f"I6 {p.name} never got to the result: {r!r}" for p, r in _failed(here, results)]
        for player in self.players:
            await player.go()
        found = await self.evidence(projected=not late)
        return late + violations(found)

    async def evidence(self, *, projected: bool = True) -> Evidence:
        """What the store, the servers and the people have to say."""
        store = await open_store(self.own_url)
        try:
            tapes = [player.tape for player in self.players]
            found = Evidence(tapes, rolled_back=self.rolled_back, clock_ms=self.clock_ms)
            await _read(store, self.players[0].room, found)
            if projected:
                found.audit += await _all_projected(store)
        finally:
            await store.close()
        if projected:
            found.audit += await self.audit()
        found.errors += [line for server in self.servers for line in server.errors()]
        found.errors += self._leaks(found)
        found.left_over += await self._left_over()
        return found

    async def audit(self) -> list[str]:
        """What `kupa audit` finds."""
        config = Config(redis_url=self.own_url, durability="second")
        report, _ = await auditing.check(config, repair=False, step=lambda _: None)
        return [] if report.clean else auditing.as_text(report, 0)

    def _leaks(self, found: Evidence) -> list[str]:
        """S17: no log of a server holds a secret."""
        text = "".join(server.log.read_text() for server in self.servers)
        secrets = [player.token for player in self.players]
        secrets += [nonce for _, nonce in found.deals.values() if nonce]
        return [f"a secret stands in a log: {secret[:6]}…" for secret in secrets if secret and secret in text]

    async def _left_over(self) -> list[str]:
        """I9: nobody is connected any more, no descriptor is left over, and the store has the connections of a pool."""
        said = []
        for n, server in enumerate(self.servers):
            if not server.alive:
                continue
            before = self._descriptors[server.child.pid]
            for _ in range(60):
                after, to_store = descriptors(server.child.pid, self._store_ports)
                if after <= before + SPARE_DESCRIPTORS and to_store <= TO_STORE[self.kind]:
                    break
                await asyncio.sleep(0.1)
            else:
                said.append(f"server {n} has {after} descriptors open, {before} at its start; {to_store} to the store")
        return said


def script() -> list[Move]:
    """The moves of the known win."""
    return [move for move, _ in KNOWN]


def descriptors(pid: int, store_ports: set[int]) -> tuple[int, int]:
    """How many files and sockets a process has open: those to a store left out, and those to a store."""
    far = {}
    for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        far[f"socket:[{words[9]}]"] = int(words[2].rpartition(":")[2], 16)
    names = []
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            names.append(str(one.readlink()))
    to_store = sum(far.get(name, 0) in store_ports for name in names)
    return len(names) - to_store, to_store


def _failed(players: list[Player], results: Sequence[Frame | BaseException]) -> list[tuple[Player, BaseException]]:
    return [(p, r) for p, r in zip(players, results, strict=True) if isinstance(r, BaseException)]


async def _read(store: Store, code: str, found: Evidence) -> None:
    """The room and its boards."""
    room = await store.rooms.room_of_code(code)
    assert room is not None
    found.room_log = await store.logs.load(keys.room_log(room))
    for event in log.decode_log(found.room_log):
        if not isinstance(event, log.HeatDrawn):
            continue
        deal = await store.rooms.get_deal(room, event.heat)
        assert deal is not None
        found.deals[event.heat] = (deal.code, deal.nonce)
        for taken in event.seats:
            entries = await store.logs.load(keys.board_log(room, event.heat, taken.seat))
            found.boards[event.heat, taken.seat] = entries


async def _all_projected(store: Store) -> list[str]:
    """Wait until nothing waits to be projected any more (promise 5)."""
    until = time.monotonic() + PROJECTED_S
    while time.monotonic() < until:
        if not await store.client.execute_command("ZCARD", keys.UNPROJECTED):
            return []
        await asyncio.sleep(0.1)
    return [f"something still waits to be projected after {PROJECTED_S} s"]
