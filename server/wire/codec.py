"""Frames to messages and back.

What lives here: decoding of commands with every check the field types state, encoding of events, and
the WebSocket frame around a payload. What does not: sockets, limits, and what a message means.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple, NewType, Union

import msgspec

from server.wire.messages import COMMANDS, EVENTS, Command, Event, Play

ServerFrame = NewType("ServerFrame", bytes)
"""A complete WebSocket frame, head and payload."""

MAX_FRAME: Final = 4096
"""Bytes of the longest command frame; the listener closes with 1009 above it."""


class Malformed(ValueError):
    """A frame that is no command at all, or one with a field out of its type or range (→ 4400)."""


class UnknownCommand(ValueError):
    """A well-formed array whose tag is not known or whose number of fields is wrong.

    `tag` is the tag as sent. `n` is the running number to refuse it under, or 0 where none can be made
    out; for `Play` it is the ply.
    """

    def __init__(self, tag: int, n: int) -> None:
        """Remember what the refusal needs."""
        super().__init__(f"unknown command {tag}")
        self.tag = tag
        self.n = n


class _Arity(NamedTuple):
    least: int
    most: int


def _arity(command: type[Command]) -> _Arity:
    fields = msgspec.structs.fields(command)
    return _Arity(1 + sum(field.required for field in fields), 1 + len(fields))


def _tag(message: type[msgspec.Struct]) -> int:
    tag = message.__struct_config__.tag
    assert isinstance(tag, int)
    return tag


TAG_OF: Final[dict[type[msgspec.Struct], int]] = {message: _tag(message) for message in (*COMMANDS, *EVENTS)}
"""The number in front of each message."""

PLAY_TAG: Final = TAG_OF[Play]

_ARITIES: Final = {TAG_OF[command]: _arity(command) for command in COMMANDS}
_commands: Final = msgspec.msgpack.Decoder(Union[COMMANDS])  # noqa: UP007 — built from a tuple
_events: Final = msgspec.msgpack.Decoder(Union[EVENTS])  # noqa: UP007
# For frames that were refused: the outer array alone, its elements unread and its length bounded.
_outline: Final = msgspec.msgpack.Decoder(Annotated[list[msgspec.Raw], msgspec.Meta(max_length=64)])
_integer: Final = msgspec.msgpack.Decoder(int)
_number: Final = msgspec.msgpack.Decoder(Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)])
_encoder: Final = msgspec.msgpack.Encoder()
_HEADS: Final = tuple(bytes((0x82, length)) for length in range(126))


def decode(payload: bytes) -> Command:
    """The command in the payload of a frame.

    Raises `UnknownCommand` or `Malformed`, and nothing else whatever the bytes are.
    """
    try:
        command: Command = _commands.decode(payload)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _why_not(payload) from error
    return command


def decode_event(payload: bytes) -> Event:
    """The event in the payload of a frame, for clients written in Python.

    Raises `msgspec.DecodeError` where it is none. Fields a newer server appended are left out.
    """
    event: Event = _events.decode(payload)
    return event


def encode(message: Event | Command) -> bytes:
    """The MessagePack bytes of a message, each number in its shortest form."""
    return _encoder.encode(message)


def server_frame(payload: bytes) -> ServerFrame:
    """A whole unmasked binary WebSocket frame around `payload` (RFC 6455, 5.2), ready for the transport."""
    length = len(payload)
    if length < 126:
        return ServerFrame(_HEADS[length] + payload)
    if length < 65536:
        return ServerFrame(b"\x82\x7e" + length.to_bytes(2, "big") + payload)
    return ServerFrame(b"\x82\x7f" + length.to_bytes(8, "big") + payload)


def frame(event: Event) -> ServerFrame:
    """An event as it goes out: made once, the same bytes for everybody it is sent to."""
    payload = _encoder.encode(event)
    length = len(payload)
    return ServerFrame(_HEADS[length] + payload) if length < 126 else server_frame(payload)


def _why_not(payload: bytes) -> Malformed | UnknownCommand:
    """Tell a command we do not know, which is refused, from a frame that breaks the protocol."""
    try:
        elements = _outline.decode(payload)
        tag = _integer.decode(elements[0])
    except (msgspec.DecodeError, RecursionError, IndexError):
        return Malformed("not an array that begins with a tag")
    arity = _ARITIES.get(tag)
    if arity is not None and arity.least <= len(elements) <= arity.most:
        return Malformed(f"command {tag} with a field out of its type or range")
    try:
        n = _number.decode(elements[1])
    except (msgspec.DecodeError, RecursionError, IndexError):
        n = 0
    return UnknownCommand(tag, n)
