"""Where the store's data is: one server, the primary that Sentinel names, or the primaries of a cluster.

What lives here: finding nodes and opening connections to them. What does not: what is sent over
them (lane, bells, guard). Connections opened here have no timeout and no retry of their own: their
owner bounds every exchange and decides what an unknown outcome means (reliability finding 1).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol, cast

from redis.asyncio import BlockingConnectionPool, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection, Connection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import ExponentialBackoff
from redis.crc import key_slot
from redis.exceptions import RedisError

from server.store import closed
from server.store.line import Line, LineClient
from server.store.url import StoreUrl

closed.known()

CONNECT_S = 0.5
COMMAND_S = 1.0
"""How long an ordinary command may take before its outcome counts as unknown."""
RETRIES = 3
POOL = 16
THE_NODE = "primary"

_RAW: Mapping[str, Any] = {
    "socket_timeout": None,
    "socket_connect_timeout": CONNECT_S,
    "protocol": 2,
    "driver_info": None,
}
_ORDINARY: Mapping[str, Any] = {
    "socket_timeout": COMMAND_S,
    "socket_connect_timeout": CONNECT_S,
    "protocol": 2,
    "driver_info": None,
    "health_check_interval": 15,
}


class Client(Protocol):
    """A redis-py client, as far as this package uses it: ordinary, repeatable commands."""

    def scan_iter(self, match: str, count: int | None = None) -> AsyncIterator[bytes]:
        """The keys that match, some perhaps twice."""
        ...

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send one command; the answer as redis-py reads it, in bytes."""
        ...

    def pipeline(self, transaction: Any = None) -> Any:
        """Commands to be sent together; without a transaction their keys may be anybody's."""
        ...

    async def aclose(self) -> None:
        """Close its connections."""
        ...


class Topology(Protocol):
    """How keys find their node."""

    cluster: bool

    def slot(self, key: str) -> int:
        """Appends of one slot travel together; 0 for every key where there is one server."""
        ...

    def node(self, slot: int) -> str:
        """Address of the primary that has this slot now."""
        ...

    def lives(self, node: str) -> bool:
        """Whether that address is still a primary's, as far as is known."""
        ...

    async def connect(self, node: str) -> AbstractConnection:
        """A fresh connection to that node, without retries and timeouts. Raises RedisError or OSError."""
        ...

    async def refresh(self) -> None:
        """Look again who is primary; raises RedisError or OSError when nobody tells."""
        ...

    def client(self) -> Client:
        """A new client with a pool for ordinary commands."""
        ...

    async def aclose(self) -> None:
        """Close what looking around needs."""
        ...


def _retry() -> Retry:
    return Retry(ExponentialBackoff(cap=0.5, base=0.05), RETRIES)


def open_topology(url: StoreUrl) -> Topology:
    """The topology a URL asks for; nothing is connected yet."""
    if url.kind == "sentinel":
        return SentinelTopology(url)
    if url.kind == "cluster":
        return ClusterTopology(url)
    return SingleTopology(url)


class SingleTopology:
    """One server at one address."""

    cluster = False

    def __init__(self, url: StoreUrl) -> None:
        """For a `redis://`, `rediss://` or `unix://` URL."""
        self._options = dict(url.options)
        self._class: type[AbstractConnection] = self._options.pop("connection_class", Connection)

    def slot(self, key: str) -> int:
        """Always 0."""
        return 0

    def node(self, slot: int) -> str:
        """The one there is."""
        return THE_NODE

    def lives(self, node: str) -> bool:
        """Always."""
        return True

    async def connect(self, node: str) -> AbstractConnection:
        """See `Topology`."""
        connection = self._class(**(self._options | dict(_RAW)))
        async with asyncio.timeout(COMMAND_S):
            await connection.connect()
        return connection

    async def refresh(self) -> None:
        """Nothing to look for: the address is fixed."""

    def client(self) -> Client:
        """See `Topology`."""
        options = dict(_ORDINARY) | self._options
        pool = BlockingConnectionPool(
            connection_class=self._class, max_connections=POOL, timeout=2, retry=_retry(), **options
        )
        client = cast(LineClient, LineClient.from_pool(pool))
        client.line = Line(lambda: self.connect(THE_NODE), COMMAND_S)
        return client

    async def aclose(self) -> None:
        """Nothing is open."""


