"""Settings: read once, from the environment and the command line, into one frozen value.

What lives here: the table of settings (each a line of `Config`; `VARIABLES` and the README's table
derive from it), the parsers of their values, and where the browser client's files lie. What does
not: anything that acts on a setting. No other module reads the environment.

    ConfigError(ValueError)    a value that cannot be used; its text is one line for the operator

`python -m server.config` prints the README's table; `--check` compares it, `--write` renews it.
"""

from __future__ import annotations

import difflib
import ipaddress
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TypeVar

from server.addresses import origin_of, path_of
from server.shown import redacted

T = TypeVar("T")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

CLIENT_DIR = Path(__file__).resolve().parent.parent / "client_web"
"""The browser client lies beside the package `server`, in a checkout and where a wheel was installed alike."""

README = Path(__file__).resolve().parent.parent / "README.md"
MARKERS = ("<!-- settings: python -m server.config --write -->", "<!-- /settings -->")
STORE_SCHEMES = ("redis", "rediss", "unix", "redis+sentinel", "redis+cluster")
SECRETS = frozenset({"REDIS_URL", "KUPA_ADMIN_SECRET"})
"""Settings whose values never appear in an error text."""
ADMIN_SECRET_LEAST = 32
"""Bytes an admin secret has at least (reliability S15)."""
FOREIGN_PREFIX = "KUPA_TEST_"
"""Variables that belong to the tests, not to the server."""


class ConfigError(ValueError):
    """A setting that cannot be used; the text is one line that names it."""


@dataclass(frozen=True, slots=True)
class Variable:
    """What the table says about one setting; `parse` raises ValueError with what was expected."""

    name: str
    type: str
    default: str
    unit: str
    meaning: str
    parse: Callable[[str], object]


# ---------------------------------------------------------------- types of values


def text(value: str) -> str:
    """Any text."""
    return value


def listens_at(value: str) -> str:
    """An address of this machine, which is not said by saying nothing."""
    if not value:
        raise ValueError("an address to listen on, such as 127.0.0.1; 0.0.0.0 is every one")
    return value


def folder(value: str) -> Path:
    """A folder; `~` is the home folder."""
    if not value:
        raise ValueError("a folder")
    try:
        return Path(value).expanduser()
    except RuntimeError:
        raise ValueError("a folder; no user of this machine has the name behind the ~") from None


def flag(value: str) -> bool:
    """Yes or no."""
    words = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}
    if value.lower() not in words:
        raise ValueError("yes or no")
    return words[value.lower()]


def number(low: int, high: int) -> Callable[[str], int]:
    """A whole number from `low` to `high`."""

    def parse(value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,10}", value) or not low <= int(value) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(value)

    return parse


Address = tuple[str, int]
"""A host and a port; ("", 0) is none."""


def address(value: str) -> Address:
    """`127.0.0.1:9000`, `[::1]:9000`, or nothing."""
    if not value:
        return "", 0
    host, _, port = value.rpartition(":")
    if not host or not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65535:
        raise ValueError("a host and port such as 127.0.0.1:9000")
    return host.strip("[]"), int(port)


def choice(*words: str) -> Callable[[str], str]:
    """One of the words."""

    def parse(value: str) -> str:
        if value not in words:
            raise ValueError("one of " + ", ".join(words))
        return value

    return parse


