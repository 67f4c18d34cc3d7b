"""Store URLs (ruling 19): what they mean, and how to print one without its secrets.

`redis://[user:password@]host:port[/db]`, `rediss://…` (TLS), `unix://[user:password@]/path.sock[?db=n]`,
`redis+sentinel://[user:password@]host:port,host:port/service[?sentinel_username=…&sentinel_password=…]`,
`redis+cluster://[user:password@]host:port[,host:port]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

from redis.asyncio.connection import parse_url

from server.store.errors import StoreUnusable

DEFAULT_PORT = 6379
SENTINEL_PORT = 26379
_FORMS = "redis://, rediss://, unix://, redis+sentinel://host:port,host:port/service or redis+cluster://host:port"

Kind = Literal["single", "sentinel", "cluster"]


@dataclass(frozen=True, slots=True, repr=False)
class StoreUrl:
    """A parsed store URL. `str` and `repr` give it without user name and password."""

    kind: Kind
    shown: str
    hosts: tuple[tuple[str, int], ...] = ()
    service: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of a connection to a data node (single: address included)."""
    sentinel_options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """The URL without credentials."""
        return self.shown

    __repr__ = __str__


def _split(url: str) -> SplitResult:
    """`urlsplit`, which in newer Pythons refuses an IPv6 address in a list of hosts."""
    scheme, separator, rest = url.partition("://")
    hosts = re.split(r"[/?#]", rest, maxsplit=1)[0]
    return urlsplit(f"{scheme}{separator}{rest.removeprefix(hosts)}")._replace(netloc=hosts)


def redact(url: str) -> str:
    """The URL without user name and password, wherever they stand in it; never raises."""
    try:
        parts = _split(url)
    except ValueError:
        return "(not a URL)"
    host = parts.netloc.rpartition("@")[2]
    kept = [(k, v) for k, v in parse_qsl(parts.query) if "pass" not in k and "user" not in k]
    shown = f"{parts.scheme}://{'***@' if '@' in parts.netloc else ''}{host}{parts.path}"
    return f"{shown}?{urlencode(kept)}" if kept else shown


def parse(url: str) -> StoreUrl:
    """Read a store URL; StoreUnusable (one line, no secrets) when it is none of the forms above."""
    scheme = url.partition("://")[0]
    try:
        if scheme in ("redis", "rediss", "unix"):
            return _single(url)
        if scheme == "redis+sentinel":
            return _sentinel(url)
        if scheme == "redis+cluster":
            return _cluster(url)
    except ValueError:
        raise StoreUnusable(f"cannot read the store's URL {redact(url)}; give {_FORMS}") from None
    raise StoreUnusable(f"unknown store URL {redact(url)}; give {_FORMS}")


def _single(url: str) -> StoreUrl:
    options: dict[str, Any] = dict(parse_url(url))
    options.pop("decode_responses", None)
    number = "" if url.startswith("unix://") else urlsplit(url).path.strip("/")
    if number and not number.isdecimal():
        raise ValueError("no number of a database")
    if url.startswith("unix://") and not options.get("path"):
        raise ValueError("no path")
    return StoreUrl("single", redact(url), options=options)


def _hosts(netloc: str, default_port: int) -> tuple[tuple[str, int], ...]:
    found = []
    for part in netloc.rpartition("@")[2].split(","):
        parts = urlsplit(f"//{part}")
        if not parts.hostname:
            raise ValueError("no host")
        found.append((parts.hostname, parts.port or default_port))
    return tuple(found)


def _credentials(netloc: str) -> dict[str, Any]:
    user, _, password = netloc.rpartition("@")[0].partition(":")
    wanted = {"username": unquote(user), "password": unquote(password)}
    return {key: value for key, value in wanted.items() if value}


def _sentinel(url: str) -> StoreUrl:
    parts = _split(url)
    service, _, db = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError("no service")
    options = _credentials(parts.netloc) | {"db": int(db or 0)}
    names = {"sentinel_username": "username", "sentinel_password": "password"}
    sentinel = {names[k]: v for k, v in parse_qsl(parts.query) if k in names}
    return StoreUrl("sentinel", redact(url), _hosts(parts.netloc, SENTINEL_PORT), unquote(service), options, sentinel)


def _cluster(url: str) -> StoreUrl:
    parts = _split(url)
    return StoreUrl("cluster", redact(url), _hosts(parts.netloc, DEFAULT_PORT), options=_credentials(parts.netloc))


def unix_url(path: str) -> str:
    """The URL of a store behind a unix socket."""
    return f"unix://{quote(path)}"
