"""What strangers wrote into a store, a file or a server's answer is printed without power over the terminal; what was
typed and is no text is refused."""

from __future__ import annotations

from typing import Any

import pytest

from server import auditing, bot_client, cli_tournament
from server.services.audit import Report
from server.store.removals import Removal
from tests.server.test_cli import is_refused, typed

EVIL = "\x1b[2Jevil\nX"
SHOWN = r"\x1b[2Jevil\x0aX"


def steers(text: str) -> bool:
    return any(not character.isprintable() for character in text.replace("\n", ""))


def test_names_in_a_table_are_text_and_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    cli_tournament._print_rows(EVIL, ["name"], [["[red]Ada[/red] " + EVIL]])
    out = capsys.readouterr().out
    assert SHOWN in out
    assert "[red]Ada[/red]" in out
    assert not steers(out)


def test_lines_of_an_audit_are_lines() -> None:
    report = Report()
    report.unreadable.append((EVIL, "cut"))
    said = auditing.as_text(report, 0)
    assert f"cannot be replayed: {SHOWN}: cut" in said
    assert not any(map(steers, said))


def test_what_a_server_tells_bots_is_one_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play(address: str, *, say: Any, **_: object) -> None:
        say(f"{address}: {EVIL}")

    monkeypatch.setattr(bot_client, "play", play)
    assert typed(monkeypatch, capsys, "bot", "http://x").out == f"http://x: {SHOWN}\n"


def test_a_reason_that_an_operator_reads_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def listed(config: object) -> list[Removal]:
        return [Removal(0, "d.2026-07-29.DS1-D1N.time", "PPPPPPPPPP", False, EVIL)]

    monkeypatch.setattr("server.administering.removals", listed)
    said = typed(monkeypatch, capsys, "admin", "removals").out
    assert said == f"1970-01-01 00:00  restored  PPPPPPPPPP  d.2026-07-29.DS1-D1N.time  {SHOWN}\n"


@pytest.mark.parametrize(
    "words",
    [("deal", "\udcff"), ("replay", "/x/\udcff"), ("bot", "http://\udcff"), ("\udcff",), ("load", "--mode", "\udcff")],
)
def test_an_argument_that_is_no_text_is_refused(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    is_refused(typed(monkeypatch, capsys, *words), r"\udcff is no text in UTF-8")


@pytest.mark.parametrize(
    "address", ["http://[", "http://[::1", "http://a:99999", "http://me:hunter2@a", "me:hunter2@a"]
)
@pytest.mark.parametrize(
    "words",
    [
        ("load", "{}"), ("bot", "{}"), ("tournament", "create", "{}", "--by", "Ada"),
        ("tournament", "host", "{}", "ABCDE", "start", "--token", "t"), ("tournament", "show", "{}", "ABCDE"),
        ("tournament", "export", "{}", "ABCDE"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_an_address_that_is_none_is_refused_by_every_client_and_no_password_repeated(
    words: tuple[str, ...], address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = typed(monkeypatch, capsys, *(word.format(address) for word in words))
    is_refused(refused, "is not an address; one looks like http://localhost:8000")
    assert "hunter2" not in refused.err
