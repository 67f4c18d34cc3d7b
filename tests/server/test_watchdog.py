"""A loop that stands still is seen, counted and shown where it stood."""

from __future__ import annotations

import asyncio
import linecache
import time

import pytest
import structlog

from server import watchdog
from server.spread import BUCKETS_MS
from server.watchdog import Watchdog
from tests.store_fixture import until

HOLDS = 40


def test_each_beat_counts_in_the_first_bucket_that_holds_it() -> None:
    dog = Watchdog()
    for late_ms in (0.5, 1, 1.5, 3_000):
        dog.note(late_ms)
    assert dog.lag.counts[0] == 2
    assert dog.lag.counts[1] == 1
    assert dog.lag.counts[len(BUCKETS_MS)] == 1
    assert (dog.longest_ms, dog.stuck) == (3_000, 1)


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
    assert lines == [{"event": "loop.stuck", "late_ms": 600, "cpu_ms": 2, "where": [], "log_level": "warning"}]


async def test_a_long_stall_is_looked_at_so_often_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LOOKS", 3)
    dog = Watchdog()
    dog.start()
    hold_the_loop(1.5)
    looks = dog._looks
    await until(lambda: dog.stuck > 0)
    dog.stop()
    assert looks == 3


def hold_the_loop(seconds: float = 0.02) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        pass


@pytest.mark.parametrize("late_ms", [-5.0, 0.0])
def test_a_beat_is_never_early(late_ms: float) -> None:
    dog = Watchdog()
    dog.note(late_ms)
    assert dog.longest_ms == 0
    assert dog.lag.counts[0] == 1
