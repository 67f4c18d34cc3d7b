"""One server process: its parts put together, started in order, and ended in the reverse.

What lives here: from a `Config` to a listening process, and its end. What does not: any behaviour of a
part. `App` is used by `cli` and by tests alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import structlog

from server.config import CLIENT_DIR, Config
from server.core.ids import NodeId
from server.core.limits import Rate
from server.net.handover import Place
from server.net.listener import Listener
from server.net.pages import Pages
from server.net.settings import ConnectionLimits, NetSettings
from server.services import daily_pages
from server.services.certifier import Certifier
from server.services.daily import DailyPlay
from server.services.daily_deals import DailyDeals, certified_by
from server.services.flagging import Flagger
from server.services.ghosts import Answered, GhostPages
from server.services.identity import Identity
from server.services.lobby import Lobby
from server.services.practice import PracticePlay
from server.services.projector import Effect, Projector
from server.services.ratings import Rater, RatingNews
from server.services.replays import Replays
from server.services.session import Services
from server.services.shared import Shared
from server.services.solo import Solo
from server.services.tournament_pages import TournamentPages
from server.services.tournaments import Tournaments
from server.store.connect import Store, open_store
from server.store.embedded import Embedded, FolderInUse, is_there, shared_url
from server.store.errors import StoreUnusable
from server.store.logs import Durability
from server.store.nodes import EVERY_S

DAY_S = 86_400
MOVE_BYTES = 819
"""Bytes a second for each move a second: 8 KiB for ten."""
ADDRESS_BURST_S = 4
"""Handshakes of one address may come at once for so long."""

_log = structlog.get_logger(__name__)


class CannotStart(Exception):
    """What keeps the server from starting; the text is one line for the operator."""


class NoStore(CannotStart):
    """Where one should be there is none: perhaps the data folder is mistyped."""


def cannot_listen(host: str, port: int, error: OSError | UnicodeError) -> CannotStart:
    """What keeps a server from listening there, and which of the two is to be chosen anew."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, socket.gaierror | UnicodeError):
        return CannotStart(f"cannot listen on {host}: no machine of this name is known; set KUPA_HOST to another one")
    if number in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, None):
        return CannotStart(f"cannot listen on {host}: it is no address of this machine; set KUPA_HOST to another one")
    why = os.strerror(number or 0)
    return CannotStart(f"cannot listen on {host} port {port} ({why}); choose another port")


class App:
    """A running server process."""

    def __init__(self, config: Config, store: Store, listener: Listener, services: Services) -> None:
        self.config = config
        self.store = store
        self.listener = listener
        self.services = services

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self.listener.ports[0]

    async def drain(self, spread_s: float = 2.0) -> None:
        """Send everybody away in waves, to another process or to come back (reliability F2)."""
        await self.listener.drain(spread_s)


@contextlib.asynccontextmanager
async def running(config: Config, *, place: Place | None = None) -> AsyncIterator[App]:
    """A server process that listens, from entering to leaving; `place`: among workers. Raises CannotStart."""
    async with contextlib.AsyncExitStack() as stack:
        try:
            app = await _start(config, stack, place)
        except StoreUnusable as error:
            raise CannotStart(str(error)) from error
        yield app


@contextlib.asynccontextmanager
async def store_of(config: Config, *, new: bool = False) -> AsyncIterator[Store]:
    """The store of these settings, for a tool: beside the server where one runs, else by itself.

    `new`: also one that is not there yet. Raises CannotStart, NoStore among them.
    """
    if not (new or config.redis_url or is_there(config.data)):
        raise NoStore(f"there is no store in {config.data.absolute()}; KUPA_DATA names the data folder")
    async with contextlib.AsyncExitStack() as stack:
        try:
            url = config.redis_url or await _beside_or_alone(config, stack)
            durability = Durability(config.durability)
            store = await open_store(url, durability=durability, allow_volatile=config.allow_volatile)
        except StoreUnusable as error:
            raise CannotStart(str(error)) from error
        stack.push_async_callback(store.close)
        yield store


async def _beside_or_alone(config: Config, stack: contextlib.AsyncExitStack) -> str:
    embedded = Embedded(config.data, config.durability)
    try:
        await embedded.start()
    except FolderInUse:
        return shared_url(config.data)
    stack.push_async_callback(embedded.stop)
    return embedded.url


