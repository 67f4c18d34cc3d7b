"""Frames to commands: the right answer for whatever bytes come, and never another exception."""

from __future__ import annotations

from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.wire.codec import TAG_OF, Malformed, UnknownCommand, decode, decode_event, encode, frame, server_frame
from server.wire.examples import COMMAND_EXAMPLES, EVENT_EXAMPLES
from server.wire.messages import COMMANDS, Command, Done, Hello, Moved, Ping, Play

PLAY = [3, 0, 1, 0, 0, 0]


def pack(value: Any) -> bytes:
    packed = msgpack.packb(value)
    assert isinstance(packed, bytes)
    return packed


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 4000,
        b"\x91" * 4000 + b"\x00",
        b"\x80",
        pack({1: 2}),
        pack(msgpack.ExtType(1, b"x")),
        pack(msgpack.Timestamp(1, 2)),
        pack(PLAY) + b"\x00",
        pack(PLAY)[:-1],
        pack(5),
        pack("Hello"),
        pack([]),
        pack([None]),
        pack(["3", 0]),
        pack([3.0, 0]),
        pack([True, 0]),
        pack([[3], 0]),
    ],
    ids=lambda payload: payload[:12].hex() or "empty",
)
def test_what_is_no_array_with_a_tag_is_malformed(payload: bytes) -> None:
    with pytest.raises(Malformed):
        decode(payload)


def test_a_frame_nested_as_deep_as_it_is_long_is_refused_or_malformed() -> None:
    """Which of the two depends on how deep the Python at hand lets C code go."""
    with pytest.raises((Malformed, UnknownCommand)):
        decode(b"\x92\x03" + b"\x91" * 4000 + b"\x00")


@pytest.mark.parametrize("bad", [float("nan"), 1.0, True, 2**64 - 1, -1, 256, None, "1", b"1", [1]], ids=repr)
def test_a_field_out_of_its_type_or_range_is_malformed(bad: Any) -> None:
    for place in range(2, 6):
        fields: list[Any] = list(PLAY)
        fields[place] = bad
        with pytest.raises(Malformed):
            decode(pack(fields))


@pytest.mark.parametrize("ply", [-1, 20_001, 2**53, 2**64 - 1])
def test_a_ply_beyond_any_log_is_malformed(ply: int) -> None:
    with pytest.raises(Malformed):
        decode(pack([3, ply, 1, 0, 0, 0]))


@pytest.mark.parametrize("tag", [0, 24, 63, 64, 68, 127, 128, 2**64 - 1, -1, -(2**63)])
def test_a_tag_that_is_no_command_is_unknown_under_its_number(tag: int) -> None:
    with pytest.raises(UnknownCommand) as caught:
        decode(pack([tag, 17, "more"]))
    assert (caught.value.tag, caught.value.n) == (tag, 17)


@pytest.mark.parametrize("fields", [[99], [99, "x"], [99, -1], [99, 2**31], [99, [1]], [99, None]])
def test_without_a_running_number_an_unknown_command_is_refused_under_zero(fields: list[Any]) -> None:
    with pytest.raises(UnknownCommand) as caught:
        decode(pack(fields))
    assert caught.value.n == 0


def test_a_wrong_number_of_fields_is_refused_under_the_ply() -> None:
    for fields in ([3, 7], [3, 7, 1, 0, 0], [3, 7, 1, 0, 0, 0, 0]):
        with pytest.raises(UnknownCommand) as caught:
            decode(pack(fields))
        assert (caught.value.tag, caught.value.n) == (3, 7)


def test_a_wrong_number_of_fields_inside_a_part_is_malformed() -> None:
    options = msgspec.to_builtins(COMMAND_EXAMPLES[7])[2]
    with pytest.raises(Malformed):
        decode(pack([8, 1, [*options, 0], [], True]))


@pytest.mark.parametrize("bots", [[0], [4], [1] * 8, [True], "bots", {}])
def test_bots_have_a_level_and_a_bound(bots: Any) -> None:
    with pytest.raises(Malformed):
        decode(pack([8, 1, [], bots, True]))


