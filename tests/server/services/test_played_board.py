"""One board between its player and its log: what is answered, and when (architecture A4, rulings 7, 17)."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Board
from engine.deal_code import DealCode, deal
from engine.moves import ABANDON, Move, pack_entry, unpack_entry
from engine.moves import AUTO as AUTO_MOVE
from engine.ruleset import RULESETS
from server.core.credits import raced
from server.core.heat import Heat
from server.services.counts import field_of, pack_row, unpack_row
from server.store.logs import Verdict
from server.wire.messages import Play
from tests.engine.driver import table
from tests.server.services.fakes import GUN_MS, Table, heat
from tests.wire_client import AUTO, DRAW, RECYCLE, RESIGN, TRANSFER, UNDO


def fresh(*, at_once: bool = True, heat: Heat | None = None) -> Table:
    """A board at the gun."""
    code = DealCode.parse("DS1-D1N-AAAAAAA")
    return Table(Board(RULESETS["DS1-D1N"], deal(code), ranked=True), at_once=at_once, heat=heat)


def test_no_answer_leaves_before_the_log_has_the_move() -> None:
    board = fresh(at_once=False)
    assert board.play(0, DRAW) == []
    assert board.played.ply == 0
    board.writer.settle()
    assert board.heard() == [("Moved", 0)]
    assert board.played.ply == 1
    assert board.settled == 1


def test_a_repetition_that_the_log_knows_is_as_good_as_written() -> None:
    board = fresh(at_once=False)
    board.play(0, DRAW)
    board.writer.settle(Verdict.DUP)
    assert board.heard() == [("Moved", 0)]


def test_what_shows_moves_in_flight_waits_for_them() -> None:
    """A board in memory is ahead of its log: nobody is told what may never have happened."""
    board = fresh(at_once=False)
    board.play(0, DRAW)
    board.play(1, DRAW)
    assert board.play(0, RECYCLE) == []
    assert board.play(1, DRAW) == [], "the same move again"
    board.writer.settle()
    assert board.heard() == [("Moved", 0)]
    board.writer.settle()
    assert board.heard() == [("Moved", 0), ("Moved", 1), ("Restored", 0), ("Moved", 1)]
    assert board.person.heard()[2]["view"][0] == 2


def test_a_confirmed_move_is_answered_again_from_memory_and_an_older_one_with_the_board() -> None:
    board = fresh()
    for ply in range(70):
        board.play(ply, DRAW if board.played.board.stock else RECYCLE)
    (again,) = board.play(60, DRAW)
    assert again == board.person.heard()[60]
    (shown,) = board.play(2, DRAW)
    assert (shown["event"], shown["view"][0]) == ("Restored", 70)
    assert len(board.writer.log) == 70


def test_an_undo_is_answered_with_the_board_as_it_was_then() -> None:
    board = fresh(at_once=False)
    board.play(0, DRAW)
    board.play(1, UNDO)
    board.play(2, DRAW)
    board.writer.settle(count=3)
    restored = board.person.heard()[1]
    assert (restored["event"], restored["ply"], restored["view"][0]) == ("Restored", 1, 2)
    assert restored["view"][3] == 59, "the stock after the undo, not after the draw that followed"


@pytest.mark.parametrize(("ms", "code"), [(-1, "early"), (180_000, "ended"), (999_999, "ended")])
def test_a_move_counts_from_the_gun_to_the_deadline(ms: int, code: str) -> None:
    board = fresh()
    board.played.play(Play(0, DRAW, 0, 0, 0), GUN_MS + ms)
    assert board.heard() == [("Denied", 0, code)]
    assert board.writer.log == []


@pytest.mark.parametrize("ms", [0, 179_999])
def test_the_gun_belongs_to_the_heat_and_the_deadline_does_not(ms: int) -> None:
    board = fresh()
    board.played.play(Play(0, DRAW, 0, 0, 0), GUN_MS + ms)
    assert unpack_entry(board.writer.log[0]) == (Move(DRAW, 0, 0, 0), ms)


def test_times_of_entries_never_go_back() -> None:
    """The store's clock may, by a little."""
    board = fresh()
    board.played.play(Play(0, DRAW, 0, 0, 0), GUN_MS + 9_000)
    board.played.play(Play(1, DRAW, 0, 0, 0), GUN_MS + 8_990)
    assert [unpack_entry(entry)[1] for entry in board.writer.log] == [9_000, 9_000]


