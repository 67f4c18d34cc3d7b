"""Store URLs (ruling 19): what they mean, and how to print one without its secrets.

`redis://[user:password@]host:port[/db]`, `rediss://…` (TLS), `unix://[user:password@]/path.sock[?db=n]`,
`redis+sentinel://[user:password@]host:port,host:port/service[?sentinel_username=…&sentinel_password=…]`,
`redis+cluster://[user:password@]host:port[,host:port]`. With TLS, options `ssl_…` as redis-py has them. All else that a
connection does (how many there are, how long they wait, what they try again) is decided here: its options are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

from redis.asyncio.connection import parse_url

from server.store.errors import StoreUnusable

DEFAULT_PORT = 6379
SENTINEL_PORT = 26379
_FORMS = "redis://, rediss://, unix://, redis+sentinel://host:port,host:port/service or redis+cluster://host:port"

_OPTIONS = ("db", "username", "password", "client_name")
_TLS = (
    "ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_keyfile", "ssl_password", "ssl_cert_reqs",
    "ssl_check_hostname", "ssl_ciphers",
)  # fmt: skip
_TAKEN: Mapping[str, Sequence[str]] = {
    "redis": _OPTIONS,
    "rediss": _OPTIONS + _TLS,
    "unix": _OPTIONS,
    "redis+sentinel": ("sentinel_username", "sentinel_password"),
    "redis+cluster": (),
}
"""Options of a URL, by its scheme."""
_SHOWN = ("db",)
"""Those whose values may be printed."""

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
    scheme, _, rest = url.partition("://")
    if "@" in rest and "@" not in parts.netloc and scheme != "unix":
        return f"{scheme}://***"  # a password with one of /?# in it: it is anywhere in there
    host = parts.netloc.rpartition("@")[2]
    kept = [(k, v) for k, v in parse_qsl(parts.query) if k in _SHOWN]
    shown = f"{parts.scheme}://{'***@' if '@' in parts.netloc else ''}{host}{parts.path}"
    return f"{shown}?{urlencode(kept)}" if kept else shown


def parse(url: str) -> StoreUrl:
    """Read a store URL; StoreUnusable (one line, no secrets) when it is none of the forms above."""
    scheme = url.partition("://")[0]
    try:
        _refuse_options(url, scheme)
        if scheme in ("redis", "rediss", "unix"):
            return _single(url)
        if scheme == "redis+sentinel":
            return _sentinel(url)
        if scheme == "redis+cluster":
            return _cluster(url)
    except ValueError:
        raise StoreUnusable(f"cannot read the store's URL {redact(url)}; give {_FORMS}") from None
    raise StoreUnusable(f"unknown store URL {redact(url)}; give {_FORMS}")


def _refuse_options(url: str, scheme: str) -> None:
    """Raise StoreUnusable for an option that is not taken, ValueError for a value that is none."""
    parts, taken = _split(url), _TAKEN.get(scheme, ())
    if parts.fragment:
        raise ValueError("a fragment")
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name == "ssl_cert_reqs" and value not in ("none", "optional", "required"):
            raise StoreUnusable("ssl_cert_reqs of the store's URL is none, optional or required")
        if name not in taken:
            which = f"an option {name}" if re.fullmatch(r"[a-z_]{1,40}", name) else "an option"
            there = f"those of {scheme}:// are {', '.join(taken)}" if taken else f"{scheme}:// has none"
            raise StoreUnusable(f"the store's URL {redact(url)} has {which} that is not taken; {there}")


def _single(url: str) -> StoreUrl:
    options: dict[str, Any] = dict(parse_url(url))
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
    if parts.path not in ("", "/", "/0"):
        raise ValueError("a cluster has one database")
    return StoreUrl("cluster", redact(url), _hosts(parts.netloc, DEFAULT_PORT), options=_credentials(parts.netloc))


def unix_url(path: str) -> str:
    """The URL of a store behind a unix socket."""
    return f"unix://{quote(path)}"
