"""The load generator plays by the rules and counts right."""

from __future__ import annotations

from array import array

from engine import deal_code
from engine.board import Board
from engine.deal_code import DealCode
from engine.moves import Move
from server.load.player import client_frame
from server.load.report import Report, percentile, summarised
from server.load.runner import CODE, script


def test_every_move_of_the_script_is_legal_and_the_game_never_ends() -> None:
    parsed = DealCode.parse(CODE)
    board = Board(parsed.ruleset, deal_code.deal(parsed), ranked=True)
    for four in script(length=2_000):
        move = Move(*four)
        assert board.check(move) is None
        board.apply(move, 0)
    assert board.ended is None


def test_a_percentile_is_the_value_that_so_many_do_not_exceed() -> None:
    values = array("d", range(1, 101))
    assert percentile(values, 50) == 51
    assert percentile(values, 99.9) == 100
    assert percentile(array("d"), 50) == 0
    assert summarised(array("d", [3.0, 1.0, 2.0]))["50"] == 2.0


def test_a_frame_of_the_generator_is_masked_with_zeros() -> None:
    assert client_frame(b"abc") == bytes((0x82, 0x83, 0, 0, 0, 0)) + b"abc"
    assert client_frame(b"x" * 200)[:4] == bytes((0x82, 0xFE, 0, 200))


def test_a_report_counts_moves_a_second() -> None:
    report = Report("closed", 4, 1, 2.0, 500, 0, 0, 0.0, 12.5, {"50": 1.0})
    assert report.moves_per_s == 250
    assert '"moves_per_s": 250.0' in report.as_json()
    assert any("250" in line for line in report.lines())
