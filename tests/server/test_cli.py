"""`kupa` as it is typed: what it prints, and one line and status 2 for everything unusable."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import sys
from pathlib import Path

import pytest

from engine.cards import pack, parse_card
from engine.ruleset import RULESETS
from server import cli
from server.config import Config
from server.store import archive
from tests.faults.process import Ended, ServerProcess, kupa


def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> Ended:
    """Type a command that needs no process of its own."""
    monkeypatch.setattr(sys, "argv", ["kupa", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return Ended(ended.value.code, out, err)


def is_refused(ended: Ended, *words: str) -> None:
    """One line on stderr that says what is wrong, nothing on stdout, status 2, no traceback."""
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("kupa: ")
    assert ended.err.count("\n") == 1, ended.err
    for word in words:
        assert word in ended.err


# ------------------------------------------------------------ kupa deal


def test_a_deal_is_printed_column_by_column(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = typed(monkeypatch, capsys, "deal", "ds1-d1n-aaaaaab")
    lines = done.out.splitlines()
    assert (done.status, done.err, lines[0]) == (0, "", "DS1-D1N-AAAAAAB")
    assert [line.split()[0] for line in lines[1:]] == [*(f"C{number}" for number in range(1, 10)), "stock"]
    assert [len(line.split()) - 1 for line in lines[1:]] == [*range(1, 10), 59]
    cards = [card for line in lines[1:] for card in line.split()[1:]]
    assert sorted(map(parse_card, cards)) == sorted(pack(2))


def test_a_deal_for_programs_is_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    deal = json.loads(typed(monkeypatch, capsys, "deal", "SS1-D3N-AAAAAAB", "--json").out)
    assert deal["code"] == "SS1-D3N-AAAAAAB"
    assert [len(column) for column in deal["columns"]] == list(range(1, 8))
    assert sorted(map(parse_card, sum(deal["columns"], deal["stock"]))) == sorted(pack(1))


@pytest.mark.parametrize("code", ["", "nonsense", "DS1-D1N-AAAA", "DS9-D1N-AAAAAAB", "DS1-D1N-AAAAAA!"])
def test_what_is_no_deal_code_is_refused_with_an_example(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    is_refused(typed(monkeypatch, capsys, "deal", code), "DS1-D1N-AAAAAAB")


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (("deal",), "kupa deal"),
        (("dael", "x"), "kupa"),
        (("deal", "--jsn", "x"), "kupa deal"),
        (("bot", "http://x", "--level", "9"), "kupa bot"),
        (("bot", "http://x", "--level"), "kupa bot"),
        (("serve", "now"), "kupa serve"),
        (("load", "x", "--places", "5"), "kupa load"),
        (("load", "x", "--json=3"), "kupa load"),
        (("admin", "flags", "--count"), "kupa admin flags"),
        (("admin", "flgs"), "kupa admin"),
        (("tournament", "create", "--name"), "kupa tournament create"),
        (("--x",), "kupa"),
    ],
)
def test_what_is_mistyped_is_refused_with_the_way_to_the_help_of_the_very_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], command: str
) -> None:
    is_refused(typed(monkeypatch, capsys, *words), f". See `{command} --help`.\n")


def test_without_a_command_the_commands_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(monkeypatch, capsys)
    assert shown.status == 0
    assert all(word in shown.out for word in ("serve", "deal", "bot"))


@pytest.mark.parametrize("group", ["admin", "tournament"])
def test_without_a_command_of_a_group_its_commands_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], group: str
) -> None:
    shown = typed(monkeypatch, capsys, group)
    assert (shown.status, shown.err) == (0, "")
    assert f"kupa {group}" in shown.out
    assert shown.out == typed(monkeypatch, capsys, group, "--help").out


def test_the_help_knows_every_number_of_decks_that_is_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = " ".join(typed(monkeypatch, capsys, "--help").out.split())
    assert "solitaire with two decks or with one:" in told
    assert {ruleset.decks for ruleset in RULESETS.values()} == {1, 2}


# ------------------------------------------------------------ kupa serve


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"KUPA_PORT": "many"}, "KUPA_PORT"),
        ({"KUPA_PROT": "80"}, "KUPA_PORT"),
        ({"KUPA_DURABILITY": "replica"}, "REDIS_URL"),
        ({"REDIS_URL": "http://user:secret@x"}, "REDIS_URL"),
        ({"KUPA_ORIGINS": "play.example.org"}, "KUPA_ORIGINS"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], settings: dict[str, str], word: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    refused = typed(monkeypatch, capsys, "serve")
    is_refused(refused, word)
    assert "secret" not in refused.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--host", ""), "--host='' cannot be used; expected an address to listen on"),
        (("--host", " "), "--host is blank"),
        (("--data", ""), "--data='' cannot be used; expected a folder"),
        (("--port", "99999"), "--port='99999' cannot be used; expected a whole number from 0 to 65535"),
        (("--workers", "0"), "--workers='0' cannot be used"),
        (("--workers", ""), "--workers"),
    ],
)
def test_an_option_of_the_server_that_cannot_be_used_is_named_as_it_was_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    is_refused(typed(monkeypatch, capsys, "serve", *words), told)


def test_a_server_that_cannot_start_says_why_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, store_url: str
) -> None:
    monkeypatch.setattr("server.log_setup.set_up", lambda *_: None)
    folder = tmp_path / "file"
    folder.write_text("I am no folder")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for url, words, named in (
            (store_url, ("--host", "127.0.0.1", "--port", port), ("another port", port)),
            (store_url, ("--host", "no.such.host.invalid", "--port", "0"), ("no.such.host.invalid", "KUPA_HOST")),
            (store_url, ("--host", "a..b", "--port", "0"), ("a..b", "KUPA_HOST")),
            (store_url, ("--host", "192.0.2.77", "--port", "0"), ("192.0.2.77", "KUPA_HOST")),
            ("", ("--port", "0", "--data", str(folder)), (str(folder),)),
            (store_url, ("--port", "0", "--data", str(tmp_path)), ("--data", "REDIS_URL")),
            (f"redis://:hunter2@127.0.0.1:{free()}/0", ("--port", "0"), ("127.0.0.1", "running")),
            ("redis://127.0.0.1:notaport", ("--port", "0"), ("store's URL",)),
        ):
            monkeypatch.setenv("REDIS_URL", url)
            monkeypatch.setenv("KUPA_DURABILITY", "second")
            refused = typed(monkeypatch, capsys, "serve", *words)
            is_refused(refused, *named)
            assert "hunter2" not in refused.err
            assert not ("KUPA_HOST" in named and "port" in refused.err), "the port is not what is wrong"


@pytest.mark.parametrize(
    "words",
    [
        ("audit",), ("audit", "--repair"), ("backup", "FILE"), ("daily",), ("migrate",), ("admin", "removals"),
        ("admin", "player", "ABCDEFGHJK"), ("admin", "flags"), ("admin", "ban", "ABCDEFGHJK", "--reason", "x"),
        ("export", "ABCDEFGHJK", "FILE"), ("restore", "WHOLE"), ("certify", "--count", "1"),
    ],
)  # fmt: skip
def test_a_data_folder_that_is_not_there_is_named_and_not_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    mistyped, other, files = tmp_path / "dta", tmp_path / "other", {"FILE": "file", "WHOLE": "whole"}
    other.mkdir()
    write_archive(tmp_path / "whole")
    for folder in (mistyped, other):
        monkeypatch.setenv("KUPA_DATA", str(folder))
        typed_words = [str(tmp_path / files[word]) if word in files else word for word in words]
        is_refused(typed(monkeypatch, capsys, *typed_words), "no store", str(folder), "KUPA_DATA")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "whole"]
    assert list(other.iterdir()) == []


def write_archive(file: Path) -> None:
    """A backup of nothing."""
    head = json.dumps({"kupa": archive.FORMAT}) + "\n"
    file.write_text(head + json.dumps({"sha256": hashlib.sha256(head.encode()).hexdigest(), "keys": 0}) + "\n")


def test_deals_may_be_made_ahead_of_the_first_start_when_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("KUPA_DATA", str(tmp_path / "new"))
    made = typed(monkeypatch, capsys, "certify", "--new", "--ruleset", "SS1-D1N", "--count", "1")
    assert (made.status, made.err) == (0, "")
    again = typed(monkeypatch, capsys, "certify", "--ruleset", "SS1-D1N", "--count", "1", "--json")
    assert json.loads(again.out)["pool"] == 2


async def test_a_backup_may_be_restored_into_a_folder_that_is_not_there_yet_when_it_is_said(tmp_path: Path) -> None:
    data, empty = str(tmp_path / "data"), str(tmp_path / "empty")
    first = ServerProcess(tmp_path / "log", KUPA_DATA=data)
    await first.start()
    try:
        file = str(tmp_path / "all.gz")
        assert (await kupa("backup", file, KUPA_DATA=data)).status == 0
        assert (await kupa("backup", "--force", file, KUPA_DATA=data)).status == 0
        refused = await kupa("restore", file, KUPA_DATA=empty)
        is_refused(refused, "no store", empty, "--new")
        assert [name for name in os.listdir(tmp_path) if name == "empty"] == []
        restored = await kupa("restore", "--new", file, KUPA_DATA=empty)
        assert (restored.status, restored.err) == (0, "")
        assert (await kupa("audit", KUPA_DATA=empty)).status == 0
    finally:
        await first.kill()


def free() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_a_data_folder_serves_one_server_at_a_time_and_is_let_go_at_its_end(tmp_path: Path) -> None:
    """Ruling 23; Ctrl-C is an end in good order."""
    first = ServerProcess(tmp_path / "log", KUPA_DATA=str(tmp_path / "data"))
    await first.start()
    try:
        is_refused(await kupa("serve", "--port", "0", "--data", str(tmp_path / "data")), "data")
        first.signal(signal.SIGINT)
        assert await first.ended(20) == 0
        assert first.errors() == []
        await first.start()
        first.signal(signal.SIGTERM)
        assert await first.ended(20) == 0
    finally:
        await first.kill()


# ------------------------------------------------------------ files that are written

WRITING = (("backup", "FILE"), ("export", "ABCDEFGHJK", "FILE"),
           ("tournament", "export", "http://127.0.0.1:1", "ABCDE", "--out", "FILE"))  # fmt: skip


@pytest.mark.parametrize("words", WRITING)
def test_a_file_that_is_there_is_written_over_only_when_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("KUPA_DATA", str(tmp_path / "none"))
    file = tmp_path / "evening"
    file.write_text("last year's")
    here = [str(file) if word == "FILE" else word for word in words]
    is_refused(typed(monkeypatch, capsys, *here), str(file), "is there already", "--force")
    said = typed(monkeypatch, capsys, *here, "--force")
    is_refused(said, "no store" if "tournament" not in words else "is the server running there?")
    assert (file.read_text(), os.listdir(tmp_path)) == ("last year's", ["evening"])


@pytest.mark.parametrize("words", WRITING)
@pytest.mark.parametrize("name", ["", ".", "/"])
def test_what_is_no_name_of_a_file_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], name: str
) -> None:
    here = [name if word == "FILE" else word for word in words]
    is_refused(typed(monkeypatch, capsys, *here, "--force"), "is a folder; say which file to write")


# ------------------------------------------------------------ kupa bot


@pytest.mark.parametrize("address", ["localhost:8000", "ws://localhost:8000", "http://", "", "ftp://x"])
def test_an_address_that_is_none_is_refused_with_an_example(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    is_refused(typed(monkeypatch, capsys, "bot", address), "http://localhost:8000")


# ------------------------------------------------------------ kupa load


@pytest.mark.parametrize("rate", ["0", "0.5", "-1", "1000001", "inf", "nan", "many"])
def test_a_rate_out_of_its_bounds_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rate: str
) -> None:
    is_refused(typed(monkeypatch, capsys, "load", "http://127.0.0.1:1", "--mode", "open", "--rate", rate), "--rate")


@pytest.mark.parametrize("rate", ["1", "1000000"])
def test_the_bounds_of_a_rate_belong_to_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rate: str
) -> None:
    address = f"http://127.0.0.1:{free()}"
    is_refused(typed(monkeypatch, capsys, "load", address, "--mode", "open", "--rate", rate), "running")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--places", "10", "5"), "--places 10 5"),
        (("--mode", "idle", "--places", "5", "10"), "--places is for --mode closed or open only, not for --mode idle"),
        (("--mode", "idle", "--rate", "100"), "--rate is for --mode open only, not for --mode idle"),
        (("--rate", "1000"), "--rate is for --mode open only, not for --mode closed"),
        (("--mode", "clsd", "--rate", "1000"), "choose closed, open or idle"),
    ],
)
def test_what_would_do_nothing_in_a_load_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    is_refused(typed(monkeypatch, capsys, "load", f"http://127.0.0.1:{free()}", *words), told)


@pytest.mark.parametrize("words", [("--places", "5", "5"), ("--mode", "open", "--rate", "9", "--places", "0", "5")])
def test_what_a_mode_uses_may_be_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    is_refused(typed(monkeypatch, capsys, "load", f"http://127.0.0.1:{free()}", *words), "is the server running there?")


@pytest.mark.parametrize("words", [("--room", "KMPQR"), ("--heats", "1")])
def test_a_bot_of_a_tournament_takes_no_word_of_rooms(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    address = f"http://127.0.0.1:{free()}"
    is_refused(typed(monkeypatch, capsys, "bot", address, "--tournament", "ABCDE", *words), words[0], "--tournament")


def test_a_process_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    none = 2**22 + 1  # the system gives no larger numbers
    refused = typed(monkeypatch, capsys, "load", f"http://127.0.0.1:{free()}", "--pid", str(none))
    is_refused(refused, f"no process {none}", "--pid")


def test_bots_that_find_no_server_say_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    is_refused(typed(monkeypatch, capsys, "bot", f"http://127.0.0.1:{free()}"), "running")


def test_command_line_options_come_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Config] = []

    async def serve(config: Config, *, worker: bool = False) -> None:
        given.append(config)

    monkeypatch.setenv("KUPA_PORT", "8001")
    monkeypatch.setattr("server.serving.serve", serve)
    monkeypatch.setattr(sys, "argv", ["kupa", "serve", "--port", "8002", "--host", "127.0.0.1"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert [(config.port, config.host) for config in given] == [(8002, "127.0.0.1")]
