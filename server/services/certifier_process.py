"""One worker process as the server holds it: started when there is a job, ended for certain.

Lives here: the pipes between server and worker, time limits, and the end of a process, also of one that is in
the middle of a job or was only just started. Lives elsewhere: what the worker does (certifier_worker), when it is
wanted (certifier).
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Sequence

import msgspec

from server.exits import how_it_ended
from server.services.certifier_worker import Answer, Job

JOB_S = 60.0
"""A worker that has not answered so long is ended; the budget of a deal takes a second or two."""
LINE_BYTES = 1 << 20
"""The longest answer."""
WORKER = (sys.executable, "-m", "server.services.certifier_worker")


class WorkerLost(Exception):
    """A worker ended, or did not answer in time; the text says how, in a few words."""


class Worker:
    """One worker process; started by the first job, and again after it was lost or ended."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._start: asyncio.Task[asyncio.subprocess.Process] | None = None
        self._burial: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """Its process id; None when none runs."""
        start = self._start
        return None if start is None or not start.done() or start.exception() else start.result().pid

    async def ask(self, job: Job) -> Answer:
        """Have a job done. Raises WorkerLost; when cancelled, the process is ended as well."""
        try:
            async with asyncio.timeout(JOB_S):
                process = await self._started()
                assert process.stdin is not None
                assert process.stdout is not None
                with contextlib.suppress(ConnectionError):  # it has ended, and its status says how
                    process.stdin.write(msgspec.json.encode(job) + b"\n")
                    await process.stdin.drain()
                answer = await process.stdout.readline()
                if answer.endswith(b"\n"):
                    return msgspec.json.decode(answer, type=Answer)
                why = how_it_ended(await process.wait())
        except TimeoutError:
            why = f"no answer within {JOB_S:g} s"
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            why = str(error)
        except asyncio.CancelledError:
            await self.end()
            raise
        await self.end()
        raise WorkerLost(why)

    async def _started(self) -> asyncio.subprocess.Process:
        if self._start is None:
            await self.end()
            self._start = asyncio.create_task(
                asyncio.create_subprocess_exec(
                    *self._command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=LINE_BYTES,
                    start_new_session=True,
                ),
                name="kupa-certify-start",
            )
        # A start that is cancelled half way leaves a process that nobody knows.
        return await asyncio.shield(self._start)

    def kill(self) -> None:
        """End the process from beside its job, which then raises WorkerLost."""
        if self._start is not None and self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                self._start.result().kill()

    async def end(self) -> None:
        """End the process; only for who has the worker to himself. When this is cancelled, the end comes all
        the same, and the next call waits for it."""
        if self._start is not None:
            start, self._start = self._start, None
            self._burial = asyncio.create_task(_bury(start), name="kupa-certify-end")
        if self._burial is not None:
            await asyncio.shield(self._burial)
            self._burial = None


async def _bury(start: asyncio.Task[asyncio.subprocess.Process]) -> None:
    """End a process that was started, so that nothing of it is left to the loop."""
    try:
        process = await start
    except OSError:
        return  # it never started
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    with contextlib.suppress(OSError):
        await process.stdin.wait_closed()
    while await process.stdout.read(LINE_BYTES):
        pass
    await process.wait()
