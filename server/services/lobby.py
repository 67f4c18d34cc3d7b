"""Ways into a room: make one, its code, the public list, quick match; and keeping these true.

Lives here: what a connection needs before it is in a room, and the small keys by which rooms are found.
Lives elsewhere: a room's own rules (core.room), folding it (hub, room_host).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial

import msgspec
import structlog

from engine.ruleset import RULESETS
from server.core import codes, projection, room
from server.core import events as log
from server.core.ids import PlayerId, RoomCode, RoomId
from server.core.limits import Keyed, Rate
from server.core.machine import Refusal, RefusalCode
from server.core.state import RoomState
from server.services.hub import Hub
from server.services.ports import Guest
from server.services.room_host import RoomHost
from server.services.shared import Shared
from server.services.wakes import WAKE_MS
from server.store import keys
from server.store.errors import StoreAway, StoreBusy
from server.store.ids import new_id
from server.store.logs import Verdict
from server.store.players import Player
from server.wire.messages import RoomOptions, RoomRow

SHOWN_MS = 900_000
"""A row of the lobby holds so long without being renewed."""
RENEW_MS = 300_000
MATCH_SEATS = 4
MATCH_MINUTES = 10
LISTED = 50
TURN_WAIT_S, TURN_TRIES = 0.01, 1_000
"""Between two looks whether the turn of another server's person is over, and how many there are at most."""

Begin = Callable[..., "list[log.RoomEvent] | Refusal"]
"""Makes the first events of a room, for these: instant, room, code; player, name, tag and node by name."""

_log = structlog.get_logger(__name__)
_decode_row = msgspec.msgpack.Decoder(RoomRow).decode
_encode = msgspec.msgpack.encode


def _waits(state: RoomState) -> bool:
    """Somebody is here, and no heat is on."""
    return state.heat is None and state.anybody_present()


def _is_matched(state: RoomState, player: PlayerId) -> bool:
    """Whether this person's board is running, or somebody waits with them for the heat."""
    if state.heat is not None:
        seat = state.heat.board_of(player)
        return seat is not None and seat not in state.heat.ended
    others = (member for who, member in state.members.items() if who != player)
    return player in state.members and any(member.present for member in others)


