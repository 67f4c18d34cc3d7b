"""`kupa replay`, `kupa export` and `kupa admin flags` as they are typed (product P8, P11)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.moves import unpack_entry
from server import reading, replaying
from server.cli_boards import clock
from server.core import replay
from server.core.integrity import Flag
from server.store.connect import Store
from server.store.ids import new_id
from tests.server.core.test_replay import LOGS, heat
from tests.server.services.conftest import server, servers
from tests.server.services.kit import Servers, settings
from tests.server.services.test_replays import raced
from tests.server.test_cli import is_refused, typed
from tests.store_fixture import store, store_url

__all__ = ["server", "servers", "store", "store_url"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A replay that is as it should be."""
    made = tmp_path / "heat.json"
    made.write_bytes(replay.write(replay.build(heat(LOGS), dict(enumerate(LOGS)), kupa="1.2.3", rated=False)))
    return made


def altered(file: Path, **fields: object) -> Path:
    """The same with fields changed by hand."""
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))
    return file


# ------------------------------------------------------------ kupa replay


def test_a_replay_that_holds_is_shown_and_status_is_0(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = typed(monkeypatch, capsys, "replay", str(file))
    assert (ended.status, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0].startswith("heat HHHHHHHHHH: DS1-D1N, first to finish, deal DS1-D1N-KMPQRTV-WXYABCD")
    assert lines[-1] == "3 boards played again: the result holds, and the deal is the one that the commitment bound"
    assert ended.out.count("Ada") == 3


def test_the_time_of_a_board_is_when_it_was_over_and_none_where_the_time_was_up(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(monkeypatch, capsys, "replay", str(file)).out
    rows = [[cell.strip() for cell in line.split("│")] for line in shown.splitlines() if line.startswith("│")]
    at_ms = unpack_entry(LOGS[1][-1])[1]
    assert at_ms > 0
    assert sorted((row[7], row[6]) for row in rows) == [
        ("resigned", clock(at_ms)), ("time_up", "–"), ("time_up", "–"),
    ]  # fmt: skip


def test_programs_get_json(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ended = typed(monkeypatch, capsys, "replay", str(file), "--json")
    told = json.loads(ended.out)
    assert (told["heat"], told["verified"], told["faults"], told["rules"]) == ("HHHHHHHHHH", True, [], 1)
    assert [board["place"] for board in told["boards"]] == [1, 1, 1], "nobody has done anything that ranks"
    assert sum(board["entries"] for board in told["boards"]) == sum(map(len, LOGS))


def test_a_replay_that_does_not_hold_says_where_and_status_is_1(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    altered(file, nonce="00" * 32)
    ended = typed(monkeypatch, capsys, "replay", str(file))
    assert ended.status == 1
    assert ended.out.splitlines()[-2:] == ["the deal is not the one that the commitment binds", "1 fault"]
    told = json.loads(typed(monkeypatch, capsys, "replay", str(file), "--json").out)
    assert told["verified"] is False


def test_a_file_that_is_none_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    is_refused(typed(monkeypatch, capsys, "replay", str(file.with_name("other"))), "other", "No such file")
    is_refused(typed(monkeypatch, capsys, "replay", str(file.parent)), "directory")
    is_refused(typed(monkeypatch, capsys, "replay", str(altered(file, version=2))), "newer")
    file.write_bytes(b"\x00")
    is_refused(typed(monkeypatch, capsys, "replay", str(file)), "no replay file")
    is_refused(typed(monkeypatch, capsys, "replay", "/dev/zero"), "no replay file")


def test_what_a_stranger_wrote_into_a_file_does_not_steer_the_terminal(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    boards = json.loads(file.read_text())["boards"]
    evil = [board | {"name": "\x1b[2Jevil\nX", "ended": "\x1b[1m"} for board in boards]
    ended = typed(monkeypatch, capsys, "replay", str(altered(file, boards=evil, kupa="\x1b]0;title\x07", heat="\x9b")))
    assert ended.status == 1
    assert r"\x1b[2Jevil\x0aX" in ended.out
    assert {character for character in ended.out if not character.isprintable()} == {"\n"}


def test_a_file_beyond_all_bounds_is_not_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 5_000)
    file.write_bytes(file.read_bytes() + b" " * 5_000)
    with pytest.raises(replay.BadReplay, match="larger"):
        replaying.load(file)


# ------------------------------------------------------------ kupa export


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_a_heat_is_exported_whole_and_plays_again(server: Servers, store_url: str, tmp_path: Path) -> None:
    ended = await raced(server)
    target = tmp_path / "heat.json"
    kept = await replaying.export(settings(store_url), ended, target)
    assert replaying.load(target) == kept
    assert replay.faults(kept) == []
    assert names(tmp_path) == ["heat.json"]


async def test_a_heat_that_is_not_there_is_not_exported(store: Store, store_url: str, tmp_path: Path) -> None:
    for name in (new_id(), "nothing"):
        with pytest.raises(replaying.NoHeat, match="there is no heat"):
            await replaying.export(settings(store_url), name, tmp_path / "heat.json")
    assert names(tmp_path) == []


def test_export_says_what_it_cannot_do(
    store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", store_url)
    monkeypatch.setenv("KUPA_DURABILITY", "second")
    is_refused(typed(monkeypatch, capsys, "export", new_id().lower(), str(tmp_path / "x")), "there is no heat")


# ------------------------------------------------------------ kupa admin flags


def test_an_operator_reads_flags(
    store_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import asyncio

    from server.store.connect import open_store

    async def flag() -> tuple[str, str]:
        opened = await open_store(store_url)
        await opened.client.execute_command("FLUSHALL")
        ann, ben = [(await opened.players.new_player(name, name * 15, 1)).id for name in ("Ann", "Ben")]
        await opened.flags.add([Flag(0, "quick", ann, "G1"), Flag(60_000, "same_address", "P2", "G2", "R", ("P3",))])
        await opened.close()
        return ann, ben

    monkeypatch.setenv("REDIS_URL", store_url)
    monkeypatch.setenv("KUPA_DURABILITY", "second")
    ann, ben = asyncio.run(flag())
    assert typed(monkeypatch, capsys, "admin", "flags").out.splitlines() == [
        "1970-01-01 00:01  P2  same_address with P3  in G2", f"1970-01-01 00:00  {ann}  quick  in G1", "2 flags",
    ]  # fmt: skip
    only = json.loads(typed(monkeypatch, capsys, "admin", "flags", "--player", ann, "--json").out)
    assert [(row["kind"], row["game"]) for row in only] == [("quick", "G1")]
    assert typed(monkeypatch, capsys, "admin", "flags", "--player", ben).out == "nothing is flagged\n"
