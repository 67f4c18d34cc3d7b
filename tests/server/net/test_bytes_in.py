"""Small frames by hand: what is taken is what the library would have read, and no more."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.net.bytes_in import Fragments, Violation, begins_small, is_whole, only_move, small_frames
from server.net.settings import FRAGMENTS
from server.wire.codec import Malformed, UnknownCommand, decode, encode
from server.wire.errors import CloseCode
from server.wire.messages import Play
from tests.server.net.raw import client_frame


def by_library(data: bytes) -> list[tuple[Opcode, bytes]]:
    protocol = ServerProtocol(state=State.OPEN, max_size=4096)
    protocol.receive_data(data)
    return [(event.opcode, bytes(event.data)) for event in protocol.events_received() if isinstance(event, Frame)]


@given(
    st.lists(st.binary(max_size=130), max_size=6),
    st.binary(min_size=4, max_size=4),
    st.integers(0, 12),
)
def test_small_frames_are_what_the_library_reads(payloads: list[bytes], mask: bytes, cut: int) -> None:
    data = b"".join(client_frame(payload, mask=mask) for payload in payloads)
    data = data[: len(data) - cut]
    taken = list(small_frames(data))
    assert [(Opcode.BINARY, payload) for payload, _ in taken] == by_library(data)[: len(taken)]
    end = taken[-1][1] if taken else 0
    rest = data[end:]
    # What is left begins with a frame that is not small, or not whole.
    assert rest == b"" or begins_small(rest) or len(rest) < 2 or rest[1] & 0x7F >= 126


masks = st.binary(min_size=4, max_size=4)


@given(st.integers(0, 20_000), st.lists(st.integers(0, 127), min_size=4, max_size=4), masks)
def test_a_move_as_clients_write_it_is_read_at_once(ply: int, four: list[int], mask: bytes) -> None:
    move = Play(ply, *four)
    assert only_move(client_frame(encode(move), mask=mask)) == move


payloads = st.one_of(
    st.binary(min_size=6, max_size=10),
    st.tuples(st.just(b"\x96\x03"), st.binary(min_size=5, max_size=7)).map(b"".join),
    st.lists(st.integers(0, 70_000), min_size=5, max_size=7).map(msgpack.packb),
    st.lists(st.integers(0, 255), min_size=5, max_size=5).map(lambda numbers: msgpack.packb([3, *numbers])),
)


@given(payloads, masks)
def test_what_is_read_as_a_move_is_what_decoding_says(payload: bytes, mask: bytes) -> None:
    """And what is none is left alone, whatever it is."""
    found = only_move(client_frame(payload, mask=mask))
    try:
        command = decode(payload)
    except (Malformed, UnknownCommand):
        assert found is None
    else:
        assert found is None or found == command


MOVE = client_frame(encode(Play(300, 3, 20, 21, 4)))


@pytest.mark.parametrize(
    "data",
    [
        *(MOVE[:at] for at in range(len(MOVE))),
        MOVE + b"\x82",
        MOVE + MOVE,
        client_frame(encode(Play(300, 3, 20, 21, 4)), fin=False),
        client_frame(encode(Play(300, 3, 20, 21, 4)), 1),
        client_frame(encode(Play(300, 3, 20, 21, 4)), mask=None),
        client_frame(msgpack.packb([3, 20_001, 1, 0, 0, 0])),
        client_frame(msgpack.packb([4, 300, 1, 0, 0, 0])),
        client_frame(msgpack.packb([3, 300, 128, 0, 0, 0])),
        client_frame(msgpack.packb([3, -1, 1, 0, 0, 0])),
    ],
    ids=lambda data: data.hex() or "empty",
)
def test_a_part_of_a_move_more_than_one_and_what_is_no_move_are_left_alone(data: bytes) -> None:
    assert only_move(data) is None


@pytest.mark.parametrize(
    "data",
    [
        client_frame(b"x", 1),
        client_frame(b"x", 0),
        client_frame(b"x", 8),
        client_frame(b"x", 9),
        client_frame(b"x", fin=False),
        client_frame(b"x", rsv=4),
        client_frame(b"x", mask=None) + b"padding",
        client_frame(b"x" * 126),
        b"",
        b"\x82",
        client_frame(b"x")[:-1],
    ],
    ids=lambda data: data[:8].hex() or "empty",
)
def test_everything_else_is_left_to_the_library(data: bytes) -> None:
    assert list(small_frames(data)) == []


@pytest.mark.parametrize("cut", range(1, 9))
def test_the_beginning_of_a_small_frame_waits_for_its_end(cut: int) -> None:
    sent = client_frame(b"abc")
    assert begins_small(sent[:cut])
    assert not begins_small(sent)
    assert not begins_small(b"")


@pytest.mark.parametrize("data", [b"\x88", b"\x82\x05", b"\x82\xfe\x00", b"\x82\xff"])
def test_the_beginning_of_another_frame_does_not(data: bytes) -> None:
    assert not begins_small(data)


@given(st.lists(st.tuples(st.integers(0, 200), st.sampled_from([2, 8, 9, 10])), max_size=4), st.integers(0, 20))
def test_whole_frames_end_where_the_next_one_begins(frames: list[tuple[int, int]], cut: int) -> None:
    data = b"".join(client_frame(b"x" * size, opcode) for size, opcode in frames)
    assert is_whole(data)
    if 0 < cut < len(data):
        ends = {0}
        for size, _ in frames:
            ends.add(max(ends) + 6 + size + (2 if size > 125 else 0))
        assert is_whole(data[:cut]) == (cut in ends)


def test_frames_that_go_on_or_are_not_masked_are_not_whole() -> None:
    assert not is_whole(client_frame(b"x", fin=False))
    assert not is_whole(client_frame(b"xxxxx", mask=None))
    assert is_whole(client_frame(b"x", length=b"\x7f" + (1).to_bytes(8, "big")))


def fed(*frames: Frame) -> bytes | None:
    fragments = Fragments()
    *before, last = frames
    for frame in before:
        assert fragments.add(frame) is None
    return fragments.add(last)


def test_fragments_become_one_message_and_control_frames_may_come_between() -> None:
    assert fed(Frame(Opcode.BINARY, b"ab")) == b"ab"
    assert (
        fed(
            Frame(Opcode.BINARY, b"a", fin=False),
            Frame(Opcode.PING, b"x"),
            Frame(Opcode.CONT, b"b", fin=False),
            Frame(Opcode.CONT, b"c"),
        )
        == b"abc"
    )
    assert fed(Frame(Opcode.PONG, b"x")) is None


@pytest.mark.parametrize(("parts", "code"), [((b"ok",), 1003), ((b"\xff",), 1007), ((b"\xc3", b"\xb6"), 1003)])
def test_text_is_none_of_ours(parts: tuple[bytes, ...], code: int) -> None:
    frames = [Frame(Opcode.CONT if i else Opcode.TEXT, part, fin=i == len(parts) - 1) for i, part in enumerate(parts)]
    with pytest.raises(Violation) as caught:
        fed(*frames)
    assert caught.value.code == code


def test_too_many_fragments_are_too_big() -> None:
    fragments = Fragments()
    fragments.add(Frame(Opcode.BINARY, b"", fin=False))
    for _ in range(FRAGMENTS - 1):
        fragments.add(Frame(Opcode.CONT, b"", fin=False))
    with pytest.raises(Violation) as caught:
        fragments.add(Frame(Opcode.CONT, b""))
    assert caught.value.code is CloseCode.TOO_BIG
