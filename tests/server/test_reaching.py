"""A server that says no is not told as one that is not there."""

from __future__ import annotations

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.frames import Close
from websockets.http11 import Response

from server import reaching
from server.unusable import Unusable
from server.wire.errors import CloseCode, RefusalCode


@pytest.mark.parametrize(
    ("typed", "origin", "socket"),
    [
        ("http://localhost:8000", "http://localhost:8000", "ws://localhost:8000/ws"),
        ("http://localhost:8000/", "http://localhost:8000", "ws://localhost:8000/ws"),
        ("https://example.org/kupa/", "https://example.org", "wss://example.org/kupa/ws"),
        ("http://[::1]:80", "http://[::1]:80", "ws://[::1]:80/ws"),
    ],
)
def test_an_address_says_where_the_server_is(typed: str, origin: str, socket: str) -> None:
    place = reaching.place_of(typed)
    assert (place.origin, place.socket) == (origin, socket)


@pytest.mark.parametrize(
    "typed",
    [
        "", "localhost:8000", "ws://localhost", "http://", "http://:80", "http://a..b", "http://[::1",
        "http://x:99999", "http://x:0", "http://x:many", "http://ann@x",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(Unusable, match="one looks like http://localhost:8000"):
        reaching.place_of(typed)


@pytest.mark.parametrize("typed", ["http://x/?room=KMPQR", "http://x/foo#bar"])
def test_the_address_of_a_page_is_not_that_of_a_server(typed: str) -> None:
    with pytest.raises(Unusable, match="page"):
        reaching.place_of(typed)


@pytest.mark.parametrize("code", RefusalCode)
def test_every_refusal_has_words_for_who_reads_it(code: RefusalCode) -> None:
    told = reaching.refusal(code)
    assert told.endswith(f" ({code})")
    assert len(told.split()) > 3
    assert "\n" not in told


@pytest.mark.parametrize("code", CloseCode)
def test_every_way_of_closing_has_words_for_who_reads_it(code: CloseCode) -> None:
    told = reaching.ending(code, "so it is")
    assert f" ({code.value}, so it is)" in told
    assert "does not say" not in told


def test_a_refusal_that_nobody_knows_is_told_as_it_is() -> None:
    assert "'later'" in reaching.refusal("later")
    assert "(4999)" in reaching.ending(4999)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (4400, "a frame that is no command"), (4401, "a token that is not good"), (4403, "may not connect"),
        (4426, "older than the server"), (4429, "KUPA_ADDRESS_IDENTITIES"), (1013, "no room now"),
    ],
)  # fmt: skip
def test_a_server_that_closes_is_not_one_that_is_not_there(code: int, told: str) -> None:
    said = reaching.unreached("http://x", ConnectionClosedError(Close(code, "because"), None))
    assert told in said
    assert f"({code}, because)" in said
    assert "is the server running there?" not in said


@pytest.mark.parametrize(
    ("status", "told"),
    [(503, "KUPA_ADDRESS_CONNECTIONS"), (403, "KUPA_PUBLIC_URL"), (404, "no Kupa answers there")],
)
def test_a_handshake_that_is_refused_is_told_with_what_was_answered(status: int, told: str) -> None:
    said = reaching.unreached("http://x", InvalidStatus(Response(status, "", Headers())))
    assert told in said
    assert f"(status {status})" in said


def test_where_nothing_answers_the_question_is_whether_a_server_runs() -> None:
    for error in (OSError("refused"), ConnectionClosedError(None, None)):
        assert "is the server running there?" in reaching.unreached("http://x", error)


def test_a_limit_of_rooms_is_named_where_it_counts() -> None:
    assert "KUPA_ADDRESS_ROOMS" in reaching.refusal("quota", "CreateRoom")
    assert "KUPA_" not in reaching.refusal("quota", "CreateTournament")
