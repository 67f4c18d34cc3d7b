"""The table of bad inputs (reliability 6.6, rows 1–50, 52, 59, 60), as far as the shell alone decides.

Each row is sent on a raw socket; after each the server still serves somebody else.
"""

from __future__ import annotations

import pytest
from websockets.frames import CloseCode as Rfc

from server.net.settings import FRAGMENTS
from server.wire.errors import CloseCode
from server.wire.messages import Denied, Done, Hello, Ping, Play, Ready, Refused
from tests.server.net.conftest import Stage, Stages
from tests.server.net.raw import HELLO, client_frame, command, handshake

EMPTY_PLAY = b"\x96\x03\x00\x01\x00\x00\x00"


async def assert_alive(stage: Stage) -> None:
    """A well-behaved client is served."""
    raw = await stage.socket()
    raw.say(Ready(2, True))
    assert await raw.event() == Done(2)
    raw.cut()


def request(*lines: str) -> bytes:
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


# ---------------------------------------------------------------- rows 1–5: origins


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("Origin: https://evil.example\r\n", 403),
        ("Origin: null\r\n", 403),
        ("", 403),
        ("Origin: http://127.0.0.1:PORT.evil.example\r\n", 403),
        ("Origin: http://127.0.0.1:PORTevil\r\n", 403),
        ("Origin: http://evil@127.0.0.1:PORT\r\n", 403),
        ("Origin: http://127.0.0.1:1\r\n", 403),
        ("Origin: ftp://127.0.0.1:PORT\r\n", 403),
        ("Origin: http://127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 400),
        ("Origin: http://127.0.0.1:PORT\r\n", 101),
        ("Origin: HTTP://127.0.0.1:PORT\r\n", 101),
        ("Origin: https://127.0.0.1:PORT\r\n", 101),
    ],
)
async def test_rows_1_to_5_origins(stage: Stage, origin: str, status: int) -> None:
    raw = await stage.connect()
    raw.write(handshake(stage.port, origin=origin.replace("PORT", str(stage.port))))
    assert (await raw.head()).startswith(f"HTTP/1.1 {status} ")
    await assert_alive(stage)


# ---------------------------------------------------------------- rows 6–23: HTTP

KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
UPGRADE = ("Upgrade: websocket", "Connection: Upgrade")


@pytest.mark.parametrize("path", ["/", "/ws", "/r/KMPQR"])
@pytest.mark.parametrize(
    ("method", "status"), [("POST", 405), ("OPTIONS", 405), ("PUT", 405), ("DELETE", 405), ("TRACE", 405)]
)
async def test_rows_6_to_9_methods(stage: Stage, method: str, path: str, status: int) -> None:
    raw = await stage.connect()
    raw.write(request(f"{method} {path} HTTP/1.1", "Host: x"))
    head = await raw.head()
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert "\r\nAllow: GET, HEAD\r\n" in head
    await assert_alive(stage)


async def test_row_7_head_is_served_without_a_body(stage: Stage) -> None:
    raw = await stage.connect()
    raw.write(request("HEAD / HTTP/1.1", "Host: x"))
    head = await raw.head()
    assert head.startswith("HTTP/1.1 200 ")
    assert "\r\nContent-Length: 34\r\n" in head
    await raw.ended()


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (("GET /ws HTTP/1.0", "Host: x", *UPGRADE, KEY, "Sec-WebSocket-Version: 13"), 505),
        (("GET / HTTP/1.0", "Host: x"), 505),
        (("GET /ws HTTP/1.1", "Host: x", *UPGRADE, KEY, "Sec-WebSocket-Version: 12"), 400),
        (("GET /ws HTTP/1.1", "Host: x", *UPGRADE, "Sec-WebSocket-Version: 13"), 400),
        (("GET /ws HTTP/1.1", "Host: x", *UPGRADE, "Sec-WebSocket-Key: c2hvcnQ=", "Sec-WebSocket-Version: 13"), 400),
        (("GET /ws HTTP/1.1", "Host: x", *UPGRADE, KEY, KEY, "Sec-WebSocket-Version: 13"), 400),
        (("GET /ws HTTP/1.1", "Host: x", KEY, "Sec-WebSocket-Version: 13"), 426),
        (("GET /ws HTTP/1.1", "Host: x"), 426),
        (
            ("GET /ws HTTP/1.1", "Host: x", "Host: y", *UPGRADE, KEY, "Sec-WebSocket-Version: 13", "Origin: http://x"),
            400,
        ),
        (("GET / HTTP/1.1", "Host: x"), 200),
        ((f"GET /{'a' * 9000} HTTP/1.1", "Host: x"), 414),
        (("GET / HTTP/1.1", f"X: {'a' * 9000}"), 431),
        (("GET / HTTP/1.1", *(f"X-{i}: 1" for i in range(200))), 431),
    ],
    ids=lambda value: str(value)[:60],
)
async def test_rows_10_to_18_requests(stage: Stage, lines: tuple[str, ...], status: int) -> None:
    raw = await stage.connect()
    raw.write(request(*lines))
    assert (await raw.head()).startswith(f"HTTP/1.1 {status} ")
    await assert_alive(stage)


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nX: a\x00b\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
        b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/1.1\r\n folded: x\r\n\r\n",
        b"\r\n\r\n",
    ],
    ids=lambda sent: sent[:24].decode("latin-1").encode("unicode_escape").decode(),
)
async def test_rows_19_to_22_no_request_at_all_is_told_so(stage: Stage, sent: bytes) -> None:
    raw = await stage.connect()
    raw.write(sent)
    assert (await raw.head()).startswith("HTTP/1.1 400 ")
    assert (await raw.reader.read()) == b"Bad Request\n", "and nothing follows"
    await assert_alive(stage)


