"""Hosts and origins are read as browsers write them, and nothing else is one."""

from __future__ import annotations

import pytest

from server.addresses import host_of, origin_of, path_of


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Play.Example.org", "play.example.org"),
        ("my_host", "my_host"),
        ("example.org.", "example.org."),
        ("192.0.2.7", "192.0.2.7"),
        ("[2001:DB8::0:1]", "[2001:db8::1]"),
        ("çay.example", "xn--ay-3ia.example"),
        ("日本.example", "xn--wgv71a.example"),
    ],
)
def test_a_host_is_written_as_a_browser_writes_it(text: str, host: str) -> None:
    assert host_of(text) == host


@pytest.mark.parametrize(
    "text",
    [
        "", ".", "a..b", "*", "*.example.org", "a b", 'h"><script>', "h;x", "-a", "a-", "a" * 64,
        ".".join(["a" * 60] * 5),
        "256.1.1.1", "1.2.3", "0x7f", "[::1", "::1", "[::g]", "[]", "h\n",
        "ü;x", "straße.example", "\uff11.example",
    ],
)  # fmt: skip
def test_what_is_no_host_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        host_of(text)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("HTTPS://Play.example.org/", "https://play.example.org"),
        ("https://a.example:443", "https://a.example"),
        ("http://a.example:443", "http://a.example:443"),
        ("http://[::1]:80", "http://[::1]"),
        ("http://müller.example:8080", "http://xn--mller-kva.example:8080"),
    ],
)
def test_an_origin_is_what_a_browser_sends(text: str, origin: str) -> None:
    assert origin_of(text) == origin


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "*", "a.example", "ftp://a", "http://", "http://:80", "http://a:0", "http://a:65536", "http://a:x",
        "http://u:p@a", "http://a/b", "http://a?b", "http://a#b", "http://a b", "http://[::1", "http://[::1]x", "http://a//",
    ],
)  # fmt: skip
def test_what_is_no_origin_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"https://play\.example\.org"):
        origin_of(text)


def test_the_path_of_an_address_ends_without_a_slash() -> None:
    assert (path_of("https://a/b/c/"), path_of("https://a/"), path_of("https://a")) == ("/b/c", "", "")