def test_text_has_a_bound_and_is_utf8() -> None:
    assert decode(pack([4, 1, "x" * 64])) is not None
    for payload in (pack([4, 1, "x" * 65]), b"\x93\x04\x01\xa1\xff", b"\x93\x04\x01\xa3\xed\xa0\x80"):
        with pytest.raises(Malformed):
            decode(payload)


def test_longer_encodings_than_needed_are_read() -> None:
    assert decode(b"\xdc\x00\x06\x03\xcd\x00\x01\x01\x00\x00\x00") == Play(1, 1, 0, 0, 0)


def test_fields_with_defaults_may_be_left_out() -> None:
    assert decode(pack([8, 1, ["SS1"], [], False])) is not None


@pytest.mark.parametrize("command", COMMAND_EXAMPLES, ids=lambda c: type(c).__name__)
def test_a_command_reads_as_it_was_written(command: Command) -> None:
    assert decode(encode(command)) == command


def test_events_read_as_they_were_written_and_appended_fields_are_ignored() -> None:
    for event in EVENT_EXAMPLES:
        assert decode_event(encode(event)) == event
    assert decode_event(pack([66, 5, "appended"])) == Done(5)


LEAVES = st.one_of(
    st.integers(-(2**63), 2**64 - 1),
    st.none(),
    st.booleans(),
    st.floats(),
    st.text(max_size=9),
    st.binary(max_size=9),
)
ANYTHING = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=6))


@given(st.binary(max_size=64))
def test_any_bytes_are_a_command_or_a_documented_no(payload: bytes) -> None:
    check_decoding(payload)


@given(ANYTHING, st.sampled_from(sorted(TAG_OF.values())))
def test_any_array_is_a_command_or_a_documented_no(value: Any, tag: int) -> None:
    check_decoding(pack(value))
    check_decoding(pack([tag, *value] if isinstance(value, list) else [tag, value]))


@given(st.sampled_from(COMMAND_EXAMPLES), st.integers(0, 200), st.integers(0, 255), st.booleans())
@example(Hello(1, 1, "", "", ""), 0, 0x91, True)
def test_a_damaged_frame_is_a_command_or_a_documented_no(command: Command, at: int, byte: int, cut: bool) -> None:
    payload = bytearray(encode(command))
    payload[at % len(payload)] = byte
    check_decoding(bytes(payload[: at % len(payload)] if cut else payload))


def check_decoding(payload: bytes) -> None:
    """Decode; whatever comes out reads back, or is one of the two noes."""
    try:
        command = decode(payload)
    except (Malformed, UnknownCommand):
        return
    assert type(command) in COMMANDS
    assert decode(encode(command)) == command


@pytest.mark.parametrize(
    ("length", "head"),
    [
        (0, "8200"),
        (1, "8201"),
        (125, "827d"),
        (126, "827e007e"),
        (65_535, "827effff"),
        (65_536, "827f0000000000010000"),
    ],
)
def test_a_server_frame_is_final_binary_and_unmasked(length: int, head: str) -> None:
    assert server_frame(b"x" * length) == bytes.fromhex(head) + b"x" * length


def test_an_event_goes_out_as_one_frame() -> None:
    payload = encode(Moved(3, 15, b"\x26"))
    assert frame(Moved(3, 15, b"\x26")) == bytes((0x82, len(payload))) + payload


def test_the_answer_to_a_move_is_small() -> None:
    assert len(frame(Moved(20_000, 32_000, bytes(3), True))) <= 24
    assert len(encode(Play(20_000, 3, 28, 27, 13))) <= 10


def test_numbers_reach_as_far_as_the_browser_can_count() -> None:
    assert decode(encode(Ping(2**53 - 1))) == Ping(2**53 - 1)
    with pytest.raises(Malformed):
        decode(pack([2, 2**53]))
