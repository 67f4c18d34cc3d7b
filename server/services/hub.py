"""The rooms of this process: found when somebody needs them, minded while they are here, let go after.

Lives here: which rooms are folded here, what happens every so often (signs of life, due rooms, missed
bells, lost processes, outages), and the end of the process. Lives elsewhere: one room (room_host), one
connection (session), finding a room by code or in the lobby (lobby).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from server.core import events as log
from server.core import inputs, room
from server.core.ids import SERVER, NodeId, RoomId
from server.services.ports import Watch
from server.services.room_host import RoomHost
from server.services.shared import Shared
from server.store import keys
from server.store.errors import StoreAway, StoreBusy
from server.store.logs import Outage
from server.store.nodes import EVERY_S
from server.tasks import ended

DUE_S = 1.0
DUE_GRACE_MS = 1_500
"""Rooms that are due are left to the processes that fold them for so long."""
LET_GO_S = 10.0
LOOK_S = 5.0
LOOK_AT_ALL = 5
"""Every so many rounds a room is compared with its log; one with people elsewhere in every round."""
PIECE = 20
"""So many rooms are minded in one go,"""
SPREAD_S = 1.0
"""and all of them spread over so long: a thousand at once would keep everybody's moves waiting."""

_log = structlog.get_logger(__name__)


