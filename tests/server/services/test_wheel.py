"""Who has something to say a little later is called once, in time, whatever others do."""

from __future__ import annotations

import pytest

from server.services.wheel import SLOTS, TICK_S, Waiting, Wheel
from tests.store_fixture import until

pytestmark = pytest.mark.interpreted


class One(Waiting):
    """Somebody who remembers when they were called."""

    def __init__(self, wheel: Wheel) -> None:
        super().__init__()
        self.wheel = wheel
        self.called: list[int] = []

    def tell(self) -> None:
        self.called.append(self.wheel._tick)


class Broken(Waiting):
    def tell(self) -> None:
        raise ValueError("nothing to say")


@pytest.fixture
def wheel() -> Wheel:
    return Wheel()


async def test_each_is_called_in_its_tick(wheel: Wheel) -> None:
    early, late = One(wheel), One(wheel)
    wheel.ask(late, 5 * TICK_S)
    wheel.ask(early, 2 * TICK_S)
    await until(lambda: bool(late.called))
    assert (early.called, late.called) == ([2], [5])
    assert (early.due, late.due) == (0, 0)


async def test_it_turns_only_while_somebody_waits(wheel: Wheel) -> None:
    one = One(wheel)
    wheel.ask(one, TICK_S)
    await until(lambda: bool(one.called))
    assert wheel._timer is None
    wheel.ask(one, TICK_S)
    await until(lambda: len(one.called) == 2)
    assert wheel._timer is None


async def test_who_asks_for_another_tick_is_called_in_that_one_only(wheel: Wheel) -> None:
    one, other = One(wheel), One(wheel)
    wheel.ask(one, 9 * TICK_S)
    wheel.ask(one, 2 * TICK_S)
    wheel.ask(other, 10 * TICK_S)
    await until(lambda: bool(other.called))
    assert one.called == [2]


async def test_who_does_not_want_to_be_called_any_more_is_not(wheel: Wheel) -> None:
    one, other = One(wheel), One(wheel)
    wheel.ask(one, TICK_S)
    wheel.ask(other, 2 * TICK_S)
    one.due = 0
    await until(lambda: bool(other.called))
    assert one.called == []


async def test_nobody_waits_longer_than_a_turn(wheel: Wheel) -> None:
    one = One(wheel)
    wheel.ask(one, 60.0)
    assert one.due == SLOTS - 1


async def test_a_fault_in_one_keeps_nobody_elses_back(wheel: Wheel, caplog: pytest.LogCaptureFixture) -> None:
    one = One(wheel)
    wheel.ask(Broken(), TICK_S)
    wheel.ask(one, TICK_S)
    await until(lambda: bool(one.called))
    assert "nothing to say" in caplog.text
