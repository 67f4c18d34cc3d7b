"""Where connections come in: who is let in, what each is given, how all of them end.

What lives here: sockets that listen, handshakes and their limits, the drain before an end. What does
not: what happens on one connection (connection) and on one page (pages).
"""

from __future__ import annotations

import asyncio
import logging
import random
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum

from websockets.datastructures import MultipleValuesError
from websockets.http11 import Request, Response

from server.clock import Clock
from server.core.limits import Keyed
from server.net import origin
from server.net import settings as const
from server.net.connection import Connection
from server.net.forwarded import address_key, client_address, peer_of
from server.net.gate import Phase
from server.net.gather import Gather
from server.net.handler import Handler, Session
from server.net.handover import Handover, Place
from server.net.pacer import Pacer
from server.net.pages import PageRequest, Pages, Reply, response, text
from server.net.settings import NetSettings
from server.net.sweep import Sweep
from server.tasks import ended
from server.wire.errors import CloseCode

log = logging.getLogger("kupa.net")

SLACK = 512
"""TCP connections above the limit of sockets, for pages and for saying no."""
GOODBYE_SPREAD_MS = 5_000
"""Clients are told to come back after a random time up to this."""
OWED_S = 2.0
"""How long a drain waits for answers that are still owed."""
WAVE_S = 0.1
HEALTH = ("/healthz", "/readyz")
"""Answered in HTTP/1.0 too: load balancers still ask that way."""


class Refused(StrEnum):
    """Why a handshake was refused, as metrics say it."""

    CROWDED = "crowded"
    MALFORMED = "malformed"
    ORIGIN = "origin"
    DRAINING = "draining"
    FULL = "full"
    ADDRESS_FULL = "address_full"
    ADDRESS_FAST = "address_fast"


@dataclass(slots=True)
class Counts:
    """What happened so far, for metrics."""

    sockets: int = 0
    """Open now."""
    opened: int = 0
    refused: Counter[Refused] = field(default_factory=Counter)
    """Handshakes refused, by reason."""
    closed: Counter[int] = field(default_factory=Counter)
    """Sockets closed, by close code."""
    pages: Counter[int] = field(default_factory=Counter)
    """Replies, by status."""


