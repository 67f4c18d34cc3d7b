"""A loop that stands still is seen, counted and shown where it stood."""

from __future__ import annotations

import asyncio
import contextlib
import linecache
import queue
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable

import pytest
import structlog

from server import watchdog
from server.scheduled import Scheduled
from server.spread import BUCKETS_MS
from server.watchdog import Watchdog
from tests.store_fixture import until

HOLDS = 40


class Denied(Scheduled):
    """A thread that was denied so much."""

    def __init__(self, denied_s: float) -> None:
        super().__init__(0)
        self._denied_s = denied_s

    def denied_s(self) -> float:
        return self._denied_s


def test_each_beat_counts_in_the_first_bucket_that_holds_it() -> None:
    dog = Watchdog()
    for late_ms in (0.5, 1, 1.5, 3_000):
        dog.note(late_ms)
    assert dog.lag.counts[0] == 2
    assert dog.lag.counts[1] == 1
    assert dog.lag.counts[len(BUCKETS_MS)] == 1
    assert (dog.longest_ms, dog.stuck + dog.starved) == (3_000, 1)


@pytest.mark.parametrize("kind", ["asyncio", "uvloop"])
def test_what_holds_the_loop_is_logged_with_its_stack(kind: str) -> None:
    """While it does so, and with the lines where it was found afterwards; many short turns are as long as one."""
    make = pytest.importorskip(kind).new_event_loop

    async def held() -> Watchdog:
        dog = Watchdog()
        dog.start()
        for _ in range(HOLDS):
            asyncio.get_running_loop().call_soon(hold_the_loop)
        await until(lambda: dog.stuck > 0)
        dog.stop()
        return dog

    linecache.clearcache()
    with structlog.testing.capture_logs() as lines, asyncio.Runner(loop_factory=make) as runner:
        runner.run(held())
    assert not linecache.cache, "the text of no file is read, which would stay in memory"
    stands = [line for line in lines if line["event"] == "loop.stands"]
    assert any("hold_the_loop" in line["stack"] for line in stands)
    stuck = [line for line in lines if line["event"] == "loop.stuck"]
    assert len(stands) <= len(stuck) + 1, "each stall is told once, the last one maybe not counted yet"
    assert any("hold_the_loop" in "".join(line["where"]) and line["cpu_ms"] > 0 for line in stuck)


def test_a_machine_that_gives_the_loop_no_time_is_told_from_work() -> None:
    dog = Watchdog()
    with structlog.testing.capture_logs() as lines:
        dog.note(600, 2)
        dog.note(600, 590)
    starved, stuck = lines
    why = "the machine gave no time"
    late = {"late_ms": 600, "denied_ms": 0}
    assert starved == {"event": "loop.starved", "cpu_ms": 2, "why": why, "log_level": "info"} | late
    assert stuck == {"event": "loop.stuck", "cpu_ms": 590, "where": [], "log_level": "warning"} | late
    assert (dog.starved, dog.stuck) == (1, 1)


@pytest.mark.parametrize("kind", ["asyncio", "uvloop"])
async def test_a_loop_that_is_found_waiting_is_no_warning_unless_it_stays_so(kind: str) -> None:
    now_s = 1000.0
    dog = Watchdog(lambda: now_s)
    async with waiting_loop(pytest.importorskip(kind).new_event_loop) as dog._loop_thread:
        with structlog.testing.capture_logs() as lines:
            now_s += 0.6
            dog._watched()
            dog.note(550, 0)
        assert [line["log_level"] for line in lines] == ["info"]
        with structlog.testing.capture_logs() as lines:
            now_s += 2.0
            dog._watched()
            dog._watched()
        assert [(line["event"], line["log_level"]) for line in lines] == [("loop.stands", "warning")]


async def test_a_loop_that_waits_for_something_of_ours_is_held_though_it_uses_no_processor() -> None:
    now_s = 1000.0
    dog = Watchdog(lambda: now_s)
    async with waiting_for_a_lock() as dog._loop_thread:
        with structlog.testing.capture_logs() as lines:
            now_s += 0.6
            dog._watched()
            dog.note(550, 0)
    assert [line["event"] for line in lines] == ["loop.stands", "loop.stuck"]
    assert any("hold" in line for line in lines[1]["where"])
    assert (dog.starved, dog.stuck) == (0, 1)