async def test_who_ends_in_the_middle_of_a_request_is_told_nothing(stage: Stage) -> None:
    raw = await stage.connect()
    raw.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
    raw.writer.write_eof()
    assert await raw.head() == ""
    await assert_alive(stage)


@pytest.mark.parametrize("sent", [b"", b"GET / HTT", b"GET / HTTP/1.1\r\nHost: x\r\n", b"\x16\x03\x01\x02\x00"])
async def test_rows_22_and_23_half_a_request_is_cut_after_five_seconds(stage: Stage, sent: bytes) -> None:
    raw = await stage.connect()
    other = await stage.socket()
    raw.write(sent)
    stage.sweep(4_000)
    other.say(Ready(2, True))
    assert await other.event() == Done(2)
    assert not raw.reader.at_eof()
    stage.sweep(1_500)
    assert await raw.head() == ""


# ---------------------------------------------------------------- rows 24–41: frames


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (client_frame(EMPTY_PLAY, mask=None), 1002),
        (client_frame(EMPTY_PLAY, rsv=4), 1002),
        (client_frame(EMPTY_PLAY, rsv=1), 1002),
        (client_frame(b"", 3), 1002),
        (client_frame(b"", 11), 1002),
        (client_frame((999).to_bytes(2, "big"), 8), 1002),
        (client_frame((1005).to_bytes(2, "big"), 8), 1002),
        (client_frame(b"\x03", 8), 1002),
        (client_frame(b"\xff\xfe", 1), 1007),
        (client_frame((1000).to_bytes(2, "big") + b"\xff", 8), 1007),
        (client_frame(b"hello", 1), 1003),
        (client_frame(b"he", 1, fin=False) + client_frame(b"llo", 0), 1003),
        (client_frame(b"\xc3", 1, fin=False) + client_frame(b"(", 0), 1007),
        (client_frame(b"x" * 4097), 1009),
        (client_frame(b"", length=b"\x7f" + (2**62).to_bytes(8, "big")), 1009),
        (client_frame(b"x" * 2500, fin=False) + client_frame(b"x" * 2500, 0), 1009),
        (client_frame(b"", fin=False) + client_frame(b"", 0, fin=False) * FRAGMENTS, 1009),
        (client_frame(b"", 0), 1002),
        (client_frame(b"x", fin=False) + client_frame(EMPTY_PLAY), 1002),
        (client_frame(b"x" * 126, 9), 1002),
        (client_frame(b"x", 9, fin=False), 1002),
        (client_frame(b"", length=b"\x7f" + (2**63).to_bytes(8, "big")), 1009),
    ],
    ids=lambda value: value[:10].hex() if isinstance(value, bytes) else str(value),
)
async def test_rows_24_to_38_frames_against_the_protocol(stage: Stage, sent: bytes, code: int) -> None:
    for before in (b"", command(Ready(2, True)), client_frame(b"", 9)):
        raw = await stage.socket()
        raw.write(before + sent)
        assert await raw.close_code() == code
        await raw.ended()
    await assert_alive(stage)


