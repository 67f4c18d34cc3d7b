"""One connection: which command goes where, and exactly one answer to each.

Lives here: the order of commands of one connection and the words of their answers. Moves take the short
way (played_board); everything else waits its turn in a queue of its own. Lives elsewhere: frames and limits
(net), what commands mean (core), who somebody is (identity), ways into rooms (lobby).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from server.core import projection
from server.core.ids import PlayerId
from server.core.machine import Refusal
from server.net.handler import Peer
from server.services.daily import DailyPlay
from server.services.ghosts import Ghosts
from server.services.identity import Banned, Identity, Known, NotAllowed, NotKnown, TooMany
from server.services.lobby import Lobby
from server.services.played_board import PlayedBoard
from server.services.room_host import RoomHost
from server.services.solo import Solo
from server.services.tournament_desk import COMMANDS as TOURNAMENT_COMMANDS
from server.services.tournament_desk import Desk
from server.services.tournaments import Tournaments
from server.store.errors import StoreAway, StoreBusy
from server.store.players import LINK_S, Player, Players
from server.tasks import ended
from server.wire import messages as wire
from server.wire.codec import frame
from server.wire.errors import CloseCode, RefusalCode

QUEUE = 32
"""Commands of one connection that may wait; beyond it they are refused with `slow`."""

_log = structlog.get_logger(__name__)


class Services:
    """What every connection needs. Implements `net.handler.Handler`."""

    def __init__(
        self, lobby: Lobby, solo: Solo, daily: DailyPlay, identity: Identity, players: Players,
        tournaments: Tournaments,
    ) -> None:  # fmt: skip
        self.lobby = lobby
        self.tournaments = tournaments
        self.solo = solo
        self.daily = daily
        self.identity = identity
        self.players = players
        self.clock = lobby.hub.shared.clock
        self.ghosts = Ghosts(lobby, lobby.hub.shared.store)
        self.sessions: set[Session] = set()
        self.workers: set[asyncio.Task[None]] = set()
        """Commands being carried out, of connections that may be gone already."""

    def open(self, peer: Peer) -> Session:
        """A connection is open; its `Hello` has not come yet."""
        session = Session(self, peer)
        self.sessions.add(session)
        return session

    async def stop(self) -> None:
        """No connection is left: end what was still being carried out for them."""
        await ended(*self.workers)


class Session:
    """One connection. Implements `net.handler.Session` and `audience.Viewer`."""

    def __init__(self, services: Services, peer: Peer) -> None:
        self.player: Player | None = None
        self.room: RoomHost | None = None
        self.board: PlayedBoard | None = None
        self._services = services
        self._peer = peer
        self.send = peer.send
        """Queue one frame."""
        self.send_progress = peer.send_progress
        """Queue a frame that may be dropped."""
        self._desk: Desk | None = None
        """Made when a tournament is first asked about."""
        self._token = ""
        self._waiting: deque[wire.Command] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._closed = False

    # ------------------------------------------------------------ net.handler.Session

    def received(self, command: wire.Command, at_ms: int) -> None:
        """Answer a move or a ping at once; queue everything else."""
        if type(command) is wire.Play:
            if self.board is not None:
                self.board.play(command, at_ms)
            else:
                self.send(frame(wire.Denied(command.ply, self._no_board())))
        elif type(command) is wire.Ping:
            self.send(frame(wire.Pong(command.sent_ms, self._services.clock.now_ms())))
        elif len(self._waiting) >= QUEUE:
            self.send(frame(wire.Refused(number(command), RefusalCode.SLOW)))
        else:
            self._waiting.append(command)
            if self._worker is None:
                self._worker = asyncio.create_task(self._work(), name="kupa-session")
                self._services.workers.add(self._worker)
                self._worker.add_done_callback(self._services.workers.discard)

    def _no_board(self) -> str:
        """Why there is no board to move on: in no room, before the heat, or not in it."""
        if self.room is None:
            return RefusalCode.NOROOM
        return "early" if self.room.state.heat is not None else "ended"

    def owed(self) -> int:
        """Commands whose answer has not been sent yet."""
        in_flight = self.board.in_flight if self.board is not None else 0
        return len(self._waiting) + (self._worker is not None) + in_flight

    def closed(self) -> None:
        """The connection is gone."""
        self._closed = True
        self._services.sessions.discard(self)
        self._waiting.clear()
        if self._desk is not None:
            self._desk.leave()
            self._desk = None
        self._step_out()

    @property
    def address(self) -> str:
        """Where the connection comes from."""
        return self._peer.address_key

    @property
    def is_gone(self) -> bool:
        """It was closed, perhaps while it was still coming in."""
        return self._closed

    # ------------------------------------------------------------ audience.Viewer

    def enters(self, host: RoomHost) -> None:
        """The connection is in this room from now on."""
        self.room = host

    def plays(self, board: PlayedBoard) -> None:
        """Moves of this connection are for this board from now on."""
        self.board = board

    def leave_room(self) -> None:
        """The room has let go of this connection."""
        self.room = self.board = None

    def close(self, code: CloseCode, reason: str = "") -> None:
        """End the connection."""
        self._peer.close(code, reason)

    # ------------------------------------------------------------ the queue

    async def _work(self) -> None:
        try:
            while self._waiting and not self._closed:
                await self._carry_out(self._waiting.popleft())
        finally:
            self._worker = None

    async def _carry_out(self, command: wire.Command) -> None:
        n = number(command)
        try:
            if isinstance(command, wire.Hello):
                await self._hello(command)
                return
            answer = await self._answer(command)
        except (StoreAway, StoreBusy) as error:
            _log.warning("command.busy", command=type(command).__name__, why=str(error))
            answer = Refusal(RefusalCode.BUSY)
        except TooMany:
            answer = Refusal(RefusalCode.SLOW)
        except Exception:
            _log.exception("command.failed", command=type(command).__name__)
            answer = Refusal(RefusalCode.INTERNAL)
        event = wire.Refused(n, answer.code) if isinstance(answer, Refusal) else answer or wire.Done(n)
        self.send(frame(event))
        if self._closed:
            self._step_out()  # the connection went while it was coming in

    async def _answer(self, command: wire.Command) -> wire.Event | Refusal | None:
        """The typed answer, a refusal, or None for `Done`."""
        assert self.player is not None
        own = _ANSWERS.get(type(command))
        if own is not None:
            return await own(self, command)
        if type(command) in TOURNAMENT_COMMANDS:
            if self._desk is None:
                self._desk = Desk(self._services.tournaments, self, self._peer.address_key)
            return await self._desk.answer(self.player, command)
        if self.room is None:
            return None if isinstance(command, wire.LeaveRoom) else Refusal(RefusalCode.NOROOM)
        return await self.room.submit(PlayerId(self.player.id), command)  # type: ignore[arg-type]  # decide checks it

    # ------------------------------------------------------------ who

    async def _hello(self, command: wire.Hello) -> None:
        """Let the player in, or close: nothing else is done for who is nobody."""
        try:
            address = self._peer.address_key
            known = await self._services.identity.enter(command.token, command.name, address, command.lang)
            self._token = known.token or command.token
            await self._welcome(command.n, known)
        except Banned:
            self.close(CloseCode.FORBIDDEN, "banned")
        except NotKnown:
            self.close(CloseCode.UNAUTHENTICATED, "token")
        except TooMany:
            self.close(CloseCode.FLOOD, "too many new players")
        except (StoreAway, StoreBusy):
            self.close(CloseCode.OVERLOADED, "the store is away")
        except Exception:
            _log.exception("hello.failed")
            self.close(CloseCode.INTERNAL)
        if self.player is None:
            self._waiting.clear()

    async def _welcome(self, n: int, known: Known) -> None:
        self.player = known.player
        code = "" if known.token else await self._services.lobby.room_of(known.player.id)
        player, now_ms = known.player, self._services.clock.now_ms()
        self.send(frame(wire.Welcome(n, player.id, player.tag, player.name, known.token, now_ms, code or "")))

    async def _use_code(self, command: wire.UseDeviceCode) -> wire.Event | Refusal | None:
        known = await self._services.identity.use_code(command.code, self._peer.address_key)
        if known is None:
            return Refusal(RefusalCode.CODE_EXPIRED)
        self._step_out()
        self._token = known.token
        self.player = known.player
        code = await self._services.lobby.room_of(known.player.id) or ""
        player, now_ms = known.player, self._services.clock.now_ms()
        return wire.Welcome(command.n, player.id, player.tag, player.name, known.token, now_ms, code)

    async def _link(self, command: wire.LinkDevice) -> wire.Event | Refusal | None:
        code = await self._services.players.offer_device(self._known.id)
        return wire.DeviceCode(command.n, code, self._services.clock.now_ms() + LINK_S * 1000)

    async def _rename(self, command: wire.Rename) -> wire.Event | Refusal | None:
        try:
            name = await self._services.identity.rename(self._known.id, command.name)
        except NotAllowed as why:
            return Refusal(why.code)
        self.player = Player(self._known.id, name, self._known.made_ms)
        if self._desk is not None:
            await self._desk.renamed(self.player)
        if self.room is not None:
            return await self.room.submit(PlayerId(self._known.id), wire.Rename(command.n, name))
        return None

    @property
    def _known(self) -> Player:
        assert self.player is not None
        return self.player

    # ------------------------------------------------------------ rooms

    async def _create(self, command: wire.CreateRoom) -> wire.Event | Refusal | None:
        made = await self._services.lobby.create(
            self._known, self, command.options, command.bots, ready=command.ready, address=self._peer.address_key
        )
        return self._in(made, command.n)

    async def _enter(self, command: wire.EnterRoom) -> wire.Event | Refusal | None:
        return self._in(
            await self._services.lobby.enter(self._known, self, command.code, watch=command.watch), command.n
        )

    async def _challenge(self, command: wire.Challenge) -> wire.Event | Refusal | None:
        ghosts, address = self._services.ghosts, self._peer.address_key
        return self._in(await ghosts.challenge(self._known, self, command.options, address), command.n)

    async def _chase(self, command: wire.RaceGhosts) -> wire.Event | Refusal | None:
        ghosts, address = self._services.ghosts, self._peer.address_key
        return self._in(await ghosts.chase(self._known, self, command.heat, command.seats, address), command.n)

    async def _match(self, command: wire.QuickMatch) -> wire.Event | Refusal | None:
        found = await self._services.lobby.match(self._known, self, command.ruleset, self._peer.address_key)
        return self._in(found, command.n)

    def _in(self, found: RoomHost | Refusal, n: int) -> wire.Event | Refusal:
        if isinstance(found, Refusal):
            return found
        return projection.entered(found.state, PlayerId(self._known.id), n)

    async def _leave(self, command: wire.LeaveRoom) -> wire.Event | Refusal | None:
        host = self.room
        if host is None:
            return None
        refusal = await host.submit(PlayerId(self._known.id), command)
        if refusal is None:
            await self._services.lobby.left(self._known.id, host)
        return refusal

    async def make_way(self, host: RoomHost | None) -> None:
        """Before going elsewhere: leave the room one is in, or keep the place while a heat is on."""
        if host is not None and host is self.room:
            return
        host = self.room
        if host is None:
            self._step_out()
            return
        heat = host.state.heat
        if heat is None or heat.board_of(PlayerId(self._known.id)) is None:
            await self._leave(wire.LeaveRoom(0))
        self._step_out()

    def _step_out(self) -> None:
        """This connection is no longer in its room, or game; the place is kept."""
        if self.board is not None:
            self.board.peer = None
        if self.room is not None and self.player is not None:
            self.room.gone(PlayerId(self.player.id), self)
        self.leave_room()

    async def _open_solo(self, command: wire.OpenSolo) -> wire.Event | Refusal | None:
        return await self._services.solo.open(self._known.id, self, command)

    async def _list_solo(self, command: wire.ListSolo) -> wire.Event | Refusal | None:
        return wire.SoloGames(command.n, await self._services.solo.listed(self._known.id))

    async def _open_daily(self, command: wire.OpenDaily) -> wire.Event | Refusal | None:
        return await self._services.daily.open(self._known.id, self, command)

    async def _rooms(self, command: wire.ListRooms) -> wire.Event | Refusal | None:
        return wire.Rooms(command.n, await self._services.lobby.listed())

    async def _react(self, command: wire.React) -> wire.Event | Refusal | None:
        if self.room is None:
            return Refusal(RefusalCode.NOROOM)
        refusal = await self.room.submit(PlayerId(self._known.id), command)
        if refusal is None:
            self.room.react(PlayerId(self._known.id), command.reaction)
        return refusal

    async def _resync(self, command: wire.Resync) -> wire.Event | Refusal | None:
        if self.room is None:
            return Refusal(RefusalCode.NOROOM)
        player = PlayerId(self._known.id)
        self.room.audience.snapshot(player, self.room.state, self._services.clock.now_ms())
        await self.room.show_board(player, self)
        return None

    async def _revoke(self, _: wire.RevokeDevices) -> wire.Event | Refusal | None:
        await self._services.players.revoke_others(self._known.id, self._token)
        return None


_ANSWERS: dict[type[wire.Command], Callable[[Session, Any], Awaitable[wire.Event | Refusal | None]]] = {
    wire.UseDeviceCode: Session._use_code,
    wire.LinkDevice: Session._link,
    wire.Rename: Session._rename,
    wire.RevokeDevices: Session._revoke,
    wire.CreateRoom: Session._create,
    wire.EnterRoom: Session._enter,
    wire.QuickMatch: Session._match,
    wire.Challenge: Session._challenge,
    wire.RaceGhosts: Session._chase,
    wire.LeaveRoom: Session._leave,
    wire.ListRooms: Session._rooms,
    wire.React: Session._react,
    wire.Resync: Session._resync,
    wire.OpenSolo: Session._open_solo,
    wire.ListSolo: Session._list_solo,
    wire.OpenDaily: Session._open_daily,
}


def number(command: wire.Command) -> int:
    """The running number under which a command is answered (0: it has none)."""
    return getattr(command, "n", 0)
