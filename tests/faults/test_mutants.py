"""The suite would see it: servers with a fault of their own are found out by the checks, each within five seeds.

The faults are patches of a server process (mutants); what they are caught by is printed with the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.cells import run
from tests.faults.rows import BY_ID
from tests.faults.site import Site

SEEDS = range(1, 6)
MUTANTS = (
    ("ack_before_append", "F1b", "mid-race", {"I1", "I7"}),
    ("no_length_check", "F6c", "idle", {"I1", "I2", "I6"}),
    ("default_retries", "F7", "mid-race", {"I1", "I2", "I3", "I6"}),
    ("lost_last_event", "F6b", "projection", {"I6"}),  # not F10: a subscription that stands again reads the log
    ("order_of_appends", "F6b", "finish", {"I4"}),
    ("hidden_card", "F13", "mid-race", {"I8"}),
)
GATE = ("order_of_appends", "hidden_card")


@pytest.mark.parametrize(
    ("mutant", "row_id", "moment", "caught_by"),
    [pytest.param(*one, id=one[0], marks=() if one[0] in GATE else pytest.mark.long) for one in MUTANTS],
)
async def test_a_server_with_this_fault_is_found_out(
    tmp_path: Path,
    record_property: Callable[[str, object], None],
    mutant: str,
    row_id: str,
    moment: str,
    caught_by: set[str],
) -> None:
    cell = ["mutant", mutant, f"in {row_id} {moment}", "caught in ≤ 5 seeds", "not caught"]
    record_property("cell", cell)
    for seed in SEEDS:
        said = await played(tmp_path / str(seed), mutant, row_id, moment, seed)
        checks = {line.partition(" ")[0] for line in said}
        if checks & caught_by:
            cell[-1] = f"seed {seed}, {' '.join(sorted(checks))}: {said[0]}"[:90]
            return
    raise AssertionError(f"{mutant} was not seen in {len(SEEDS)} seeds; the last one said {said}")


async def played(folder: Path, mutant: str, row_id: str, moment: str, seed: int) -> list[str]:
    """One cell with this mutant; what was wrong."""
    site = Site(folder, seed, kind=BY_ID[row_id].kind, mutant=mutant)
    try:
        async with asyncio.timeout(240):
            await site.start()
            return (await run(site, BY_ID[row_id], moment, seed)).violations
    finally:
        await site.stop()


async def test_a_fault_in_the_rules_is_that_boards_alone(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
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
