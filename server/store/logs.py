"""The logs: append with an expected length, claim a board, close a heat, read (rulings 1, 16–21).

What lives here: the values of an append and `LogWriter`, the one way by which anything gets into a
log. What does not: the connection and its retries (outlet), what the bytes mean (engine, server.core).

The promise: `settled` is called exactly once for every append that `push` took, and only when the
store has said what became of it; nothing is acknowledged from memory. While the store is away the
append waits (the player sees "saving…"), however long that takes. A repetition of one's own append
is recognised byte by byte (`DUP`), so resending is always safe.

How it runs: appends of one slot ride in one script call; one call per slot is on its way, and
everything that comes meanwhile rides in the next (group commit). On a single server all keys count
as one slot. There is no task, future or lock for an append.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec

from server.clock import Clock
from server.spread import Spread
from server.store import keys
from server.store.errors import StoreBusy
from server.store.guard import guarded
from server.store.lane import Append, Ask, Carried, Lane, Outage, Verdict
from server.store.lua import CLAIM, CLOSE, Script
from server.store.outlet import Outlet, Terms
from server.store.topology import Client, Topology

__all__ = ["Append", "Claim", "Closed", "Durability", "LogWriter", "Outage", "Verdict"]

QUEUE = 20_000
"""Appends that may wait at once: two seconds of 10,000 moves a second (F6), about a KiB each. Beyond it `push` says no
and the player hears `busy`."""
TIMEOUT_S = 1.0
"""After this an unanswered call counts as unknown and is sent again (reliability 2.4)."""


class Durability(Enum):
    """What must have happened before an append counts (reliability 2)."""

    DISK = "disk"
    SECOND = "second"
    REPLICA = "replica"


@dataclass(frozen=True, slots=True)
class Claim:
    """A board taken over: append to it with this epoch, from this length on."""

    epoch: int
    length: int
    sealed: bool
    """The board's heat is closed; appends will be answered SEALED."""


@dataclass(frozen=True, slots=True)
class Closed:
    """What became of closing a heat. OK: done now. DUP: it was closed before, by this or another
    process. CONFLICT: the room's log is longer than expected; SHORT: shorter; nothing was sealed."""

    verdict: Verdict
    length: int
    """Of the room's log."""
    entry: bytes
    """The HeatClosed entry that stands in the log; empty on CONFLICT and SHORT."""
    lengths: tuple[int, ...]
    """Entries of each board, in the order asked; empty on CONFLICT and SHORT."""


