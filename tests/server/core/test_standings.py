"""The places of one heat (product P3, ruling 5)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.options import FIRST, GOALS, SCORE
from server.core.standings import BoardSummary, Standing, standings
from tests.server.core import strategies


def won(seat: int, at_ms: int, score: int = 1000) -> BoardSummary:
    return BoardSummary(seat, "won", 104, score, 200, at_ms, at_ms, at_ms)


def not_won(
    seat: int, out: int, score: int, at_ms: int = 1000, score_at_ms: int = 1000, ended: str = "time_up"
) -> BoardSummary:
    return BoardSummary(seat, ended, out, score, 200, 600_000, at_ms, score_at_ms)


def table(*boards: BoardSummary, goal: str = FIRST) -> list[tuple[int, int, str]]:
    """Seat, place and reason, in order."""
    return [(row.board.seat, row.place, row.reason) for row in standings(boards, goal)]


def test_who_wins_first_is_first() -> None:
    assert table(won(0, 9000), won(1, 8000)) == [(1, 1, "first"), (0, 2, "time")]


def test_who_did_not_win_stands_behind_all_who_did_however_high_the_score() -> None:
    assert table(not_won(0, 103, 9999), won(1, 599_999, score=1)) == [(1, 1, "first"), (0, 2, "ended")]


def test_among_those_who_did_not_win_cards_out_come_before_score() -> None:
    assert table(not_won(0, 50, 900), not_won(1, 51, 100)) == [(1, 1, "first"), (0, 2, "out")]


def test_then_the_score_decides() -> None:
    assert table(not_won(0, 50, 100), not_won(1, 50, 105)) == [(1, 1, "first"), (0, 2, "score")]


def test_then_who_was_there_first() -> None:
    assert table(not_won(0, 50, 100, at_ms=3000), not_won(1, 50, 100, at_ms=2000)) == [
        (1, 1, "first"),
        (0, 2, "earlier"),
    ]


def test_being_there_takes_the_cards_and_the_score() -> None:
    late = not_won(0, 50, 100, at_ms=2000, score_at_ms=9000)
    assert table(late, not_won(1, 50, 100, at_ms=5000)) == [(1, 1, "first"), (0, 2, "earlier")]


def test_resigning_does_not_lose_what_was_reached() -> None:
    assert table(not_won(0, 50, 1, ended="resigned"), not_won(1, 40, 1))[0] == (0, 1, "first")


def test_the_best_score_is_first_even_against_who_won() -> None:
    assert table(won(0, 1000, score=400), not_won(1, 90, 500), goal=SCORE) == [(1, 1, "first"), (0, 2, "score")]


def test_equal_scores_are_ranked_by_who_came_to_them_first() -> None:
    slow, quick = not_won(0, 60, 500, score_at_ms=7000), not_won(1, 40, 500, score_at_ms=6000)
    assert table(slow, quick, goal=SCORE) == [(1, 1, "first"), (0, 2, "earlier")]


def test_scores_below_zero_are_ranked_too() -> None:
    assert table(not_won(0, 0, -52), not_won(1, 1, -47), goal=SCORE) == [(1, 1, "first"), (0, 2, "score")]


@pytest.mark.parametrize("goal", GOALS)
def test_equals_share_a_place_and_the_next_one_stays_empty(goal: str) -> None:
    boards = [won(0, 7000, 900), won(1, 8000, 800), won(2, 8000, 800), won(3, 9000, 700)]
    assert [place for _, place, _ in table(*boards, goal=goal)] == [1, 2, 2, 4]
    assert [reason for _, _, reason in table(*boards, goal=goal)][2] == "tie"


def test_boards_that_never_moved_share_the_first_place() -> None:
    idle = [not_won(seat, 0, 0, 0, 0) for seat in range(3)]
    assert table(*idle) == [(0, 1, "first"), (1, 1, "tie"), (2, 1, "tie")]


@pytest.mark.parametrize("goal", GOALS)
def test_a_single_board_is_first(goal: str) -> None:
    assert table(not_won(5, 0, 0), goal=goal) == [(5, 1, "first")]


def test_no_boards_no_places() -> None:
    assert standings([], FIRST) == []


def test_the_time_shown_is_that_of_winning_or_of_what_ranks() -> None:
    rows = standings([won(0, 4000), not_won(1, 9, 9, 100, 300)], FIRST)
    assert [row.at_ms for row in rows] == [4000, 300]
    assert [row.at_ms for row in standings([not_won(1, 9, 9, 100, 300)], SCORE)] == [300]


@given(st.lists(strategies.board_summaries, max_size=8, unique_by=lambda board: board.seat), st.randoms())
@pytest.mark.parametrize("goal", GOALS)
def test_the_order_in_which_boards_are_looked_at_does_not_matter(
    goal: str, boards: list[BoardSummary], random: Random
) -> None:
    rows = standings(boards, goal)
    shuffled = boards.copy()
    random.shuffle(shuffled)
    assert standings(shuffled, goal) == rows


@given(st.lists(strategies.board_summaries, min_size=1, max_size=8, unique_by=lambda board: board.seat))
@pytest.mark.parametrize("goal", GOALS)
def test_a_place_is_one_more_than_the_boards_that_are_strictly_ahead(goal: str, boards: list[BoardSummary]) -> None:
    rows = standings(boards, goal)
    assert [row.place for row in rows] == [1 + sum(other.place < row.place for other in rows) for row in rows]


@given(strategies.board_summaries, strategies.board_summaries, strategies.board_summaries)
@pytest.mark.parametrize("goal", GOALS)
def test_the_order_of_two_boards_does_not_depend_on_a_third(
    goal: str, one: BoardSummary, two: BoardSummary, three: BoardSummary
) -> None:
    def sign(rows: list[Standing]) -> int:
        place = {row.board.seat: row.place for row in rows}
        return (place[0] > place[1]) - (place[0] < place[1])

    first, second, third = (seated(board, seat) for seat, board in enumerate((one, two, three)))
    assert sign(standings([first, second], goal)) == sign(standings([first, second, third], goal))


def seated(board: BoardSummary, seat: int) -> BoardSummary:
    return BoardSummary(
        seat, board.ended, board.out, board.score, board.moves, board.elapsed_ms, board.out_at_ms, board.score_at_ms
    )
