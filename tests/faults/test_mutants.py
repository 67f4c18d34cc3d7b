"""The suite would see it: servers with a fault of their own are found out by the checks, at every seed that is played.

The faults are patches of a server process (mutants); what they are caught by is printed with the table. Each is looked
for in the moment that must show it, whatever chance does beside it. `FAULT_SEEDS=5` plays each with so many seeds.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.faults.cells import run
from tests.faults.rows import BY_ID
from tests.faults.site import Site
from tests.wire_client import RESIGN

Record = Callable[[str, object], None]
Moment = Callable[[Site, int], Awaitable[list[str]]]
"""Plays it at a site that is ready, with this seed; what was wrong."""
SEEDS = range(1, 1 + int(os.environ.get("FAULT_SEEDS", "1")))
PATIENCE_S = 8.0
"""What comes at all in these moments comes within three seconds; a mutant makes people wait for ever."""


def cell(row_id: str, moment: str) -> Moment:
    """One of the matrix."""

    async def played(site: Site, seed: int) -> list[str]:
        return (await run(site, BY_ID[row_id], moment, seed)).violations

    played.__doc__ = f"{row_id} {moment}"
    return played


async def one_after_the_other(site: Site, seed: int) -> list[str]:
    """Two ends, far apart

    Ann's is known at both servers when Bob's comes: it is the last event that Ann's server hears of, and what follows
    from it (closing, judging) is done by Bob's.
    """
    ann, bob = await site.room()
    await site.race()
    for player in (ann, bob):
        await player.play_until(lambda p=player: len(p.played) >= 3)  # type: ignore[misc]
    assert ann.board is not None
    await ann.play(ann.board.ply, RESIGN)
    await asyncio.gather(*(player.latest("BoardEnded") for player in (ann, bob)))
    return await site.verdict()


MUTANTS: tuple[tuple[str, Moment, set[str]], ...] = (
    ("ack_before_append", cell("F1b", "mid-race"), {"I1", "I7"}),
    ("no_length_check", cell("F7b", "mid-race"), {"I1", "I2", "I3", "I6"}),  # what was written unheard is sent again
    ("default_retries", cell("F7", "mid-race"), {"I1", "I2", "I3", "I6"}),
    ("lost_last_event", one_after_the_other, {"I6"}),
    ("order_of_appends", cell("F6b", "finish"), {"I4"}),
    ("hidden_card", cell("F13", "mid-race"), {"I8"}),
)
GATE = ("order_of_appends", "hidden_card")
CASES = [
    pytest.param(*one, seed, id=f"{one[0]}-{seed}", marks=() if one[0] in GATE and seed == 1 else pytest.mark.long)
    for one in MUTANTS for seed in SEEDS
]  # fmt: skip


@pytest.mark.parametrize(("mutant", "moment", "caught_by", "seed"), CASES)
async def test_a_server_with_this_fault_is_found_out(
    tmp_path: Path, record_property: Record, mutant: str, moment: Moment, caught_by: set[str], seed: int
) -> None:
    where = (moment.__doc__ or "").splitlines()[0]
    told = ["mutant", mutant, where, f"caught, seed {seed}", "not caught"]
    record_property("cell", told)
    said = await played(tmp_path, mutant, moment, seed)
    checks = {line.partition(" ")[0] for line in said}
    told[-1] = f"{' '.join(sorted(checks))}: {said[0]}"[:90] if said else "not caught"
    assert checks & caught_by, f"{mutant} was not seen at seed {seed}: {said}"


@pytest.mark.long
async def test_a_sound_server_is_not_taken_for_one_that_loses_its_last_event(tmp_path: Path) -> None:
    """The other moments are cells of the matrix, which sound servers pass."""
    assert await played(tmp_path, "", one_after_the_other, 1, patience_s=4 * PATIENCE_S) == []


async def played(folder: Path, mutant: str, moment: Moment, seed: int, *, patience_s: float = PATIENCE_S) -> list[str]:
    """A moment with this mutant; what was wrong."""
    site = Site(folder, seed, mutant=mutant)
    site.patience_s = patience_s
    try:
        async with asyncio.timeout(240):
            await site.start()
            return await moment(site, seed)
    finally:
        await site.stop()


async def test_a_fault_in_the_rules_is_that_boards_alone(tmp_path: Path, record_property: Record) -> None:
    """F24: the move is answered `internal`, its board and all others are played on, the log is whole."""
    record_property("cell", ["F24", "mid-race", "the rules raise", "`internal`, others live", "as promised"])
    site = Site(tmp_path, 1, mutant="rules_raise")
    try:
        await site.start()
        ann, bob = await site.room()
        await site.race()
        for player in (ann, bob):
            await player.play_until(lambda p=player: len(p.played) >= 3)  # type: ignore[misc]
        assert ann.board is not None
        assert (await ann.play(ann.board.ply, 4)) == {"event": "Denied", "ply": 3, "code": "internal"}
        for player in (ann, bob):
            await player.play_until(lambda p=player: len(p.played) >= 8)  # type: ignore[misc]
        said = await site.verdict()
    finally:
        await site.stop()
    assert [line for line in said if not line.startswith("I10")] == []
    assert any("a fault in the rules" in server.log.read_text() for server in site.servers)
