"""Everything of a store as one file, and back."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from server import archiving
from server.app import CannotStart
from server.config import Config
from server.store import archive
from server.store.connect import Store
from server.store.schema import KNOWN

COMMANDS: tuple[tuple[Any, ...], ...] = (
    ("SET", "kupa:code:ABCDE", b"\x00\xffroom"),
    ("RPUSH", "kupa:{ABCDEFGHJK}:log", b"\x93\x01", b"", b"\xc0" * 300),
    ("HSET", "kupa:player:ABCDEFGHJK", "name", "Ayşe", "t:00", 1),
    ("ZADD", "kupa:due", 1_796_008_482_749, "ABCDEFGHJK:1796008482749"),
    ("SADD", "kupa:{rating:DS1-D1N}:heats", "a", "b"),
    ("SET", "kupa:seat:ABCDEFGHJK", "ABCDEFGHJK", "PX", 3_600_000),
    ("SET", "kupa:node:abcd", "1", "PX", 6_000),
    ("SET", "other:key", "not ours"),
)


async def filled(store: Store) -> dict[str, bytes]:
    for words in COMMANDS:
        await store.client.execute_command(*words)
    return await dumped(store)


async def dumped(store: Store) -> dict[str, bytes]:
    found = [key async for key in store.client.scan_iter(match="kupa:*")]
    keys = [key for key in found if not key.startswith(b"kupa:node") and key != b"kupa:schema"]
    return {key.decode(): await store.client.execute_command("DUMP", key) for key in keys}


async def whole(store: Store) -> list[str]:
    return [line async for line in archive.lines(store.client, 5, KNOWN)]


@pytest.mark.parametrize("name", ["kupa.backup", "kupa.backup.gz"])
async def test_a_backup_restored_into_an_empty_store_gives_every_key_back(
    store: Store, store_url: str, tmp_path: Path, name: str
) -> None:
    before = await filled(store)
    config = Config(redis_url=store_url, durability="second", data=tmp_path)
    assert await archiving.backup(config, tmp_path / name, lambda _: None) == len(before)
    await store.client.execute_command("FLUSHALL")
    assert await archiving.restore(config, tmp_path / name, lambda _: None) == len(before)
    assert await dumped(store) == before
    assert 0 < int(await store.client.execute_command("PTTL", "kupa:seat:ABCDEFGHJK")) <= 3_600_000


async def test_signs_of_life_and_the_keys_of_others_are_not_in_it(store: Store) -> None:
    await filled(store)
    text = "\n".join(await whole(store))
    assert "kupa:node" not in text
    assert "other:key" not in text


async def test_a_store_that_is_not_empty_takes_no_archive(store: Store, store_url: str, tmp_path: Path) -> None:
    await filled(store)
    config = Config(redis_url=store_url, durability="second", data=tmp_path)
    await archiving.backup(config, tmp_path / "b", lambda _: None)
    with pytest.raises(CannotStart, match="not empty"):
        await archiving.restore(config, tmp_path / "b", lambda _: None)


async def test_an_archive_that_was_changed_or_cut_is_refused_before_anything_is_written(store: Store) -> None:
    await filled(store)
    lines = await whole(store)
    assert len(archive.checked(as_file(lines))) == len(lines) - 2
    changed = [line.replace('"x":0', '"x":1') for line in lines]
    assert changed != lines
    for bad in (
        lines[:-1],
        lines[1:],
        changed,
        [*lines, *lines],
        [*lines, ""],
        [],
        ["{}"],
        ["x"],
        ["[" * 200],
        [lines[0], "[" * 100_000],
    ):
        with pytest.raises(archive.BadArchive):
            archive.checked(as_file(bad))


def as_file(lines: list[str]) -> io.StringIO:
    return io.StringIO("".join(line + "\n" for line in lines))


class Endless:
    """A file such as /dev/zero: after its first lines one that has no end."""

    def __init__(self, begins: str) -> None:
        self.begins = io.StringIO(begins)
        self.taken = 0

    def readline(self, size: int, /) -> str:
        assert size >= 0, "it would be read for ever"
        self.taken += size
        return self.begins.readline(size) or "\0" * size


def test_what_has_no_end_is_read_no_further_than_it_makes_sense(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST", 1_000)
    for begins in ("", '{"at_ms":5,"kupa":1,"schema":1}\n'):
        file = Endless(begins)
        with pytest.raises(archive.BadArchive, match="no archive made by `kupa backup`"):
            archive.checked(file)
        assert file.taken <= archive.HEAD + archive.MOST + 2


@pytest.mark.parametrize(
    "row",
    [
        {}, {"k": "other", "t": "string", "x": 0, "v": ""}, {"k": 5, "t": "string", "x": 0, "v": ""},
        {"k": "kupa:a", "t": "string", "x": "0", "v": ""}, {"k": "kupa:a", "t": [], "x": 0, "v": ""}, [], 5,
    ],
)  # fmt: skip
def test_a_line_that_is_no_key_of_ours_is_refused_before_anything_is_written(row: object) -> None:
    with pytest.raises(archive.BadArchive, match="no archive"):
        archive.checked(as_file(['{"at_ms":5,"kupa":1,"schema":1}', json.dumps(row)]))


@pytest.mark.parametrize(
    ("kind", "value"), [("string", "!"), ("string", 5), ("hash", [["YQ=="]]), ("list", 5), ("x", "")]
)
async def test_a_value_that_is_none_is_refused(store: Store, kind: str, value: object) -> None:
    with pytest.raises(archive.BadArchive, match="the archive holds a"):
        await archive.put(store.client, {"k": "kupa:a", "t": kind, "x": 0, "v": value})


async def test_a_packed_archive_that_is_damaged_or_cut_off_is_refused(
    store: Store, store_url: str, tmp_path: Path
) -> None:
    await filled(store)
    config = Config(redis_url=store_url, durability="second", data=tmp_path)
    await archiving.backup(config, tmp_path / "b.gz", lambda _: None)
    whole = (tmp_path / "b.gz").read_bytes()
    half = len(whole) // 2
    for number, bad in enumerate(
        (whole[:half], whole[:half] + b"\xff\xff\xff\xff" + whole[half + 4 :], whole + whole, whole + b"and more")
    ):
        (tmp_path / f"{number}.gz").write_bytes(bad)
        with pytest.raises(archive.BadArchive), gzip.open(tmp_path / f"{number}.gz", "rt", encoding="utf-8") as lines:
            archive.checked(lines)


async def test_a_backup_that_fails_leaves_no_file_under_its_name(tmp_path: Path) -> None:
    config = Config(redis_url=f"unix://{tmp_path}/nobody", data=tmp_path)
    with pytest.raises(CannotStart):
        await archiving.backup(config, tmp_path / "b", lambda _: None)
    assert not (tmp_path / "b").exists()


async def test_a_tool_uses_the_store_of_the_server_that_runs_on_the_folder(tmp_path: Path) -> None:
    from server.app import store_of

    config = Config(data=tmp_path / "data", durability="second")
    async with store_of(config, new=True) as first, store_of(config) as second:
        await first.client.execute_command("SET", "kupa:code:ABCDE", "x")
        assert await second.client.execute_command("GET", "kupa:code:ABCDE") == b"x"
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"{}"))
    with pytest.raises(archive.BadArchive):
        await archiving.restore(config, tmp_path / "x.gz", lambda _: None)
