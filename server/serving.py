"""`kupa serve`: one process from its first line on the terminal to its last.

What lives here: starting, telling people where to go, stopping in good order. What does not: the parts
(app).
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator

import segno
import structlog

from server import log_setup, metrics
from server.app import App, CannotStart, end_of_parent, running, stop_signal
from server.config import Config
from server.net.handover import Place
from server.supervisor import signs_of_life, supervise
from server.tasks import ended
from server.watchdog import Watchdog

__all__ = ["CannotStart", "serve"]

DRAIN_SPREAD_S = 1.0
NEW_OBJECTS = 10_000
"""Between two looks for garbage in circles."""
THAW_S = 600.0
"""Between two looks at all there is; connections, rooms, boards and moves do not go in circles and need none."""

_log = structlog.get_logger(__name__)


async def serve(config: Config, *, worker: str = "") -> None:
    """Serve until SIGTERM or SIGINT, with as many processes as `config.workers` says.

    `worker`: be one of them, at this `Place`, on a port that is shared. Raises CannotStart.
    """
    log_setup.set_up(config.log_level, config.log_format)
    if config.workers > 1 and not worker:
        await supervise(config, announce)
        _log.info("stopped")
        return
    told = stop_signal()
    if worker:
        end_of_parent(told)
    async with contextlib.AsyncExitStack() as to_parent:
        async with running(config, place=Place.parse(worker) if worker else None) as app, minded(app):
            if worker:
                await to_parent.enter_async_context(signs_of_life())
            else:
                announce(config, app.port)
            why = await told
            _log.info("stopping", signal=why)
            await app.drain(DRAIN_SPREAD_S)
        _log.info("stopped")


def calm_collector() -> None:
    """Look for garbage in circles less often: at the usual setting the objects of moves in flight alone make a look
    in every turn of the loop, which cost 6 to 26 % of the CPU of a move. What is there already is left out; what
    closed connections leave is looked for as often as before (40,000 new objects, else 70,000)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 2, 2)
    gc.callbacks.append(_leave_out)


def _leave_out(phase: str, info: dict[str, int]) -> None:
    """A look at everything holds the loop for a quarter of a second when thousands are here: what one has found alive
    is left out of the next ones, until `thawing`."""
    if phase == "stop" and info["generation"] == 2:
        gc.freeze()


async def thawing() -> None:
    """Now and then have everything looked at after all: what was alive once may be garbage in circles by now."""
    while True:
        await asyncio.sleep(THAW_S)
        gc.unfreeze()


@contextlib.asynccontextmanager
async def minded(app: App) -> AsyncIterator[None]:
    """Watch the process, and give its numbers to the operator. Raises CannotStart."""
    calm_collector()  # takes a moment: before anybody looks whether the loop stands
    watchdog = Watchdog()
    admin = metrics.listen(app, watchdog)
    watchdog.start()
    thaws = asyncio.create_task(thawing(), name="kupa-thaws")
    try:
        yield
    finally:
        await ended(thaws)
        watchdog.stop()
        if admin is not None:
            admin.close()


def announce(config: Config, port: int) -> None:
    """Say on stdout where the game is: for this machine, and for phones nearby with a QR code."""
    if config.public_url:
        print(f"Kupa is open at {config.public_url}/", flush=True)
        return
    print(f"Kupa is open at http://localhost:{port}/", flush=True)
    near = lan_address()
    if config.host in ("0.0.0.0", "::") and near is not None:
        url = f"http://{near}:{port}/"
        print(f"On the same network: {url}", flush=True)
        if sys.stdout.isatty():
            segno.make(url, error="m").terminal(compact=True)


def lan_address() -> str | None:
    """This machine's address on its network, or None. Nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") else address