class Hub:
    """All rooms folded by this process."""

    def __init__(self, shared: Shared, watch: Watch) -> None:
        self.shared = shared
        self.rooms: dict[RoomId, RoomHost] = {}
        self.wakers: dict[str, Callable[[str], Awaitable[None]]] = {"": self._wake_room}
        """Who looks at what is due, by its kind in `kupa:due`."""
        self._watch = watch
        self._finding: dict[RoomId, asyncio.Task[RoomHost | None]] = {}
        self.chores: list[tuple[float, Callable[[], Awaitable[None]]]] = []
        """What others want done every so many seconds, from `start` on."""
        self._tasks: list[asyncio.Task[None]] = []
        self._round = 0

    async def start(self) -> None:
        """Give the first sign of life and begin minding. Raises StoreAway."""
        store = self.shared.store
        await store.nodes.beat(self.shared.node, -store.clock.skew_ms)
        store.logs.on_back = self._came_back
        own = ((EVERY_S, self._mind), (DUE_S, self._wake_due), (LET_GO_S, self._let_go), (LOOK_S, self._look_at_store))
        for every_s, work in (*own, *self.chores):
            self._tasks.append(asyncio.create_task(self._every(every_s, work), name=f"kupa-{work.__name__}"))

    async def stop(self, timeout_s: float = 3.0) -> None:
        """End minding, let what the rooms still write finish, and say good-bye to the others."""
        await ended(*self._tasks)
        pending = [task for host in self.rooms.values() for task in host.tasks()]
        if pending:
            await asyncio.wait(pending, timeout=timeout_s)
        for host in self.rooms.values():
            host.stop()
        # Nothing may still use the store when it is closed.
        left = [task for host in self.rooms.values() for task in host.tasks()]
        await ended(*left, *self._finding.values())
        self.rooms.clear()
        try:
            await self.shared.store.nodes.gone(self.shared.node)
        except StoreAway as error:
            _log.warning("node.unannounced", why=str(error))

    # ------------------------------------------------------------ finding rooms

    async def host(self, room_id: RoomId) -> RoomHost | None:
        """The room, folded here; None when there is none or it is closed. Raises StoreAway."""
        known = self.rooms.get(room_id)
        if known is not None:
            return known
        finding = self._finding.get(room_id)
        if finding is None:
            finding = asyncio.create_task(self._find(room_id))
            self._finding[room_id] = finding
            finding.add_done_callback(lambda _: self._finding.pop(room_id, None))
        return await asyncio.shield(finding)

    async def _find(self, room_id: RoomId) -> RoomHost | None:
        entries = await self.shared.store.logs.load(keys.room_log(room_id))
        if not entries:
            return None
        state = room.fold(log.decode_log(entries))
        return None if state.closed else self.adopt(state)

    def adopt(self, state: room.RoomState) -> RoomHost:
        """Host a room that was just folded (or made)."""
        host = RoomHost(self.shared, state, self._watch)
        self.rooms[state.room] = host
        host.start()
        return host

    def drop(self, host: RoomHost) -> None:
        """Fold this room no more."""
        if self.rooms.get(host.room) is host:
            del self.rooms[host.room]
        host.stop()
        self._watch.forgotten(host)

    # ------------------------------------------------------------ every so often

    async def _every(self, every_s: float, work: Callable[[], Awaitable[None]]) -> None:
        clock, took_s = asyncio.get_running_loop().time, 0.0
        while True:
            await asyncio.sleep(max(every_s / 2, every_s - took_s))
            began = clock()
            try:
                await work()
            except (StoreAway, StoreBusy) as error:
                _log.debug("store.away", work=work.__name__, why=str(error))
            except Exception:
                _log.exception("minding.failed", work=work.__name__)
            took_s = clock() - began

    async def _mind(self) -> None:
        """Sign of life; lost processes; rings that were missed; bots nobody plays."""
        await self.shared.store.nodes.beat(self.shared.node, -self.shared.store.clock.skew_ms)
        self._round += 1
        hosts = list(self.rooms.values())
        for node in {node for host in hosts for node in host.other_nodes()}:
            if not await self.shared.store.nodes.alive(node):
                self._bury(node, hosts)
        pieces = [hosts[at : at + PIECE] for at in range(0, len(hosts), PIECE)]
        for piece in pieces:
            await self._mind_some(piece)
            if piece is not pieces[-1]:
                await asyncio.sleep(SPREAD_S / len(pieces))

    async def _look_at_store(self) -> None:
        """Say so when the store keeps its word no more, and when it does again."""
        store = self.shared.store
        before = store.unfit
        await store.look_again()
        if store.unfit and store.unfit != before:
            _log.error("store.unfit", why=store.unfit)
        elif before and not store.unfit:
            _log.warning("store.fit")

    async def _mind_some(self, hosts: list[RoomHost]) -> None:
        for host in hosts:
            host.mind()
        due = [host for host in hosts if host.ring.afar or (hash(host.room) + self._round) % LOOK_AT_ALL == 0]
        lengths = await self.shared.store.rooms.lengths([host.room for host in due])
        for host, length in zip(due, lengths, strict=True):
            if length != host.state.version:
                host.look()

    def _bury(self, node: NodeId, hosts: list[RoomHost]) -> None:
        _log.info("node.lost", node=node)
        for host in hosts:
            if node in host.other_nodes():
                host.spawn(host.say(inputs.NodeLost(node)))

    async def _wake_due(self) -> None:
        """Rooms and tournaments with nobody connected still go on (ruling 2)."""
        due = self.shared.store.due
        for item in await due.take(self.shared.clock.now_ms() - DUE_GRACE_MS):
            try:
                await self.wakers[item.kind](item.id)
            except (StoreAway, StoreBusy):
                raise
            except Exception:
                # A fault of ours or of its log in one room: it is set aside, the others go on (A7).
                _log.exception("due.set_aside", owner=item.owner)
            await due.done(item)

    async def _wake_room(self, room_id: str) -> None:
        host = await self.host(RoomId(room_id))
        if host is None:
            return
        for node in host.other_nodes():
            if not await self.shared.store.nodes.alive(node):
                await host.submit(SERVER, inputs.NodeLost(node))
        await host.tick()

    async def _let_go(self) -> None:
        for host in list(self.rooms.values()):
            if host.idle:
                self.drop(host)

    def _came_back(self, outage: Outage) -> None:
        """The store was away: logs are read again, running heats get the time back."""
        _log.warning("store.back", away_ms=outage.to_ms - outage.from_ms)
        self.shared.store.clock.again()
        for host in self.rooms.values():
            if outage.covers(keys.room_log(host.room)):
                host.came_back(outage.from_ms, outage.to_ms)
