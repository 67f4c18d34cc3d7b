"""Store URLs: five forms, one line for everything else, and no credentials in any text."""

from __future__ import annotations

import pytest

from server.store.errors import StoreUnusable
from server.store.url import parse, redact, unix_url


def test_a_single_server() -> None:
    url = parse("redis://me:s3cret@host:7000/2")
    assert url.kind == "single"
    assert (url.options["host"], url.options["port"], url.options["db"]) == ("host", 7000, 2)
    assert (url.options["username"], url.options["password"]) == ("me", "s3cret")


def test_tls_and_unix_sockets() -> None:
    assert parse("rediss://host").options["connection_class"].__name__ == "SSLConnection"
    url = parse(unix_url("/tmp/a b%/s"))
    assert url.options["path"] == "/tmp/a b%/s"


def test_sentinel() -> None:
    url = parse("redis+sentinel://me:s%40cret@a:1,b/main/3?sentinel_password=other")
    assert (url.kind, url.service, url.hosts) == ("sentinel", "main", (("a", 1), ("b", 26379)))
    assert url.options == {"username": "me", "password": "s@cret", "db": 3}
    assert url.sentinel_options == {"password": "other"}


def test_cluster() -> None:
    url = parse("redis+cluster://:s3cret@a:1,[::1]:2")
    assert (url.kind, url.hosts, url.options) == ("cluster", (("a", 1), ("::1", 2)), {"password": "s3cret"})


@pytest.mark.parametrize(
    "url",
    [
        "redis://me:s3cret@host:7000/2",
        "unix://me:s3cret@/tmp/s",
        "unix:///tmp/s?password=s3cret&username=me2&db=1",
        "redis+sentinel://me:s3cret@a:1/main?sentinel_password=s3cret",
        "redis+cluster://:s3cret@a:1",
        "http://me:s3cret@host",
        "redis://me:s3cret@host:port",
        "redis+sentinel://:s3cret@a:1",
        "redis+cluster://:s3cret@",
        "redis://[::1:s3cret@",
        "redis://:me?s3cret@host",
        "redis://:s3cret?me@host",
        "redis://:me/s3cret@host",
        "redis://:me#s3cret@host",
        "redis://host?pasword=s3cret",
        "redis://host?socket_timeout=s3cret",
        "rediss://host?ssl_cert_reqs=s3cret",
    ],
)
def test_no_text_shows_credentials(url: str) -> None:
    assert "s3cret" not in redact(url)
    try:
        said = str(parsed := parse(url)) + repr(parsed)
    except StoreUnusable as error:
        said = f"{error} {error.__cause__}"
    assert "s3cret" not in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "url",
    [
        "", "host:6379", "http://host", "redis://host:port", "redis://host/1x", "redis://host/one", "redis+sentinel://a:1",
        "redis+cluster://", "redis+cluster://a:1/2", "unix://", "redis://a#b", "redis://a?db=x",
    ],
)  # fmt: skip
def test_anything_else_is_unusable(url: str) -> None:
    with pytest.raises(StoreUnusable, match=r"redis\+cluster://host:port"):
        parse(url)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        *((f"redis://host?{name}=1", name) for name in (
            "max_connections", "retry", "timeout", "socket_timeout", "socket_connect_timeout", "protocol",
            "driver_info", "connection_class", "decode_responses", "retry_on_timeout", "health_check_interval",
            "host", "path",
        )),
        ("redis://host?colour", "colour"),
        ("redis://host?ssl_ca_certs=f", "ssl_ca_certs"),
        ("redis+sentinel://a/main?db=1", "db"),
        ("redis+cluster://a?max_connections=5", "max_connections"),
    ],
)  # fmt: skip
def test_an_option_that_is_decided_here_is_refused_by_its_name(url: str, name: str) -> None:
    with pytest.raises(StoreUnusable, match=f" {name} that is not taken"):
        parse(url)


def test_options_that_are_taken() -> None:
    options = parse("rediss://host?db=3&client_name=kupa&ssl_cert_reqs=none&ssl_ca_certs=/f").options
    assert (options["db"], options["client_name"]) == (3, "kupa")
    assert (options["ssl_cert_reqs"], options["ssl_ca_certs"]) == ("none", "/f")
