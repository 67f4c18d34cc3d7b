"""The tournaments of this process: made, found by code, hosted with a token, minded while somebody is here.

Lives here: what a connection asks about tournaments, who may host, the public list. Lives elsewhere: one
tournament (tournament_host), its rules (core.tournament), its pages (tournament_pages).
"""

from __future__ import annotations

import asyncio
import secrets

import msgspec
import structlog

from server.core import codes
from server.core.ids import EntrantId, PlayerId, TournamentId
from server.core.limits import Keyed, Rate
from server.core.machine import Refusal, RefusalCode
from server.core.names import checked_name
from server.core.tournament import events as log
from server.core.tournament import inputs, machine
from server.services.audience import Viewer
from server.services.lobby import Lobby
from server.services.room_host import RoomHost
from server.services.tournament_host import POLL_MS, TournamentHost
from server.services.tournament_live import LiveHeats
from server.store import keys
from server.store.errors import StoreAway, StoreBusy
from server.store.ids import new_id
from server.store.logs import Verdict
from server.store.players import Player
from server.tasks import ended
from server.wire.messages import TournamentOptions

MIND_S = 10.0
SHOWN_MS = 24 * 3_600_000
"""A public tournament stays listed for so long after something was done to it."""
MAX_HOSTS = 20

_log = structlog.get_logger(__name__)


