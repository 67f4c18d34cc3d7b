"""A loop that stands still is seen, counted and shown where it stood."""

from __future__ import annotations

import time

import pytest
import structlog

from server.spread import BUCKETS_MS
from server.watchdog import Watchdog
from tests.store_fixture import until


def test_each_beat_counts_in_the_first_bucket_that_holds_it() -> None:
    dog = Watchdog()
    for late_ms in (0.5, 1, 1.5, 3_000):
        dog.note(late_ms)
    assert dog.lag.counts[0] == 2
    assert dog.lag.counts[1] == 1
    assert dog.lag.counts[len(BUCKETS_MS)] == 1
    assert (dog.longest_ms, dog.stuck) == (3_000, 1)


async def test_what_holds_the_loop_is_logged_with_its_stack() -> None:
    with structlog.testing.capture_logs() as lines:
        dog = Watchdog()
        dog.start()
        hold_the_loop()
        await until(lambda: dog.stuck > 0)
        dog.stop()
    stands = [line for line in lines if line["event"] == "loop.stands"]
    assert len(stands) == 1
    assert "hold_the_loop" in stands[0]["stack"]


def hold_the_loop() -> None:
    ends = time.monotonic() + 0.6
    while time.monotonic() < ends:
        pass


@pytest.mark.parametrize("late_ms", [-5.0, 0.0])
def test_a_beat_is_never_early(late_ms: float) -> None:
    dog = Watchdog()
    dog.note(late_ms)
    assert dog.longest_ms == 0
    assert dog.lag.counts[0] == 1
