"""One room as this process folds it: the loop decide, append, apply, perform.

Lives here: the room's log (catching up, appending, time), and what the events of it make this process do.
Lives elsewhere: rules (core.room), boards (heat_host), what viewers are sent (audience), how rooms are
found and let go (hub). No process owns a room: an append that loses against another process's is decided again.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any

import structlog

from server.core import events as log
from server.core import inputs, projection, room
from server.core.ids import SERVER, NodeId, PlayerId, RoomId
from server.core.machine import Refusal
from server.core.room import RoomState
from server.services import heat_chores
from server.services.audience import Audience, Viewer
from server.services.heat_host import HeatHost
from server.services.machine_log import MachineLog, place_of_room
from server.services.played_board import Ring
from server.services.ports import Guest, Watch
from server.services.shared import Shared
from server.services.wakes import Wakes
from server.store import keys
from server.store.errors import StoreAway, StoreBusy
from server.tasks import begun

AGAIN_MS = 100
"""What a round could not finish (an entry on its way) is looked at again after this."""
AWAY_S = 0.5
"""What has to be said while the store is away is tried again after this."""

_lines = structlog.get_logger(__name__)


class RoomHost:
    """A room in this process. `submit` is the only way to change it."""

    def __init__(self, shared: Shared, state: RoomState, watch: Watch) -> None:
        self.audience = Audience()
        self.heat: HeatHost | None = None
        self.ring = Ring(keys.bell(state.room))
        self._shared = shared
        self._watch = watch
        place = place_of_room(state.room)
        self._log = MachineLog(shared.store.logs, place, state, self._perform, self._find_heat, self._lost)
        self._turn = asyncio.Lock()
        self._wakes = Wakes(state.room, shared.store.due, shared.clock, self._wake, self.spawn)
        self._tasks: set[asyncio.Task[None]] = set()
        self._wanted = 0
        self._arriving = 0
        self._coming: dict[PlayerId, inputs.Arrive] = {}
        self._over = False
        self._owed = 0  # outages that are about to be given back

    @property
    def state(self) -> RoomState:
        """The room as folded here."""
        return self._log.state

    @property
    def room(self) -> RoomId:
        """Id of the room."""
        return self.state.room

    @property
    def idle(self) -> bool:
        """Nothing here needs this process: it may let go of the room."""
        return not (self.audience.viewers or self._arriving or self._tasks or (self.heat and self.heat.has_bots))

    def tasks(self) -> list[asyncio.Task[None]]:
        """What the room is still doing."""
        return list(self._tasks)

    def other_nodes(self) -> set[NodeId]:
        """The other processes that hold connections of people in the room."""
        members = self.state.members.values()
        return {member.node for member in members if member.present and member.node != self._shared.node}

    # ------------------------------------------------------------ life

    def start(self) -> None:
        """Listen to the room's bell and to the time."""
        self._shared.store.bells.subscribe(self._log.channel, self._rung, self.look)
        self._find_heat()
        self._arm()
        self.ring.afar = bool(self.other_nodes())

    def stop(self) -> None:
        """Let go of the room; its log goes on without this process."""
        self._over = True
        self._shared.store.bells.unsubscribe(self._log.channel)
        self._wakes.stop()
        self.audience.stop()
        self._find_heat()
        for task in self._tasks:
            task.cancel()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the room's name. A store that is away is tried again by the room's timer."""
        if self._over:
            work.close()
            return
        begun(self._guarded(work), work, self._tasks, f"kupa-room-{self.room}")

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (StoreAway, StoreBusy) as error:
            _lines.warning("room.waits", room=self.room, why=str(error))
            self._arm(at_least_ms=1_000)
        except Exception:
            # A fault of ours in one room: set aside with its log kept, other rooms go on (A7).
            _lines.exception("room.failed", room=self.room)
            self._arm(at_least_ms=5_000)

    async def arrive(
        self, player: PlayerId, name: str, tag: str, guest: Guest, *, watch: bool, seat_only: bool = False
    ) -> Refusal | None:
        """A person comes in, or back: shows them the room, and their board if they race.

        Raises StoreAway, StoreBusy: whether they are in is then unknown, and asking again is safe.
        """
        arrival = inputs.Arrive(player, name, tag, self._shared.node, watch, seat_only)
        self._arriving += 1
        try:
            async with self._turn:
                answer = await self._decided(SERVER, arrival)
            if isinstance(answer, Refusal):
                return answer
            await guest.make_way(self)
            if guest.is_gone:  # the store took long: a newer connection of theirs may be in by now, and stays
                return None
            if (refusal := await self._let_in(arrival)) is not None:
                return refusal
            if guest.is_gone and player in self.audience.viewers:
                return None
            guest.enters(self)
            self.audience.enter(player, guest, self.state, self._shared.clock.now_ms())
        finally:
            self._arriving -= 1
        await self.show_board(player, guest)
        return None

    async def _let_in(self, arrival: inputs.Arrive) -> Refusal | None:
        """Into a tournament's heat hundreds come within seconds: all who wait are let in together."""
        if self.state.slot is not None and arrival.player in self.state.members:
            self._coming[arrival.player] = arrival
            async with self._turn:
                coming, self._coming = self._coming, {}
                now_ms = self._shared.clock.now_ms()
                answers = [room.decide(self.state, now_ms, SERVER, one) for one in coming.values()]
                events = [event for answer in answers if isinstance(answer, list) for event in answer]
                if events and await self._append(events):
                    self._after()
                if not room.decide(self.state, now_ms, SERVER, arrival):
                    return None
        return await self.submit(SERVER, arrival)

    async def show_board(self, player: PlayerId, viewer: Viewer) -> None:
        """The counts of all, and the own board."""
        heat = self.heat
        if heat is not None and not heat.heat.closed:
            await heat.counts.show(player, viewer)
            await heat.take(player, viewer)

    def gone(self, player: PlayerId, viewer: Viewer) -> None:
        """A connection is gone; the place is kept."""
        if self.heat is not None:
            self.heat.leave(player, viewer)
        if self.audience.leave(player, viewer):
            self.spawn(self.say(inputs.Drop(player, self._shared.node)))

    async def say(self, what: inputs.ShellInput) -> None:
        """Tell the room, however long the store is away."""
        while True:
            try:
                await self.submit(SERVER, what)
            except (StoreAway, StoreBusy):
                await asyncio.sleep(AWAY_S)
            else:
                return

    def react(self, player: PlayerId, reaction: int) -> None:
        """Show a reaction to everybody, here and elsewhere. It is not kept."""
        words = f"{self._shared.node}:{self.state.members[player].seat}:{reaction}".encode()
        self.audience.reacted(words)
        if self.ring.afar:
            self.spawn(self._shared.store.rooms.ring(self.room, b"r" + words))

    # ------------------------------------------------------------ decide, append, apply

    async def submit(self, actor: PlayerId, command: inputs.RoomInput) -> Refusal | None:
        """Carry out a command or an input: None when it is done (or was already), else the refusal.

        Raises StoreAway, StoreBusy.
        """
        async with self._turn:
            while True:
                answer = await self._decided(actor, command)
                if isinstance(answer, Refusal):
                    return answer
                if not answer or await self._append(answer):
                    break
        self._after()
        return None

    async def _decided(self, actor: PlayerId, command: inputs.RoomInput) -> list[log.RoomEvent] | Refusal:
        """What follows. A no is said only of what stands in the log: what others wrote may have made it a yes."""
        answer = room.decide(self.state, self._shared.clock.now_ms(), actor, command)
        if isinstance(answer, Refusal) and await self._log.catch_up():
            self._after()
            answer = room.decide(self.state, self._shared.clock.now_ms(), actor, command)
        return answer

    async def _append(self, events: list[log.RoomEvent]) -> bool:
        drawn = next((event for event in events if isinstance(event, log.HeatDrawn)), None)
        return await self._log.append(events, None if drawn is None else drawn.deadline_ms)

    def _perform(self, event: log.RoomEvent) -> None:
        """What an event that is in the log makes this process do."""
        match event:
            case log.HeatDrawn() | log.HeatClosed() | log.HeatJudged() | log.Revealed():
                self._find_heat()
                self._tell_result(event)
            case log.BoardEnded(seat=seat):
                news = projection.board_ended(self.state, seat)
                if news is not None:
                    self.audience.tell(news)
            case log.Credited() | log.Extended() if self.heat is not None:
                self.heat.shifted()
            case log.Present(player=player, node=node) | log.Joined(player=player, node=node):
                if node != self._shared.node:
                    self.audience.supersede(player)
                    if self.heat is not None:
                        self.heat.let_go(player)
            case log.Away(player=player, node=node):
                self._deny_absence(player, node)
            case log.Left(player=player, reason=reason):
                self.audience.dismiss(player, reason)
            case log.RoomClosed():
                self.audience.dismiss_all("closed")
                self._watch.closed(self)

    def _lost(self) -> None:
        room.apply(self.state, log.RoomClosed(self._shared.clock.now_ms()))
        self._watch.lost(self)

    def _tell_result(self, event: log.RoomEvent) -> None:
        if isinstance(event, log.HeatJudged | log.Revealed) and (result := projection.heat_result(self.state)):
            self.audience.tell(result)
        if isinstance(event, log.HeatJudged) and self.state.series:
            self._watch.judged(self)

    def _deny_absence(self, player: PlayerId, node: NodeId) -> None:
        """Others took this process for dead, or two connections crossed: who is here is here."""
        viewer = self.audience.viewers.get(player)
        member = self.state.members.get(player)
        if viewer is not None and member is not None and node == self._shared.node:
            self.spawn(self.say(inputs.Arrive(player, member.name, member.tag, self._shared.node, member.seat < 0)))

    def _after(self, at_least_ms: int = 0) -> None:
        """The state has changed, or may have: show it, and look when time will change it."""
        if self._over:
            return
        self.ring.afar = bool(self.other_nodes())
        self.audience.show(self.state, self._shared.clock.now_ms())
        self._arm(at_least_ms)
        self._watch.changed(self)

    # ------------------------------------------------------------ bells

    def look(self) -> None:
        """Read what may have been missed, whatever there is."""
        self._want(sys.maxsize)

    def _want(self, length: int) -> None:
        """The log has at least this length: read it, in a turn that waits if it has to."""
        waits = self._wanted > 0
        self._wanted = max(self._wanted, length)
        if not waits:
            self.spawn(self._look())

    async def _look(self) -> None:
        async with self._turn:
            wanted, self._wanted = self._wanted, 0
            news = wanted > self.state.version and await self._log.catch_up()
        if news:
            self._after()

    async def catch_up(self) -> None:
        """Fold what others have written. Raises StoreAway."""
        self._wanted = sys.maxsize
        await self._look()

    async def _check(self) -> None:
        async with self._turn:
            await self._log.check()
        self._after()

    def _rung(self, payload: bytes, number: int) -> None:
        if payload == b"log" and number > self.state.version:
            self._want(number)
        elif payload[:1] == b"p" and self.heat is not None:
            place, _, row = payload[1:].partition(b":")
            self.heat.counts.rung(int(place), number, row)
        elif payload[:1] == b"r":
            self.audience.reacted(payload[1:], but_of=self._shared.node)

    # ------------------------------------------------------------ time

    def _arm(self, at_least_ms: int = 0) -> None:
        """Set the timer to when there is something to do."""
        if not self._over and not self.state.closed:
            self._wakes.arm(room.due(self.state), afar=self.ring.afar, at_least_ms=at_least_ms)

    def _wake(self) -> None:
        self.spawn(self.tick())

    async def tick(self) -> None:
        """Do all that is due now. Raises StoreAway, StoreBusy."""
        async with self._turn:
            await self._log.catch_up()
            for _ in range(64):
                if not await self._do_one(self._shared.clock.now_ms()):
                    break
        self._after(AGAIN_MS)

    async def _do_one(self, now_ms: int) -> bool:
        """One thing that is due; False when there is none."""
        events = room.decide_due(self.state, now_ms)
        if events:
            await self._append(events)
            return True
        if room.wants_deal(self.state, now_ms):
            drawn = await heat_chores.draw(self.state, self._shared)
            if drawn and await self._append(drawn) and self.heat is not None:
                self.spawn(self.heat.take_bots())
            return True
        for ending in room.wants_endings(self.state, now_ms):
            if self.heat is not None:
                await self.heat.end_board(ending)
        if room.wants_close(self.state, now_ms):
            return await self._close(now_ms)
        if room.wants_judging(self.state, now_ms):
            return await self._append(await heat_chores.judge(self.state, now_ms, self._shared))
        return False

    async def _close(self, now_ms: int) -> bool:
        if self._owed or self._shared.store.logs.away(keys.room_log(self.room)):
            return False  # its deadline is going to move
        entry = await heat_chores.close(self.state, now_ms, self._shared, self._log.channel)
        if entry:
            self._log.apply(log.decode(entry))
        else:
            await self._log.catch_up()
        return True

    # ------------------------------------------------------------ the heat

    def _find_heat(self) -> None:
        """Have a host for the heat that is on, and none for one that is over, or when the room is let go of."""
        heat = None if self._over else self.state.heat
        if self.heat is not None and (heat is not self.heat.heat or heat is None or heat.closed):
            self.heat.stop()
            self.heat = None
        if heat is None or heat.closed or self.heat is not None:
            return
        self.heat = HeatHost(self, heat, self.audience, self._shared)
        self.heat.aim()
        for player, viewer in list(self.audience.viewers.items()):
            self.spawn(self.heat.take(player, viewer))

    def phase_changed(self) -> None:
        """The phase has changed by time alone."""
        self.audience.show(self.state, self._shared.clock.now_ms())

    def came_back(self, from_ms: int, to_ms: int) -> None:
        """The store was away: its log is read again, and a running heat gets the time back (ruling 21)."""
        self.spawn(self._check())
        self._owed += 1
        self.spawn(self._give_back(inputs.Credit(from_ms, to_ms)))

    async def _give_back(self, credit: inputs.Credit) -> None:
        try:
            await self.say(credit)
        finally:
            self._owed -= 1

    def mind(self) -> None:
        """Every two seconds: see `HeatHost.mind`."""
        at_ms = self._shared.clock.now_ms()
        if self.heat is not None and self.heat.neglected(at_ms):
            self.spawn(self.heat.mind(at_ms))