class Tournaments:
    """All tournaments folded by this process. Methods raise StoreAway or StoreBusy when the store is."""

    def __init__(self, lobby: Lobby, per_address: Rate) -> None:
        self.hosts: dict[TournamentId, TournamentHost] = {}
        self.live = LiveHeats(lobby.hub)
        self._hub = lobby.hub
        self._shared = lobby.hub.shared
        self._store = self._shared.store.tournaments
        self._made = Keyed(per_address)
        self._finding: dict[TournamentId, asyncio.Task[TournamentHost | None]] = {}
        self._minder: asyncio.Task[None] | None = None
        lobby.on_judged = self._judged
        lobby.hub.wakers["t"] = self._wake

    def start(self) -> None:
        """Begin minding; call it inside the event loop."""
        self._minder = asyncio.create_task(self._mind(), name="kupa-tournaments")

    async def stop(self, timeout_s: float = 3.0) -> None:
        """Let what they still write finish, and let go of all."""
        if self._minder is not None:
            await ended(self._minder)
        pending = [task for host in self.hosts.values() for task in host.tasks()]
        if pending:
            await asyncio.wait(pending, timeout=timeout_s)
        for host in self.hosts.values():
            host.stop()
        await ended(*(task for host in self.hosts.values() for task in host.tasks()))
        self.hosts.clear()

    # ------------------------------------------------------------ finding

    async def host(self, tournament: TournamentId) -> TournamentHost | None:
        """The tournament, folded here; None when there is none."""
        known = self.hosts.get(tournament)
        if known is not None:
            return known
        finding = self._finding.get(tournament)
        if finding is None:
            finding = asyncio.create_task(self._find(tournament))
            self._finding[tournament] = finding
            finding.add_done_callback(lambda _: self._finding.pop(tournament, None))
        return await asyncio.shield(finding)

    async def _find(self, tournament: TournamentId) -> TournamentHost | None:
        entries = await self._shared.store.logs.load(keys.tournament_log(tournament))
        if not entries:
            return None
        host = TournamentHost(self._hub, machine.fold(log.decode_log(entries)))
        self.hosts[tournament] = host
        host.start()
        prepare = host.state.format.prepare
        if prepare is not None:
            await asyncio.to_thread(prepare)  # else the first draw would hold up everybody's moves
        return host

    async def by_code(self, typed: str) -> TournamentHost | None:
        """The tournament behind what somebody typed."""
        code = codes.parse_room_code(typed)
        found = None if code is None else await self._store.by_code(code)
        return None if found is None else await self.host(TournamentId(found))

    # ------------------------------------------------------------ making and hosting

    async def create(self, player: Player, options: TournamentOptions, address: str) -> tuple[str, str] | Refusal:
        """A new tournament: its code, and a token that hosts it. Refused: `name`, `bad_options`, `quota`."""
        now_ms, tournament = self._shared.clock.now_ms(), TournamentId(new_id())
        seed = secrets.randbelow(2**53)
        made = machine.create(now_ms, tournament, "", options, PlayerId(player.id), seed)
        if isinstance(made, Refusal):
            return made
        if not self._made.take(address, now_ms):
            return Refusal(RefusalCode.QUOTA)
        token = await self._store.new_host(tournament, player.name)
        code = await self._store.new_code(tournament)
        entries = [
            log.encode(msgspec.structs.replace(event, code=code)) for event in made if isinstance(event, log.Created)
        ]
        due = (keys.due_tournament(tournament), now_ms + POLL_MS)
        verdict, _ = await self._shared.store.logs.append(keys.tournament_log(tournament), 0, entries, due=due)
        if verdict not in (Verdict.OK, Verdict.DUP):
            raise RuntimeError("a new tournament's log is not new")
        await self._shared.certifier.ahead(options.ruleset)
        host = await self.host(tournament)
        assert host is not None
        await self._show(host)
        return code, token

    async def _allowed(self, typed: str, token: str) -> tuple[TournamentHost, str] | Refusal:
        """The tournament and the name of the token's holder: `noroom`, `host_only`."""
        host = await self.by_code(typed)
        if host is None:
            return Refusal(RefusalCode.NOROOM)
        name = await self._store.host_of(host.tournament, token)
        return Refusal(RefusalCode.HOST_ONLY) if name is None else (host, name)

    async def act(self, typed: str, token: str, action: str, key: str, value: int) -> Refusal | None:
        """A host's action (`core.tournament.hosting.ACTIONS`)."""
        found = await self._allowed(typed, token)
        if isinstance(found, Refusal):
            return found
        host, name = found
        refusal = await host.submit(inputs.HostAction(name, action, key, value))
        if refusal is None:
            await self._show(host)
        return refusal

    async def share(self, typed: str, token: str, name: str) -> tuple[str, str] | Refusal:
        """A token for a co-host of this name. `name` for one that may not be or is in use, `quota`."""
        found = await self._allowed(typed, token)
        if isinstance(found, Refusal):
            return found
        host, _ = found
        holder, holders = checked_name(name), await self._store.hosts(host.tournament)
        if holder is None or holder in holders:
            return Refusal(RefusalCode.NAME)
        if len(holders) >= MAX_HOSTS:
            return Refusal(RefusalCode.QUOTA)
        return host.state.code, await self._store.new_host(host.tournament, holder)

    async def revoke(self, typed: str, token: str, name: str) -> Refusal | None:
        """The tokens of a co-host are worthless. `no_seat` for an unknown name and one's own."""
        found = await self._allowed(typed, token)
        if isinstance(found, Refusal):
            return found
        host, own = found
        gone = 0 if name == own else await self._store.revoke_host(host.tournament, name)
        return None if gone else Refusal(RefusalCode.NO_SEAT)

    async def holders(self, typed: str, token: str) -> list[str] | Refusal:
        """The names of all who may host."""
        found = await self._allowed(typed, token)
        return found if isinstance(found, Refusal) else await self._store.hosts(found[0].tournament)

    # ------------------------------------------------------------ people

    async def open(self, player: Player, viewer: Viewer, typed: str, *, enter: bool) -> TournamentHost | Refusal:
        """Be told of a tournament, and take part if asked: `noroom`, and what entering is refused with."""
        host = await self.by_code(typed)
        if host is None:
            return Refusal(RefusalCode.NOROOM)
        entrant = EntrantId(player.id)
        if enter:
            refusal = await host.submit(inputs.Enter(entrant, player.name, player.tag))
            if refusal is not None:
                return refusal
        host.open(viewer, entrant)
        return host

    # ------------------------------------------------------------ every so often

    async def _mind(self) -> None:
        """Rings that were missed, and tournaments nobody here looks at."""
        while True:
            await asyncio.sleep(MIND_S)
            for host in list(self.hosts.values()):
                if host.idle:
                    del self.hosts[host.tournament]
                    host.stop()
                else:
                    host.look()

    async def _wake(self, tournament: str) -> None:
        host = await self.host(TournamentId(tournament))
        if host is not None:
            await host.tick()

    def _judged(self, room: RoomHost) -> None:
        room.spawn(self._report(room))

    async def _report(self, room: RoomHost) -> None:
        host = await self.host(TournamentId(room.state.series))
        if host is not None:
            await host.judged(room)

    # ------------------------------------------------------------ the public list

    async def _show(self, host: TournamentHost) -> None:
        state = host.state
        if not state.options.public:
            return
        row = (state.code, state.options.name, state.options.format, state.options.ruleset, state.start_ms)
        try:
            await self._store.show(state.code, msgspec.msgpack.encode(row), self._shared.clock.now_ms() + SHOWN_MS)
        except (StoreAway, StoreBusy) as error:
            _log.warning("tournament.unlisted", tournament=state.tournament, why=str(error))

    async def listed(self) -> list[dict[str, object]]:
        """The public tournaments of the last day."""
        names = ("code", "name", "format", "ruleset", "start_ms")
        rows = await self._store.listed(self._shared.clock.now_ms())
        return [dict(zip(names, msgspec.msgpack.decode(row), strict=False)) for row in rows]
