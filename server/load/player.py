"""One player of the load generator: a socket, a script of moves, and the time of every answer.

What lives here: the least client that plays by the protocol, parsing frames by hand so that the generator
costs less than the server it measures. What does not: rooms and rates (runner), figures (report).
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, cast

import msgpack

from server.reaching import SOCKET_PATH, ending, refusal
from server.wire.messages import COMMANDS, EVENTS

TAGS = {kind.__name__: kind.__struct_config__.tag for kind in COMMANDS}
_EVENT = {kind.__struct_config__.tag: (kind.__name__, kind.__struct_fields__) for kind in EVENTS}
MOVED = 68
DENIED = 69
RESTORED = 70
PROGRESS = 72
_QUIET = frozenset({MOVED, DENIED, RESTORED, PROGRESS})
IN_FLIGHT = 16

Scripted = Sequence[bytes]
"""The frames of a game's moves, in order; they are the same for all who play it."""


class LoadError(Exception):
    """What kept the load from running; the text is one line."""


def client_frame(payload: bytes) -> bytes:
    """A masked binary frame whose mask is zero: legal, and free to build."""
    length = len(payload)
    head = bytes((0x82, 0x80 | length)) if length < 126 else b"\x82\xfe" + length.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


def move_frame(ply: int, move: tuple[int, int, int, int]) -> bytes:
    """The frame that plays `move` as entry number `ply`."""
    return client_frame(msgpack.packb([TAGS["Play"], ply, *move]))


