"""F11: somebody is cut off without a word; the others race on, and the seat is kept."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from tests.faults.relay import BOTH
from tests.faults.site import Site

pytestmark = pytest.mark.long
Record = Callable[[str, object], None]


@pytest_asyncio.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """Two servers on one store."""
    made = Site(tmp_path, 1)
    try:
        await made.start()
        yield made
    finally:
        await made.stop()


async def test_a_partitioned_client_is_let_go_and_the_race_goes_on(site: Site, record_property: Record) -> None:
    """A silent line is closed by the server after twenty seconds; the seat is kept, the clock runs."""
    cell = ["F11", "mid-race", "a client cut off for 21 s", "away ≤ 25 s, back on the same board", "nothing"]
    record_property("cell", cell)
    ann, bob = await site.room()
    await site.race()
    await ann.play_until(lambda: len(ann.played) >= 3)
    began = time.monotonic()
    site.ways[0].silent(*BOTH)
    away = await bob.hear(lambda e: e["event"] == "SeatRow" and e["name"] == "Ann" and not e["present"], 25)
    took = time.monotonic() - began
    assert not away["present"]
    site.ways[0].reset()
    site.ways[0].fair()
    await ann.back()
    await ann.until_dealt()
    assert ann.board is not None
    cell[-1] = f"away after {took:.1f} s, back at ply {ann.board.ply}"
    assert (took < 25, ann.board.ply) == (True, 3)
    assert await site.verdict() == []
