"""One TCP connection: a page's request, or a WebSocket for as long as it lives.

What lives here: bytes in and out, phases and their deadlines, closing. What does not: which requests
are let in (listener), what is served (pages), what commands are let through (intake).

It is `websockets`' sans-I/O `ServerProtocol` (requests) driven from an `asyncio.Protocol`: no task, queue or timer for
each, and a frame is handled in the very call that read it. Those of a turn go out with one write (gather).
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, cast

from websockets.frames import Frame
from websockets.http11 import Request, Response
from websockets.protocol import State

from server.net import settings as const
from server.net.bytes_in import Fragments, Violation, begins_small, is_whole, only_move, small_frames
from server.net.gate import Gate, Phase
from server.net.handler import Session
from server.net.intake import Intake
from server.net.requests import RequestProtocol
from server.wire.codec import MAX_FRAME, ServerFrame, frame
from server.wire.errors import CloseCode
from server.wire.messages import Goodbye

_OPEN: Final = Phase.OPEN
"""Looked up at every frame: an enumeration's own way to its members is slow."""
log = logging.getLogger("kupa.net")
_library_log = logging.getLogger("websockets.server")


class Connection(asyncio.Protocol):
    """A `handler.Peer` once it is open."""

    __slots__ = (
        "_clock", "_deadline_ms", "_early", "_fragments", "_gate", "_gather", "_half_closed", "_heard_ms", "_intake",
        "_last", "_leaving", "_outbox", "_page", "_paused", "_pinged", "_plain", "_tail", "address", "address_key",
        "closed_with", "counted", "phase", "protocol", "session", "transport",
    )  # fmt: skip

    def __init__(self, gate: Gate, begun: bytes = b"") -> None:
        """`begun`: what another worker has read of it before it was handed over."""
        self._gate, self._clock, self._gather = gate, gate.clock, gate.gather
        self.protocol = RequestProtocol(max_size=MAX_FRAME, logger=_library_log)
        self.transport: asyncio.Transport
        self.phase = Phase.REQUEST
        self.session: Session | None = None
        self.address = self.address_key = ""
        self.closed_with, self.counted = 0, False
        self._heard_ms = self._clock.now_ms()
        self._deadline_ms = self._heard_ms + const.OPEN_MS
        self._intake: Intake | None = None
        self._outbox: list[ServerFrame] = []
        self._fragments = Fragments()
        self._page: asyncio.Future[Response] | None = None
        self._early = begun
        self._tail, self._last = b"", const.LAST_BYTES
        self._plain = self._pinged = self._paused = self._leaving = self._half_closed = False

    # ------------------------------------------------------------ Peer

    @property
    def is_open(self) -> bool:
        return self.phase is Phase.OPEN

    @property
    def buffered(self) -> int:
        return self.transport.get_write_buffer_size() + sum(map(len, self._outbox))

    def send(self, frame: ServerFrame) -> None:
        if self.phase is not _OPEN:
            return
        if not self._outbox:
            self._gather.add(self)
        self._outbox.append(frame)

    def send_progress(self, frame: ServerFrame) -> bool:
        if self.phase is not _OPEN or self.transport.get_write_buffer_size() > const.PROGRESS_BYTES:
            return False
        self.send(frame)
        return True

    def close(self, code: CloseCode, reason: str = "") -> None:
        if self.phase is not Phase.OPEN:
            return
        self._write_outbox()
        if self.protocol.state is State.OPEN:  # else their close frame came in the same bytes
            self.protocol.send_close(code, reason.encode()[: const.REASON_BYTES].decode(errors="ignore"))
        self._begin_closing(const.CLOSE_MS)
        self._pump()

    # ------------------------------------------------------------ the listener's verbs

    def flush(self) -> None:
        """The turn is over: write what was sent in it, and see whether it is being read."""
        if self.phase is not _OPEN:
            return
        self._write_outbox()
        if self.transport.get_write_buffer_size() > const.SLOW_BYTES:
            self.close(CloseCode.TOO_SLOW, "reads too slowly")
            self._deadline_ms = self._clock.now_ms() + const.SLOW_CLOSE_MS

    def abort(self) -> None:
        """Cut the connection without a word."""
        self.transport.abort()

    def farewell(self, retry_ms: int) -> None:
        """The server goes: say so, and read nothing more; `close` follows when all answers are out."""
        if self.phase is Phase.OPEN:
            self.send(frame(Goodbye(retry_ms)))
            self._leaving = True
            self._pause()

    def visit(self, now_ms: int) -> None:
        """The sweep comes by, twice a second: deadlines, pings, silence."""
        self.protocol.frames = 0
        if self._deadline_ms and now_ms >= self._deadline_ms:
            self._too_late()
        if self.phase is _OPEN and not self._leaving:
            silence_ms = now_ms - self._heard_ms
            if self._paused:
                self._heard_ms = now_ms  # it is we who do not read
            elif silence_ms >= const.DEAD_AFTER_MS:
                self.close(CloseCode.INTERNAL, "no answer to a ping")
            elif silence_ms >= const.PING_AFTER_MS and not self._pinged:
                self._pinged = True
                self.protocol.send_ping(b"")
                self._pump()

    # ------------------------------------------------------------ asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._gate.made(self)
        if self._early:
            begun, self._early = self._early, b""
            self.data_received(begun)

    def data_received(self, data: bytes) -> None:
        now_ms = self._heard_ms = self._clock.now_ms()
        self._pinged = False
        if self.phase is _OPEN:
            self._socket_bytes(data, now_ms)
        elif self.phase is Phase.REQUEST:
            if not self._early and self._gate.pacer.admits(self):
                self._request_bytes(data, now_ms)
            else:
                self._early += data
                self._pause()
        elif self.phase is Phase.CLOSING:
            self._last_bytes(data, now_ms)

    def eof_received(self) -> bool:
        """Whether the transport stays open: a page that is still being made goes out before the end."""
        if self.phase is Phase.PAGE:
            self._half_closed = self._page is not None and not self._page.done()
            return self._half_closed
        self.protocol.receive_eof()
        if self.phase is Phase.OPEN:
            self._begin_closing(const.CLOSE_MS)
        self._pump()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.phase = Phase.GONE
        self._outbox.clear()
        if self._page is not None:
            self._page.cancel()
        self._gate.gone(self)
        # Nothing goes in circles from here on: what the connection was is gone without being looked for.
        session, self.session, self._intake = self.session, None, None
        self.protocol.parser.close()
        self.protocol.parser_exc = None
        if session is not None:
            try:
                session.closed()
            except Exception:
                log.exception("a session could not be closed")

    # ------------------------------------------------------------ bytes in

    def admitted(self) -> None:
        """The pacer's: now there is time for a request that had to wait."""
        data, self._early = self._early, b""
        if self.phase is Phase.REQUEST:
            self._resume()
            self._request_bytes(data, self._clock.now_ms())

    def _request_bytes(self, data: bytes, now_ms: int) -> None:
        """The request alone to the library: what follows it is frames of an open socket, or nothing."""
        if not self._tail and self._gate.gives(self, data):
            return
        seen = self._tail + data
        end = seen.find(b"\r\n\r\n")
        if end < 0:
            self._tail = seen[-3:]
            self._feed(data, now_ms)
            return
        end += 4 - len(self._tail)
        self._tail = b""
        self._feed(data[:end], now_ms)
        if self.phase is Phase.OPEN:
            self._plain = True
            if end < len(data):
                self._socket_bytes(data[end:], now_ms)

    def _socket_bytes(self, data: bytes, now_ms: int) -> None:
        """Small frames at once; what is left over to the library."""
        intake = self._intake
        assert intake is not None
        if not intake.throttle.bytes.take(now_ms, len(data)):
            self.close(CloseCode.FLOOD, "too many bytes")
            return
        move = only_move(data) if self._plain and not self._tail else None
        if move is not None:
            intake.move(move, now_ms)
        else:
            self._frames(data, intake, now_ms)
        if intake.held:
            self._hold(now_ms)

    def _frames(self, data: bytes, intake: Intake, now_ms: int) -> None:
        """Any number of frames, or parts of them."""
        at = 0
        if self._plain:
            if self._tail:
                data, self._tail = self._tail + data, b""
            for payload, at in small_frames(data):  # noqa: B007 - where it stopped is what counts after the loop
                intake.payload(payload, now_ms)
                if self.phase is not Phase.OPEN:
                    break
        if at < len(data):
            rest = data[at:]
            if self._plain and begins_small(rest):
                self._tail = rest
            else:
                self._plain = self._plain and is_whole(rest)
                (self._feed if self.phase is _OPEN else self._last_bytes)(rest, now_ms)

    def _last_bytes(self, data: bytes, now_ms: int) -> None:
        """Behind our close frame: theirs, after what was on its way. Who goes on and on is cut, unread."""
        self._last -= len(data)
        if self._last >= 0:
            self._feed(data, now_ms)
        else:  # after this turn, in which the close frame goes out
            self._pause()
            asyncio.get_running_loop().call_soon(self.transport.abort)

    def _feed(self, data: bytes, now_ms: int) -> None:
        """Let the library parse, answer what it answers by itself, and take what is ours."""
        self.protocol.receive_data(data)
        events = self.protocol.events_received()
        self._pump()
        for event in events:
            if isinstance(event, Request):
                self._request(event)
            elif isinstance(event, Frame) and self.phase is Phase.OPEN:
                self._frame(event, now_ms)
        if self.phase is Phase.OPEN and self.protocol.state is not State.OPEN:
            self._begin_closing(const.CLOSE_MS)
        elif self.phase is Phase.REQUEST and self.protocol.close_expected():
            self.phase = Phase.PAGE
            self._deadline_ms = now_ms + const.CLOSE_MS

    def _frame(self, event: Frame, now_ms: int) -> None:
        """A frame the fast way left over: large, fragmented, text or control."""
        assert self._intake is not None
        try:
            payload = self._fragments.add(event)
        except Violation as violation:
            self._fail(violation.code, str(violation))
        else:
            if payload is not None:
                self._intake.payload(payload, now_ms)

    def _hold(self, now_ms: int) -> None:
        """Read nothing more until what was kept back is through."""
        if self.phase is not Phase.OPEN or self._paused:
            return
        self._pause()
        assert self._intake is not None
        asyncio.get_running_loop().call_later(max(self._intake.throttle.wait_ms(now_ms), 1) / 1000, self._release)

    def _release(self) -> None:
        if self.phase is not Phase.OPEN or self._leaving:
            return
        assert self._intake is not None
        wait_ms = self._intake.release(self._clock.now_ms())
        if self.phase is not Phase.OPEN:
            return
        if wait_ms is None:
            self._resume()
        else:
            asyncio.get_running_loop().call_later(max(wait_ms, 1) / 1000, self._release)

    def _pause(self) -> None:
        if not self._paused and not self.transport.is_closing():
            self._paused = True
            self.transport.pause_reading()

    def _resume(self) -> None:
        if self._paused and not self.transport.is_closing():
            self._paused = False
            self.transport.resume_reading()

    def _request(self, request: Request) -> None:
        response = self._gate.respond(self, request)
        if isinstance(response, Response):
            self._respond(response)
        else:
            self.phase = Phase.PAGE
            self._deadline_ms = self._heard_ms + const.PAGE_MS
            self._page = asyncio.ensure_future(response)
            self._page.add_done_callback(self._page_made)

    def _page_made(self, page: asyncio.Future[Response]) -> None:
        if self.phase is Phase.PAGE and not page.cancelled():
            self._respond(page.result())

    def _respond(self, response: Response) -> None:
        if response.status_code == 101:
            self._open(response)
        elif not self.transport.is_closing():
            self.phase = Phase.PAGE
            self._deadline_ms = self._heard_ms + const.PAGE_MS
            self.transport.write(response.serialize())
            self._end()

    def _open(self, response: Response) -> None:
        if self.protocol.state is not State.CONNECTING or self.protocol.close_expected():
            self.transport.abort()  # bytes after the request that were no frames
            return
        self.protocol.send_response(response)
        self.phase = Phase.OPEN
        self._deadline_ms = self._heard_ms + const.HELLO_MS
        self._pump()
        try:
            self.session = self._gate.opened(self)
        except Exception:
            log.exception("a session could not be opened")
            self.close(CloseCode.INTERNAL)
        else:
            self._intake = Intake(self, self.session, self._gate.limits)

    # ------------------------------------------------------------ bytes out

    def _write_outbox(self) -> None:
        outbox = self._outbox
        if outbox and not self.transport.is_closing():
            self.transport.write(b"".join(outbox) if len(outbox) > 1 else outbox[0])
        outbox.clear()

    def _pump(self) -> None:
        """Write what the library has to say, after what was sent before."""
        if self.phase is Phase.OPEN:
            self._write_outbox()
        for data in self.protocol.data_to_send():
            if self.transport.is_closing():
                return
            if data:
                self.transport.write(data)
            else:
                self._end()

    def _end(self) -> None:
        """No more bytes will follow."""
        if self.transport.can_write_eof() and not self._half_closed:
            self.transport.write_eof()
        else:
            self.transport.close()

    def _fail(self, code: CloseCode, reason: str) -> None:
        """The other side broke the protocol: close frame and end of stream at once."""
        self._write_outbox()
        self.protocol.fail(code, reason)
        self._begin_closing(const.CLOSE_MS)
        self._pump()

    def _begin_closing(self, within_ms: int) -> None:
        self.phase = Phase.CLOSING
        self._plain = False
        self._outbox.clear()
        self._deadline_ms = self._clock.now_ms() + within_ms
        sent = self.protocol.close_sent
        self.closed_with = const.ABNORMAL if sent is None else int(sent.code)
        if self._intake is not None:
            self._intake.forget()
        self._resume()

    def _too_late(self) -> None:
        if self.phase is not Phase.OPEN:
            self.transport.abort()
        elif self._intake is not None and self._intake.greeted:
            self._deadline_ms = 0
        else:
            self.close(CloseCode.HELLO_TIMEOUT, "no Hello")
