"""The clock follows the store's time: it is set once, bends afterwards, and never goes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock import SAMPLES, SLEW, ManualClock, StoreClock
from tests.store_fixture import until


class World:
    """A monotonic clock, a store's clock beside it, and a way between them that takes time."""

    def __init__(self) -> None:
        self.mono_ms = 1_000_000.0
        self.store_ahead_ms = 1_700_000_000_000.0
        self.trips = [(1.0, 1.0)]
        self.asked = 0
        self.away = False

    def monotonic(self) -> float:
        return self.mono_ms / 1000

    async def read_ms(self) -> float:
        if self.away:
            raise ConnectionError
        there, back = self.trips[self.asked % len(self.trips)]
        self.asked += 1
        self.mono_ms += there
        answer = self.mono_ms + self.store_ahead_ms
        self.mono_ms += back
        return answer

    def clock(self) -> StoreClock:
        return StoreClock(self.read_ms, self.monotonic)

    def true_ms(self) -> float:
        return self.mono_ms + self.store_ahead_ms


async def test_the_first_sample_sets_the_clock() -> None:
    world = World()
    clock = world.clock()
    await clock.sample()
    assert abs(clock.now_ms() - world.true_ms()) <= 1
    world.mono_ms += 5000
    assert abs(clock.now_ms() - world.true_ms()) <= 1


async def test_it_tells_no_time_before_it_is_set() -> None:
    with pytest.raises(RuntimeError):
        World().clock().now_ms()


async def test_of_five_readings_the_shortest_way_counts() -> None:
    world = World()
    world.trips = [(1.0, 301.0), (1.0, 101.0), (1.0, 1.0), (401.0, 1.0), (1.0, 51.0)]
    clock = world.clock()
    await clock.sample()
    assert world.asked == 5
    assert abs(clock.now_ms() - world.true_ms()) <= 1


async def test_a_later_difference_is_slewed_and_never_stepped() -> None:
    world = World()
    clock = world.clock()
    await clock.sample()
    world.store_ahead_ms += 20
    before = clock.now_ms()
    await clock.sample()
    assert clock.now_ms() - before <= 11  # five trips of 2 ms passed, nothing was stepped
    assert clock.skew_ms == pytest.approx(20, abs=0.1)
    world.mono_ms += 2000
    assert clock.now_ms() == pytest.approx(world.true_ms() - 10, abs=1)
    world.mono_ms += 2000
    assert clock.now_ms() == pytest.approx(world.true_ms(), abs=1)
    assert clock.skew_ms == 0


async def test_an_hour_back_makes_it_slower_not_wrong() -> None:
    world = World()
    clock = world.clock()
    await clock.sample()
    world.store_ahead_ms -= 3_600_000
    await clock.sample()
    start = clock.now_ms()
    world.mono_ms += 600_000
    assert clock.now_ms() - start == pytest.approx(600_000 * (1 - SLEW), abs=1)


async def test_a_store_that_is_away_stops_no_clock() -> None:
    world = World()
    clock = world.clock()
    await clock.sample()
    world.away = True
    with pytest.raises(ConnectionError):
        await clock.sample()
    world.mono_ms += 1000
    assert abs(clock.now_ms() - world.true_ms()) <= 1


async def test_who_starts_while_the_others_are_ahead_begins_with_them_and_bends_as_they_do() -> None:
    world = World()
    old, new = world.clock(), world.clock()
    await old.sample()
    world.store_ahead_ms -= 180_000
    await old.sample()
    await new.start(-old.skew_ms)
    await new.close()
    for _ in range(3):
        assert new.now_ms() == pytest.approx(old.now_ms(), abs=2)
        world.mono_ms += 600_000
    world.mono_ms += 180_000 / SLEW
    for clock in (old, new):
        assert clock.now_ms() == pytest.approx(world.true_ms(), abs=2)


async def test_after_an_outage_the_time_is_read_at_once() -> None:
    world = World()
    clock = world.clock()
    await clock.start()
    asked = world.asked
    clock.again()
    await until(lambda: world.asked == asked + SAMPLES)
    await clock.close()


@given(st.lists(st.tuples(st.floats(-1e7, 1e7), st.floats(0, 1e6)), max_size=20))
async def test_time_never_goes_back(jumps: list[tuple[float, float]]) -> None:
    world = World()
    clock = world.clock()
    await clock.sample()
    last = clock.now_ms()
    for jump_ms, passed_ms in jumps:
        world.store_ahead_ms += jump_ms
        await clock.sample()
        world.mono_ms += passed_ms
        now = clock.now_ms()
        assert now >= last
        assert now - last <= (passed_ms + 10) * (1 + SLEW) + 2
        last = now


def test_a_manual_clock_goes_only_ahead() -> None:
    clock = ManualClock(5)
    clock.advance(7)
    assert clock.now_ms() == 12
    with pytest.raises(ValueError, match="never goes back"):
        clock.advance(-1)
