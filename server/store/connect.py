"""Opening a store: `open_store(url)` answers a `Store` with everything in it, or raises StoreUnusable.

What lives here: the order of opening and closing, and the checks of a store that is not ours
(reliability 2.8, finding D5). What does not: starting the embedded one (embedded); its URL is opened
like any other.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any

from redis.exceptions import AuthenticationError, NoPermissionError, RedisClusterException, RedisError, ResponseError

from server.clock import StoreClock
from server.store import keys
from server.store.bells import Bells
from server.store.due import Due
from server.store.errors import StoreUnusable
from server.store.guard import guarded
from server.store.logs import Durability, LogWriter
from server.store.nodes import Nodes
from server.store.players import Players
from server.store.rooms import Rooms
from server.store.solo import SoloGames
from server.store.topology import Client, Topology, open_topology
from server.store.url import StoreUrl, parse

SCHEMA = 1
"""Number of the schema this server writes; it reads SCHEMA − 1 as well."""
OLDEST = (7, 0)
OPEN_S = 10.0
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Store:
    """An open store."""

    url: StoreUrl
    topology: Topology
    client: Client
    clock: StoreClock
    logs: LogWriter
    bells: Bells
    due: Due
    players: Players
    rooms: Rooms
    nodes: Nodes
    solo: SoloGames

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
    if where.kind == "cluster" and durability is Durability.REPLICA:
        raise StoreUnusable("durability `replica` is not supported on a cluster; choose disk or second")
    topology = open_topology(where)
    client = topology.client()
    clock = StoreClock(lambda: read_time_ms(client))
    try:
        async with asyncio.timeout(OPEN_S):
            await topology.refresh()
            await _first_word(topology)
            info = await _info(client, topology)
            if check:
                _check(info, where, durability, allow_volatile)
                await _warn(client, where, durability)
            await _check_schema(client)
            await clock.start()
    except (RedisError, RedisClusterException, OSError, TimeoutError) as error:
        await _abandon(client, topology)
        raise StoreUnusable(_why(error, where)) from error
    except TypeError as error:  # redis-py's answer to an option of the URL that it does not know
        await _abandon(client, topology)
        raise StoreUnusable(f"the store's URL {where} has an option that is not known ({error})") from error
    except StoreUnusable:
        await _abandon(client, topology)
        raise
    logs = LogWriter(topology, client, clock, durability=durability)
    bells = Bells(topology)
    logs.start()
    bells.start()
    return Store(
        where,
        topology,
        client,
        clock,
        logs,
        bells,
        Due(client),
        Players(client),
        Rooms(client),
        Nodes(client),
        SoloGames(client),
    )  # fmt: skip


async def read_time_ms(client: Client) -> float:
    """The store's time in ms since the Unix epoch. (In a cluster: of one of its primaries.)"""
    answer = await client.execute_command("TIME")
    if isinstance(answer, dict):
        answer = next(iter(answer.values()))
    seconds, micros = answer
    return int(seconds) * 1000 + int(micros) / 1000


async def _first_word(topology: Topology) -> None:
    """One PING without any retry, so that a wrong address or password shows at once."""
    connection = await topology.connect(topology.node(0))
    try:
        await connection.send_command("PING")
        await connection.read_response()
    finally:
        await connection.disconnect(nowait=True)


async def _abandon(client: Client, topology: Topology) -> None:
    await client.aclose()
    await topology.aclose()


async def _info(client: Client, topology: Topology) -> dict[str, Any]:
    answer: dict[str, Any] = await client.execute_command("INFO")
    if topology.cluster and "redis_version" not in answer:
        answer = next(iter(answer.values()))
    return answer


def _check(info: dict[str, Any], where: StoreUrl, durability: Durability, allow_volatile: bool) -> None:
    """Refuse what would lose results (reliability 2.8)."""
    version = str(info.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise StoreUnusable(f"the store at {where} is version {version}; Redis or Valkey 7.0 or newer is needed")
    if info.get("role") not in ("master", "primary"):
        raise StoreUnusable(f"the store at {where} is a read-only replica; give the address of its primary")
    if info.get("cluster_enabled") and where.kind != "cluster":
        raise StoreUnusable(f"the store at {where} is part of a cluster; use redis+cluster://host:port")
    policy = info.get("maxmemory_policy", "noeviction")
    if info.get("maxmemory") and policy != "noeviction":
        raise StoreUnusable(
            f"the store at {where} throws data away when memory is short (maxmemory-policy {policy}); "
            "set maxmemory-policy noeviction"
        )
    if not info.get("aof_enabled") and not allow_volatile:
        raise StoreUnusable(
            f"the store at {where} does not keep every write (appendonly no); set appendonly yes, or allow a "
            "volatile store"
        )
    if durability is Durability.REPLICA and not info.get("connected_slaves"):
        raise StoreUnusable(f"the store at {where} has no replica, which durability `replica` needs; attach one")


async def _warn(client: Client, where: StoreUrl, durability: Durability) -> None:
    """Say so when level `disk` is asked of a store that syncs less often, if it lets us look."""
    if durability is not Durability.DISK:
        return
    try:
        answer = await client.execute_command("CONFIG GET", "appendfsync")
    except ResponseError:
        return
    if "always" not in str(answer):
        _log.warning(
            "the store at %s does not sync every write (appendfsync): a power cut may lose acknowledged moves of up "
            "to 2 s; set appendfsync always, or durability second",
            where,
        )


async def _check_schema(client: Client) -> None:
    """A store written by a newer server is not touched (A5)."""
    found = await client.execute_command("SET", keys.SCHEMA, SCHEMA, "NX", "GET", get=True)
    number = int(found) if found is not None else SCHEMA
    if number > SCHEMA:
        raise StoreUnusable(
            f"the store was written by a newer server (schema {number}, this one knows {SCHEMA}); update this server"
        )
    if number < SCHEMA - 1:
        raise StoreUnusable(f"the store has schema {number}; update step by step: this server reads {SCHEMA - 1}")


def _why(error: Exception, where: StoreUrl) -> str:
    if isinstance(error, AuthenticationError) or isinstance(error.__cause__, AuthenticationError):
        return f"the store at {where} refuses user or password; check the URL"
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return f"the certificate of the store at {where} is not trusted; add ?ssl_ca_certs=FILE to the URL"
    if isinstance(error, NoPermissionError):
        return f"the store at {where} does not permit this user what is needed ({error})"
    if isinstance(error, TimeoutError):
        return f"the store at {where} does not answer in time; is it running?"
    return f"cannot reach the store at {where}; is it running, and is the address right?"
