"""Opening a store: `open_store(url)` answers a `Store` with everything in it, or raises StoreUnusable.

What lives here: the order of opening and closing. What does not: what is demanded of a store that is not
ours (checks), and starting the embedded one (embedded): its URL is opened like any other.
"""

from __future__ import annotations

import asyncio

from redis.asyncio import RedisCluster

from server.clock import StoreClock
from server.store import checks, keys, schema
from server.store.bells import Bells
from server.store.boards import Boards
from server.store.dailies import Dailies
from server.store.deals import Deals
from server.store.due import Due
from server.store.errors import StoreUnusable
from server.store.flags import Flags
from server.store.ghosts import Ghosts
from server.store.guard import guarded
from server.store.history import History
from server.store.logs import Durability, LogWriter
from server.store.nodes import Nodes
from server.store.players import Players
from server.store.ratings import Ratings
from server.store.removals import Removals
from server.store.rooms import Rooms
from server.store.solo import SoloGames
from server.store.topology import Client, Topology, open_topology
from server.store.tournaments import Tournaments
from server.store.unprojected import Unprojected
from server.store.url import StoreUrl, parse

OPEN_S = 10.0


class Store:
    """An open store: one attribute for each thing it holds."""

    def __init__(
        self, url: StoreUrl, topology: Topology, client: Client, clock: StoreClock, durability: Durability
    ) -> None:
        self.url = url
        self.topology = topology
        self.client = client
        self.clock = clock
        self.volatile: bool | None = None
        """Whether a store that forgets was allowed; None: nothing is demanded of this one."""
        self.unfit = ""
        """Why it may forget what it is told, as `look_again` found it; empty: it keeps its word."""
        self.schema = schema.KNOWN
        """What is written; one less than known until a migration is finished."""
        self.logs = LogWriter(topology, client, clock, durability=durability)
        self.bells = Bells(topology)
        self.due = Due(client)
        self.players = Players(client)
        self.rooms = Rooms(client)
        self.nodes = Nodes(client, clock)
        self.tournaments = Tournaments(client)
        self.solo = SoloGames(client)
        self.dailies = Dailies(client)
        self.deals = Deals(client)
        self.boards = Boards(client)
        self.removals = Removals(client)
        self.history = History(client)
        self.ratings = Ratings(client)
        self.flags = Flags(client)
        self.ghosts = Ghosts(client)
        self.unprojected = Unprojected(client)

    @property
    def away_since(self) -> int | None:
        """Since which ms the store takes no writes: of somebody who plays or, when nobody does, signs of life."""
        return min((ms for ms in (self.logs.away_since, self.nodes.away_since) if ms is not None), default=None)

    @property
    def trouble(self) -> str:
        """Why it does not, as far as it said; empty while it takes them."""
        return self.logs.trouble or self.nodes.trouble

    @guarded
    async def look_again(self) -> None:
        """Demand once more what was demanded at the start: somebody may have restarted the store with other settings.
        Raises StoreAway."""
        if self.volatile is None:
            return
        try:
            await checks.still_keeps_data(self.client, self.url, allow_volatile=self.volatile)
        except StoreUnusable as error:
            self.unfit = str(error)
        else:
            self.unfit = ""

    async def close(self, timeout_s: float = 5.0) -> int:
        """Flush the log writer, then close everything; returns how many appends stayed unsettled."""
        left = await self.logs.close(timeout_s)
        await self.bells.close()
        await self.clock.close()
        await self.client.aclose()
        await self.topology.aclose()
        return left

    @guarded
    async def ping(self) -> None:
        """Whether the store answers ordinary commands: raises StoreAway when it does not."""
        await self.client.execute_command("GET", keys.SCHEMA)


async def open_store(
    url: str, *, durability: Durability = Durability.DISK, allow_volatile: bool = False, check: bool = True
) -> Store:
    """Connect, check, set the clock, start the writer and the bells.

    `allow_volatile`: accept a store that keeps nothing on disk. `check=False`: skip the checks of
    persistence and memory (for tests). Raises StoreUnusable with one line, without credentials.
    """
    where = parse(url)
    checks.possible(where, durability)
    topology = open_topology(where)
    client = topology.client()
    clock = StoreClock(lambda: read_time_ms(client))
    try:
        async with asyncio.timeout(OPEN_S):
            await topology.refresh()
            await checks.answers(topology)
            if check:
                await checks.keeps_its_word(client, where, durability, allow_volatile)
            number = await schema.settle(client)
            await clock.start(await Nodes(client, clock).ahead_ms())
    except (StoreUnusable, *checks.REASONS) as error:
        await client.aclose()
        await topology.aclose()
        if isinstance(error, StoreUnusable):
            raise
        raise StoreUnusable(checks.why(error, where)) from error
    store = Store(where, topology, client, clock, durability)
    store.schema = number
    store.volatile = allow_volatile if check else None
    store.logs.start()
    store.bells.start()
    return store


async def read_time_ms(client: Client) -> float:
    """The store's time in ms since the Unix epoch.

    In a cluster one primary tells it for all rooms, always the same one: that of the slot of `kupa:schema`, and its
    successor after it was lost. Not each room's own primary: an instant of a room is compared with instants of others
    (a frame is stamped before anybody knows for which room it is, a player's device has one clock, a tournament
    has rooms everywhere, `kupa:due` and the lobby hold all of them). So all processes agree about every heat, wherever
    its room lies; the other primaries' clocks are asked for nothing.
    """
    where = {"target_nodes": client.get_node_from_key(keys.SCHEMA)} if isinstance(client, RedisCluster) else {}
    answer = await client.execute_command("TIME", **where)
    if isinstance(answer, dict):
        answer = next(iter(answer.values()))
    seconds, micros = answer
    return int(seconds) * 1000 + int(micros) / 1000
