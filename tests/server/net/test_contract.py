"""What we rely on in `websockets`: its sans-I/O layer, as documented. A new version that changes it fails here."""

from __future__ import annotations

import importlib.metadata

import pytest
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from server.net import bytes_in
from tests.server.net.raw import client_frame, handshake


def opened() -> ServerProtocol:
    protocol = ServerProtocol(max_size=4096)
    protocol.receive_data(handshake(1))
    (request,) = protocol.events_received()
    assert isinstance(request, Request)
    protocol.send_response(protocol.accept(request))
    protocol.data_to_send()
    return protocol


def state(protocol: ServerProtocol) -> State:
    """Its state now: a property that a type checker takes for a constant."""
    return protocol.state


def test_the_version_is_one_this_was_written_for() -> None:
    major, minor, *_ = importlib.metadata.version("websockets").split(".")
    assert (17, 0) <= (int(major), int(minor)) < (18, 0)


def test_a_handshake_is_a_request_an_answer_and_an_open_state() -> None:
    protocol = ServerProtocol(max_size=4096)
    assert state(protocol) is State.CONNECTING
    for byte in handshake(1):
        protocol.receive_data(bytes((byte,)))
    (request,) = protocol.events_received()
    assert isinstance(request, Request)
    assert (request.method, request.path, request.protocol) == ("GET", "/ws", "HTTP/1.1")
    response = protocol.accept(request)
    assert isinstance(response, Response)
    assert response.status_code == 101
    assert not protocol.close_expected()
    protocol.send_response(response)
    assert state(protocol) is State.OPEN
    (written,) = protocol.data_to_send()
    assert written.startswith(b"HTTP/1.1 101 Switching Protocols\r\n")
    assert written.endswith(b"\r\n\r\n")


@pytest.mark.parametrize("method", ["POST", "PUT", "HEAD", "OPTIONS"])
def test_requests_of_every_method_reach_us(method: str) -> None:
    protocol = ServerProtocol()
    protocol.receive_data(f"{method} / HTTP/1.1\r\n\r\n".encode())
    (request,) = protocol.events_received()
    assert isinstance(request, Request)
    assert request.method == method


def test_no_request_is_the_end_of_the_stream_without_an_event() -> None:
    protocol = ServerProtocol()
    protocol.receive_data(b"GET\r\n")
    assert protocol.events_received() == []
    assert protocol.data_to_send() == [SEND_EOF]
    assert protocol.close_expected()


def test_frames_are_events_and_pings_are_answered() -> None:
    protocol = opened()
    protocol.receive_data(client_frame(b"a") + client_frame(b"b", 9) + client_frame(b"c", fin=False))
    events = [event for event in protocol.events_received() if isinstance(event, Frame)]
    assert [(event.opcode, bytes(event.data), event.fin) for event in events] == [
        (Opcode.BINARY, b"a", True),
        (Opcode.PING, b"b", True),
        (Opcode.BINARY, b"c", False),
    ]
    assert protocol.data_to_send() == [b"\x8a\x01b"]


def test_a_frame_that_came_half_leaves_the_protocol_inside_it() -> None:
    """Why bytes may pass the library by only where a frame begins."""
    protocol, sent = opened(), client_frame(b"abc")
    protocol.receive_data(sent[:4])
    assert protocol.events_received() == []
    protocol.receive_data(sent[4:])
    assert len(protocol.events_received()) == 1


def test_frames_that_pass_the_library_by_do_not_confuse_it() -> None:
    protocol = opened()
    protocol.receive_data(client_frame(b"a"))
    protocol.events_received()
    # Here a small frame is read by hand: the library neither sees nor misses it.
    protocol.receive_data(client_frame(b"b", 9))
    assert protocol.data_to_send() == [b"\x8a\x01b"]
    assert state(protocol) is State.OPEN


def test_their_close_frame_is_answered_and_ends_the_stream() -> None:
    protocol = opened()
    protocol.receive_data(client_frame((1000).to_bytes(2, "big"), 8))
    assert protocol.data_to_send() == [b"\x88\x02\x03\xe8", SEND_EOF]
    assert state(protocol) is State.CLOSING
    assert protocol.close_expected()
    assert protocol.close_sent is not None
    assert protocol.close_sent.code == 1000


def test_our_close_frame_waits_for_theirs() -> None:
    protocol = opened()
    protocol.send_close(4409, "elsewhere")
    assert len(protocol.data_to_send()) == 1
    assert state(protocol) is State.CLOSING
    protocol.receive_data(client_frame(b"late") + client_frame((4409).to_bytes(2, "big"), 8))
    assert protocol.data_to_send() == [SEND_EOF]


def test_a_failure_is_a_close_frame_and_the_end_of_the_stream_at_once() -> None:
    protocol = opened()
    protocol.fail(1003, "text")
    close, end = protocol.data_to_send()
    assert close[:1] == b"\x88"
    assert end == SEND_EOF
    assert state(protocol) is State.CLOSING
    protocol.receive_data(b"anything at all")
    protocol.receive_eof()
    assert state(protocol) is State.CLOSED


def test_ends_of_the_stream_may_come_twice() -> None:
    protocol = opened()
    protocol.receive_eof()
    protocol.receive_eof()
    assert protocol.data_to_send() == [SEND_EOF]
    assert state(protocol) is not State.OPEN


def test_the_mask_is_undone_by_a_function_of_the_library() -> None:
    assert bytes_in.apply_mask(b"\x00\x01\x02\x03\x04", b"\x01\x02\x03\x04") == b"\x01\x03\x01\x07\x05"
    assert bytes_in.apply_mask(b"", b"\x01\x02\x03\x04") == b""
