"""Origins: the host that was asked for, or on the list; everything else is another site."""

from __future__ import annotations

import pytest

from server.net.origin import is_allowed, normal

LISTED = frozenset({"https://play.example.org", "http://hall.local:8000"})


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("http://kupa.local:8000", "kupa.local:8000", True),
        ("http://KUPA.local:8000", "kupa.LOCAL:8000", True),
        ("http://kupa.local", "kupa.local:80", True),
        ("https://kupa.local", "kupa.local:443", True),
        ("https://kupa.local:443", "kupa.local", True),
        ("https://kupa.local", "kupa.local", True),
        ("https://kupa.local", "kupa.local:80", False),
        ("http://kupa.local:8001", "kupa.local:8000", False),
        ("http://kupa.local", "kupa.local:8000", False),
        ("http://evil.kupa.local", "kupa.local", False),
        ("http://kupa.local.evil", "kupa.local", False),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("null", "kupa.local", False),
        ("", "", False),
        ("http://", "", False),
        ("file://", "kupa.local", False),
        ("http://kupa.local/", "kupa.local", False),
        ("http://user@kupa.local", "kupa.local", False),
        ("https://play.example.org", "10.0.0.5:8000", True),
        ("https://play.example.org:443", "10.0.0.5:8000", True),
        ("http://play.example.org", "10.0.0.5:8000", False),
        ("http://hall.local:8000", None, True),
        ("http://kupa.local", None, False),
    ],
)
def test_an_origin_is_ours_or_it_is_not(origin: str, host: str | None, allowed: bool) -> None:
    assert is_allowed(origin, host, LISTED, without=True) is allowed


def test_no_origin_is_a_matter_of_the_setting() -> None:
    assert is_allowed(None, "kupa.local", LISTED, without=True)
    assert not is_allowed(None, "kupa.local", LISTED, without=False)


def test_a_normal_form_has_no_capitals_and_no_default_port() -> None:
    assert normal("HTTPS://Play.Example.org:443") == "https://play.example.org"
    assert normal("http://play.example.org:8080") == "http://play.example.org:8080"
    assert normal("null") is None
