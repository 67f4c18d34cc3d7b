"""A task that is told to end ends."""

from __future__ import annotations

import asyncio

from server.tasks import ended


async def test_a_task_that_swallows_the_first_cancellation_is_cancelled_again() -> None:
    swallowed = 0

    async def stubborn() -> None:
        nonlocal swallowed
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if swallowed == 2:
                    raise
                swallowed += 1

    task = asyncio.create_task(stubborn())
    await asyncio.wait([task], timeout=0)
    async with asyncio.timeout(5):
        await ended(task, None)
    assert task.cancelled()
    assert swallowed == 2


async def test_how_a_task_ends_is_nobodys_concern_here() -> None:
    async def fails() -> None:
        raise ValueError("its own")

    async def returns() -> int:
        return 1

    tasks = [asyncio.create_task(fails()), asyncio.create_task(returns())]
    await asyncio.wait(tasks, timeout=0)
    await ended(*tasks)
    assert all(task.done() for task in tasks)