def test_an_entry_bears_the_time_since_the_gun_as_it_was_drawn_whatever_was_given_back() -> None:
    """Ruling 21: how it is read follows from the room's log (`core.credits`), for all processes alike."""
    course = heat()
    board = fresh(at_once=False, heat=course)
    for ply, ms in enumerate((900, 5_500)):
        board.played.play(Play(ply, DRAW, 0, 0, 0), GUN_MS + ms)
    course.credit(GUN_MS + 1_000, GUN_MS + 6_000)
    board.played.play(Play(2, DRAW, 0, 0, 0), GUN_MS + 6_500)
    assert board.played.write(Move(DRAW, 0, 0, 0), GUN_MS + 6_600)
    board.writer.settle(count=4)
    assert [unpack_entry(entry)[1] for entry in board.writer.log] == [900, 5_500, 6_500, 6_600]
    assert [unpack_entry(entry)[1] for entry in raced(course.credits, board.writer.log)] == [900, 1_000, 1_500, 1_600]


def test_gun_and_deadline_are_those_that_were_moved_on() -> None:
    course = heat()
    board = fresh(heat=course)
    course.credit(GUN_MS - 2_000, GUN_MS + 3_000)
    for ply, ms in enumerate((4_999, 5_000, 184_999, 185_000)):
        board.played.play(Play(max(0, ply - 1), DRAW, 0, 0, 0), GUN_MS + ms)
    assert [name for name, *_ in board.heard()] == ["Denied", "Moved", "Moved", "Denied"]


def test_a_sealed_board_answers_everything_with_ended() -> None:
    board = fresh(at_once=False)
    board.play(0, DRAW)
    board.play(1, DRAW)
    board.play(0, RECYCLE)
    board.writer.settle(Verdict.SEALED, 2)
    assert board.heard() == [("Denied", 0, "ended"), ("Denied", 1, "ended"), ("Denied", 0, "ended")]
    assert board.lost == [Verdict.SEALED]
    assert board.play(0, DRAW)[0]["code"] == "ended"
    assert board.played.in_flight == 0


def test_what_a_lost_board_owes_is_asked_of_the_board_that_follows() -> None:
    """The store has lost a tail, or the board was claimed anew here: each command still gets one answer."""
    board = fresh(at_once=False)
    board.play(0, DRAW)
    board.writer.settle()
    board.play(1, DRAW)
    board.play(2, DRAW)
    board.play(0, RECYCLE)
    board.writer.settle(Verdict.SHORT, 2)
    board.play(3, DRAW)
    assert board.heard() == [("Moved", 0)]
    assert board.lost == [Verdict.SHORT]
    assert board.played.in_flight == 4
    heir = fresh()
    heir.play(0, DRAW)
    heir.person.frames.clear()
    board.played.hand_over(heir.played)
    assert heir.heard() == [("Restored", 0), ("Moved", 1), ("Moved", 2), ("Moved", 3)]
    assert board.played.in_flight == 0


def test_nothing_is_written_on_a_lost_board() -> None:
    board = fresh(at_once=False)
    board.play(0, DRAW)
    board.writer.settle(Verdict.FENCED)
    assert not board.played.write(Move(RESIGN, 0, 0, 0), GUN_MS)
    assert not board.writer.waiting


