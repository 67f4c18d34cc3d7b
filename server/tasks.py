"""Beginning tasks that are kept, and ending them for certain.

What lives here: two functions. A single `cancel` is not enough: what a task awaits may swallow it (before
Python 3.12 `asyncio.wait_for` does when its result arrives in the same turn, and clients of the store are
built on that), and a task that loops then runs on for ever while somebody waits for its end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

AGAIN_S = 0.2
"""A task that has not ended so long after it was cancelled is cancelled again."""


def begun(
    guarded: Coroutine[Any, Any, None], work: Coroutine[Any, Any, None], kept: set[asyncio.Task[None]], name: str
) -> asyncio.Task[None]:
    """A task for `guarded`, which awaits `work`, kept in `kept` until it has ended.

    `work` is closed with it: a task that is cancelled before it began would leave it unawaited.
    """
    task = asyncio.create_task(guarded, name=name)
    kept.add(task)
    task.add_done_callback(kept.discard)
    task.add_done_callback(lambda _: work.close())
    return task


async def ended(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel these tasks, as often as it takes, and return when all have ended, however they did."""
    waiting = {task for task in tasks if task is not None}
    while waiting:
        for task in waiting:
            task.cancel()
        done, waiting = await asyncio.wait(waiting, timeout=AGAIN_S)
        for task in done:
            if not task.cancelled():
                task.exception()  # it was its own to report; here it is only taken note of
