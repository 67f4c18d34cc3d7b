"""Rivals hear how far each other is: soon what a place hangs on, a little later the mere number of moves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from server.clock import ManualClock
from server.core.events import SeatTaken
from server.core.heat import Heat
from server.core.ids import HeatId, PlayerId
from server.services.audience import Audience
from server.services.counts import EVERY_S, QUIET_S, Counts, pack_row
from server.services.wheel import TICK_S, Wheel
from server.store.rooms import Rooms
from server.wire.codec import ServerFrame, decode_event
from server.wire.messages import Progress
from tests.store_fixture import until

pytestmark = pytest.mark.interpreted

NAMES = ("ann", "bob", "cat")


def _row(out: int, score: int, moves: int, ended: str | None = None) -> bytes:
    return pack_row(cast(Any, SimpleNamespace(out=out, score=score, moves=moves, ended=ended)))


class Person:
    """A viewer who remembers what they were shown."""

    def __init__(self) -> None:
        self.told: list[Progress] = []

    def send_progress(self, data: ServerFrame) -> bool:
        event = decode_event(data[2:])
        assert isinstance(event, Progress)
        self.told.append(event)
        return True


class Race:
    """A heat of three whose boards are all written here."""

    def __init__(self, goal: str = "first") -> None:
        seats = [SeatTaken(seat, PlayerId(name), name, 0, 0) for seat, name in enumerate(NAMES)]
        heat = Heat(HeatId("HEATHEATHE"), 1, "DS1-D1N", "", 0, 60_000, seats, False, {}, 0)
        hall = Audience()
        self.people = {name: Person() for name in NAMES}
        for name, person in self.people.items():
            hall.viewers[PlayerId(name)] = cast(Any, person)
        self.wheel = Wheel()
        self.counts = Counts(
            "ROOMROOMRO", heat, goal, hall, cast(Rooms, None), ManualClock(), self.wheel, lambda work: work.close()
        )

    def moved(self, seat: int, out: int, moves: int, ended: str | None = None, *, score: int | None = None) -> None:
        points = out * 10 if score is None else score
        self.counts.own(seat, _row(out, points, moves, ended))

    def pause_s(self) -> float:
        """How long at most until something is told."""
        assert self.counts.due
        return (self.counts.due - self.wheel._tick) * TICK_S

    async def told(self, seat: int) -> list[int]:
        """The rows this person was told of last, as soon as somebody is told; empty: nothing."""
        for person in self.people.values():
            person.told.clear()
        await until(lambda: any(person.told for person in self.people.values()))
        told = self.people[NAMES[seat]].told
        return list(told[-1].rows) if told else []


@pytest.fixture
async def race() -> AsyncIterator[Race]:
    """At the gun: all three have their first rows."""
    made = await begun("first")
    yield made
    made.counts.stop()


async def begun(goal: str) -> Race:
    made = Race(goal)
    for seat in range(3):
        made.moved(seat, 0, 0)
    await made.told(0)
    return made


async def test_a_card_that_went_out_is_told_soon(race: Race) -> None:
    race.moved(0, 1, 1)
    assert race.pause_s() <= EVERY_S
    assert await race.told(1) == [0, 1, 10, 1, 0]


async def test_moves_alone_wait_and_go_along_with_what_is_told_sooner(race: Race) -> None:
    race.moved(0, 0, 1)
    assert EVERY_S < race.pause_s() <= QUIET_S
    race.moved(1, 1, 1)
    assert race.pause_s() <= EVERY_S
    assert await race.told(2) == [0, 0, 0, 1, 0, 1, 1, 10, 1, 0]


async def test_a_score_waits_like_moves_unless_a_place_hangs_on_it(race: Race) -> None:
    race.moved(0, 3, 1)
    await race.told(1)
    race.moved(0, 3, 2, score=35)
    assert EVERY_S < race.pause_s() <= QUIET_S
    race.moved(1, 0, 1, score=5)  # as many out as the third has
    assert race.pause_s() <= EVERY_S
    assert await race.told(2) == [0, 3, 35, 2, 0, 1, 0, 5, 1, 0]


async def test_a_score_counts_against_somebody_who_is_connected_elsewhere(race: Race) -> None:
    race.counts.let_go(2)
    race.counts.rung(2, 9, _row(4, 40, 9))
    await race.told(0)
    race.moved(0, 4, 1)
    await race.told(1)
    race.moved(0, 4, 2, score=45)
    assert race.pause_s() <= EVERY_S


async def test_where_the_score_decides_every_score_is_told_soon() -> None:
    race = await begun("score")
    race.moved(0, 3, 1)
    await race.told(1)
    race.moved(0, 3, 2, score=35)
    assert race.pause_s() <= EVERY_S
    race.counts.stop()


async def test_nothing_is_told_of_a_heat_that_has_stopped(race: Race) -> None:
    race.moved(0, 1, 1)
    race.counts.stop()
    race.moved(0, 2, 2)
    assert race.counts.due == 0


async def test_an_end_is_told_soon(race: Race) -> None:
    race.moved(2, 0, 1, "resigned")
    assert race.pause_s() <= EVERY_S
    assert await race.told(0) == [2, 0, 0, 1, 2]


async def test_many_moves_are_one_row_and_put_nothing_off(race: Race) -> None:
    race.moved(0, 1, 1)
    due = race.counts.due
    for moves in range(2, 9):
        race.moved(0, 1, moves)
    assert race.counts.due == due
    assert await race.told(1) == [0, 1, 10, 8, 0]


async def test_who_alone_has_moved_is_not_told_what_they_know(race: Race) -> None:
    race.moved(0, 1, 1)
    assert await race.told(0) == []
    race.moved(0, 2, 2)
    race.moved(1, 1, 1)
    assert await race.told(0) == [0, 2, 20, 2, 0, 1, 1, 10, 1, 0]
