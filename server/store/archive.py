"""Everything of a store as lines of JSON, and back (reliability 2.9).

What lives here: reading keys of every type, writing them into an empty store, and the line that proves that
an archive is whole. What does not: files (server.archiving). Values are base64; keys are text.

    {"kupa": 1, "schema": 1, "at_ms": …}          first line
    {"k": key, "t": type, "x": expires at ms or 0, "v": value}   one a key
    {"keys": n, "sha256": hex over all lines before}    last line
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any, Protocol

from server.store.errors import StoreUnusable
from server.store.guard import guarded
from server.store.topology import Client

FORMAT = 1
PREFIX = "kupa:*"
SCAN = 500
HEAD = 256
"""Characters that the first line has at most."""
MOST = 1024**3
"""Characters that any other line has at most: a key with all that is in it, four times what the largest ones hold."""
PASSING = ("kupa:node:", "kupa:ahead", "kupa:link:", "kupa:schema", "kupa:{deals:")
"""Signs of life and what goes with them, one-time codes, the schema number, which the first line has, and deals
certified ahead, which may have been played by the time the archive is restored: not part of an archive."""


NONE = "this is no archive made by `kupa backup`"


class BadArchive(ValueError):
    """These lines are no archive, or not a whole one; the text is one line."""


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


async def _value(client: Client, key: bytes, kind: str) -> Any:
    command = client.execute_command
    match kind:
        case "string":
            return _text(await command("GET", key))
        case "list":
            return [_text(one) for one in await command("LRANGE", key, 0, -1)]
        case "hash":
            return [[_text(field), _text(value)] for field, value in (await command("HGETALL", key)).items()]
        case "set":
            return sorted(_text(one) for one in await command("SMEMBERS", key))
        case "zset":
            found = await command("ZRANGE", key, 0, -1, "WITHSCORES")
            return [[_text(member), repr(float(score))] for member, score in zip(found[::2], found[1::2], strict=True)]
    raise StoreUnusable(f"the store holds a key of type {kind}, which is not ours; nothing was written")


async def lines(client: Client, at_ms: int, schema: int) -> AsyncIterator[str]:
    """The archive, line by line. Keys that change meanwhile are as they were when they were read.

    Raises the errors of redis-py; StoreUnusable for a key that is not of a type that is used here.
    """
    digest, count = hashlib.sha256(), 0

    def line(value: dict[str, Any]) -> str:
        made = json.dumps(value, separators=(",", ":"), sort_keys=True)
        digest.update(made.encode() + b"\n")
        return made

    yield line({"kupa": FORMAT, "schema": schema, "at_ms": at_ms})
    seen: set[bytes] = set()
    async for key in client.scan_iter(match=PREFIX, count=SCAN):
        if key in seen or key.decode().startswith(PASSING):
            continue
        seen.add(key)
        kind = (await client.execute_command("TYPE", key)).decode()
        if kind == "none":
            continue
        expires = max(0, int(await client.execute_command("PEXPIRETIME", key)))
        yield line({"k": key.decode(), "t": kind, "x": expires, "v": await _value(client, key, kind)})
        count += 1
    yield json.dumps({"keys": count, "sha256": digest.hexdigest()})


class Readable(Protocol):
    """A file of text, as far as it is used here."""

    def readline(self, size: int, /) -> str:
        """The next line, or its first `size` characters; empty at the end."""
        ...


def _lines(archive: Readable) -> Iterator[str]:
    """The lines, each within its bound: what has no end, or is something else, is not read to its end."""
    most = HEAD
    while line := archive.readline(most + 1):
        if len(line) > most:
            raise BadArchive(NONE)
        yield line
        most = MOST


def _sound(row: dict[str, Any]) -> bool:
    """Whether a line is a key of ours with its value, as far as `put` does not look itself."""
    key, kind, expires = row["k"], row["t"], row["x"]
    return all(isinstance(one, str) for one in (key, kind)) and isinstance(expires, int) and key.startswith(PREFIX[:-1])


def checked(archive: Readable) -> list[dict[str, Any]]:
    """The keys of an archive, once it is proved to be whole. Raises BadArchive."""
    digest = hashlib.sha256()
    rows: list[dict[str, Any]] = []
    try:
        for text in _lines(archive):
            row = json.loads(text)
            if not rows and "kupa" not in row:
                raise BadArchive(NONE)
            if rows and "sha256" not in row and not _sound(row):
                raise BadArchive(NONE)
            if "sha256" in row:
                if row["sha256"] != digest.hexdigest() or row["keys"] != len(rows) - 1:
                    raise BadArchive("the archive was changed after it was made: its check sum does not fit")
                if rows[0].get("kupa") != FORMAT:
                    raise BadArchive(f"the archive has format {rows[0].get('kupa')}; this program reads {FORMAT}")
                if archive.readline(1):
                    raise BadArchive("the archive goes on after its last line: it was changed after it was made")
                return rows[1:]
            digest.update(text.rstrip("\n").encode() + b"\n")
            rows.append(row)
    except BadArchive:
        raise
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BadArchive("the archive is not whole: its packing is damaged or cut off") from error
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise BadArchive(NONE) from error
    raise BadArchive("the archive is not whole: its last line is missing")


@guarded
async def empty(client: Client) -> bool:
    """Whether the store holds nothing of ours but its schema number."""
    async for key in client.scan_iter(match=PREFIX, count=SCAN):
        if not key.decode().startswith(PASSING):
            return False
    return True


@guarded
async def put(client: Client, row: dict[str, Any]) -> None:
    """Write one key of an archive. Raises BadArchive for a row that is none."""
    try:
        await _put(client, row["k"], row["t"], row["v"])
    except BadArchive:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise BadArchive(f"the archive holds a value of {row['k']} that cannot be one") from error
    if row["x"]:
        await client.execute_command("PEXPIREAT", row["k"], row["x"])


async def _put(client: Client, key: str, kind: str, value: Any) -> None:
    command = client.execute_command
    match kind:
        case "string":
            await command("SET", key, _bytes(value))
        case "list":
            for first in range(0, len(value), SCAN):
                await command("RPUSH", key, *map(_bytes, value[first : first + SCAN]))
        case "hash":
            for field, one in value:
                await command("HSET", key, _bytes(field), _bytes(one))
        case "set":
            await command("SADD", key, *map(_bytes, value))
        case "zset":
            for member, score in value:
                await command("ZADD", key, score, _bytes(member))
        case _:
            raise BadArchive(f"the archive holds a key of type {kind}, which this program does not know")
