"""`kupa serve` as its own process, and a way in front of it that can be cut.

What lives here: starting, killing and ending servers, and a TCP relay. What does not: browsers.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPEN = re.compile(r"^Kupa is open at (http://\S+)/$", re.MULTILINE)
START_S = 30
STOP_S = 25

PLENTY = {
    "KUPA_MOVES": "100",
    "KUPA_ADDRESS_HANDSHAKES": "10000",
    "KUPA_ADDRESS_IDENTITIES": "10000",
    "KUPA_ADDRESS_ROOMS": "10000",
}
"""All people of the tests come from one address, and stored games are played faster than by hand."""


class Served:
    """One server process on a free port of this machine, with a folder of its own."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.settings = {"KUPA_HOST": "127.0.0.1", "KUPA_PORT": "0", "KUPA_DATA": str(folder / "data"), **PLENTY}
        self.settings |= settings
        self.url = ""
        self.child: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        """Start."""
        self.folder.mkdir(parents=True, exist_ok=True)
        clean = {name: value for name, value in os.environ.items() if not name.startswith("KUPA_")}
        clean.pop("REDIS_URL", None)
        with (self.folder / "said.txt").open("wb") as out, (self.folder / "log.txt").open("ab") as errors:
            command = [sys.executable, "-m", "server.cli", "serve"]
            self.child = subprocess.Popen(command, cwd=ROOT, env=clean | self.settings, stdout=out, stderr=errors)

    def listen(self) -> None:
        """Wait until it says where it listens."""
        assert self.child is not None
        until = time.monotonic() + START_S
        while not (found := OPEN.search((self.folder / "said.txt").read_text())):
            assert self.child.poll() is None, f"the server did not start:\n{self.log()}"
            assert time.monotonic() < until, f"the server did not say where it is:\n{self.log()}"
            time.sleep(0.02)
        self.url = found[1]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def log(self) -> str:
        """Everything it has logged."""
        return (self.folder / "log.txt").read_text()

    def kill(self) -> None:
        """SIGKILL, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """SIGTERM; returns the exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        assert self.child is not None
        self.child.send_signal(how)
        return self.child.wait(STOP_S)

    @contextlib.contextmanager
    def running(self) -> Iterator[Served]:
        """From a start to an end in good order, in which nothing went wrong."""
        self.launch()
        try:
            self.listen()
            yield self
        finally:
            status = self.stop()
        assert status == 0, self.log()
        assert not re.search(r"\[(error|critical)|Traceback", self.log()), self.log()


class Way:
    """The way from a browser to one server at a time: it can lead elsewhere, be held up, and be cut."""

    def __init__(self, port: int) -> None:
        self.port = port
        """Of the server it leads to."""
        self.is_open = True
        self.address = ""
        """For the browser."""
        self._clear = asyncio.Event()
        self._clear.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._carriers: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        """Returns the address."""
        self._server = await asyncio.start_server(self._come, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self.address

    async def close(self) -> None:
        """Break every connection for good."""
        assert self._server is not None
        self._server.close()
        self.cut()
        self.go_on()
        await asyncio.gather(*self._carriers)
        await self._server.wait_closed()

    def cut(self) -> None:
        """Break every connection, and let none through until `lead`."""
        self.is_open = False
        for writer in self._writers:
            writer.transport.abort()

    def lead(self, port: int) -> None:
        """Let connections through again, to the server at this port."""
        self.port = port
        self.is_open = True

    def hold(self) -> None:
        """Nothing gets through in either direction, and nothing breaks."""
        self._clear.clear()

    def go_on(self) -> None:
        """What was held up gets through."""
        self._clear.set()

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carriers.add(task)
        self._writers.add(writer)
        try:
            if not self.is_open:
                return
            there, back = await asyncio.open_connection("127.0.0.1", self.port)
            self._writers.add(back)
            await asyncio.gather(self._carry(reader, back), self._carry(there, writer))
            self._writers.discard(back)
        except OSError:
            writer.transport.abort()
        finally:
            self._writers.discard(writer)
            self._carriers.discard(task)
            writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                await self._clear.wait()
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()
