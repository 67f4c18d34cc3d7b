"""Several server processes on one port and one store: one for each core (`kupa serve --workers N`).

What lives here: the parent, which has the embedded store, starts the workers, ends one that hangs, starts a dead one
again, and ends all in good order. What does not: serving. The workers need nothing of each other: no process owns
anything. The kernel spreads new connections over them (SO_REUSEPORT), and they hand each other those that come
for a room (net.handover).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable

import structlog

from server.app import CannotStart, cannot_listen, stop_signal
from server.config import Config, environ_with
from server.exits import how_it_ended
from server.meeting import meeting_place
from server.metrics import refuse_unusable
from server.net.handover import Place
from server.store.embedded import Embedded
from server.store.errors import StoreUnusable
from server.tasks import ended

STOP_S = 20.0
"""A worker that has not ended so long after it was told is killed (the promise of reliability F2)."""
PAUSE_S = 1.0
"""Before a worker that ended by itself is started again."""
READY = "ready"
"""What a worker prints when it listens; one that cannot start prints why instead."""
SIGN_S = 1.0
"""A worker that listens says so often that its loop runs."""
HANGS = 8
"""A worker of which so many signs in a row are missing is killed: its people find out after nine seconds, and come
again, to those that live."""

_log = structlog.get_logger(__name__)


class Supervisor:
    """The workers of one `kupa serve`."""

    def __init__(self, config: Config, url: str, port: int, folder: str) -> None:
        """`folder`: where the workers find each other."""
        self._folder = folder
        # Everything as here, but one store and one port for all.
        self._config = config
        self._environ = environ_with(os.environ, redis_url=url, host=config.host, port=port, workers=1)

    def _environ_of(self, number: int) -> dict[str, str]:
        host, port = self._config.admin
        return environ_with(self._environ, admin=f"[{host}]:{port + number}") if host else self._environ

    async def keep(self, number: int, listens: asyncio.Event) -> None:
        """Start worker `number` and start it again whenever it ends, until cancelled."""
        while True:
            worker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "server.cli", "serve",
                "--worker", str(Place(number, self._config.workers, self._folder)),
                env=self._environ_of(number), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # nothing is written to it: it ends when this process does, however that is
            )  # fmt: skip
            try:
                assert worker.stdout is not None
                said = (await worker.stdout.readline()).decode().strip()
                if said == READY:
                    listens.set()
                    if await hangs(worker.stdout):
                        _log.error("worker.hangs", number=number, silent_s=HANGS * SIGN_S)
                        worker.kill()
                status = await worker.wait()
            except asyncio.CancelledError:
                await end(worker)
                raise
            if not listens.is_set():
                how = f"a worker did not start ({how_it_ended(status)}); what its log says last may tell why"
                raise CannotStart(said or how)
            why = {} if said in (READY, "") else {"why": said}
            _log.error("worker.ended", number=number, how=how_it_ended(status), **why)
            await asyncio.sleep(PAUSE_S)


async def hangs(signs: asyncio.StreamReader, clock: Callable[[], float] = time.monotonic) -> bool:
    """Wait until a worker gives no more sign of life, or has ended; whether it hangs.

    Counted are moments in which this process was awake and heard nothing, not time: a machine that was suspended, or is
    so busy that this process comes late itself, says nothing against a worker.
    """
    missing = 0
    while missing < HANGS:
        began = clock()
        try:
            async with asyncio.timeout(SIGN_S):
                if not await signs.readline():
                    return False
            missing = 0
        except TimeoutError:
            missing += clock() - began < 2 * SIGN_S
    return True


@contextlib.asynccontextmanager
async def signs_of_life() -> AsyncIterator[None]:
    """What a worker does for its parent: say that it listens, and from then on that its loop runs."""
    print(READY, flush=True)
    os.set_blocking(1, False)

    async def signs() -> None:
        while True:
            await asyncio.sleep(SIGN_S)
            with contextlib.suppress(BlockingIOError, BrokenPipeError):  # the parent stands still, or is gone
                os.write(1, b"\n")

    giving = asyncio.create_task(signs(), name="kupa-signs")
    try:
        yield
    finally:
        await ended(giving)


async def end(worker: asyncio.subprocess.Process) -> None:
    """Tell a worker to stop, and wait for it."""
    if worker.returncode is not None:
        return
    worker.terminate()
    try:
        async with asyncio.timeout(STOP_S):
            await worker.wait()
    except TimeoutError:
        worker.kill()
        await worker.wait()


def reserve(host: str, port: int) -> socket.socket:
    """A socket that holds the port for the workers without taking connections. Raises CannotStart.

    Whoever else shares the port has other workers: it is refused like one that is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    held = socket.socket(family, socket.SOCK_STREAM)
    try:
        with socket.socket(family, socket.SOCK_STREAM) as alone:
            alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            alone.bind((host, port))
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of the server before may linger
        held.bind((host, port))
    except (OSError, UnicodeError) as error:
        held.close()
        raise cannot_listen(host, port, error) from error
    return held


async def supervise(config: Config, announce: Callable[[Config, int], None]) -> None:
    """Run `config.workers` workers until SIGTERM or SIGINT. Raises CannotStart."""
    told = stop_signal()
    async with contextlib.AsyncExitStack() as stack:
        url = config.redis_url
        try:
            held = stack.enter_context(reserve(config.host, config.port))
            folder = stack.enter_context(meeting_place())
            if not url:
                embedded = Embedded(config.data, config.durability)
                await embedded.start()
                stack.push_async_callback(embedded.stop)
                url = embedded.url
        except StoreUnusable as error:
            raise CannotStart(str(error)) from error
        except OSError as error:
            raise CannotStart(
                f"cannot use the folder of temporary files ({error}); set TMPDIR to another one"
            ) from error
        port = held.getsockname()[1]
        refuse_unusable(config, port)
        await _run(Supervisor(config, url, port, folder), config.workers, told, lambda: announce(config, port))


async def _run(supervisor: Supervisor, workers: int, told: asyncio.Future[str], announce: Callable[[], None]) -> None:
    listening = [asyncio.Event() for _ in range(workers)]
    keepers = [asyncio.create_task(supervisor.keep(number, event)) for number, event in enumerate(listening)]
    started = asyncio.create_task(_all(listening))
    stopped = asyncio.create_task(_name(told))
    try:
        await asyncio.wait([started, stopped, *keepers], return_when=asyncio.FIRST_COMPLETED)
        if started.done():
            announce()
            await asyncio.wait([stopped, *keepers], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (started, stopped, *keepers):
            task.cancel()
        ends = await asyncio.gather(started, stopped, *keepers, return_exceptions=True)
    for result in ends:
        if isinstance(result, CannotStart):
            raise result


async def _all(events: list[asyncio.Event]) -> None:
    for event in events:
        await event.wait()


async def _name(told: asyncio.Future[str]) -> None:
    _log.info("stopping", signal=await asyncio.shield(told))
