"""A few words with a server program behind a unix socket, before there is a client for it."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

from hiredis import Reader, ReplyError

from server.store.resp import pack

PATIENCE_S = 1.0


class Probe:
    """Asks one server program on `path`. Blocking, each question at most a second: for start-up only."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self.loading = False
        """Whether the last PING was answered with LOADING."""

    async def alive(self, patience_s: float) -> bool:
        """Whether somebody answers a PING; one that loads its data is waited for, up to `patience_s`."""
        loop = asyncio.get_running_loop()
        until = loop.time() + patience_s
        while True:
            try:
                answer = self._ask("PING")
            except OSError:
                return False
            self.loading = isinstance(answer, ReplyError) and str(answer).startswith("LOADING")
            if not self.loading or loop.time() >= until:
                return True
            await asyncio.sleep(0.05)

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

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

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
