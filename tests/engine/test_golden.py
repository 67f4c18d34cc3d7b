"""The golden file of the browser's rules: fresh, and enough in it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine import golden, notation
from engine.board import UndoPolicy
from engine.errors import ErrorCode
from engine.moves import move_text
from engine.ruleset import RULESETS
from engine.view import View, table
from tests.engine.driver import possible_moves


@pytest.fixture(scope="module")
def positions() -> list[dict[str, Any]]:
    found = json.loads(golden.PATH.read_text(encoding="ascii"))["positions"]
    assert isinstance(found, list)
    return found


def test_the_file_is_what_would_be_written() -> None:
    assert golden.main(["--check"]) == 0


def test_a_stale_file_is_noticed_and_writing_it_mends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "PATH", tmp_path / "client-rules.json")
    monkeypatch.setattr(golden, "golden", lambda: "{}\n")
    assert golden.main(["--check"]) == 1
    assert golden.main([]) == 0
    assert golden.main(["--check"]) == 0
    (tmp_path / "client-rules.json").write_text("{ }\n", encoding="ascii")
    assert golden.main(["--check"]) == 1
    assert golden.main(["--chekc"]) == 2


def test_every_game_scoring_and_undo_policy_is_in_it(positions: list[dict[str, Any]]) -> None:
    assert {position["ruleset"] for position in positions} == set(RULESETS)
    assert {position["ranked"] for position in positions} == {True, False}
    assert {position["undo"] for position in positions} == set(UndoPolicy)
    assert {position["view"]["ended"] for position in positions} == {"", "won", "time_up"}
    assert golden.PATH.stat().st_size < 400_000


def test_every_refusal_that_follows_from_a_view_is_in_it(positions: list[dict[str, Any]]) -> None:
    codes = json.loads(golden.PATH.read_text(encoding="ascii"))["codes"]
    found = {codes[letter] for position in positions for letter in re.sub(r"[\d?]", "", position["refusals"])}
    never = {ErrorCode.BAD_ACTION, ErrorCode.UNDO_REVEALED, ErrorCode.NO_PLACE}
    servers = {ErrorCode.EARLY, ErrorCode.SEQ, ErrorCode.BUSY, ErrorCode.SLOW, ErrorCode.INTERNAL}
    assert found == {None, *ErrorCode} - never - servers


def test_refusals_name_every_possible_move_once(positions: list[dict[str, Any]]) -> None:
    for position in positions:
        moves = golden.every_move(RULESETS[position["ruleset"]])
        assert sorted(moves) == sorted(possible_moves(RULESETS[position["ruleset"]]))
        assert [move_text(move) for move in moves[:2]] == ["draw", "recycle"]
        runs = re.findall(r"(\d*)(\D)", position["refusals"])
        assert sum(int(count or 1) for count, _ in runs) == len(moves)
        accepted = sum(int(count or 1) for count, letter in runs if letter == golden.ACCEPTED)
        assert accepted == len(position["legal"])


def test_the_views_are_of_whole_tables(positions: list[dict[str, Any]]) -> None:
    for position in positions:
        fields = dict(position["view"])
        for name in ("waste", "foundations", "marks", "known"):
            fields[name] = bytes(fields[name])
        fields["columns"] = tuple((down, bytes(up)) for down, up in fields["columns"])
        view = View(**fields)
        ruleset = RULESETS[position["ruleset"]]
        assert len(table(view, ruleset).all_cards()) == ruleset.cards
        assert notation.parse_view(notation.view_text(view)) == view