async def test_a_loop_that_could_have_run_and_was_not_let_is_starved_wherever_it_was_found() -> None:
    now_s = 1000.0
    dog = Watchdog(lambda: now_s)
    async with waiting_for_a_lock() as dog._loop_thread:
        dog._scheduled = Denied(0.58)
        with structlog.testing.capture_logs() as lines:
            now_s += 0.6
            dog._watched()
            assert dog._seen, "it was found in a line of ours"
            dog.note(550, 3, 580)
    assert [(line["event"], line["log_level"]) for line in lines] == [("loop.starved", "info")]
    assert (dog.starved, dog.stuck) == (1, 0)


async def test_of_a_stall_that_was_denied_in_part_the_rest_is_looked_at() -> None:
    now_s = 1000.0
    dog = Watchdog(lambda: now_s)
    async with waiting_for_a_lock() as dog._loop_thread:
        dog._scheduled = Denied(0.2)
        with structlog.testing.capture_logs() as lines:
            now_s += 0.6
            dog._watched()
            dog.note(550, 3, 200)
            dog._watched()
            dog.note(450, 3, 200)
    assert [line["event"] for line in lines] == ["loop.stands", "loop.stuck", "loop.starved"]
    assert lines[1]["denied_ms"] == 200


async def test_what_was_denied_is_counted_from_beat_to_beat() -> None:
    told: list[float] = []

    class Told(Watchdog):
        def note(self, late_ms: float, cpu_ms: float = 0.0, denied_ms: float = 0.0) -> None:
            told.append(round(denied_ms))

    dog = Told()
    dog.start()
    dog._scheduled, dog._denied_s = Denied(3.0), 2.0
    dog._beat()
    dog._scheduled = Denied(3.5)
    dog._beat()
    dog.stop()
    assert told == [1_000, 500]


async def test_a_long_stall_is_looked_at_so_often_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LOOKS", 3)
    dog = Watchdog()
    dog.start()
    hold_the_loop(1.5)
    looks = dog._looks
    await until(lambda: dog.stuck > 0)
    dog.stop()
    assert looks == 3


@contextlib.asynccontextmanager
async def waiting_loop(make: Callable[[], asyncio.AbstractEventLoop]) -> AsyncIterator[int]:
    """A loop in a thread with nothing to do, its thread's number."""
    loops: queue.Queue[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = queue.Queue()

    async def wait() -> None:
        over = asyncio.Event()
        loops.put((asyncio.get_running_loop(), over))
        await over.wait()

    def run() -> None:
        with asyncio.Runner(loop_factory=make) as runner:
            runner.run(wait())

    thread = threading.Thread(target=run)
    thread.start()
    loop, over = loops.get()
    await until(lambda: innermost(thread) in ("select", "run"))
    yield thread.ident or 0
    loop.call_soon_threadsafe(over.set)
    thread.join()


@contextlib.asynccontextmanager
async def waiting_for_a_lock() -> AsyncIterator[int]:
    """A thread that waits for us, its number."""
    lock = threading.Lock()

    def hold() -> None:
        with lock:
            pass

    with lock:
        thread = threading.Thread(target=hold)
        thread.start()
        await until(lambda: innermost(thread) == "hold")
        yield thread.ident or 0
    thread.join()


def innermost(thread: threading.Thread) -> str:
    """The function that a thread is in."""
    frame = sys._current_frames().get(thread.ident or 0)
    return "" if frame is None else frame.f_code.co_name


def hold_the_loop(seconds: float = 0.02) -> None:
    """Work for so long, not counting what a busy machine makes of it."""
    ends = time.thread_time() + seconds
    while time.thread_time() < ends:
        pass


@pytest.mark.parametrize("late_ms", [-5.0, 0.0])
def test_a_beat_is_never_early(late_ms: float) -> None:
    dog = Watchdog()
    dog.note(late_ms)
    assert dog.longest_ms == 0
    assert dog.lag.counts[0] == 1