async def _start(config: Config, stack: contextlib.AsyncExitStack, place: Place | None) -> App:
    url = config.redis_url
    if not url:
        embedded = Embedded(config.data, config.durability)
        await embedded.start()
        stack.push_async_callback(embedded.stop)
        url = embedded.url
    store = await open_store(
        url,
        durability=Durability(config.durability),
        allow_volatile=config.allow_volatile,
    )
    stack.push_async_callback(store.close)
    certifier = Certifier(store.deals)
    stack.push_async_callback(certifier.stop)
    shared = Shared(store, store.clock, NodeId(secrets.token_hex(4)), config.keep_days * DAY_S, certifier, place)
    lobby = Lobby(shared, Rate(config.address_rooms / 3600, config.address_rooms))
    identity = Identity(store.players, store.clock, Rate(config.address_identities / 60, config.address_identities))
    daily = _daily(shared, stack, _effects(lobby))
    solo = Solo(store, store.clock, shared.node, shared.keep_s, lambda ruleset: daily.deals.source(ruleset))
    tournaments = Tournaments(lobby, Rate(config.address_rooms / 3600, config.address_rooms))
    services = Services(lobby, solo, daily, identity, store.players, tournaments)
    await lobby.hub.start()
    stack.push_async_callback(lobby.hub.stop)
    tournaments.start()
    stack.push_async_callback(tournaments.stop)
    stack.push_async_callback(services.stop)
    pages = _pages(config, store)
    TournamentPages(tournaments, store).add_to(pages)
    daily_pages.add_pages(pages, services.daily, store, store.clock)
    listener = Listener(services, pages, store.clock, _net(config))
    stack.push_async_callback(listener.close)
    try:
        await listener.start(config.host, config.port, place=place)
    except (OSError, UnicodeError) as error:
        raise cannot_listen(config.host, config.port, error) from error
    return App(config, store, listener, services)


def _daily(shared: Shared, stack: contextlib.AsyncExitStack, effects: Sequence[Effect]) -> DailyPlay:
    """The daily deals, and what brings results to the leaderboards; both run from now on."""
    store, clock = shared.store, shared.clock
    deals = DailyDeals(store.dailies, clock, certified_by(shared.certifier))
    projector = Projector(store, clock, deals, effects)
    practice = PracticePlay(store, clock, shared.node, shared.keep_s)
    daily = DailyPlay(store, clock, shared.node, deals, projector, practice)
    for part in (projector, daily):
        part.start()
        stack.push_async_callback(part.stop)
    return daily


def _effects(lobby: Lobby) -> list[Effect]:
    """What follows from a closed heat beside leaderboards and histories."""
    hub, store = lobby.hub, lobby.hub.shared.store
    news = RatingNews(store.ratings, hub.rooms.values)
    hub.chores.append((EVERY_S, news.look))
    return [Flagger(store), Rater(store, news.rated), Answered(store)]


def _pages(config: Config, store: Store) -> Pages:
    def ready() -> str | None:
        if store.away_since is not None:
            return f"store: {store.trouble or 'away'}"
        return "store: it may forget what it is told; the log says why" if store.unfit else None

    try:
        pages = Pages.load(Path(CLIENT_DIR), public_url=config.public_url, ready=ready)
    except OSError as error:
        raise CannotStart(
            f"cannot read the browser client in {CLIENT_DIR} ({error.strerror}); install again"
        ) from error
    Replays(store).add_to(pages)
    GhostPages(store).add_to(pages)
    return pages


def _net(config: Config) -> NetSettings:
    limits = ConnectionLimits(
        moves=Rate(config.moves, 3 * config.moves),
        commands=Rate(2 * config.moves, 6 * config.moves),
        bytes=Rate(MOVE_BYTES * config.moves, 4 * MOVE_BYTES * config.moves),
    )
    public = urlsplit(config.public_url)
    origins = {*config.origins, *([f"{public.scheme}://{public.netloc}"] if config.public_url else [])}
    return NetSettings(
        connection=limits,
        origins=frozenset(origins),
        allow_no_origin=config.allow_no_origin,
        base=public.path,
        trusted_proxies=config.trusted_proxies,
        max_connections=config.max_connections,
        address_connections=config.address_connections,
        address_handshakes=Rate(config.address_handshakes, config.address_handshakes * ADDRESS_BURST_S),
    )


def stop_signal() -> asyncio.Future[str]:
    """From now on SIGTERM and SIGINT end nothing by themselves: the future gets the first one's name."""
    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def tell(name: str) -> None:
        if not told.done():
            told.set_result(name)

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, tell, number.name)
    return told


def end_of_parent(told: asyncio.Future[str]) -> None:
    """Set `told` when the standard input ends: the parent holds its other end, and lets go of it only by dying."""
    loop = asyncio.get_running_loop()

    def look() -> None:
        if not os.read(0, 64):
            loop.remove_reader(0)
            if not told.done():
                told.set_result("the end of its parent")

    loop.add_reader(0, look)
