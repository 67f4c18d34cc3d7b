"""Faults by moments: whatever happens, whenever it happens, invariants I1–I10 hold and people are back in time.

Cells that are not marked `long` are part of `make test`; `make faults` plays them all. `FAULT_SEEDS=5` plays each
with so many seeds.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from tests.faults.cells import MOMENTS, run
from tests.faults.rows import BY_ID, ELSEWHERE, ROWS, Row
from tests.faults.site import Site

EVERY_MOMENT = ("F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F10", "F14")
SLOW = {"F12": ("mid-race",), "F4c": ("mid-race", "finish"), "F6c": ("idle", "finish")}
"""Rows of which only some moments are played, as each takes long."""
GATE = {
    ("F1", "mid-race"), ("F1", "finish"), ("F1b", "mid-race"), ("F2", "mid-race"), ("F3", "mid-race"), ("F3", "finish"),
    ("F5", "mid-race"), ("F6b", "finish"), ("F7", "claim"), ("F7b", "mid-race"), ("F8", "finish"), ("F9", "mid-race"),
    ("F10", "projection"), ("F12b", "mid-race"), ("F14", "mid-race"),
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]
SEEDS = range(1, 1 + int(os.environ.get("FAULT_SEEDS", "1")))
WITHIN_S = 240
"""A cell that takes longer has failed."""


def moments(row: Row) -> tuple[str, ...]:
    """When this row is played."""
    return SLOW.get(row.id) or (MOMENTS if row.id in EVERY_MOMENT else ("mid-race", "finish"))


CELLS = [
    pytest.param(
        row.id, moment, seed, id=f"{row.id}-{moment}-{seed}",
        marks=() if (row.id, moment) in GATE and seed == 1 else pytest.mark.long,
    )
    for row in ROWS for moment in moments(row) for seed in SEEDS
]  # fmt: skip


class Sites:
    """A site of each kind, used again as long as it is sound: starting processes is what takes time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0
        self._sites: dict[str, Site] = {}

    async def take(self, kind: str, seed: int) -> Site:
        """A site that is ready; whoever takes it gives it back if it is sound."""
        site = self._sites.pop(kind, None)
        if site is not None:
            await site.renew(seed)
            return site
        await self.close()
        self._made += 1
        site = Site(self._folder / str(self._made), seed, kind=kind)
        try:
            await site.start()
        except BaseException:
            await site.stop()
            raise
        return site

    def give(self, site: Site) -> None:
        self._sites[site.kind] = site

    async def close(self) -> None:
        """End all."""
        while self._sites:
            await self._sites.popitem()[1].stop()


@pytest.mark.parametrize(("row_id", "what", "test"), ELSEWHERE)
def test_what_is_held_in_the_gate_is_there(
    record_property: Callable[[str, object], None], row_id: str, what: str, test: str
) -> None:
    file, _, name = test.partition("::")
    record_property("cell", [row_id, "", what, "as its row", f"{Path(file).name}::{name}"])
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def sites(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sites]:
    """The sites of this run."""
    made = Sites(tmp_path_factory.mktemp("sites"))
    yield made
    await made.close()


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(("row_id", "moment", "seed"), CELLS)
async def test_whatever_happens(
    sites: Sites, record_property: Callable[[str, object], None], row_id: str, moment: str, seed: int
) -> None:
    row = BY_ID[row_id]
    cell = [row_id, moment, row.what, f"back ≤ {row.back_s:g} s, I1–I10", "nothing"]
    record_property("cell", cell)
    site = await sites.take(row.kind, seed)
    sound = False
    try:
        async with asyncio.timeout(WITHIN_S):
            outcome = await run(site, row, moment, seed)
        cell[-1] = f"back {outcome.back_s:.2f} s, {outcome.moves} moves"
        if outcome.violations:
            cell[-1] = outcome.violations[0][:60]
        sound = not outcome.violations and not site.worn
    finally:
        if sound:
            sites.give(site)
        else:
            await site.stop()
    assert outcome.violations == []
    assert outcome.back_s <= row.back_s
