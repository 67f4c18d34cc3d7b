"""Ending tasks for certain.

What lives here: one function. A single `cancel` is not enough: what a task awaits may swallow it (before
Python 3.12 `asyncio.wait_for` does when its result arrives in the same turn, and clients of the store are
built on that), and a task that loops then runs on for ever while somebody waits for its end.
"""

from __future__ import annotations

import asyncio
from typing import Any

AGAIN_S = 0.2
"""A task that has not ended so long after it was cancelled is cancelled again."""


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
