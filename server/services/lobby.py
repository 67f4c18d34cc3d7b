"""Ways into a room: make one, its code, the public list, quick match; and keeping these true.

Lives here: what a connection needs before it is in a room, and the small keys by which rooms are found.
Lives elsewhere: a room's own rules (core.room), folding it (hub, room_host).
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from server.core import codes, projection, room
from server.core import events as log
from server.core.ids import PlayerId, RoomCode, RoomId
from server.core.limits import Keyed, Rate
from server.core.machine import Refusal, RefusalCode
from server.services.audience import Viewer
from server.services.hub import Hub
from server.services.room_host import WAKE_MS, RoomHost, Shared
from server.store import keys
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

_decode_row = msgspec.msgpack.Decoder(RoomRow).decode
_encode = msgspec.msgpack.encode


@dataclass(slots=True)
class _Told:
    """What the store was last told about a room by this process."""

    row: RoomRow | None = None
    offered: bool = False
    at_ms: int = 0


class Lobby:
    """Finding and making rooms. Methods raise StoreAway or StoreBusy when the store is."""

    def __init__(self, shared: Shared, rooms_per_address: Rate) -> None:
        self.hub = Hub(shared, self)
        self._shared = shared
        self._store = shared.store.rooms
        self._clock = shared.clock
        self._made = Keyed(rooms_per_address)
        self._told: dict[RoomId, _Told] = {}

    # ------------------------------------------------------------ ways in

    async def create(
        self, player: Player, viewer: Viewer, options: RoomOptions, bots: list[int], *, ready: bool, address: str
    ) -> RoomHost | Refusal:
        """Make a room with this person as host on its first seat."""
        if options.match:
            return Refusal(RefusalCode.BAD_OPTIONS)
        return await self._make(player, viewer, options, bots, ready=ready, address=address)

    async def _make(
        self, player: Player, viewer: Viewer, options: RoomOptions, bots: list[int], *, ready: bool, address: str
    ) -> RoomHost | Refusal:
        now_ms, room_id = self._clock.now_ms(), RoomId(new_id())
        try_out = room.create(
            now_ms, room_id, codes.room_code(0), options, player=PlayerId(player.id), name=player.name,
            tag=player.tag, node=self._shared.node, bots=bots, ready=ready,
        )  # fmt: skip
        if isinstance(try_out, Refusal):
            return try_out
        if not self._made.take(address, now_ms):
            return Refusal(RefusalCode.QUOTA)
        code = RoomCode(await self._store.new_code(room_id))
        events = [msgspec.structs.replace(e, code=code) if isinstance(e, log.RoomCreated) else e for e in try_out]
        verdict, _ = await self._shared.store.logs.append(
            keys.room_log(room_id), 0, [log.encode(event) for event in events], due=(room_id, now_ms + WAKE_MS)
        )
        if verdict not in (Verdict.OK, Verdict.DUP):
            raise RuntimeError("a new room's log is not new")
        host = self.hub.adopt(room.fold(events))
        await self._store.seat(player.id, room_id)
        refusal = await host.arrive(PlayerId(player.id), player.name, player.tag, viewer, watch=False)
        return host if refusal is None else refusal

    async def enter(
        self, player: Player, viewer: Viewer, typed: str, *, watch: bool, seat_only: bool = False
    ) -> RoomHost | Refusal:
        """Go into the room behind a code; `noroom` when there is none."""
        code = codes.parse_room_code(typed)
        found = None if code is None else await self._store.room_of_code(code)
        host = None if found is None else await self.hub.host(RoomId(found))
        if host is None:
            return Refusal(RefusalCode.NOROOM)
        refusal = await host.arrive(
            PlayerId(player.id), player.name, player.tag, viewer, watch=watch, seat_only=seat_only
        )
        if refusal is not None:
            return refusal
        await self._store.seat(player.id, host.room)
        return host

    async def match(self, player: Player, viewer: Viewer, ruleset: str, address: str) -> RoomHost | Refusal:
        """Into a room of people who wait for this ruleset, or a new one that waits for others."""
        try:
            keys.match(ruleset)
        except keys.BadKey:
            return Refusal(RefusalCode.BAD_OPTIONS)
        joined = await self._match_among(player, viewer, ruleset, before=None)
        if joined is not None:
            return joined
        options = RoomOptions(ruleset=ruleset, minutes=MATCH_MINUTES, seats=MATCH_SEATS, match=True)
        made = await self._make(player, viewer, options, [], ready=False, address=address)
        if isinstance(made, Refusal):
            return made
        # Two who pressed at once have made two rooms: the later one goes over to the earlier.
        older = await self._match_among(player, viewer, ruleset, before=made.state.code)
        if older is None:
            return made
        made.gone(PlayerId(player.id), viewer)
        return older

    async def _match_among(
        self, player: Player, viewer: Viewer, ruleset: str, before: RoomCode | None
    ) -> RoomHost | None:
        if before is not None:
            await self._store.offer_match(ruleset, before, self._clock.now_ms() + SHOWN_MS)
        for code in await self._store.matches(ruleset, self._clock.now_ms()):
            if code == before:
                return None
            entered = await self.enter(player, viewer, code, watch=False, seat_only=True)
            if isinstance(entered, RoomHost):
                return entered
            await self._store.withdraw_match(ruleset, code)
        return None

    async def listed(self) -> list[RoomRow]:
        """The public rooms, the last renewed first."""
        rows = await self._store.lobby(self._clock.now_ms(), LISTED)
        return [_decode_row(row) for _, row in rows]

    async def room_of(self, player: str) -> RoomCode | None:
        """Code of the room this player is in."""
        found = await self._store.room_of_player(player)
        host = None if found is None else await self.hub.host(RoomId(found))
        return host.state.code if host is not None and player in host.state.members else None

    async def left(self, player: str, host: RoomHost) -> None:
        """The player is not in the room any more."""
        await self._store.unseat(player, host.room)

    # ------------------------------------------------------------ keeping the store told

    def changed(self, host: RoomHost) -> None:
        """Tell the lobby and quick match what became of the room, if it matters to them."""
        now_ms = self._clock.now_ms()
        told = self._told.setdefault(host.room, _Told())
        state = host.state
        row = projection.room_row(state, now_ms)
        waits = state.heat is None and state.anybody_present() and not state.closed
        offers = state.options.match and waits and bool(state.free_seats())
        if row == told.row and offers == told.offered and now_ms - told.at_ms < RENEW_MS:
            return
        before, self._told[host.room] = told, _Told(row, offers, now_ms)
        host.spawn(self._tell(host, before, self._told[host.room]))

    async def _tell(self, host: RoomHost, before: _Told, now: _Told) -> None:
        state = host.state
        if state.closed:
            return
        await self._store.renew_code(state.code)
        if now.row is not None:
            await self._store.show(state.code, _encode(now.row), now.at_ms + SHOWN_MS)
        elif before.row is not None:
            await self._store.hide(state.code)
        if now.offered:
            await self._store.offer_match(state.options.ruleset, state.code, now.at_ms + SHOWN_MS)
        elif before.offered:
            await self._store.withdraw_match(state.options.ruleset, state.code)

    def closed(self, host: RoomHost) -> None:
        """The room is over: its code is free again and its log is kept for a while."""
        self._told.pop(host.room, None)
        host.spawn(self._forget(host))

    async def _forget(self, host: RoomHost) -> None:
        state = host.state
        await self._store.hide(state.code)
        await self._store.withdraw_match(state.options.ruleset, state.code)
        await self._store.free_code(state.code, host.room)
        if self._shared.keep_s:
            await self._store.keep_room(host.room, self._shared.keep_s)
        self.hub.rooms.pop(host.room, None)

    def forget(self, room_id: RoomId) -> None:
        """This process folds the room no more."""
        self._told.pop(room_id, None)
