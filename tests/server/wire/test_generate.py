"""What is generated is what is committed, and says everything there is to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import ErrorCode
from server.wire import generate, render_js, render_md
from server.wire.described import commands, events, members, parts
from server.wire.errors import CloseCode, RefusalCode


def test_the_generated_files_are_up_to_date() -> None:
    assert generate.stale() == []


def test_check_names_the_file_that_is_out_of_date(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    (tmp_path / "client_web" / "js").mkdir(parents=True)
    assert generate.main(["--check"]) == 1
    assert "PROTOCOL.md is out of date" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    (tmp_path / "PROTOCOL.md").write_text("old")
    assert generate.main(["--check"]) == 1


def test_wrong_use_has_a_status_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--chek"]) == 2
    assert "usage" in capsys.readouterr().err


def test_every_message_field_and_code_has_a_text() -> None:
    for message in [*parts(), *commands(), *events()]:
        assert message.text, message.name
        for field in message.fields:
            assert field.text, f"{message.name}.{field.name}"
    for enum in (RefusalCode, CloseCode):
        assert all(text for _, _, text in members(enum))


def test_the_page_shows_every_message_with_its_tag_and_every_code() -> None:
    page = render_md.render()
    for message in [*commands(), *events()]:
        assert f"### {message.name} · {message.tag}\n" in page
    for code in [*ErrorCode, *RefusalCode]:
        assert f"| `{code}` |" in page
    for close in CloseCode:
        assert f"| {close.value} | `{close.name}` |" in page


def test_the_browser_gets_a_builder_for_each_command_and_a_reader_for_each_event() -> None:
    module = render_js.render()
    for command in commands():
        assert f"  {render_js.camel(command.name)}: (" in module
    for event in events():
        assert f"    case {event.tag}:\n      return {{\n        type: '{event.name}'," in module
