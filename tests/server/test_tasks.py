"""A task that is told to end ends."""

from __future__ import annotations

import asyncio
import inspect

from server.tasks import begun, ended


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


async def test_what_a_task_was_to_do_is_closed_when_it_is_cancelled_before_it_began() -> None:
    async def work() -> None:
        raise AssertionError("it never began")

    async def guarded() -> None:
        await to_do

    to_do, kept = work(), set[asyncio.Task[None]]()
    task = begun(guarded(), to_do, kept, "test")
    assert kept == {task}
    await ended(task)
    assert kept == set()
    assert inspect.getcoroutinestate(to_do) == inspect.CORO_CLOSED