async def test_row_39_a_longer_length_than_needed_is_accepted(stage: Stage) -> None:
    raw = await stage.socket()
    size = len(EMPTY_PLAY)
    for length in (b"\x7e" + size.to_bytes(2, "big"), b"\x7f" + size.to_bytes(8, "big")):
        raw.write(client_frame(EMPTY_PLAY, length=length))
        assert type(await raw.event()).__name__ == "Moved"
    await assert_alive(stage)


@pytest.mark.parametrize("sent", [b"", client_frame(EMPTY_PLAY)[:5], b"\x82", client_frame(b"x" * 200)[:50]])
async def test_rows_40_and_41_silence_is_answered_by_a_ping_then_by_the_end(stage: Stage, sent: bytes) -> None:
    raw = await stage.socket()
    raw.write(sent)
    raw.write(b"")
    await assert_alive(stage)  # by now the half frame was read
    stage.sweep(10_000)
    assert (await raw.frame())[0] == 9
    stage.sweep(10_000)
    assert await raw.close_code() == CloseCode.INTERNAL
    await assert_alive(stage)


# ---------------------------------------------------------------- rows 42–52: commands


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 4000,
        b"\x81\x01\x02",
        b"\xd4\x01\x00",
        EMPTY_PLAY + b"\x00",
        EMPTY_PLAY[:-1],
        b"\x91" * 1000 + b"\x00",
        b"\x96\x03\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00",
        b"\x96\x03\xca\x3f\x80\x00\x00\x01\x00\x00\x00",
        b"\x96\x03\xc3\x01\x00\x00\x00",
        b"\x96\x03\xcf" + b"\xff" * 8 + b"\x01\x00\x00\x00",
        b"\x96\x03\xff\x01\x00\x00\x00",
        b"\x96\x03\xcf" + (2**53).to_bytes(8, "big") + b"\x01\x00\x00\x00",
    ],
    ids=lambda payload: payload[:12].hex() or "empty",
)
async def test_rows_42_to_48_what_is_no_command_closes_with_4400(stage: Stage, payload: bytes) -> None:
    for greet in (True, False):
        raw = await stage.socket(greet=greet)
        raw.write(client_frame(payload))
        assert await raw.close_code() == CloseCode.MALFORMED
    await assert_alive(stage)


async def test_row_49_an_unknown_command_is_refused_and_the_third_one_closes(stage: Stage) -> None:
    raw = await stage.socket()
    raw.write(client_frame(b"\x92\x3f\x07"))  # tag 63
    assert await raw.event() == Refused(7, "type")
    raw.write(client_frame(b"\x95\x03\x05\x01\x00\x00"))  # a move with four fields
    assert await raw.event() == Denied(5, "type")
    raw.say(Ready(2, True))
    assert await raw.event() == Done(2)
    raw.write(client_frame(b"\x93\x0a\x01\x01"))  # a LeaveRoom with two fields
    assert await raw.close_code() == CloseCode.MALFORMED
    await assert_alive(stage)


async def test_row_50_anything_before_hello_closes_with_4401(stage: Stage) -> None:
    for early in (Play(0, 1, 0, 0, 0), Ready(1, True), Ping(5)):
        raw = await stage.socket(greet=False)
        raw.say(early)
        assert await raw.close_code() == CloseCode.UNAUTHENTICATED
    raw = await stage.socket(greet=False)
    raw.write(client_frame(b"\x92\x3f\x07"))
    assert await raw.close_code() == CloseCode.UNAUTHENTICATED
    assert [session.commands for session in stage.service.sessions] == [[]] * 4


async def test_row_50_a_second_hello_is_refused(stage: Stage) -> None:
    raw = await stage.socket()
    raw.say(Hello(9, 1, "", "Eve", "en"))
    assert await raw.event() == Refused(9, "state")
    assert [type(heard) for heard, _ in stage.service.sessions[0].commands] == [Hello]


@pytest.mark.parametrize("proto", [0, 2, 99, 2**31 - 1])
async def test_row_52_another_version_of_the_protocol_closes_with_4426(stage: Stage, proto: int) -> None:
    raw = await stage.socket(greet=False)
    raw.say(Hello(1, proto, "", "", ""))
    assert await raw.close_code() == CloseCode.OLD_PROTOCOL
    assert stage.service.sessions[0].commands == []


async def test_no_hello_within_five_seconds_closes_with_4408(stage: Stage) -> None:
    silent = await stage.socket(greet=False)
    greeted = await stage.socket()
    stage.sweep(5_500)
    assert await silent.close_code() == CloseCode.HELLO_TIMEOUT
    greeted.say(Ready(2, True))
    assert await greeted.event() == Done(2)


