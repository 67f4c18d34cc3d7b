"""The GET API: JSON out of services, with one way to say no.

Lives here: queries, replies and errors that all of its pages share, and a short memory for what is asked often.
Lives elsewhere: what each page says (board_pages, daily_pages, player_pages), files and health (net.pages).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl

import msgspec
import structlog

from server.clock import Clock
from server.net.pages import JSON, PageRequest, Reply, Route, refused
from server.store.errors import StoreAway, StoreBusy

T = TypeVar("T")
MOST_REMEMBERED = 2_000
MOST_QUERY = 500
"""Characters of a query that are read at all."""
FRESH = (("Cache-Control", "no-cache"),)

_log = structlog.get_logger(__name__)


class BadRequest(Exception):
    """A parameter that cannot be used; the code is stable."""

    def __init__(self, code: str) -> None:
        """`code`: e.g. `bad_date`."""
        super().__init__(code)
        self.code = code


class NotThere(Exception):
    """What was asked for does not exist, or may not be told."""


def json(value: Any) -> Reply:
    """A value as JSON."""
    return Reply(200, msgspec.json.encode(value), JSON, FRESH)


def route(answer: Callable[[PageRequest], Awaitable[Reply]]) -> Route:
    """A page of the API: its exceptions become replies."""

    async def page(request: PageRequest) -> Reply:
        try:
            return await answer(request)
        except BadRequest as error:
            return refused(400, error.code)
        except NotThere:
            return refused(404, "not_found")
        except (StoreAway, StoreBusy) as error:
            _log.warning("api.busy", path=request.path, why=str(error))
            return refused(503, "busy")

    return page


def query(request: PageRequest, *known: str) -> dict[str, str]:
    """The query's parameters, each of `known` at most once. BadRequest for anything else."""
    try:
        pairs = parse_qsl(request.query[: MOST_QUERY + 1], keep_blank_values=True, strict_parsing=bool(request.query))
    except ValueError as error:
        raise BadRequest("bad_query") from error
    found = dict(pairs)
    if len(request.query) > MOST_QUERY or len(found) != len(pairs) or not set(found) <= set(known):
        raise BadRequest("bad_query")
    return found


class Brief(Generic[T]):
    """Remembers answers for a moment, and lets many who ask at once wait for one answer."""

    def __init__(self, clock: Clock, keep_ms: int) -> None:
        self._clock = clock
        self._keep_ms = keep_ms
        self._known: dict[Hashable, tuple[int, asyncio.Task[T]]] = {}

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """What `make` answered for `key` not longer than the time ago. What it raises is not remembered."""
        now_ms = self._clock.now_ms()
        known = self._known.get(key)
        if known is None or now_ms >= known[0]:
            if len(self._known) >= MOST_REMEMBERED:
                self._forget(now_ms)
            task = asyncio.ensure_future(_awaited(make()))
            known = self._known[key] = (now_ms + self._keep_ms, task)
        try:
            return await asyncio.shield(known[1])
        except Exception:
            if self._known.get(key) is known:
                del self._known[key]
            raise

    def _forget(self, now_ms: int) -> None:
        """Drop what is too old; all, when nothing is."""
        self._known = {key: known for key, known in self._known.items() if now_ms < known[0]}
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()


async def _awaited(work: Awaitable[T]) -> T:
    return await work
