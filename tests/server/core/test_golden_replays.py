"""Heats that were raced long ago play again to the result they had, for ever (findings O5).

The files stay as they are; `python -m tests.golden.build_replays` only adds new ones. When the rules change, the old
ones stay in the engine under their number, and these files stay green.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from engine.ruleset import RULESETS
from server.core import replay

FOLDER = Path(__file__).parents[2] / "golden" / "replays"
FILES = sorted(FOLDER.glob("*.json"))
SUMS = dict(line.split()[::-1] for line in (FOLDER / "SHA256SUMS").read_text(encoding="ascii").splitlines())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_replay_plays_again_to_its_result(file: Path) -> None:
    assert replay.faults(replay.read(file.read_bytes())) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_replay_is_the_file_that_was_recorded(file: Path) -> None:
    assert hashlib.sha256(file.read_bytes()).hexdigest() == SUMS[file.name]


def test_no_golden_replay_has_gone() -> None:
    assert {file.name for file in FILES} == set(SUMS)


def test_there_is_one_of_each_ruleset_undo_policy_goal_and_ending() -> None:
    kept = [replay.read(file.read_bytes()) for file in FILES]
    assert {one.ruleset for one in kept} == set(RULESETS)
    assert {str(one.undo) for one in kept} == {"all", "hidden", "none"}
    assert {one.goal for one in kept} == {"first", "score"}
    assert {board.ended for one in kept for board in one.boards} >= {"won", "resigned", "time_up"}
    assert {entry[0] for one in kept for board in one.boards for entry in board.entries} == {1, 2, 3, 4, 5, 6}
    assert any(one.open for one in kept)
    assert any(board.bot for one in kept for board in one.boards)
