"""The library's side of a connection, with an answer to what is no request, and a bound on what it parses.

What lives here: 400 where the library hangs up without a word; how many frames it looks at. What does not: requests
that can be read, also those that are refused (listener); the frames that nearly all moves are (bytes_in).
"""

from __future__ import annotations

from typing import Final

from websockets.exceptions import InvalidMessage, ProtocolError
from websockets.frames import Frame
from websockets.server import ServerProtocol

from server.net.pages import response, text
from server.wire.errors import CloseCode

FRAMES: Final = 128
"""Parsed between two visits of the sweep: control frames, large ones and parts of some. Each costs as much as ten small
ones that are read by `bytes_in`, so a few kilobytes of them would keep everybody waiting."""


class RequestProtocol(ServerProtocol):
    """`ServerProtocol` that says so when it cannot read a request, and that does not read frames without end."""

    frames = 0
    """Parsed since the last visit."""

    def recv_frame(self, frame: Frame) -> None:
        """Take a frame in; one too many fails the connection, and nothing behind it is parsed."""
        self.frames += 1
        if self.frames > FRAMES:
            self.fail(CloseCode.FLOOD, "too many frames")
            raise ProtocolError("too many frames")
        super().recv_frame(frame)

    def send_eof(self) -> None:
        """The end of what is said, which for something that was no request begins with what was wrong.

        Nothing is said to who ended in the middle of one: nobody is there.
        """
        wrong = self.handshake_exc
        if isinstance(wrong, InvalidMessage) and not isinstance(wrong.__cause__, EOFError):
            self.writes.append(response(text(400)).serialize())
        super().send_eof()
