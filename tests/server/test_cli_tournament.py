"""`kupa tournament` as it is typed: one line and status 2 for everything unusable, files read without a server."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from server import tournament_client, tournament_options
from server.core.formats import FORMATS
from server.core.machine import Refusal
from server.core.tournament import archive, events
from server.core.tournament.archive import Archive
from server.core.tournament.options import checked
from server.store.connect import Store
from server.unusable import Unusable
from server.wire.messages import TournamentOptions
from tests.faults.process import Ended
from tests.server.core.tournament.driver import Evening
from tests.server.services.kit import Servers
from tests.server.test_cli import is_refused, typed
from tests.store_fixture import free_port, store, store_url

__all__ = ["store", "store_url"]


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Type a command of the group."""

    def type_it(*words: str) -> Ended:
        return typed(monkeypatch, capsys, "tournament", *words)

    return type_it


@pytest_asyncio.fixture
async def servers(store: Store, store_url: str) -> AsyncIterator[Servers]:
    """One server."""
    made = Servers(store, store_url)
    await made.start()
    yield made
    await made.close()


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
    rows = [[cell.strip() for cell in line.split("│")] for line in shown.out.splitlines() if line.startswith("│")]
    assert sorted(row[2] for row in rows) == ["p00 #0000", "p01 #0000", "p02 #0000"]
    assert {(row[1], *row[3:8]) for row in rows} == {("–", "0", "–", "–", "–", "–")}  # no place, and no best one
    told = json.loads(types("show", str(file), "--json").out)
    assert told["faults"] == []
    assert [row["place"] for row in told["standings"]] == [0, 0, 0]


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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--rounds", "0"), ("--rounds", "greater than or equal to 1")),
        (("--rounds", "9999"), ("--rounds", "less than or equal to 30")),
        (("--places", "1"), ("--places", "2")),
        (("--absent", "3601"), ("--absent", "3600")),
        (("--minutes", "-1"), ("--minutes -1 is none; choose 0, 3, 5, 10, 15, 20, 30 or 60",)),
        (("--minutes", "7"), ("--minutes 7 is none",)),
        (("--format", "foo"), ("--format foo is none; choose league, cup, swiss or arena",)),
        (("--ruleset", "foo"), ("--ruleset foo is none; choose DS1-D1N, ", "SS1-D3N")),
        (("--goal", "foo"), ("--goal foo is none; choose first or score",)),
        (("--points", "x"), ("--points x is none; choose place or score",)),
        (("--format", "cup", "--heat", "3", "--advance", "3"), ("--advance 3 of --heat 3",)),
        (("--format", "cup", "--late-round", "1"), ("--late-round is for --format league or swiss or arena only",)),
        (("--format", "arena", "--minutes", "0"), ("--minutes and --arena-minutes above 0",)),
        (("--format", "arena", "--arena-minutes", "0"), ("--minutes and --arena-minutes above 0",)),
        (("--name", "x"), ("--name 'x'", "at least two visible characters")),
        (("--name", "x" * 65), ("--name", "64")),
        (("--by", "x" * 65), ("--by", "64")),
        (("--name", "\udcff"), ("--name", "UTF-8")),
    ],
)
def test_an_option_that_no_server_takes_is_told_by_its_name_before_one_is_asked(
    types: Any, words: tuple[str, ...], told: tuple[str, ...]
) -> None:
    is_refused(types("create", f"http://127.0.0.1:{free_port()}", *words), *told)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("minutes", [0, 10])
@pytest.mark.parametrize("arena_minutes", [0, 60])
@pytest.mark.parametrize(("heat", "advance"), [(2, 1), (2, 2), (3, 2), (8, 7)])
def test_what_the_server_calls_bad_options_is_refused_by_the_command_itself(
    form: str, minutes: int, arena_minutes: int, heat: int, advance: int
) -> None:
    options = TournamentOptions(
        name="Club", format=form, minutes=minutes, arena_minutes=arena_minutes, heat=heat, advance=advance
    )
    if form == "swiss" and heat != 2:  # --heat is not for a Swiss: the default is sent
        assert refused(options)
    elif refused(options):
        with pytest.raises(Unusable, match="--"):
            tournament_options.refuse_unsound(options, "")
    else:
        tournament_options.refuse_unsound(options, "")