def test_a_full_queue_is_busy_and_the_ply_may_be_used_again() -> None:
    board = fresh()
    board.writer.full = True
    assert board.play(0, DRAW) == [{"event": "Denied", "ply": 0, "code": "busy"}]
    assert not board.played.write(Move(RESIGN, 0, 0, 0), GUN_MS)
    board.writer.full = False
    assert board.play(0, DRAW)[0]["event"] == "Moved"


def test_the_seventeenth_move_in_flight_is_slow() -> None:
    board = fresh(at_once=False)
    for ply in range(16):
        assert board.play(ply, DRAW) == []
    assert board.play(16, DRAW) == [{"event": "Denied", "ply": 16, "code": "slow"}]
    board.writer.settle()
    assert board.play(16, DRAW) == []
    board.writer.settle(count=16)
    assert board.heard()[1:] == [("Moved", 0), *[("Moved", ply) for ply in range(1, 17)]]


def test_auto_complete_is_an_entry_of_the_servers_own_at_the_time_of_its_trigger() -> None:
    """Ruling 7: its ply goes out with the answer to the move that triggered it."""
    columns = {1: "|KS", 2: "|KH", 3: "|KD", 4: "|KC"}
    heights = {"S": [12], "H": [12], "D": [12], "C": [11]}
    board = Table(table("SS1-D1N", columns, waste="QC", foundations=heights, ranked=True))
    (won,) = board.play(0, TRANSFER, 1, 2, 1)
    assert (won["event"], won["turned"], won["auto"]) == ("Moved", b"", True)
    entries = [unpack_entry(entry) for entry in board.writer.log]
    assert entries == [(Move(TRANSFER, 1, 2, 1), 500), (Move(AUTO, 0, 0, 0), 500)]
    assert unpack_row(board.writer.rows[-1])[::3] == (52, 1)
    assert won["score"] == unpack_row(board.writer.rows[-1])[1]
    assert board.play(2, DRAW)[0]["code"] == "game_won"
    assert board.play(0, TRANSFER, 1, 2, 1) == [won]


@pytest.mark.parametrize("move", [(AUTO,), (RESIGN, 0, 0, 1)])
def test_what_only_the_server_writes_is_no_move_of_a_player(move: tuple[int, ...]) -> None:
    board = fresh()
    assert board.play(0, *move) == [{"event": "Denied", "ply": 0, "code": "bad_action"}]


def test_the_row_that_rivals_get_is_that_of_the_log_and_holds_counts() -> None:
    board = fresh(at_once=False)
    board.play(0, DRAW)
    assert unpack_row(board.played.row) == (0, 0, 0, 0)
    board.writer.settle()
    assert unpack_row(board.played.row) == (0, 0, 1, 0)
    board.play(1, RESIGN)
    board.writer.settle()
    assert unpack_row(board.played.row) == (0, 0, 1, 2)
    assert board.play(2, TRANSFER, 1, 2, 1)[0]["code"] == "ended"


@given(
    st.lists(st.tuples(st.integers(0, 999), st.integers(0, 1_000)), min_size=1, max_size=60), st.integers(0, 119_999)
)
def test_what_is_written_in_one_stroke_says_what_the_entry_and_the_row_say(
    choices: list[tuple[int, int]], before_ms: int
) -> None:
    board = fresh(at_once=False)
    at_ms = GUN_MS + before_ms
    for choice, pause_ms in choices:
        at_ms += pause_ms
        moves = [move for move in board.played.board.legal_moves() if move not in (AUTO_MOVE, ABANDON)]
        if not moves:
            return
        move, ply = moves[choice % len(moves)], board.played.board.ply
        board.played.play(Play(ply, *move), at_ms)
        sent = msgpack.unpackb(board.writer.waiting[-1].packed, raw=True)
        field = field_of(board.course.id, 0).encode()
        entry, row = pack_entry(move, at_ms - GUN_MS), pack_row(board.played.board)
        assert sent == [1, b"rows", field, ply, [entry], row, None]
        board.writer.settle()
        assert board.played.row == row
