"""A few words with a server program behind a unix socket, before there is a client for it."""

from __future__ import annotations

import socket
from enum import Enum
from pathlib import Path
from types import TracebackType

from hiredis import Reader, ReplyError

from server.store.resp import pack

PATIENCE_S = 1.0


class Life(Enum):
    """What a PING found."""

    GONE = "nobody listens"
    ANSWERS = "answers"
    LOADING = "loads its data"
    SILENT = "listens and does not answer"


class Probe:
    """Asks the server program on `path`; a context manager. Blocks, each question at most a second:
    for start-up only."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None

    def __enter__(self) -> Probe:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._socket is not None:
            self._socket.close()

    def life(self) -> Life:
        """Who is there. GONE only when certainly nobody listens."""
        try:
            answer = self._ask("PING")
        except (FileNotFoundError, ConnectionRefusedError):
            return Life.GONE
        except OSError:
            return Life.SILENT
        if isinstance(answer, ReplyError) and str(answer).startswith("LOADING"):
            return Life.LOADING
        return Life.ANSWERS

    def config(self, name: str) -> bytes:
        """A setting of the server program; empty when it does not tell."""
        answer = self._ask("CONFIG", "GET", name)
        return bytes(answer[1]) if isinstance(answer, list) and len(answer) == 2 else b""

    def shutdown(self) -> None:
        """Ask it to finish; it answers by closing."""
        try:
            self._ask("SHUTDOWN")
        except OSError:
            return

    def _ask(self, *words: str) -> object:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.settimeout(PATIENCE_S)
            self._socket.connect(str(self._path))
        self._socket.sendall(pack([words]))
        reader = Reader()
        while True:
            data = self._socket.recv(65536)
            if not data:
                raise ConnectionError("closed")
            reader.feed(data)
            answer: object = reader.gets()
            if answer is not False:
                return answer
