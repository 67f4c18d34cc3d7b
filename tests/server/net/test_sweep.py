"""Visits: everybody once a round, a few at a time."""

from __future__ import annotations

from server.clock import ManualClock
from server.net.sweep import SLOTS, Sweep


class Counted:
    def __init__(self) -> None:
        self.visits: list[int] = []

    def visit(self, now_ms: int) -> None:
        self.visits.append(now_ms)


def test_a_round_visits_everybody_once() -> None:
    sweep, clock = Sweep(ManualClock()), ManualClock()
    everybody = [Counted() for _ in range(37)]
    for one in everybody:
        sweep.add(one)
    for _ in range(SLOTS):
        sweep.tick()
    assert [one.visits for one in everybody] == [[clock.now_ms()]] * 37


def test_no_tick_visits_many_more_than_another() -> None:
    sweep = Sweep(ManualClock())
    everybody = [Counted() for _ in range(95)]
    for one in everybody:
        sweep.add(one)
    sizes = []
    for _ in range(SLOTS):
        before = sum(len(one.visits) for one in everybody)
        sweep.tick()
        sizes.append(sum(len(one.visits) for one in everybody) - before)
    assert sorted(set(sizes)) == [9, 10]


def test_who_is_gone_is_not_visited_even_when_it_goes_during_the_round() -> None:
    sweep = Sweep(ManualClock())

    class Leaving(Counted):
        def visit(self, now_ms: int) -> None:
            super().visit(now_ms)
            sweep.discard(self)

    one, other = Leaving(), Counted()
    sweep.add(one)
    sweep.add(other)
    for _ in range(3 * SLOTS):
        sweep.tick()
    assert (len(one.visits), len(other.visits)) == (1, 3)
    sweep.discard(one)