def refused(options: TournamentOptions) -> bool:
    """By the server."""
    return isinstance(checked(options), Refusal)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("dance",), "action dance is none; choose start, "),
        (("drop", "--key", "x" * 17), "--key"),
        (("announce", "--value", str(2**53)), "--value"),
    ],
)
def test_an_action_that_no_server_takes_is_told_by_its_name(types: Any, words: tuple[str, ...], told: str) -> None:
    is_refused(types("host", "http://127.0.0.1:1", "ABCDE", *words, "--token", "t"), told)


@pytest.mark.parametrize("page", [b"", b"<html>", b"[]", b"{}", b'{"standings": [1]}', b"[" * 100_000, b"\xff"])
def test_a_page_that_tells_no_tournament_is_refused(types: Any, monkeypatch: pytest.MonkeyPatch, page: bytes) -> None:
    monkeypatch.setattr(tournament_client, "fetch", lambda *_: page)
    is_refused(types("show", "http://127.0.0.1:1", "ABCDE"), "is no tournament; does Kupa run there?")


def test_an_address_without_a_code_is_told_that_the_code_is_missing(types: Any) -> None:
    is_refused(types("show", "http://127.0.0.1:8311"), "the code of the tournament is missing", "CODE")


async def test_what_the_server_refuses_is_told_in_words_of_what_was_typed(servers: Servers) -> None:
    address = servers.url().replace("ws", "http", 1)
    code, token = await tournament_client.create(address, "Zed", TournamentOptions(name="Club"))
    for typed_code, typed_token, action, key, told in (
        (code, "nonsense", "start", "", f"--token is not good for {code}: only a host may do this"),
        ("ZZZZZ", token, "start", "", "'ZZZZZ' is no tournament there"),
        (code, token, "drop", "ann", "--key 'ann' is no entrant"),
        (code, token, "bots", "", "bots does not take --key '' with --value 0; what it does: Let value bots of"),
        (code, token, "next", "", "next is refused: the room or tournament is in another phase"),
    ):
        with pytest.raises(Unusable, match=re.escape(told)):
            await tournament_client.act(address, typed_code, typed_token, action, key, 0)


async def test_who_takes_part_is_counted(servers: Servers) -> None:
    address = servers.url().replace("ws", "http", 1)
    code, token = await tournament_client.create(address, "Zed", TournamentOptions(name="Club"))
    assert await asyncio.to_thread(tournament_client.taking_part, address, code) == 0
    for action in ("start", "undo"):
        await tournament_client.act(address, code, token, action, "", 0)
    summary = json.loads(await asyncio.to_thread(tournament_client.fetch, address, code))
    assert not summary["info"]["start_ms"]
    await tournament_client.act(address, code, token, "bots", "1", 3)
    assert await asyncio.to_thread(tournament_client.taking_part, address, code) == 3


@pytest.mark.parametrize(
    ("action", "value", "there", "told"),
    [("start", 0, 1, True), ("start", 0, 2, False), ("start", 300, 0, False), ("pause", 0, 0, False)],
)
def test_a_start_with_nobody_there_is_told_as_one_that_waits(
    types: Any, monkeypatch: pytest.MonkeyPatch, action: str, value: int, there: int, told: bool
) -> None:
    async def act(*_: object) -> None: ...

    monkeypatch.setattr(tournament_client, "act", act)
    monkeypatch.setattr(tournament_client, "taking_part", lambda *_: there)
    shown = types("host", "http://127.0.0.1:1", "ABCDE", action, "--value", str(value), "--token", "t")
    assert (shown.status, "as soon as two take part" in shown.out) == (0, told)


def test_hosting_needs_a_token(types: Any) -> None:
    is_refused(types("host", "http://127.0.0.1:1", "ABCDE", "pause"), "token")