# ---------------------------------------------------------------- row 59: floods


async def test_row_59_two_hundred_moves_at_once_are_kept_back_then_refused_then_closed(stage: Stage) -> None:
    raw = await stage.socket()
    raw.write(b"".join(command(Play(ply, 1, 0, 0, 0)) for ply in range(200)))
    answers = [await raw.event() for _ in range(30 + 60)]
    assert [type(answer).__name__ for answer in answers[:30]] == ["Moved"] * 30
    assert answers[30:] == [Denied(ply, "slow") for ply in range(94, 154)]
    assert await raw.close_code() == CloseCode.FLOOD
    await assert_alive(stage)


async def test_row_59_a_hundred_reactions_are_refused_after_the_third_then_closed(stage: Stage) -> None:
    raw = await stage.socket()
    raw.write(b"".join(client_frame(bytes((0x93, 18, n, 1))) for n in range(100)))
    answers = [await raw.event() for _ in range(63)]
    assert answers == [*(Done(n) for n in range(3)), *(Refused(n, "slow") for n in range(3, 63))]
    assert await raw.close_code() == CloseCode.FLOOD
    await assert_alive(stage)


async def test_a_flood_of_pings_is_bytes_too(stage: Stage) -> None:
    raw = await stage.socket()
    raw.write(client_frame(b"x" * 100, 9) * 400)
    assert await raw.close_code() == CloseCode.FLOOD
    await assert_alive(stage)


# ---------------------------------------------------------------- row 60: paths


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd", "/%2e%2e", "//", "///etc/passwd", "/./", "/index.html/", "/INDEX.HTML", "http://x/", "*",
        "/js/../index.html", "/v/0123456789ab/../index.html", "/v/0123456789ab//index.html", "/v/xyz/index.html",
        "/r/", "/r/{}", "/r/*", "/qr/r/{}.svg", "/qr/../x.svg", "", "/\\..\\x", "/index.html%00",
    ],
)  # fmt: skip
async def test_row_60_paths_that_are_none(stage: Stage, path: str) -> None:
    raw = await stage.connect()
    raw.write(request(f"GET {path} HTTP/1.1", "Host: x"))
    assert (await raw.head()).startswith("HTTP/1.1 404 ")
    await assert_alive(stage)


@pytest.mark.parametrize("path", ["http://127.0.0.1/ws", "//ws", "/ws/", "/WS", "/r/KMPQR"])
async def test_row_60_the_socket_is_at_its_path_only(stage: Stage, path: str) -> None:
    raw = await stage.connect()
    raw.write(handshake(stage.port, path=path))
    assert not (await raw.head()).startswith("HTTP/1.1 101 ")
    assert stage.service.sessions == []


@pytest.mark.parametrize("path", ["/index.html?x", "/?utm=1&y=../..", "/r/KMPQR?x", "/v/0123456789ab/index.html?x"])
async def test_row_60_a_query_changes_nothing(stage: Stage, path: str) -> None:
    raw = await stage.connect()
    raw.write(request(f"GET {path} HTTP/1.1", "Host: x"))
    assert (await raw.head()).startswith("HTTP/1.1 200 ")


async def test_bytes_after_a_request_do_no_harm(stages: Stages) -> None:
    stage = await stages()
    for extra in (b"x", b"GET / HTTP/1.1\r\n\r\n", client_frame(b"", 9), b"\xff" * 5000):
        raw = await stage.connect()
        raw.write(request("GET / HTTP/1.1", "Host: x") + extra)
        head = await raw.head()
        assert head.startswith("HTTP/1.1 200 ") or head == ""
    raw = await stage.connect()
    raw.write(handshake(stage.port) + b"\xff" * 50)
    head = await raw.head()
    assert head.startswith("HTTP/1.1 101 ") or head == ""
    await assert_alive(stage)


async def test_frames_in_the_same_bytes_as_the_request_are_heard(stage: Stage) -> None:
    for cut in (0, 1, 6, 10):
        raw = await stage.connect()
        sent = handshake(stage.port) + command(HELLO)
        raw.write(sent[: len(sent) - cut])
        assert (await raw.head()).startswith("HTTP/1.1 101 ")
        raw.write(sent[len(sent) - cut :] if cut else b"")
        assert await raw.event() == Done(1)
        raw.say(Ready(2, True))
        assert await raw.event() == Done(2)
        raw.write(client_frame((Rfc.NORMAL_CLOSURE).to_bytes(2, "big"), 8))
        assert await raw.close_code() == 1000
