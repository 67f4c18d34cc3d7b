"""A closed heat as a file: it plays again to the same result, and what was altered is found (P8, findings O5)."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from engine import deal_code
from engine.board import Board, UndoPolicy
from engine.deal_code import DealCode, deal
from engine.moves import DRAW, RESIGN, UNDO, Move, pack_entry, parse_move
from engine.ruleset import RULESETS
from server.core import replay
from server.core.closed_heat import ClosedHeat
from server.core.events import SeatTaken
from server.core.ids import HeatId, PlayerId, RoomId
from server.core.replay import BadReplay, Replay
from server.core.standings import BoardSummary, standings
from server.wire.messages import ResultRow, RoomOptions

CODE, NONCE, HEAT = "DS1-D1N-KMPQRTV-WXYABCD", "ab" * 32, "HHHHHHHHHH"
LENGTH_MS = 180_000


def log(*moves: Move, step_ms: int = 500) -> list[bytes]:
    return [pack_entry(move, step_ms * (at + 1)) for at, move in enumerate(moves)]


def heat(logs: list[list[bytes]], code: str = CODE, **changed: Any) -> ClosedHeat:
    """A heat judged as the server does it."""
    parsed = DealCode.parse(code)
    options = RoomOptions(ruleset=parsed.ruleset.id)
    rows = []
    for row in standings([summary(seat, entries, parsed) for seat, entries in enumerate(logs)], "first"):
        one = row.board
        rows.append(
            ResultRow(one.seat, row.place, one.ended, one.out, one.score, one.moves, row.at_ms, row.reason, 0, "Ada")
        )
    seats = tuple(SeatTaken(seat, PlayerId(f"P{seat}"), "Ada", 0, 0) for seat in range(len(logs)))
    fields: dict[str, Any] = {
        "commitment": deal_code.commitment(HEAT, code, NONCE), "code": code, "nonce": NONCE, "open": False, **changed,
    }  # fmt: skip
    return ClosedHeat(
        RoomId("R"), HeatId(HEAT), parsed.ruleset.id, options, "", gun_ms=1_000, deadline_ms=1_000 + LENGTH_MS,
        judged_ms=0, seats=seats, lengths=tuple(map(len, logs)), rows=tuple(rows), **fields,
    )  # fmt: skip


def summary(seat: int, entries: list[bytes], code: DealCode) -> BoardSummary:
    board = Board.replay(code.ruleset, deal(code), entries, ranked=True)
    ended = board.ended or "time_up"
    at_ms = board.elapsed_ms if board.ended else LENGTH_MS
    return BoardSummary(seat, ended, board.out, board.score, board.moves, at_ms, board.out_at_ms, board.score_at_ms)


LOGS = [log(DRAW, DRAW, UNDO, DRAW), log(DRAW, RESIGN), log(*[DRAW] * 20, step_ms=300)]


@pytest.fixture
def kept() -> Replay:
    return replay.build(heat(LOGS), dict(enumerate(LOGS)), kupa="1.2.3", rated=True)


def altered(kept: Replay, **fields: Any) -> Replay:
    """The file with fields changed by hand."""
    return replay.read(json.dumps(json.loads(replay.write(kept)) | fields).encode())


# ---------------------------------------------------------------- writing and reading


def test_a_file_is_read_as_it_was_written(kept: Replay) -> None:
    assert replay.read(replay.write(kept)) == kept


def test_a_file_says_what_it_was_played_by(kept: Replay) -> None:
    told = json.loads(replay.write(kept))
    assert (told["format"], told["version"], told["kupa"], told["rules"]) == ("kupa-replay", 1, "1.2.3", 1)
    assert (told["ruleset"], told["goal"], told["undo"], told["rated"]) == ("DS1-D1N", "first", "all", True)


def test_the_boards_come_in_order_of_places_with_their_logs(kept: Replay) -> None:
    assert [board.place for board in kept.boards] == sorted(board.place for board in kept.boards)
    for board in kept.boards:
        assert replay.entries(board) == LOGS[board.seat]
    assert kept.boards[0].entries[0] == (1, 0, 0, 0, 300 if kept.boards[0].seat == 2 else 500)


def test_fields_that_came_later_are_skipped_and_missing_ones_have_their_default(kept: Replay) -> None:
    told = json.loads(replay.write(kept))
    del told["rated"]
    told["later"] = {"any": "thing"}
    assert replay.read(json.dumps(told).encode()) == msgspec.structs.replace(kept, rated=False)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"format":"other"}', b'{"format":"kupa-replay"}', b"\xff\xfe", b"null"]
)
def test_what_is_no_replay_file_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(BadReplay) as found:
        replay.read(data)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2}, {"rules": 2}, {"ruleset": "DS9-D1N"}, {"ruleset": "SS1-D1N"}, {"goal": "last"},
        {"code": "DS1-D1N-"}, {"undo": "some"}, {"boards": []}, {"solution": ["c1>c1>c1"]}, {"pages": 2},
    ],
)  # fmt: skip
def test_what_cannot_be_played_here_is_refused(kept: Replay, change: dict[str, Any]) -> None:
    with pytest.raises(BadReplay):
        altered(kept, **change)


def test_a_seat_is_there_once(kept: Replay) -> None:
    board = json.loads(replay.write(kept))["boards"][0]
    with pytest.raises(BadReplay, match="one seat"):
        altered(kept, boards=[board, board])


@pytest.mark.parametrize(
    "entry", [[1, 0, 0, 0], [1, 0, 0, 0, -1], [256, 0, 0, 0, 5], [1, 0, 0, 0, 2**32], "x", [1.5] * 5]
)
def test_an_entry_that_is_none_is_refused(kept: Replay, entry: Any) -> None:
    board = json.loads(replay.write(kept))["boards"][0] | {"entries": [entry]}
    with pytest.raises(BadReplay):
        altered(kept, boards=[board])


# ---------------------------------------------------------------- checking


def test_a_heat_that_was_judged_by_the_rules_has_no_faults(kept: Replay) -> None:
    assert replay.faults(kept) == []


def test_an_open_deal_has_no_commitment_to_check() -> None:
    free = heat(LOGS, open=True, commitment="", nonce="")
    assert replay.faults(replay.build(free, dict(enumerate(LOGS)), kupa="1", rated=False)) == []


def test_another_deal_than_the_one_that_was_bound_is_found(kept: Replay) -> None:
    other = altered(kept, nonce="cd" * 32)
    assert "the deal is not the one that the commitment binds" in replay.faults(other)


@pytest.mark.parametrize(
    ("field", "value"),
    [("place", 3), ("ended", "won"), ("out", 104), ("score", 5000), ("moves", 1), ("at_ms", 1), ("reason", "time")],
)
def test_a_result_that_was_altered_is_found(kept: Replay, field: str, value: Any) -> None:
    boards = json.loads(replay.write(kept))["boards"]
    boards[0][field] = value
    found = replay.faults(altered(kept, boards=boards))
    assert any(f"seat {boards[0]['seat']}: {field} is" in fault for fault in found)


def test_a_log_that_no_play_could_have_written_is_found(kept: Replay) -> None:
    boards = json.loads(replay.write(kept))["boards"]
    boards[1]["entries"].insert(0, [2, 0, 0, 0, 1])
    (fault, *_) = replay.faults(altered(kept, boards=boards))
    assert "no play could have written" in fault


def test_times_that_go_back_or_beyond_the_end_are_found(kept: Replay) -> None:
    boards = json.loads(replay.write(kept))["boards"]
    boards[0]["entries"][1][4] = 0
    boards[1]["entries"][-1][4] = LENGTH_MS
    found = replay.faults(altered(kept, boards=boards))
    assert f"seat {boards[0]['seat']}: times go back" in found
    assert f"seat {boards[1]['seat']}: an entry lies after the deadline" in found


def test_a_solution_is_played_too(kept: Replay) -> None:
    assert replay.faults(altered(kept, solution=["draw"])) == ["the solution does not win"]
    (fault,) = replay.faults(altered(kept, solution=["recycle"]))
    assert fault.startswith("the solution cannot be played")


def test_a_solution_is_written_as_words() -> None:
    made = replay.build(
        heat(LOGS), dict(enumerate(LOGS)), kupa="1", rated=False, solution=[DRAW, parse_move("c2>c5*3")]
    )
    assert made.solution == ("draw", "c2>c5*3")


def test_each_ruleset_and_undo_policy_has_its_replay() -> None:
    for ruleset in RULESETS.values():
        code = str(deal_code.secret(ruleset, bytes(range(9))))
        logs = [log(DRAW, DRAW), log(DRAW)]
        made = replay.build(heat(logs, code), dict(enumerate(logs)), kupa="1", rated=False)
        assert replay.faults(made) == [], ruleset.id
        assert made.undo is UndoPolicy.ALL
