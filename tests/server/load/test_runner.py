"""The load generator plays by the rules and counts right."""

from __future__ import annotations

import asyncio
import json
from array import array
from typing import cast

import msgpack
import pytest

from engine import deal_code
from engine.board import Board
from engine.deal_code import DealCode
from engine.moves import Kind, Move
from server.load.player import DENIED, MOVED, LoadPlayer, client_frame, move_frame
from server.load.report import Report, percentile, summarised
from server.load.runner import CODE, Plan, game, places_of, script


def test_every_move_of_the_script_is_legal_and_the_game_never_ends() -> None:
    parsed = DealCode.parse(CODE)
    board = Board(parsed.ruleset, deal_code.deal(parsed), ranked=True)
    for four in script(length=2_000):
        move = Move(*four)
        assert board.check(move) is None
        board.apply(move, 0)
    assert board.ended is None


def test_a_script_begins_with_a_game_and_goes_on_with_passes_through_the_stock() -> None:
    played = game()
    whole = script(length=len(played) + 30)
    assert whole[: len(played)] == played
    assert {move.kind for move in whole[len(played) :]} == {Kind.DRAW, Kind.RECYCLE}


def test_places_lie_evenly_between_the_two_and_people_of_a_room_are_near_each_other() -> None:
    places = places_of(Plan("http://localhost", places=(25, 225)), 4_000)
    assert [round(sum(places[at : at + 1_000]) / 1_000, -1) for at in range(0, 4_000, 1_000)] == [50, 100, 150, 200]
    apart = [max(room) - min(room) for room in (places[at : at + 4] for at in range(0, 4_000, 4))]
    assert 10 < sum(apart) / len(apart) < 40
    assert places_of(Plan("http://localhost", places=(0, 0)), 8) == [0] * 8


def test_a_percentile_is_the_value_that_so_many_do_not_exceed() -> None:
    values = array("d", range(1, 101))
    assert percentile(values, 50) == 51
    assert percentile(values, 99.9) == 100
    assert percentile(array("d"), 50) == 0
    assert summarised(array("d", [3.0, 1.0, 2.0]))["50"] == 2.0


def test_a_frame_of_the_generator_is_masked_with_zeros() -> None:
    assert client_frame(b"abc") == bytes((0x82, 0x83, 0, 0, 0, 0)) + b"abc"
    assert client_frame(b"x" * 200)[:4] == bytes((0x82, 0xFE, 0, 200))


class Socket:
    """A transport that remembers which frames were written."""

    def __init__(self) -> None:
        self.plies: list[int] = []

    def write(self, data: bytes) -> None:
        if data[:1] == b"\x82":
            self.plies.append(msgpack.unpackb(data[6:])[1])


def playing(*answers: str) -> tuple[LoadPlayer, Socket]:
    """A player who has sent five moves of a script, and then heard these answers."""

    async def heard() -> tuple[LoadPlayer, Socket]:
        player, socket = LoadPlayer("here", [move_frame(ply, (1, 0, 0, 0)) for ply in range(50)]), Socket()
        player.connection_made(cast(asyncio.Transport, socket))
        player.data_received(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        for _ in range(5):
            player.play(0.0)
        for word in answers:
            payload = msgpack.packb([MOVED if word == "yes" else DENIED, 0])
            player.data_received(bytes((0x82, len(payload))) + payload)
        return player, socket

    return asyncio.run(heard())


def test_a_refused_move_is_no_move_and_is_played_again_with_all_behind_it() -> None:
    player, socket = playing("yes", "yes", "no", "no")
    player.play(0.0)
    assert (player.ply, player.denied, socket.plies) == (2, 2, [0, 1, 2, 3, 4]), "one is still on its way"
    player, socket = playing("yes", "yes", "no", "no", "no")
    player.play(0.0)
    assert (player.ply, player.denied, socket.plies) == (2, 3, [0, 1, 2, 3, 4, 2])


def test_a_refusal_that_comes_before_answers_of_the_log_is_waited_out() -> None:
    player, socket = playing("no", "no", "yes", "yes", "yes")
    player.play(0.0)
    assert (player.ply, player.denied, socket.plies) == (3, 2, [0, 1, 2, 3, 4, 3])


def test_a_report_counts_moves_a_second() -> None:
    report = Report("closed", 4, 1, 2.0, 500, 0, 0, 0.0, 12.5, {"50": 1.0})
    assert report.moves_per_s == 250
    assert '"moves_per_s": 250.0' in report.as_json()
    assert any("250" in line for line in report.lines())


def test_a_report_tells_no_figure_that_was_not_measured() -> None:
    report = Report("closed", 4, 1, 2.0, 500, 0, 0, 0.0, 12.5, {"50": 1.0}, arrivals_per_s=90.0)
    assert not [line for line in report.lines() if "CPU" in line or line.startswith("server")]
    assert "arrivals        90 a second" in report.lines()
    assert not [name for name in json.loads(report.as_json()) if name.startswith("server_") or "cpu_us" in name]
    report.processes, report.arrival_cpu_us, report.server_cpu_us_per_move = 1, 700.0, 55.5
    assert "arrivals        90 a second, 700 µs CPU each" in report.lines()
    assert "server          55.5 µs CPU a move, 0% of a core, 0 MiB" in report.lines()
    told = json.loads(report.as_json())
    assert (told["arrival_cpu_us"], told["server_cpu_us_per_move"], told["server_cpu_share"]) == (700, 55.5, 0)
    report.moves = 0
    assert not [name for name in json.loads(report.as_json()) if name.endswith("_per_move")]
    assert "server          0% of a core, 0 MiB" in report.lines()


@pytest.mark.parametrize(
    ("mode", "players", "moves", "offered", "limited"),
    [
        ("closed", 64, 6_400, 0.0, True), ("closed", 64, 6_100, 0.0, True), ("closed", 64, 6_700, 0.0, True),
        ("closed", 64, 5_000, 0.0, False), ("closed", 64, 12_800, 0.0, False), ("idle", 64, 0, 0.0, False),
        ("open", 64, 6_400, 1_000.0, True), ("open", 64, 6_400, 640.0, False),
    ],
)  # fmt: skip
def test_a_report_says_when_it_is_the_default_limit_of_moves_that_was_measured(
    mode: str, players: int, moves: int, offered: float, limited: bool
) -> None:
    report = Report(mode, players, 16, 10.0, moves, 0, 0, offered, latency_ms={"50": 100.0})
    assert json.loads(report.as_json())["at_moves_limit"] is limited
    told = [line for line in report.lines() if line.startswith("limit ")]
    assert [("10 moves a second" in line, "KUPA_MOVES" in line) for line in told] == [(True, True)] * limited


@pytest.mark.parametrize("moves", [0, 500])
def test_what_a_report_tells_as_json_makes_a_report_again(moves: int) -> None:
    report = Report("idle", 4, 1, 2.0, moves, 0, 0, 0.0, processes=1, server_memory_kib=9)
    told = json.loads(report.as_json())
    assert told.pop("moves_per_s") == moves / 2
    assert told.pop("at_moves_limit") is False
    assert Report(**told) == report
