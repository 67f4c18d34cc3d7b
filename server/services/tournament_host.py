"""One tournament as this process folds it: the loop decide, append, apply, perform.

Lives here: its log, its timer, its viewers. Lives elsewhere: rules (core.tournament), rooms and deals of its
rounds (tournament_rounds), codes and host rights (tournaments). No process owns a tournament: it goes on by the
clock on whichever is alive, with its host there or not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

from server.core import events as room_events
from server.core import room
from server.core.events import LogError
from server.core.ids import SERVER, EntrantId, RoomId, TournamentId
from server.core.machine import Refusal
from server.core.tournament import events as log
from server.core.tournament import inputs, machine, projection, table
from server.core.tournament.record import Round, TournamentHeat
from server.core.tournament.state import TournamentState
from server.core.tournament.table import TableLine
from server.services import tournament_rounds as rounds
from server.services.audience import Viewer
from server.services.hub import Hub
from server.services.machine_log import MachineLog, place_of_tournament
from server.services.room_host import RoomHost
from server.services.wakes import Wakes
from server.store import keys
from server.store.errors import StoreAway, StoreBusy
from server.store.rooms import StoredDeal
from server.tasks import begun
from server.wire.codec import frame
from server.wire.messages import TournamentInfo, TournamentYou

TELL_S = 0.2
"""What changes within so long is told at once: hundreds may come in within a second."""
POLL_MS = 5_000
"""So often rooms of open heats are looked at, in case the process died that should have told of a result."""
AGAIN_MS = 1_000
"""What a round could not finish is looked at again after this."""
PEOPLE = (log.Entered, log.CheckedIn, log.Withdrawn, log.Returned, log.Renamed)
"""After these nothing is due that was not before, or what is can wait for the next look."""
STEPS = 500
"""Things done in one turn; an arena may draw hundreds of heats at once."""

_lines = structlog.get_logger(__name__)


class TournamentHost:
    """A tournament in this process. `submit` is the only way to change it."""

    def __init__(self, hub: Hub, state: TournamentState) -> None:
        self.viewers: dict[Viewer, EntrantId] = {}
        self._hub = hub
        self._shared = hub.shared
        store = self._shared.store
        place = place_of_tournament(state.tournament)
        self._log = MachineLog(store.logs, place, state, self._perform, self._tell_soon, self._lost)
        self._turn = asyncio.Lock()
        self._wakes = Wakes(place.owner, store.due, self._shared.clock, self._tick, self.spawn)
        self._tasks: set[asyncio.Task[None]] = set()
        self._teller: asyncio.TimerHandle | None = None
        self._told: TournamentInfo | None = None
        self._told_you: dict[Viewer, TournamentYou] = {}
        self._lines: list[TableLine] = []
        self._line_of: dict[EntrantId, TableLine] = {}
        self._lines_of: tuple[TournamentState | None, int] = (None, 0)
        self._there: set[RoomId] = set()
        self._making: set[RoomId] = set()
        self._lengths: dict[RoomId, int] = {}
        self._over = False

    @property
    def state(self) -> TournamentState:
        """The tournament as folded here."""
        return self._log.state

    @property
    def tournament(self) -> TournamentId:
        """Its id."""
        return self.state.tournament

    def now_ms(self) -> int:
        """The store's time."""
        return self._shared.clock.now_ms()

    @property
    def idle(self) -> bool:
        """Nobody here looks at it: `kupa:due` wakes somebody when there is something to do."""
        return not (self.viewers or self._tasks)

    def _lost(self) -> None:
        raise LogError("the store has lost the log of this tournament")

    # ------------------------------------------------------------ life

    def start(self) -> None:
        """Listen to its bell and to the time."""
        self._shared.store.bells.subscribe(self._log.channel, self._rung, self.look)
        self._arm()

    def stop(self) -> None:
        """Let go of it; its log goes on without this process."""
        self._over = True
        self._shared.store.bells.unsubscribe(self._log.channel)
        self._wakes.stop()
        if self._teller is not None:
            self._teller.cancel()
        for task in self._tasks:
            task.cancel()

    def tasks(self) -> list[asyncio.Task[None]]:
        """What it is still doing."""
        return list(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in its name. A store that is away is tried again by its timer."""
        if self._over:
            work.close()
            return
        begun(self._guarded(work), work, self._tasks, f"kupa-tournament-{self.tournament}")

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (StoreAway, StoreBusy) as error:
            _lines.warning("tournament.waits", tournament=self.tournament, why=str(error))
            self._arm(AGAIN_MS)
        except Exception:
            # A fault of ours in one tournament: set aside with its log kept, others go on (A7).
            _lines.exception("tournament.failed", tournament=self.tournament)
            self._arm(POLL_MS)

    # ------------------------------------------------------------ viewers

    def open(self, viewer: Viewer, player: EntrantId) -> None:
        """This connection is told of it from now on, and how it stands now."""
        self.viewers[viewer] = player
        viewer.send(frame(projection.info(self.state, self.now_ms())))
        if len(self.viewers) == 1:
            self.standings()  # while others look on they are counted anew with what is told next
        self._tell_you(viewer, player)
        if self.state.racing(player) is not None:
            self.spawn(self._make_rooms(own=True))

    def leave(self, viewer: Viewer) -> None:
        """This connection is told no more."""
        self.viewers.pop(viewer, None)
        self._told_you.pop(viewer, None)

    def standings(self) -> list[TableLine]:
        """The standings now."""
        of = self.state, self.state.version
        if self._lines_of[0] is not of[0] or self._lines_of[1] != of[1]:
            self._lines, self._lines_of = table.standings(self.state), of
            self._line_of = {line.entrant: line for line in self._lines}
        return self._lines

    def _tell_soon(self) -> None:
        if self._teller is None and not self._over:
            self._teller = asyncio.get_running_loop().call_later(TELL_S, self._tell)

    def _tell(self) -> None:
        """Send everybody what has changed for them."""
        self._teller = None
        if self._over or not self.viewers:
            return
        info = projection.info(self.state, self.now_ms())
        if info != self._told:
            self._told = info
            data = frame(info)
            for viewer in list(self.viewers):
                viewer.send(data)
        self.standings()
        for viewer, player in list(self.viewers.items()):
            self._tell_you(viewer, player)

    def _tell_you(self, viewer: Viewer, player: EntrantId) -> None:
        own = projection.you(self.state, player, self._line_of.get(player), self._there.__contains__)
        if self._told_you.get(viewer) != own:
            self._told_you[viewer] = own
            viewer.send(frame(own))

    # ------------------------------------------------------------ decide, append, apply

    async def submit(self, command: inputs.TournamentInput) -> Refusal | None:
        """Carry out an input: None when it is done (or was already), else the refusal.

        Raises StoreAway, StoreBusy.
        """
        async with self._turn:
            while True:
                answer = machine.decide(self.state, self.now_ms(), SERVER, command)
                if isinstance(answer, Refusal):
                    return answer
                if not answer or await self._append(answer):
                    break
        self._after()
        return None

    async def _append(self, events: list[log.TournamentEvent]) -> bool:
        quiet = all(isinstance(event, PEOPLE) for event in events)
        if not await self._log.append(events, None if quiet else self.now_ms() + POLL_MS):
            return False
        if any(isinstance(event, log.RoundDrawn) for event in events):
            self.spawn(self._make_rooms(own=False))
        return True

    def _perform(self, event: log.TournamentEvent) -> None:
        """What an event that is in the log makes this process do, whoever wrote it."""
        if isinstance(event, log.RoundDrawn):
            self.spawn(self._make_rooms(own=True))
        moves = isinstance(event, log.RoundStopped) or (isinstance(event, log.Edited) and event.what == "extra_ms")
        if moves:
            self.spawn(self._move_deadlines())

    def _after(self, at_least_ms: int = 0) -> None:
        """The state has changed, or may have."""
        self._tell_soon()
        self._arm(at_least_ms)

    # ------------------------------------------------------------ bells and time

    def look(self) -> None:
        """Read what may have been missed."""
        self.spawn(self._look())

    async def _look(self) -> None:
        async with self._turn:
            news = await self._log.catch_up()
        if news:
            self._after()

    def _rung(self, payload: bytes, number: int) -> None:
        if payload == b"log" and number > self.state.version:
            self.look()

    def _arm(self, at_least_ms: int = 0) -> None:
        if self._over:
            return
        due_ms = machine.due(self.state)
        if due_ms is None and projection.is_over(self.state, self.now_ms()):
            self._wakes.stop()
            return
        if machine.wants_results(self.state):
            poll_ms = self.now_ms() + POLL_MS
            due_ms = poll_ms if due_ms is None else min(due_ms, poll_ms)
        self._wakes.arm(due_ms, afar=False, at_least_ms=at_least_ms)

    def _tick(self) -> None:
        self.spawn(self.tick())

    async def tick(self) -> None:
        """Do all that is due now, and look for results nobody told of. Raises StoreAway, StoreBusy."""
        async with self._turn:
            await self._log.catch_up()
            for _ in range(STEPS):
                if not await self._do_one(self.now_ms()):
                    break
        self._after(AGAIN_MS)
        await self._poll()

    async def _do_one(self, now_ms: int) -> bool:
        """One thing that is due; False when there is none."""
        events = machine.decide_due(self.state, now_ms)
        if events:
            await self._append(events)
            return True
        for number in machine.wants_opening(self.state):
            await self._decided(await rounds.open_deal(self.state, number, self._hub))
            return True
        if machine.wants_round(self.state, now_ms):
            dealt = await rounds.draw(self.state, now_ms, self._hub)
            return dealt is not None and await self._decided(dealt)
        return False

    async def _decided(self, command: inputs.TournamentInput) -> bool:
        answer = machine.decide(self.state, self.now_ms(), SERVER, command)
        if isinstance(answer, Refusal):
            raise ValueError(f"the tournament refuses {type(command).__name__}: {answer.code}")
        if answer:
            await self._append(answer)
        return bool(answer)

    # ------------------------------------------------------------ rooms

    def _open_heats(self) -> list[tuple[Round, TournamentHeat]]:
        return [(number, heat) for number in self.state.open_rounds() for heat in number.heats if heat.open]

    async def _make_rooms(self, *, own: bool) -> None:
        """Have the rooms of open heats; `own`: only those of people who look on here."""
        here = set(self.viewers.values())
        for number, heat in self._open_heats():
            known = heat.room in self._there or heat.room in self._making
            if known or (own and here.isdisjoint(heat.entrants)):
                continue
            self._making.add(heat.room)
            try:
                await rounds.make_room(self.state, number, heat, self._hub)
                self._there.add(heat.room)
            finally:
                self._making.discard(heat.room)
            self._tell_soon()

    async def _move_deadlines(self) -> None:
        for number, heat in self._open_heats():
            await rounds.move_deadline(number, heat, self._hub)

    async def judged(self, host: RoomHost) -> None:
        """A heat's room, folded here, has its places. Raises StoreAway, StoreBusy."""
        found = self.state.heat_of(host.room)
        done = None if found is None else rounds.result(found[1], host.state)
        if found is None or done is None:
            return
        number = found[0]
        await self.submit(done)
        if not number.open:  # it was given up before, and its round closed without it
            await rounds.reveal(host.room, StoredDeal(number.code, number.nonce), self._hub)

    async def _poll(self) -> None:
        """Look at rooms of open heats that have changed since: processes may have died before they told."""
        logs = self._shared.store.logs
        for number, heat in self._open_heats():
            key = keys.room_log(heat.room)
            length = await logs.length(key)
            if length == 0:
                await self._make_rooms(own=False)
            if length in (0, self._lengths.get(heat.room)):
                continue
            entries = await logs.load(key)
            self._lengths[heat.room] = len(entries)
            try:
                state = room.fold(room_events.decode_log(entries))
            except room_events.LogError:
                # One heat's log is damaged: its host may give it up (`close_round`), the others go on.
                _lines.exception("heat.unreadable", tournament=self.tournament, room=heat.room)
                continue
            done = rounds.result(heat, state)
            if done is not None:
                await self.submit(done)
            elif not rounds.is_moved(number, state):
                await rounds.move_deadline(number, heat, self._hub)
