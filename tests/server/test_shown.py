"""What strangers write has no power over a terminal, and no refusal repeats a password."""

from __future__ import annotations

import pytest

from server.shown import harmless, redacted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jevil\nX", r"\x1b[2Jevil\x0aX"),
        ("a\rb\tc\x7fd\x9be", r"a\x0db\x09c\x7fd\x9be"),
        ("left\u202etfel", r"left\u202etfel"),
        ("line\u2028end", r"line\u2028end"),
        ("half\ud800", r"half\ud800"),
    ],
)
def test_what_steers_a_terminal_is_spelled_out(text: str, shown: str) -> None:
    assert harmless(text) == shown


@pytest.mark.parametrize("text", ["", "Ayşe #12", "王小明", "👩\u200d👩\u200d👧", "\\x1b"])
def test_all_else_is_as_it_was(text: str) -> None:
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://user:hunter2@h/x", "http://***@h/x"),
        ("  https://hunter2@[::1]:80", "https://***@[::1]:80"),
        ("user:hunter2@h", "***@h"),
        ("http://u:hun/te@r2@h", "http://***@h"),
        ("http://h/x?a=b", "http://h/x?a=b"),
    ],
)
def test_nobodys_name_and_password_stay_in_an_address(text: str, shown: str) -> None:
    assert redacted(text) == shown
