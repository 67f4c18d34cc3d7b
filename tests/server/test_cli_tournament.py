"""`kupa tournament` as it is typed: one line and status 2 for everything unusable, files read without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from server import tournament_client
from server.core.tournament import archive, events
from server.core.tournament.archive import Archive
from tests.faults.process import Ended
from tests.server.core.tournament.driver import Evening
from tests.server.test_cli import is_refused, typed
from tests.store_fixture import free_port


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Type a command of the group."""

    def type_it(*words: str) -> Ended:
        return typed(monkeypatch, capsys, "tournament", *words)

    return type_it


def kept(evening: Evening) -> bytes:
    """The file of a tournament in which nothing was raced."""
    log = tuple(events.encode(event) for event in evening.log)
    return archive.write(Archive(archive.FORMAT, archive.VERSION, "0", log, ()))


def test_a_file_is_shown_without_a_server(types: Any, tmp_path: Path) -> None:
    evening = Evening()
    evening.crowd(3)
    file = tmp_path / "kept.json"
    file.write_bytes(kept(evening))
    shown = types("show", str(file))
    assert (shown.status, shown.err) == (0, "")
    assert "Club evening" in shown.out
    assert "p02 #0000" in shown.out
    told = json.loads(types("show", str(file), "--json").out)
    assert told["faults"] == []
    assert [row["place"] for row in told["standings"]] == [1, 1, 1]


@pytest.mark.parametrize(
    ("tie_break", "value", "seen"),
    [
        ("best_place", -2, "2"), ("total_time", -187_450, "3:07"), ("sonneborn_berger", 3, "1.5"),
        ("first_places", 4, "4"), ("total_out", 0, "0"),
    ],
)  # fmt: skip
def test_tie_breaks_are_shown_as_people_read_them(tie_break: str, value: int, seen: str) -> None:
    assert tournament_client.read(tie_break, value) == seen


def test_a_file_in_which_something_is_wrong_ends_with_status_one(types: Any, tmp_path: Path) -> None:
    evening = Evening(rounds=1)
    evening.crowd(2)
    evening.start()
    evening.result(evening.open_heats()[0], ["p00", "p01"])
    file = tmp_path / "kept.json"
    file.write_bytes(kept(evening))
    shown = types("show", str(file))
    assert shown.status == 1
    assert "its boards are missing" in shown.err
    assert "NOT as it says" in shown.out


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\x00", b'{"format":"kupa-tournament","version":9}'])
def test_a_file_that_is_no_tournament_is_refused(types: Any, tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(data)
    is_refused(types("show", str(file)), "archive of a tournament")


def test_a_damaged_log_is_refused(types: Any, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(archive.write(Archive(archive.FORMAT, archive.VERSION, "0", (b"\xc1",), ())))
    is_refused(types("show", str(file)), "damaged")


def test_a_file_of_a_later_version_is_refused(types: Any, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(archive.write(Archive(archive.FORMAT, archive.VERSION + 1, "99", (), ())))
    is_refused(types("show", str(file)), "newer")


def test_a_file_that_is_not_there_is_refused(types: Any, tmp_path: Path) -> None:
    is_refused(types("show", str(tmp_path / "none.json")), "none.json")


@pytest.mark.parametrize(
    "words",
    [("create",), ("host", "ABCDE", "pause", "--token", "t"), ("show", "ABCDE"), ("export", "ABCDE")],
)  # fmt: skip
def test_where_no_server_is_the_command_says_so(types: Any, words: tuple[str, ...]) -> None:
    verb, *rest = words
    is_refused(types(verb, f"http://127.0.0.1:{free_port()}", *rest), "is the server running there?")
    is_refused(types(verb, "nonsense", *rest), "http://localhost:8000")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--advance", "1"), "--advance is for --format cup only, not for --format league"),
        (("--format", "cup", "--rounds", "3"), "--rounds is for --format league or swiss only"),
        (("--format", "swiss", "--arena-minutes", "9"), "--arena-minutes is for --format arena only"),
        (("--format", "swiss", "--heat", "2"), "--heat is for --format cup or arena only"),
        (("--format", "arena", "--points", "score"), "--points is for --format league only"),
    ],
)
def test_what_a_format_does_not_use_is_refused(types: Any, words: tuple[str, ...], told: str) -> None:
    is_refused(types("create", f"http://127.0.0.1:{free_port()}", *words), told)


def test_hosting_needs_a_token(types: Any) -> None:
    is_refused(types("host", "http://127.0.0.1:1", "ABCDE", "pause"), "token")