@dataclass(slots=True)
class _Told:
    """What this process last told the store about a room, and what it is to tell: one row, one offer."""

    said: tuple[RoomRow | None, bool] = (None, False)
    said_ms: int = 0
    wanted: tuple[RoomRow | None, bool] = (None, False)
    wanted_ms: int = 0
    ahead: str = ""
    """The ruleset of which certified deals were asked for ahead."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Lobby:
    """Finding and making rooms. Methods raise StoreAway or StoreBusy when the store is."""

    def __init__(self, shared: Shared, rooms_per_address: Rate) -> None:
        self.hub = Hub(shared, self)
        self.on_judged: Callable[[RoomHost], None] = lambda _: None
        """Told of a tournament's heat whose room this process folds, once it has its places."""
        self._shared = shared
        self._store = shared.store.rooms
        self._clock = shared.clock
        self._made = Keyed(rooms_per_address)
        self._told: dict[RoomId, _Told] = {}
        self._turns = {ruleset: asyncio.Lock() for ruleset in RULESETS}

    # ------------------------------------------------------------ ways in

    async def create(
        self, player: Player, guest: Guest, options: RoomOptions, bots: list[int], *, ready: bool, address: str
    ) -> RoomHost | Refusal:
        """Make a room with this person as host on its first seat."""
        if options.match:
            return Refusal(RefusalCode.BAD_OPTIONS)
        begin = partial(room.create, options=options, bots=bots, ready=ready)
        return await self.make(player, guest, begin, address)

    async def make(self, player: Player, guest: Guest, begin: Begin, address: str) -> RoomHost | Refusal:
        """Make a room that begins with these events, and let this person in."""
        now_ms, room_id = self._clock.now_ms(), RoomId(new_id())
        try_out = begin(
            now_ms, room_id, codes.room_code(0), player=PlayerId(player.id), name=player.name,
            tag=player.tag, node=self._shared.node,
        )  # fmt: skip
        if isinstance(try_out, Refusal):
            return try_out
        if not self._made.take(address, now_ms):
            return Refusal(RefusalCode.QUOTA)
        code = RoomCode(await self._store.new_code(room_id, self._shared.prefers))
        events = [msgspec.structs.replace(e, code=code) if isinstance(e, log.RoomCreated) else e for e in try_out]
        verdict, _ = await self._shared.store.logs.append(
            keys.room_log(room_id), 0, [log.encode(event) for event in events], due=(room_id, now_ms + WAKE_MS)
        )
        if verdict not in (Verdict.OK, Verdict.DUP):
            raise RuntimeError("a new room's log is not new")
        host = self.hub.adopt(room.fold(events))
        refusal = await self._arrive(host, player, guest)
        return host if refusal is None else refusal

    async def enter(self, player: Player, guest: Guest, typed: str, *, watch: bool) -> RoomHost | Refusal:
        """Go into the room behind a code; `noroom` when there is none."""
        host = await self._behind(typed)
        if host is None:
            return Refusal(RefusalCode.NOROOM)
        refusal = await self._arrive(host, player, guest, watch=watch)
        return host if refusal is None else refusal

    async def _behind(self, typed: str) -> RoomHost | None:
        code = codes.parse_room_code(typed)
        found = None if code is None else await self._store.room_of_code(code)
        return None if found is None else await self.hub.host(RoomId(found))

    async def _arrive(
        self, host: RoomHost, player: Player, guest: Guest, *, watch: bool = False, seat_only: bool = False
    ) -> Refusal | None:
        who = PlayerId(player.id)
        refusal = await host.arrive(who, player.name, player.tag, guest, watch=watch, seat_only=seat_only)
        if refusal is None:
            await self._store.seat(player.id, host.room)
            await self._store.note_address(host.room, player.id, guest.address)
        return refusal

    async def match(self, player: Player, guest: Guest, ruleset: str, address: str) -> RoomHost | Refusal:
        """Into the room of this ruleset whose people wait longest, or a new one that waits for others; whoever has been
        brought together with somebody stays with them."""
        if ruleset not in RULESETS:
            return Refusal(RefusalCode.BAD_OPTIONS)
        async with self._turn(ruleset):
            for host in [*await self._matched(player, ruleset), *await self._waiting(ruleset)]:
                if await self._arrive(host, player, guest, seat_only=True) is None:
                    return host
            options = RoomOptions(ruleset=ruleset, minutes=MATCH_MINUTES, seats=MATCH_SEATS, match=True, certified=True)
            made = await self.make(player, guest, partial(room.create, options=options), address)
            if isinstance(made, RoomHost):
                await self._store.offer_match(ruleset, made.state.code, self._clock.now_ms() + SHOWN_MS)
            return made

    @contextlib.asynccontextmanager
    async def _turn(self, ruleset: str) -> AsyncIterator[None]:
        """One person at a time, of all servers': who look at the same instant would each find nobody, or a room that
        its one person is just leaving for another."""
        who = new_id()
        async with self._turns[ruleset]:
            for _ in range(TURN_TRIES):
                if await self._store.take_turn(ruleset, who):
                    break
                await asyncio.sleep(TURN_WAIT_S)
            else:
                raise StoreBusy(f"quick match of {ruleset}")
            try:
                yield
            finally:
                with contextlib.suppress(StoreAway):  # it then ends by itself
                    await self._store.end_turn(ruleset, who)

    async def _matched(self, player: Player, ruleset: str) -> list[RoomHost]:
        """The room in which quick match has found somebody for this person: they race there, or are about to."""
        host = await self._around(player.id)
        if host is None or not host.state.options.match or host.state.options.ruleset != ruleset:
            return []
        await host.catch_up()
        return [host] if _is_matched(host.state, PlayerId(player.id)) else []

    async def _waiting(self, ruleset: str) -> list[RoomHost]:
        """The rooms with people who wait, the longest waiting first; what waits no more is taken from the list."""
        waiting = []
        for code in await self._store.matches(ruleset, self._clock.now_ms()):
            host = await self._behind(code)
            if host is not None and not _waits(host.state):
                await host.catch_up()  # what another server wrote may not have come here yet
            if host is not None and _waits(host.state):
                waiting.append(host)
            else:
                await self._store.withdraw_match(ruleset, code)
        return waiting

    async def listed(self) -> list[RoomRow]:
        """The public rooms, the last renewed first."""
        rows = await self._store.lobby(self._clock.now_ms(), LISTED)
        return [_decode_row(row) for _, row in rows]

    async def room_of(self, player: str) -> RoomCode | None:
        """Code of the room this player is in."""
        host = await self._around(player)
        return host.state.code if host is not None and player in host.state.members else None

    async def _around(self, player: str) -> RoomHost | None:
        found = await self._store.room_of_player(player)
        return None if found is None else await self.hub.host(RoomId(found))

    async def left(self, player: str, host: RoomHost) -> None:
        """The player is not in the room any more."""
        await self._store.unseat(player, host.room)

    # ------------------------------------------------------------ keeping the store told

    def changed(self, host: RoomHost) -> None:
        """Tell the lobby and quick match what became of the room, if it matters to them."""
        state, now_ms = host.state, self._clock.now_ms()
        if state.closed:
            return
        wanted = (
            projection.room_row(state, now_ms),
            state.options.match and _waits(state) and bool(state.free_seats()),
        )
        told = self._told.setdefault(host.room, _Told())
        if wanted != told.wanted or now_ms - told.wanted_ms >= RENEW_MS:
            told.wanted, told.wanted_ms = wanted, now_ms
            host.spawn(self._tell(host, told))
        if state.options.certified and told.ahead != state.options.ruleset:
            told.ahead = state.options.ruleset
            host.spawn(self._shared.certifier.ahead(told.ahead))

    async def _tell(self, host: RoomHost, told: _Told) -> None:
        """One at a time for a room, so that what was true last is what stands last."""
        async with told.turn:
            state, before, (row, offered), now_ms = host.state, told.said, told.wanted, told.wanted_ms
            if state.closed or (told.said_ms == now_ms and before == told.wanted):
                return
            told.wanted_ms = 0  # until it is said: whatever fails here is tried at the next change
            await self._store.renew_code(state.code)
            if row is not None:
                await self._store.show(state.code, _encode(row), now_ms + SHOWN_MS)
            elif before[0] is not None:
                await self._store.hide(state.code)
            if offered:
                await self._store.offer_match(state.options.ruleset, state.code, now_ms + SHOWN_MS)
            elif before[1]:
                await self._store.withdraw_match(state.options.ruleset, state.code)
            told.said, told.said_ms = (row, offered), now_ms
            if told.wanted == told.said:
                told.wanted_ms = now_ms

    def judged(self, host: RoomHost) -> None:
        """A heat of a tournament's room has its places."""
        self.on_judged(host)

    def closed(self, host: RoomHost) -> None:
        """The room is over: its code is free again and its log is kept for a while."""
        host.spawn(self._forget(host, self._told.get(host.room, _Told())))

    async def _forget(self, host: RoomHost, told: _Told) -> None:
        state = host.state
        async with told.turn:
            await self._store.hide(state.code)
            await self._store.withdraw_match(state.options.ruleset, state.code)
            await self._store.free_code(state.code, host.room)
            if self._shared.keep_s and not state.series:
                await self._store.keep_room(host.room, self._shared.keep_s)
        self.hub.drop(host)

    def lost(self, host: RoomHost) -> None:
        """The store has lost the room: it is let go of as soon as what found that out has ended."""
        _log.error("room.lost", room=host.room)
        host.audience.dismiss_all("closed")
        asyncio.get_running_loop().call_soon(self.hub.drop, host)

    def forgotten(self, host: RoomHost) -> None:
        """This process folds the room no more."""
        self._told.pop(host.room, None)
