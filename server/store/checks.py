"""What is demanded of a store before it is used (reliability 2.8, finding D5), and the words when it fails.

What lives here: refusing what would lose results, with one line that says what is wrong and how to mend
it. What does not: the order of opening (connect).
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

from redis.asyncio.connection import SSLConnection
from redis.asyncio.sentinel import MasterNotFoundError
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    NoPermissionError,
    RedisClusterException,
    RedisError,
    ResponseError,
)

from server.store.errors import StoreUnusable
from server.store.logs import Durability
from server.store.topology import Client, Topology
from server.store.url import StoreUrl

OLDEST = (7, 0)
REASONS = (RedisError, RedisClusterException, OSError, TimeoutError)
"""What opening may fail with."""
PATIENCE_S = 5.0
AGAIN_S = 0.1
"""A store that loads its data, and Sentinels that are choosing a primary, are waited for so long, asked so often."""
_log = logging.getLogger(__name__)


def possible(where: StoreUrl, durability: Durability) -> None:
    """Refuse what no server could do (ruling 19)."""
    if where.kind == "cluster" and durability is Durability.REPLICA:
        raise StoreUnusable("durability `replica` is not supported on a cluster; choose disk or second")
    _tls(where)


def _tls(where: StoreUrl) -> None:
    """Refuse files that are not there or hold no certificate, and other options TLS cannot be spoken with."""
    options = dict(where.options)
    if options.pop("connection_class", None) is not SSLConnection:
        return
    for name in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"):
        try:
            if name in options:
                Path(options[name]).open("rb").close()
        except OSError as error:
            raise StoreUnusable(
                f"{name} of the store's URL names a file that cannot be read: {error.strerror}"
            ) from None
    try:
        SSLConnection(**options).ssl_context.get()
    except (OSError, TypeError, ValueError, RedisError) as error:
        raise StoreUnusable(
            f"the options ssl_… of the store's URL {where} cannot be used ({error}); they name files of certificates "
            "and keys in PEM form"
        ) from None


async def answers(topology: Topology) -> None:
    """Somebody answers a PING: without any retry, so that a wrong address or password shows at once, unless it is only
    a matter of moments."""
    clock = asyncio.get_running_loop().time
    until = clock() + PATIENCE_S
    while True:
        try:
            await _ping(topology)
        except (BusyLoadingError, MasterNotFoundError):
            if clock() >= until:
                raise
            await asyncio.sleep(AGAIN_S)
        else:
            return


async def _ping(topology: Topology) -> None:
    connection = await topology.connect(topology.node(0))
    try:
        await connection.send_command("PING")
        await connection.read_response()
    finally:
        await connection.disconnect(nowait=True)


async def keeps_its_word(client: Client, where: StoreUrl, durability: Durability, allow_volatile: bool) -> None:
    """Refuse what would lose results."""
    info = (await _infos(client))[0]
    _is_a_primary(info, where)
    _keeps_data(info, where, allow_volatile)
    if durability is Durability.REPLICA and not info.get("connected_slaves"):
        raise StoreUnusable(f"the store at {where} has no replica, which durability `replica` needs; attach one")
    if durability is Durability.DISK:
        await _warn(client, where)


async def still_keeps_data(client: Client, where: StoreUrl, *, allow_volatile: bool) -> None:
    """Refuse, long after the start, a store that keeps data no more: it may have come back with other settings."""
    for info in await _infos(client):
        _keeps_data(info, where, allow_volatile)


async def _infos(client: Client) -> list[dict[str, Any]]:
    """What the store tells of itself: one answer, in a cluster as many as machines were asked."""
    info: dict[str, Any] = await client.execute_command("INFO")
    return [info] if "redis_version" in info else list(info.values())


def _is_a_primary(info: dict[str, Any], where: StoreUrl) -> None:
    version = str(info.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise StoreUnusable(f"the store at {where} is version {version}; Redis or Valkey 7.0 or newer is needed")
    if where.kind != "cluster" and info.get("role") not in ("master", "primary"):
        raise StoreUnusable(f"the store at {where} is a read-only replica; give the address of its primary")
    if info.get("cluster_enabled") and where.kind != "cluster":
        raise StoreUnusable(f"the store at {where} is part of a cluster; use redis+cluster://host:port")


def _keeps_data(info: dict[str, Any], where: StoreUrl, allow_volatile: bool) -> None:
    policy = info.get("maxmemory_policy", "noeviction")
    if info.get("maxmemory") and policy != "noeviction":
        raise StoreUnusable(
            f"the store at {where} throws data away when memory is short (maxmemory-policy {policy}); "
            "set maxmemory-policy noeviction"
        )
    if not info.get("aof_enabled") and not allow_volatile:
        raise StoreUnusable(
            f"the store at {where} does not keep every write (appendonly no); set appendonly yes, or "
            "KUPA_ALLOW_VOLATILE=yes here"
        )


async def _warn(client: Client, where: StoreUrl) -> None:
    """Say so when level `disk` is asked of a store that syncs less often, if it lets us look."""
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


def _no_database(error: BaseException | None) -> bool:
    """What SELECT is answered with a number that is too large, or far too large."""
    return isinstance(error, ResponseError) and any(words in str(error) for words in ("DB index", "out of range"))


def why(error: Exception, where: StoreUrl) -> str:
    """One line, without credentials, for one of `REASONS`."""
    if isinstance(error, AuthenticationError) or isinstance(error.__cause__, AuthenticationError):
        return f"the store at {where} refuses user or password; check the URL"
    if _no_database(error) or _no_database(error.__cause__):
        return f"the store at {where} has no database of this number; give a smaller one, or none"
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return f"the certificate of the store at {where} is not trusted; add ?ssl_ca_certs=FILE to the URL"
    if isinstance(error, BusyLoadingError):
        return f"the store at {where} still loads its data; start again when it has"
    if isinstance(error, MasterNotFoundError):
        return f"no Sentinel of {where} names a primary; are they running, and is the name right?"
    if isinstance(error, NoPermissionError):
        return f"the store at {where} does not permit this user what is needed ({error})"
    if isinstance(error, TimeoutError):
        return f"the store at {where} does not answer in time; is it running?"
    return f"cannot reach the store at {where}; is it running, and is the address right?"
