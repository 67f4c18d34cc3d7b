"""Small frames read by hand; everything else is the library's (performance: 1.6 times).

What lives here: taking the frames every move is made of (final, binary, masked, under 126 bytes) out
of received bytes, and putting fragments together. What does not: parsing of any other frame, and every
error in one; whatever is left over goes to the sans-I/O protocol, which knows RFC 6455 entirely.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from websockets.frames import Frame, Opcode

from server.net.settings import FRAGMENTS
from server.wire.codec import PLAY_TAG
from server.wire.errors import CloseCode
from server.wire.messages import Play
from server.wire.parts import LAST_PLY

try:
    from websockets.speedups import apply_mask as apply_mask
except ImportError:  # a platform without the compiled part
    from websockets.utils import apply_mask as apply_mask

BINARY: Final = 0x82
"""First byte of a frame that is final and binary, with no extension."""
HEAD: Final = 6
"""A small frame's first byte, length and mask."""
_LENGTH: Final = 0x80 - HEAD
"""With the size of a small frame: its second byte."""
_SIX: Final = 0x96
_UINT8: Final = 0xCC
_UINT16: Final = 0xCD
"""MessagePack: an array of six; an integer of one or two bytes follows. Below 0x80 a byte is its own integer."""
_SHORTEST: Final = HEAD + 7
"""A frame with a move whose ply is one byte."""


def small_frames(data: bytes) -> Iterator[tuple[bytes, int]]:
    """The small frames at the beginning of `data`, as (payload, where the frame ends)."""
    at, end = 0, len(data)
    while end - at >= HEAD and data[at] == BINARY:
        length = data[at + 1] - 0x80
        stop = at + HEAD + length
        if not 0 <= length < 126 or stop > end:
            return
        yield apply_mask(data[at + HEAD : stop], data[at + 2 : at + HEAD]), stop
        at = stop


def only_move(data: bytes) -> Play | None:
    """The move, when `data` is one frame with a `Play` as clients write it and nothing else: what decoding its payload
    gives, without a payload to be cut out and unmasked. None says nothing: read it as any other."""
    size = len(data)
    if not _SHORTEST <= size <= _SHORTEST + 2 or data[0] != BINARY or data[1] != size + _LENGTH:
        return None
    first, second, third, fourth = data[2], data[3], data[4], data[5]
    if data[6] ^ first != _SIX or data[7] ^ second != PLAY_TAG:
        return None
    ply, following = data[8] ^ third, data[9] ^ fourth
    if size == _SHORTEST:
        if ply >= 0x80:
            return None
        kind, source, target, count = following, data[10] ^ first, data[11] ^ second, data[12] ^ third
    elif size == _SHORTEST + 1:
        if ply != _UINT8:
            return None
        ply = following
        kind, source, target, count = data[10] ^ first, data[11] ^ second, data[12] ^ third, data[13] ^ fourth
    else:
        if ply != _UINT16:
            return None
        ply = following << 8 | data[10] ^ first
        kind, source, target, count = data[11] ^ second, data[12] ^ third, data[13] ^ fourth, data[14] ^ first
    if ply > LAST_PLY or kind >= 0x80 or source >= 0x80 or target >= 0x80 or count >= 0x80:
        return None
    return Play(ply, kind, source, target, count)


def begins_small(data: bytes) -> bool:
    """Whether `data` is the beginning of a small frame whose end has not come yet."""
    if not data or data[0] != BINARY:
        return False
    return len(data) == 1 or (0x80 <= data[1] < 0xFE and len(data) < HEAD + data[1] - 0x80)


def is_whole(data: bytes) -> bool:
    """Whether `data` is a number of entire, final, masked frames, so that the next byte begins a frame."""
    at, end = 0, len(data)
    while at < end:
        if end - at < HEAD or data[at] < 0x80 or data[at + 1] < 0x80:
            return False
        length, head = data[at + 1] - 0x80, HEAD
        if length == 126:
            length, head = int.from_bytes(data[at + 2 : at + 4], "big"), 8
        elif length == 127:
            length, head = int.from_bytes(data[at + 2 : at + 10], "big"), 14
        at += head + length
    return at == end


class Violation(Exception):
    """A message this protocol does not have; the connection is closed with `code`."""

    def __init__(self, code: CloseCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Fragments:
    """Messages out of the frames the library parsed. The library sees to their order and total size."""

    __slots__ = ("_is_text", "_parts")

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._is_text = False

    def add(self, frame: Frame) -> bytes | None:
        """The binary message this frame completes, if it does; control frames complete none.

        Raises `Violation` for text (1003, or 1007 when it is not even UTF-8) and for too many fragments.
        """
        if frame.opcode is Opcode.TEXT or frame.opcode is Opcode.BINARY:
            self._is_text = frame.opcode is Opcode.TEXT
        elif frame.opcode is not Opcode.CONT:
            return None
        self._parts.append(bytes(frame.data))
        if len(self._parts) > FRAGMENTS:
            raise Violation(CloseCode.TOO_BIG, "too many fragments")
        if not frame.fin:
            return None
        payload = b"".join(self._parts)
        self._parts.clear()
        if self._is_text:
            raise _text(payload)
        return payload


def _text(payload: bytes) -> Violation:
    try:
        payload.decode()
    except UnicodeDecodeError:
        return Violation(CloseCode.INVALID_DATA, "not UTF-8")
    return Violation(CloseCode.UNSUPPORTED_DATA, "this protocol is binary")
