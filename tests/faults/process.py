"""Real server processes, to be killed, stopped and looked at from outside.

Lives here: starting `kupa serve` and running other commands of `kupa` as an operator would. Lives
elsewhere: people (wire_client), the store's own program (store_fixture).
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from dataclasses import dataclass
from pathlib import Path

PLENTY = {
    "KUPA_ADDRESS_HANDSHAKES": "10000", "KUPA_ADDRESS_IDENTITIES": "10000", "KUPA_ADDRESS_ROOMS": "10000",
    "KUPA_MOVES": "1000",
}  # fmt: skip
"""Limits are out of the way."""
START_S = 90.0


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended."""

    status: int
    out: str
    err: str


def environ(**settings: str) -> dict[str, str]:
    """The environment of a process with these settings and no others."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("KUPA_", "REDIS_"))}
    return {**plain, **settings}


async def kupa(*words: str, cwd: Path | None = None, within_s: float = START_S, **settings: str) -> Ended:
    """Run one command of `kupa` to its end."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server.cli", *words, env=environ(**settings), cwd=cwd,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(within_s):
            out, err = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    assert child.returncode is not None
    return Ended(child.returncode, out.decode(), err.decode())


class ServerProcess:
    """One `kupa serve`."""

    def __init__(self, log: Path, mutant: str = "", **settings: str) -> None:
        """What it writes to stderr goes into the file `log`. `mutant`: a fault to put into it (mutants)."""
        self.log = log
        self.port = 0
        self.settings = {**PLENTY, "KUPA_HOST": "127.0.0.1", "KUPA_PORT": "0", **settings}
        self._program = ("tests.faults.mutants", mutant) if mutant else ("server.cli", "serve")
        self._child: asyncio.subprocess.Process | None = None
        self._open = False
        self.hidden = False
        """Nobody who looks for a server finds this one."""

    @property
    def url(self) -> str:
        """Where its sockets are."""
        return f"ws://127.0.0.1:{self.port}"

    @property
    def child(self) -> asyncio.subprocess.Process:
        """The process; AssertionError before `start`."""
        assert self._child is not None
        return self._child

    @property
    def alive(self) -> bool:
        """It was started and has not ended."""
        return self._child is not None and self._child.returncode is None and self._open and not self.hidden

    async def start(self) -> None:
        """Start, and wait until it says where it is."""
        self._open = False
        with self.log.open("ab") as log:
            self._child = await asyncio.create_subprocess_exec(
                sys.executable, "-m", *self._program, env=environ(**self.settings),
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=log,
            )  # fmt: skip
        assert self.child.stdout is not None
        async with asyncio.timeout(START_S):
            said = (await self.child.stdout.readline()).decode()
        assert said.startswith("Kupa is open at http://"), self.log.read_text()
        self._open = True
        self.port = int(said.strip().rstrip("/").rpartition(":")[2])

    def signal(self, number: int) -> None:
        """Send a signal."""
        self.child.send_signal(number)

    async def kill(self) -> None:
        """SIGKILL, as a crash would."""
        if self._child is not None and self._child.returncode is None:
            self._child.kill()
            await self._child.wait()

    async def ended(self, within_s: float) -> int:
        """Wait for its end; returns its status."""
        async with asyncio.timeout(within_s):
            return await self.child.wait()

    def errors(self) -> list[str]:
        """Lines of its log that report a fault of its own; of a traceback, where it ends."""
        lines, found = self.log.read_text().splitlines(), []
        for at, line in enumerate(lines):
            if "Traceback" in line:
                found.append(" … ".join(_last_of_traceback(lines[at + 1 :])))
            elif "[error" in line or "[critical" in line:
                found.append(line)
        return found


def _last_of_traceback(lines: list[str]) -> list[str]:
    """The last place that it names and what was raised there."""
    inside = list(itertools.takewhile(lambda line: line.startswith(" ") or not line, lines))
    raised = lines[len(inside) : len(inside) + 1]
    return ["Traceback", *[line.strip() for line in inside if line.startswith("  File")][-1:], *raised]