class Listener:
    """A `connection.Gate`: every connection of this process."""

    def __init__(
        self,
        handler: Handler,
        pages: Pages,
        clock: Clock,
        settings: NetSettings | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """`chance` answers floats in [0, 1); it spreads the clients' return after a drain."""
        self.clock = clock
        self.settings = settings if settings is not None else NetSettings()
        self.limits = self.settings.connection
        self.counts = Counts()
        self.gather: Gather
        self.pacer: Pacer
        self.draining = False
        self.sweep = Sweep(clock)
        self._handler = handler
        self._pages = pages
        self._chance = chance
        self._origins = frozenset(filter(None, map(origin.normal, self.settings.origins)))
        self._handshakes = Keyed(self.settings.address_handshakes)
        self._of_address: Counter[str] = Counter()
        self._connections: set[Connection] = set()
        self._servers: list[asyncio.Server] = []
        self._all_gone = asyncio.Event()
        self._handover: Handover | None = None
        self._taking: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------ start and end

    async def start(
        self, host: str, port: int, *, place: Place | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        """Listen on `host` (empty: every address) and `port` (0: any free one). OSError when it is taken.

        `place`: among the workers that share this port, and hand each other what comes for their rooms.
        """
        loop = self._prepare()
        server = await loop.create_server(
            self._connection, host or None, port, backlog=const.BACKLOG, reuse_port=place is not None or None, ssl=tls
        )
        self._servers.append(server)
        if place is not None and tls is None:
            self._handover = Handover(place, self._take)
            try:
                self._handover.start()
            except OSError as error:  # the folder of temporary files has too long a name, or is not ours
                log.warning("the people of a room are not brought together in one process: %s", error)

    async def start_unix(self, path: str) -> None:
        """Listen on a local socket, for a proxy on this machine."""
        loop = self._prepare()
        self._servers.append(await loop.create_unix_server(self._connection, path, backlog=const.BACKLOG))

    @property
    def ports(self) -> list[int]:
        """The TCP ports listened on."""
        names = [each.getsockname() for server in self._servers for each in server.sockets]
        return sorted({name[1] for name in names if isinstance(name, tuple)})

    async def drain(self, spread_s: float = 2.0) -> None:
        """Let everybody go, in waves over `spread_s`: goodbye, the answers still owed, close code 1012.

        From now on /readyz and new sockets get 503; the listening sockets stay until `close`.
        """
        self.draining = True
        leaving = [connection for connection in self._connections if connection.is_open]
        waves = max(1, round(spread_s / WAVE_S))
        size = -(-len(leaving) // waves)
        endings = []
        for first in range(0, len(leaving), size or 1):
            endings.append(asyncio.ensure_future(self._let_go(leaving[first : first + size])))
            await asyncio.sleep(WAVE_S)
        await asyncio.gather(*endings)

    async def close(self) -> None:
        """Stop listening, close what is open (1001), cut what is left after 2 s. Returns when all are gone."""
        if self._handover is not None:
            self._handover.stop()
            self._handover = None
        await ended(*self._taking)
        for server in self._servers:
            server.close()
        self._servers.clear()
        for connection in tuple(self._connections):
            if connection.phase is Phase.REQUEST:
                connection.abort()
            else:
                connection.close(CloseCode.GOING_AWAY)
        try:
            async with asyncio.timeout(const.CLOSE_MS / 1000):
                await self._none_left()
        except TimeoutError:
            for connection in tuple(self._connections):
                connection.abort()
            await self._none_left()
        self.sweep.stop()

    async def _let_go(self, leaving: list[Connection]) -> None:
        for connection in leaving:
            connection.farewell(int(self._chance() * GOODBYE_SPREAD_MS))
        for _ in range(round(OWED_S / WAVE_S)):
            waiting = [connection for connection in leaving if connection.is_open]
            if not waiting:
                return
            for connection in waiting:
                if connection.session is None or connection.session.owed() == 0:
                    connection.close(CloseCode.RESTART, "restart")
            await asyncio.sleep(WAVE_S)
        for connection in leaving:
            connection.close(CloseCode.RESTART, "restart")

    async def _none_left(self) -> None:
        if self._connections:
            self._all_gone.clear()
            await self._all_gone.wait()

    def _prepare(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        if not self._servers:
            # A mass disconnect is no news; the library would log each.
            logging.getLogger("websockets").setLevel(logging.WARNING)
            self.gather = Gather(loop)
            self.pacer = Pacer(loop)
            self.sweep.start()
        return loop

    def _connection(self) -> Connection:
        return Connection(self)

    def _take(self, given: socket.socket, request: bytes) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(given, request), name="kupa-handover")
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    async def _serve(self, given: socket.socket, request: bytes) -> None:
        """A connection that came in at another worker."""
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: Connection(self, request), given)
        except OSError as error:
            log.debug("a socket that was handed over is gone: %s", error)
            given.close()

    # ------------------------------------------------------------ connection.Gate

    def gives(self, connection: Connection, data: bytes) -> bool:
        """Hand a fresh connection to the worker whose room it asks for."""
        if self._handover is None:
            return False
        given = self._handover.give(connection.transport.get_extra_info("socket").fileno(), data)
        if given:
            connection.abort()  # closes this process's hold on it; the other's keeps it open
        return given

    def made(self, connection: Connection) -> None:
        """A TCP connection came in; far too many are cut at once."""
        self._connections.add(connection)
        self.sweep.add(connection)
        if len(self._connections) > self.settings.max_connections + SLACK:
            self.counts.refused[Refused.CROWDED] += 1
            connection.abort()

    def gone(self, connection: Connection) -> None:
        """The connection is no more."""
        self._connections.discard(connection)
        self.sweep.discard(connection)
        if connection.counted:
            self.counts.sockets -= 1
            self.counts.closed[connection.closed_with or const.ABNORMAL] += 1
            self._of_address[connection.address_key] -= 1
            if not self._of_address[connection.address_key]:
                del self._of_address[connection.address_key]
        if not self._connections:
            self._all_gone.set()

    def opened(self, connection: Connection) -> Session:
        """The socket is open: count it and give it a session."""
        connection.counted = True
        self.counts.sockets += 1
        self.counts.opened += 1
        self._of_address[connection.address_key] += 1
        return self._handler.open(connection)

    def respond(self, connection: Connection, request: Request) -> Response | Awaitable[Response]:
        """The answer to a request: the socket for those who ask for it at its path, else a page."""
        path, _, query = request.path.partition("?")
        base = self.settings.base
        if base and path.startswith(f"{base}/"):
            path = path.removeprefix(base)
        connection.address = client_address(
            peer_of(connection.transport), request.headers.get_all("X-Forwarded-For"), self.settings.trusted_proxies
        )
        connection.address_key = address_key(connection.address)
        try:
            if path == const.SOCKET_PATH and request.method == "GET":
                return self._handshake(connection, request)
            if request.protocol != "HTTP/1.1" and path not in HEALTH:
                reply: Reply | Awaitable[Reply] = text(505)
            else:
                reply = self._page(PageRequest(request.method, path, query, request.headers, connection.address))
        except Exception:
            log.exception("a request failed")
            reply = text(500)
        if isinstance(reply, Reply):
            return self._counted(reply, request.method)
        return self._later(reply, request.method)

    # ------------------------------------------------------------ pages

    def _page(self, request: PageRequest) -> Reply | Awaitable[Reply]:
        if self.settings.base and request.path == self.settings.base:
            return text(308, "", ("Location", f"{self.settings.base}/"))
        if self.draining and request.path == "/readyz":
            return text(503, "draining", ("Retry-After", "2"))
        return self._pages.answer(request)

    async def _later(self, reply: Awaitable[Reply], method: str) -> Response:
        try:
            return self._counted(await reply, method)
        except Exception:
            log.exception("a request failed")
            return self._counted(text(500), method)

    def _counted(self, reply: Reply, method: str) -> Response:
        self.counts.pages[reply.status] += 1
        return response(reply, method)

    # ------------------------------------------------------------ handshakes

    def _handshake(self, connection: Connection, request: Request) -> Response:
        answer = connection.protocol.accept(request)
        if answer.status_code != 101:
            self.counts.refused[Refused.MALFORMED] += 1
            return answer
        refusal = self._refusal(connection, request)
        if refusal is None:
            return answer
        reason, reply = refusal
        self.counts.refused[reason] += 1
        return response(reply)

    def _refusal(self, connection: Connection, request: Request) -> tuple[Refused, Reply] | None:
        """Why this handshake is refused, and the reply; None: it is not."""
        settings, key = self.settings, connection.address_key
        try:
            allowed = origin.is_allowed(
                request.headers.get("Origin"), request.headers.get("Host"), self._origins, settings.allow_no_origin
            )
        except MultipleValuesError:
            return Refused.MALFORMED, text(400)
        if not allowed:
            return Refused.ORIGIN, text(403)
        if self.draining:
            return Refused.DRAINING, text(503, "", ("Retry-After", "2"))
        if self.counts.sockets >= settings.max_connections:
            return Refused.FULL, text(503, "", ("Retry-After", "10"))
        if self._of_address[key] >= settings.address_connections:
            return Refused.ADDRESS_FULL, text(503, "", ("Retry-After", "30"))
        if not self._handshakes.take(key, self.clock.now_ms()):
            return Refused.ADDRESS_FAST, text(503, "", ("Retry-After", "5"))
        return None