class LoadPlayer(asyncio.Protocol):
    """A player over one socket. Times are those of `loop.time()`, in seconds."""

    def __init__(self, host: str, moves: Scripted, room: str = "", path: str = "") -> None:
        """`room`: code of the room to come for, if it is known. `path`: where the server does not lie at the top."""
        self.ply = 0
        """Moves that were confirmed."""
        self.sent = 0
        self.denied = 0
        self.bytes_in = 0
        self.own_bytes = self.progress_bytes = 0
        """Of frames that answer the own moves, and of those that tell the rivals' counts."""
        self.progress = 0
        """Progress frames heard."""
        self.closed: int | None = None
        """Close code, or status of the refused handshake, once the socket is gone."""
        self.reason = ""
        """What the server has said with it."""
        self.on_answer: Callable[[LoadPlayer, float, float], None] = lambda player, due, now: None
        """Called when a move is confirmed: when it was due, and now."""
        self.on_refusal: Callable[[LoadPlayer, float], None] = lambda player, now: None
        """Called when a move was refused, once all that were sent are answered: it can be played again."""
        self.waiting: deque[float] = deque()
        """When each unanswered move was due."""
        self.late: deque[float] = deque()
        """Moves that are due and cannot be sent yet: too many are unanswered, or one was refused."""
        self._back = False
        """A move was refused: what is sent next is that one again, when all behind it are refused too."""
        self._host = host
        self._path = path + SOCKET_PATH + (f"?room={room}" if room else "")
        self._moves = moves
        self._rest = b""
        """What has come of a frame that is not whole."""
        self._open = False
        self._events: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        self._n = 0
        self._transport: asyncio.Transport | None = None

    # ------------------------------------------------------------ setting up

    async def ask(self, command: str, *values: object, within_s: float = 30.0) -> dict[str, Any]:
        """A numbered command and its answer. Raises LoadError for a refusal."""
        self._n += 1
        number = self._n
        self._write(client_frame(msgpack.packb([TAGS[command], number, *values])))
        while True:
            name, event = await self.event(within_s)
            if event.get("n") == number:
                if name == "Refused":
                    raise LoadError(f"the server refuses {command}: {refusal(event['code'], command)}")
                return event

    async def hear(self, wanted: str, within_s: float = 60.0) -> dict[str, Any]:
        """The next event of this name."""
        while True:
            name, event = await self.event(within_s)
            if name == wanted:
                return event

    async def event(self, within_s: float) -> tuple[str, dict[str, Any]]:
        """The next event that is no answer to a move. Raises LoadError when none comes."""
        try:
            async with asyncio.timeout(within_s):
                name, event = await self._events.get()
        except TimeoutError:
            raise LoadError(f"nothing came from the server for {within_s:.0f} s") from None
        if name == "closed":
            raise LoadError(f"the server closed a connection: {ending(self.closed or 1006, self.reason)}")
        return name, event

    # ------------------------------------------------------------ playing

    def play(self, due: float) -> None:
        """The next move of the script, due at `due`; it waits its turn when too many are unanswered, or one is refused.

        Nothing is sent any more once the socket is gone.
        """
        if self.closed is not None:
            return
        if len(self.waiting) >= IN_FLIGHT or self._back:
            self.late.append(due)
            return
        self.waiting.append(due)
        self._write(self._moves[self.sent])
        self.sent += 1

    @property
    def exhausted(self) -> bool:
        """The script has no more moves."""
        return self.sent >= len(self._moves)

    def _answered(self, now: float) -> None:
        due = self.waiting.popleft()
        self.ply += 1
        if self._back:
            self._go_back(now)
        elif self.late and not self.exhausted:
            self.play(self.late.popleft())
        self.on_answer(self, due, now)

    def _refused(self, now: float) -> None:
        """It may come before the answers to moves that wait for the log; whose time is whose is not told then."""
        self.denied += 1
        self.waiting.popleft()
        self._back = True
        self._go_back(now)

    def _go_back(self, now: float) -> None:
        if self.waiting:
            return
        self._back = False
        self.sent = self.ply
        self.on_refusal(self, now)
        while self.late and not self.exhausted and len(self.waiting) < IN_FLIGHT:
            self.play(self.late.popleft())

    # ------------------------------------------------------------ the socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self._transport = transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET {self._path} HTTP/1.1", f"Host: {self._host}", f"Origin: http://{self._host}", "Upgrade: websocket",
            "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", "",
        )  # fmt: skip
        transport.write("\r\n".join(lines).encode())

    def connection_lost(self, _: Exception | None) -> None:
        """The socket is gone."""
        self.closed = self.closed or 1006
        self._events.put_nowait(("closed", {}))

    def close(self) -> None:
        """Leave without a word, as a phone does."""
        if self._transport is not None:
            self._transport.abort()

    def _write(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(data)

    def data_received(self, data: bytes) -> None:
        """Cut into frames; answers to moves are counted, the rest goes to whoever asks."""
        self.bytes_in += len(data)
        if self._rest:
            data, self._rest = self._rest + data, b""
        if not self._open:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._rest = data
                return
            if b" 101 " not in data[:20]:
                self.closed = int(data[9:12]) if data[9:12].isdigit() else 1006
                self.close()
                return
            data = data[end + 4 :]
            self._open = True
            self._events.put_nowait(("open", {}))
        now = asyncio.get_running_loop().time()
        at, have = 0, len(data)
        while have - at >= 2:
            opcode, length, start = data[at] & 15, data[at + 1], at + 2
            if length == 126:
                if have - at < 4:
                    break
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            if have < start + length:
                break
            self._frame(opcode, data, start, start + length, now)
            at = start + length
        self._rest = data[at:]

    def _frame(self, opcode: int, data: bytes, start: int, end: int, now: float) -> None:
        if opcode == 2:
            tag = data[start + 1]
            if tag in (MOVED, RESTORED):
                self.own_bytes += end - start + 2
                self._answered(now)
            elif tag == PROGRESS:
                self.progress_bytes += end - start + 2
                self.progress += 1
            elif tag == DENIED:
                self._refused(now)
            if tag not in _QUIET:
                values = msgpack.unpackb(data[start:end])
                name, fields = _EVENT.get(values[0], ("", ()))
                self._events.put_nowait((name, dict(zip(fields, values[1:], strict=False))))
        elif opcode == 9:
            payload = data[start:end]
            self._write(bytes((0x8A, 0x80 | len(payload))) + b"\0\0\0\0" + payload)
        elif opcode == 8 and end - start >= 2:
            self.closed = int.from_bytes(data[start : start + 2], "big")
            self.reason = data[start + 2 : end].decode(errors="replace")
