"""What a process knows of boards that others play: the bell tells it, a reading makes up for missed ones (ruling 8)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any, cast

import pytest

from server.clock import ManualClock
from server.core.heat import Heat
from server.services.audience import Audience
from server.services.counts import _ROW, Counts, field_of
from server.services.wheel import Wheel
from server.store.rooms import Rooms

pytestmark = pytest.mark.interpreted


class Stored:
    """The progress hash; `meanwhile` happens while it is being read."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}
        self.readings = 0
        self.meanwhile: Callable[[], None] = lambda: None

    async def progress(self, _: str) -> dict[str, bytes]:
        self.readings += 1
        rows = dict(self.rows)
        self.meanwhile()
        return rows


def row(moves: int) -> bytes:
    return _ROW.pack(moves // 2, moves * 5, moves, 0)


@pytest.fixture
def stored() -> Stored:
    return Stored()


@pytest.fixture
async def counts(stored: Stored) -> Counts:
    seats = [SimpleNamespace(seat=seat) for seat in (0, 1)]
    heat = cast(Heat, SimpleNamespace(id="HEATHEATHE", seats=seats))

    def spawn(work: Coroutine[Any, Any, None]) -> None:
        work.close()

    return Counts("ROOMROOMRO", heat, "first", Audience(), cast(Rooms, stored), ManualClock(), Wheel(), spawn)


async def test_the_bell_tells_the_row_and_nothing_is_read(counts: Counts, stored: Stored) -> None:
    counts.rung(1, 4, row(4))
    assert counts.rows[1] == (2, 20, 4, 0)
    assert counts.heard_ms[1] > 0
    assert stored.readings == 0
    counts.stop()


async def test_a_bell_that_comes_late_changes_nothing(counts: Counts) -> None:
    counts.rung(1, 4, row(4))
    counts.rung(1, 3, row(3))
    assert counts.rows[1][2] == 4
    counts.stop()


async def test_the_bell_of_an_own_board_is_no_news(counts: Counts) -> None:
    counts.own(0, row(9))
    counts.rung(0, 8, row(8))
    assert counts.rows[0][2] == 9
    counts.stop()


async def test_a_reading_does_not_undo_what_a_bell_told_meanwhile(counts: Counts, stored: Stored) -> None:
    stored.rows = {field_of("HEATHEATHE", 1): row(4)}
    stored.meanwhile = lambda: counts.rung(1, 5, row(5))
    await counts.read()
    assert counts.rows[1][2] == 5
    counts.stop()


async def test_after_the_store_lost_its_tail_a_reading_counts_and_bells_go_on_from_there(
    counts: Counts, stored: Stored
) -> None:
    counts.rung(1, 7, row(7))
    stored.rows = {field_of("HEATHEATHE", 1): row(4)}
    await counts.read()
    assert counts.rows[1][2] == 4
    counts.rung(1, 5, row(5))
    assert counts.rows[1][2] == 5
    counts.stop()