class LogWriter:
    """Appends to logs with group commit, and reads them.

    `on_back` is called once after every time the store was away, with the `Outage` (ruling 21).
    """

    def __init__(
        self,
        topology: Topology,
        client: Client,
        clock: Clock,
        *,
        durability: Durability = Durability.DISK,
        timeout_s: float = TIMEOUT_S,
        queue: int = QUEUE,
    ) -> None:
        self.on_back: Callable[[Outage], None] | None = None
        self._topology = topology
        self._client = client
        self._queue = queue
        self._waiting = 0
        self.settled = 0
        """Appends and asks whose outcome is known, since the start (for metrics)."""
        self.took = Spread()
        """How long the store took for a round of them (for metrics)."""
        self._closing = False
        self._empty = asyncio.Event()
        self._empty.set()
        self._lanes: dict[int, Lane] = {}
        self._only: Lane | None = None if topology.cluster else self._lane(0)
        self._outlets: dict[str, Outlet] = {}
        self._terms = Terms(
            topology=topology,
            client=client,
            clock=clock,
            replica=durability is Durability.REPLICA,
            timeout_s=timeout_s,
            took=self.took.note,
            route=self._route,
            done=self._done,
            back=self._back,
            retire=self._retire,
        )

    # ------------------------------------------------------------ state

    @property
    def away_since(self) -> int | None:
        """Since when (ms of the store's clock) the store does not confirm; None when it is well."""
        return min((o.away_since for o in self._outlets.values() if o.away_since is not None), default=None)

    def away(self, log: str) -> bool:
        """Whether what is written to this log does not get through now, as far as is known."""
        if self._only is not None:
            return self.away_since is not None
        lane = self._lanes.get(self._topology.slot(log))
        return lane is not None and lane.away_since is not None

    @property
    def trouble(self) -> str:
        """Why the store does not confirm, in a few words for operators; empty when it is well."""
        return next((o.trouble for o in self._outlets.values() if o.trouble), "")

    @property
    def waiting(self) -> int:
        """Appends taken and not settled yet."""
        return self._waiting

    @property
    def full(self) -> bool:
        """`push` would say no."""
        return self._waiting >= self._queue or self._closing

    # ------------------------------------------------------------ life

    def start(self) -> None:
        """Begin; call it inside the event loop. The first connection is made at once."""
        for slot in [0] if self._only else []:
            self._outlet(self._topology.node(slot))

    async def close(self, timeout_s: float = 5.0) -> int:
        """Take nothing more, wait for what is on its way, end. Returns how many appends stay unsettled
        (their `settled` is never called, their outcome is unknown)."""
        self._closing = True
        try:
            async with asyncio.timeout(timeout_s):
                await self._empty.wait()
        except TimeoutError:
            for lane in self._lanes.values():
                lane.abandon()
        left = self._waiting
        await asyncio.gather(*(outlet.close() for outlet in self._outlets.values()))
        return left

    # ------------------------------------------------------------ appending

    def push(self, append: Carried) -> bool:
        """Take an append; False when the queue is full or closing (nothing was sent: answer `busy`)."""
        return self._push(append, self._only or self._lane(self._topology.slot(append.log)))

    def _push(self, item: Carried | Ask, lane: Lane) -> bool:
        if self._waiting >= self._queue or self._closing:
            return False
        self._waiting += 1
        lane.waiting.append(item)
        if not lane.queued:
            self._route(lane)
        return True

    async def append(
        self,
        log: str,
        at: int,
        entries: list[bytes],
        *,
        epoch: int = 0,
        progress: tuple[str, str, bytes] | None = None,
        bell: tuple[str, bytes] | None = None,
        due: tuple[str, int] | None = None,
    ) -> tuple[Verdict, int]:
        """`push`, waited for: (verdict, length of the log). StoreBusy when the queue is full.

        Cancelling it does not take the append back.
        """
        answer: asyncio.Future[tuple[Verdict, int]] = asyncio.get_running_loop().create_future()

        def settled(_: Append, verdict: Verdict, length: int) -> None:
            if not answer.done():
                answer.set_result((verdict, length))

        if not self.push(Append(log, at, entries, settled, epoch, progress, bell, due)):
            raise StoreBusy("too much is waiting for the store")
        return await answer

    # ------------------------------------------------------------ claiming and closing

    async def claim(self, board: str, node: str, bell: tuple[str, bytes] | None = None) -> Claim:
        """Take over a board for the process `node`: raises its epoch, rings `bell` with the new epoch.

        It queues behind what this process has pushed already, and waits while the store is away.
        """
        channel, payload = bell or ("", b"")
        answer = await self._ask(CLAIM, [board], [node, secrets.token_hex(8), channel, payload])
        return Claim(int(answer[0]), int(answer[1]), bool(answer[2]))

    async def close_heat(
        self,
        room_log: str,
        at: int,
        boards: list[str],
        *,
        tag: int,
        at_ms: int,
        heat: str,
        keep_ms: int = 0,
        bell: tuple[str, bytes] | None = None,
    ) -> Closed:
        """Seal all boards and append `[tag, at_ms, heat, lengths]` to the room's log, as one (ruling 1).

        `keep_ms`: the boards expire that long after; 0 keeps them for ever. Safe to repeat and to race.
        """
        channel, payload = bell or ("", b"")
        args = [at, tag, at_ms, heat, keep_ms, channel, payload]
        verdict, length, entry = await self._ask(CLOSE, [room_log, *boards], args)
        lengths = tuple(msgspec.msgpack.decode(entry)[3]) if entry else ()
        return Closed(Verdict(verdict), int(length), bytes(entry), lengths)

    async def _ask(self, script: Script, script_keys: list[str], args: list[Any]) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        lane = self._only or self._lane(self._topology.slot(script_keys[0]))
        if not self._push(Ask(script, script_keys, args, answer), lane):
            raise StoreBusy("too much is waiting for the store")
        return await answer

    # ------------------------------------------------------------ reading

    async def load(self, log: str, start: int = 0) -> list[bytes]:
        """The entries of a log from `start` (≥ 0) on; empty when there are none. Raises StoreAway."""
        return list(await self._command("LRANGE", log, start, -1))

    async def length(self, log: str) -> int:
        """How many entries a log has (its version). Raises StoreAway."""
        return int(await self._command("LLEN", log))

    async def board_state(self, board: str) -> tuple[int, bool]:
        """(epoch, sealed) of a board, without touching it; (0, False) when nobody claimed it yet."""
        epoch, state = await self._command("HMGET", keys.meta(board), "epoch", "state")
        return int(epoch or 0), state == b"sealed"

    @guarded
    async def _command(self, *words: Any) -> Any:
        return await self._client.execute_command(*words)

    # ------------------------------------------------------------ inside

    def _lane(self, slot: int) -> Lane:
        lane = self._lanes.get(slot)
        if lane is None:
            lane = self._lanes[slot] = Lane(slot)
        return lane

    def _outlet(self, address: str) -> Outlet:
        outlet = self._outlets.get(address)
        if outlet is None:
            outlet = self._outlets[address] = Outlet(address, self._terms)
            outlet.start()
        return outlet

    def _route(self, lane: Lane) -> None:
        self._outlet(self._topology.node(lane.slot)).take(lane)
        self._empty.clear()

    def _done(self, count: int) -> None:
        self._waiting -= count
        self.settled += count
        if not self._waiting:
            self._empty.set()

    def _retire(self, address: str) -> None:
        del self._outlets[address]

    def _back(self, outage: Outage) -> None:
        if self.on_back is not None:
            self.on_back(outage)
