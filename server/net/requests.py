"""The library's side of a connection, with an answer to what is no request.

What lives here: 400 where the library hangs up without a word. What does not: requests that can be read, also those
that are refused (listener).
"""

from __future__ import annotations

from websockets.exceptions import InvalidMessage
from websockets.server import ServerProtocol

from server.net.pages import response, text


class RequestProtocol(ServerProtocol):
    """`ServerProtocol` that says so when it cannot read a request."""

    def send_eof(self) -> None:
        """The end of what is said, which for something that was no request begins with what was wrong.

        Nothing is said to who ended in the middle of one: nobody is there.
        """
        wrong = self.handshake_exc
        if isinstance(wrong, InvalidMessage) and not isinstance(wrong.__cause__, EOFError):
            self.writes.append(response(text(400)).serialize())
        super().send_eof()