def public_address(value: str) -> str:
    """`https://play.example.org/kupa`: an origin and perhaps a path, without the `/` at its end; or nothing."""
    if not value:
        return ""
    expected = "an address such as https://play.example.org or https://example.org/kupa"
    try:
        path = path_of(value)
        origin = origin_of(value.rstrip("/").removesuffix(path))
    except ValueError:
        raise ValueError(expected) from None
    if not re.fullmatch(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*", path):
        raise ValueError(expected)
    return origin + path


def listed(parse: Callable[[str], T]) -> Callable[[str], tuple[T, ...]]:
    """Values between commas; nothing is the empty list."""

    def parse_all(value: str) -> tuple[T, ...]:
        found = tuple(parse(part.strip()) for part in value.split(",") if part.strip())
        if value and not found:
            raise ValueError("one at least, or no commas")
        return found

    return parse_all


def network(value: str) -> Network:
    """`10.0.0.0/8`, `::1`: an address or a network of them."""
    try:
        return ipaddress.ip_network(value)
    except ValueError:
        raise ValueError("an address or network such as 10.0.0.0/8") from None


def store_url(value: str) -> str:
    """The address of a Redis or Valkey, or nothing for the embedded store (ruling 19)."""
    scheme, separator, rest = value.partition("://")
    if value and (scheme not in STORE_SCHEMES or not separator or not rest):
        raise ValueError("nothing, or a URL that starts with one of " + ", ".join(f"{s}://" for s in STORE_SCHEMES))
    return value


# ---------------------------------------------------------------- the table


def setting(name: str, kind: str, parse: Callable[[str], T], default: str, unit: str, meaning: str) -> T:
    """One line of the table, as the default of a field of `Config`."""
    variable = Variable(name, kind, default, unit, meaning, parse)
    made: T = field(default=parse(default), metadata={"variable": variable}, repr=name not in SECRETS)
    return made


# fmt: off
@dataclass(frozen=True, slots=True)
class Config:
    """Every setting of the server; made by `read_config`. A new setting is one more line here."""

    host: str = setting("KUPA_HOST", "text", listens_at, "0.0.0.0", "",
        "address to listen on; `127.0.0.1` keeps the game on this machine, `::` adds IPv6")
    port: int = setting("KUPA_PORT", "number", number(0, 65535), "8000", "",
        "port for pages and sockets alike; `0` takes any free one")
    workers: int = setting("KUPA_WORKERS", "number", number(1, 64), "1", "processes",
        "how many share the port and the store, best one for each core")
    data: Path = setting("KUPA_DATA", "folder", folder, "data", "",
        "where the embedded store keeps everything that lasts")
    redis_url: str = setting("REDIS_URL", "URL", store_url, "", "",
        "a Redis or Valkey (`redis://`, `rediss://`, `unix://`, `redis+sentinel://`, `redis+cluster://`) "
        "shared by any number of servers; empty: the embedded store")
    durability: str = setting("KUPA_DURABILITY", "word", choice("disk", "second", "replica"), "disk", "",
        "what a confirmed move has reached: `disk`, `second` (on disk within a second) or `replica`")
    allow_volatile: bool = setting("KUPA_ALLOW_VOLATILE", "yes/no", flag, "no", "",
        "start even though the store of `REDIS_URL` may forget what it was told")
    public_url: str = setting("KUPA_PUBLIC_URL", "URL", public_address, "", "",
        "the address people use, when a proxy stands in front, perhaps with a path; goes into links and QR codes")
    origins: tuple[str, ...] = setting("KUPA_ORIGINS", "URLs", listed(origin_of), "", "",
        "further sites, between commas, whose pages may open a socket here")
    allow_no_origin: bool = setting("KUPA_ALLOW_NO_ORIGIN", "yes/no", flag, "no", "",
        "let programs in that are no browser and name no origin")
    trusted_proxies: tuple[Network, ...] = setting("KUPA_TRUSTED_PROXIES", "networks", listed(network), "", "",
        "proxies, between commas, whose X-Forwarded-For is believed")
    max_connections: int = setting("KUPA_MAX_CONNECTIONS", "number", number(1, 1_000_000), "10000", "sockets",
        "open at once in this process; further ones are told to come back")
    address_connections: int = setting("KUPA_ADDRESS_CONNECTIONS", "number", number(1, 1_000_000), "200", "sockets",
        "open at once in one process from one address (IPv6: one /64); the limits below count for one process, too")
    address_handshakes: int = setting("KUPA_ADDRESS_HANDSHAKES", "number", number(1, 1_000_000), "60", "per second",
        "new sockets from one address")
    address_identities: int = setting("KUPA_ADDRESS_IDENTITIES", "number", number(1, 1_000_000), "60", "per minute",
        "new players from one address")
    address_rooms: int = setting("KUPA_ADDRESS_ROOMS", "number", number(1, 1_000_000), "60", "per hour",
        "new rooms from one address")
    moves: int = setting("KUPA_MOVES", "number", number(1, 100_000), "10", "per second",
        "moves of one connection; further ones wait (three times as many at once are let through)")
    keep_days: int = setting("KUPA_KEEP_DAYS", "number", number(0, 36_500), "30", "days",
        "how long the boards of races that count for nothing are kept; `0` for ever")
    admin: Address = setting("KUPA_ADMIN", "address", address, "", "",
        "host and port for metrics, e.g. `127.0.0.1:9000`; empty: none (worker n listens n ports above)")
    admin_secret: str = setting("KUPA_ADMIN_SECRET", "text", text, "", "",
        "what that listener asks for as a bearer token; at least 32 bytes, no default")
    log_level: str = setting("KUPA_LOG_LEVEL", "word", choice("debug", "info", "warning", "error"), "info", "",
        "the least that is logged: `debug`, `info`, `warning` or `error`")
    log_format: str = setting("KUPA_LOG_FORMAT", "word", choice("text", "json"), "text", "",
        "`text` for people, `json` for programs")
# fmt: on


FIELDS: dict[str, Variable] = {each.name: each.metadata["variable"] for each in fields(Config)}
VARIABLES: tuple[Variable, ...] = tuple(FIELDS.values())


# ---------------------------------------------------------------- reading it


def read_config(environ: Mapping[str, str], **overrides: object) -> Config:
    """The settings of `environ`; `overrides` (by field name, None: not given) come first: they are what was typed for
    the option of that name, and are told as such.

    Raises ConfigError for a value that cannot be used, for two that contradict each other, and for a
    variable that looks like a setting and is none. An empty variable counts as not set.
    """
    for name in sorted(environ):
        if name.startswith("KUPA_") and not name.startswith(FOREIGN_PREFIX):
            _known(name)
    typed = {name: (f"--{name}", str(value)) for name, value in overrides.items() if value is not None}
    said = {name: (each.name, environ[each.name]) for name, each in FIELDS.items() if environ.get(each.name)}
    parsed = {name: _parse(FIELDS[name], *value) for name, value in (said | typed).items()}
    config = Config(**parsed)  # type: ignore[arg-type]
    _consistent(config)
    return config


def environ_with(environ: Mapping[str, str], **given: object) -> dict[str, str]:
    """`environ` with these settings (by field name) in place of its own: for a process to be started."""
    return {**environ, **{FIELDS[name].name: str(value) for name, value in given.items()}}


def _known(name: str) -> None:
    names = [variable.name for variable in VARIABLES]
    if name not in names:
        close = difflib.get_close_matches(name, names, n=1)
        raise ConfigError(f"{name} is not a setting" + (f"; {close[0]} is" if close else ""))


def _typed(name: str, value: str) -> str:
    """`value` without the blanks around it, once it is text at all."""
    if value and not value.strip():
        raise ConfigError(f"{name} is blank; give it a value, or leave it out")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ConfigError(f"{name} is no text in UTF-8; give it a value that is") from None
    return value.strip()


def _parse(variable: Variable, name: str, value: str) -> object:
    """The value of a setting that was given under `name`."""
    typed = _typed(name, value)
    try:
        return variable.parse(typed)
    except ValueError as error:
        shown = name if variable.name in SECRETS else f"{name}={redacted(typed)!r}"
        raise ConfigError(f"{shown} cannot be used; expected {error}") from None


def _consistent(config: Config) -> None:
    host, port = config.admin
    if host and config.workers > 1 and not 1 <= port <= 65536 - config.workers:
        raise ConfigError(
            f"KUPA_ADMIN names port {port}, but each of {config.workers} workers has one of its own from there on; "
            f"choose one from 1 to {65536 - config.workers}"
        )
    if config.admin[0] and not config.admin_secret:
        raise ConfigError(f"KUPA_ADMIN needs a KUPA_ADMIN_SECRET of at least {ADMIN_SECRET_LEAST} bytes")
    if config.admin_secret and len(config.admin_secret.encode()) < ADMIN_SECRET_LEAST:
        raise ConfigError(f"KUPA_ADMIN_SECRET is too short; it needs at least {ADMIN_SECRET_LEAST} bytes")
    if config.durability == "replica" and not config.redis_url:
        raise ConfigError("KUPA_DURABILITY=replica needs a REDIS_URL: the embedded store has no replica")
    if config.durability == "replica" and config.redis_url.startswith("redis+cluster:"):
        raise ConfigError("KUPA_DURABILITY=replica is not supported on a cluster (redis+cluster://)")


# ---------------------------------------------------------------- the README's table


def table() -> str:
    """The settings as a Markdown table."""
    rows = ["| variable | type | default | unit | meaning |", "|---|---|---|---|---|"]
    for each in VARIABLES:
        default = f"`{each.default}`" if each.default else ""
        rows.append(f"| `{each.name}` | {each.type} | {default} | {each.unit} | {each.meaning} |")
    return "\n".join(rows)


def with_table(readme: str) -> str:
    """`readme` with the table between its markers renewed; raises ConfigError when a marker is missing."""
    before, opening, rest = readme.partition(MARKERS[0])
    _, closing, after = rest.partition(MARKERS[1])
    if not opening or not closing:
        raise ConfigError(f"README.md has no place for the settings: {MARKERS[0]} … {MARKERS[1]}")
    return f"{before}{opening}\n{table()}\n{closing}{after}"


def main(arguments: list[str]) -> int:
    """Print (no argument), `--check` or `--write` the README's table; 1: the README is out of date."""
    if arguments not in ([], ["--check"], ["--write"]):
        print("usage: python -m server.config [--check | --write]", file=sys.stderr)
        return 2
    if not arguments:
        print(table())
        return 0
    old = README.read_text(encoding="utf-8")
    new = with_table(old)
    if arguments == ["--write"]:
        README.write_text(new, encoding="utf-8")
    elif old != new:
        print("README.md: the settings are out of date; run `make generate`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