class SentinelTopology:
    """The primary that Sentinel names; asked anew at every connection."""

    cluster = False

    def __init__(self, url: StoreUrl) -> None:
        """For a `redis+sentinel://` URL."""
        self._service = url.service
        self._options = dict(url.options)
        asking = dict(url.sentinel_options) | {"socket_timeout": CONNECT_S, "socket_connect_timeout": CONNECT_S}
        self._sentinel = Sentinel(list(url.hosts), sentinel_kwargs=asking | {"retry": Retry(ExponentialBackoff(), 0)})

    def slot(self, key: str) -> int:
        """Always 0."""
        return 0

    def node(self, slot: int) -> str:
        """The primary, whoever that is."""
        return THE_NODE

    def lives(self, node: str) -> bool:
        """Always."""
        return True

    async def connect(self, node: str) -> AbstractConnection:
        """See `Topology`."""
        async with asyncio.timeout(COMMAND_S * 2):
            host, port = await self._sentinel.discover_master(self._service)
            connection = Connection(host=host, port=port, **(self._options | dict(_RAW)))
            await connection.connect()
        return connection

    async def refresh(self) -> None:
        """Nothing to keep: `connect` asks every time."""

    def client(self) -> Client:
        """See `Topology`."""
        options = self._options | dict(_ORDINARY) | {"retry": _retry(), "max_connections": 4 * POOL}
        client: LineClient = self._sentinel.master_for(self._service, LineClient, SentinelConnectionPool, **options)
        client.line = Line(lambda: self.connect(THE_NODE), COMMAND_S)
        return client

    async def aclose(self) -> None:
        """Close the connections to the sentinels."""
        await self._sentinel.aclose()


class ClusterTopology:
    """The primaries of a cluster, by its own table of slots."""

    cluster = True

    def __init__(self, url: StoreUrl) -> None:
        """For a `redis+cluster://` URL."""
        self._options = dict(url.options)
        self._known = [f"{host}:{port}" for host, port in url.hosts]
        self._table: list[tuple[int, int, str]] = []

    def slot(self, key: str) -> int:
        """The cluster's hash slot of a key."""
        return key_slot(key.encode())

    def node(self, slot: int) -> str:
        """See `Topology`; an address of the URL as long as the table is not known."""
        for first, last, address in self._table:
            if first <= slot <= last:
                return address
        return self._known[0]

    def lives(self, node: str) -> bool:
        """See `Topology`."""
        return any(row[2] == node for row in self._table)

    @property
    def primaries(self) -> list[str]:
        """Addresses of all primaries, as last seen."""
        return sorted({address for _, _, address in self._table})

    async def connect(self, node: str) -> AbstractConnection:
        """See `Topology`."""
        host, _, port = node.rpartition(":")
        connection = Connection(host=host, port=int(port), **(self._options | dict(_RAW)))
        async with asyncio.timeout(COMMAND_S):
            await connection.connect()
        return connection

    async def refresh(self) -> None:
        """Read the table of slots from the first node that gives it."""
        failure: Exception | None = None
        for address in dict.fromkeys([*self.primaries, *self._known]):
            try:
                table = await self._read_table(address)
            except (RedisError, OSError, TimeoutError) as error:
                failure = error
                continue
            self._table = table
            self._known = list(dict.fromkeys([*(row[2] for row in table), *self._known]))
            return
        if failure is not None:
            raise failure

    async def _read_table(self, address: str) -> list[tuple[int, int, str]]:
        connection = await self.connect(address)
        try:
            async with asyncio.timeout(COMMAND_S):
                await connection.send_command("CLUSTER", "SLOTS")
                rows = await connection.read_response(timeout=math.inf)
        finally:
            await connection.disconnect(nowait=True)
        here = address.rpartition(":")[0]
        return [(int(row[0]), int(row[1]), f"{row[2][0].decode() or here}:{int(row[2][1])}") for row in rows]

    def client(self) -> Client:
        """See `Topology`."""
        nodes = [ClusterNode(host, int(port)) for host, _, port in (a.rpartition(":") for a in self._known)]
        return RedisCluster(startup_nodes=nodes, retry=_retry(), **(self._options | dict(_ORDINARY)))

    async def aclose(self) -> None:
        """Nothing is open."""
