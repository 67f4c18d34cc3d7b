"""Turns what redis-py raises into the errors of this package, in one place."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)
from redis.exceptions import (
    NoScriptError,
    RedisClusterException,
    RedisError,
    ResponseError,
)
from redis.exceptions import (
    TimeoutError as RedisTimeoutError,
)

from server.store.errors import StoreAway, StoreError, StoreFull
from server.store.lua import Script

if TYPE_CHECKING:
    from server.store.topology import Client

P = ParamSpec("P")
R = TypeVar("R")

LOST = (RedisConnectionError, RedisTimeoutError, RedisClusterException, OSError, TimeoutError)
"""The connection is gone or silent: the outcome is unknown. (LOADING is among them.)"""
_FULL = ("OOM", "MISCONF")
_WAIT = ("READONLY", "NOREPLICAS", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK", "LOADING")


def error_code(error: ResponseError) -> str:
    """The first word of the store's answer, e.g. `READONLY`; redis-py has taken it off the text of some."""
    return error.status_code or str(error).partition(" ")[0]


def passes(error: ResponseError) -> bool:
    """Whether this refusal goes away by itself, so that the same request may be sent again."""
    code = error_code(error)
    return code in _FULL or code in _WAIT


def translated(error: Exception) -> StoreError:
    """The error of this package for one of redis-py or the system."""
    if isinstance(error, LOST):
        return StoreAway("the store does not answer")
    if isinstance(error, ResponseError):
        code = error_code(error)
        if code in _FULL:
            return StoreFull("the store takes no writes: out of memory or disk")
        if code in _WAIT:
            return StoreAway(f"the store refuses for now ({code})")
    return StoreError(f"the store refused: {type(error).__name__}")


def guarded(call: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Decorates a coroutine function: it raises only StoreAway, StoreFull or StoreError for store trouble."""

    @functools.wraps(call)
    async def guard(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await call(*args, **kwargs)
        except (RedisError, RedisClusterException, OSError, TimeoutError) as error:
            raise translated(error) from error

    return guard


async def run_script(client: Client, script: Script, keys: list[str], *args: object) -> object:
    """EVALSHA through an ordinary client; the text is sent when the store does not have it."""
    try:
        return await client.execute_command("EVALSHA", script.sha, len(keys), *keys, *args)
    except NoScriptError:
        return await client.execute_command("EVAL", script.text, len(keys), *keys, *args)
