"""A hand is not as fast as a program (findings L12)."""

from __future__ import annotations

from server.core.pace import LEAST_MOVES, QUICK, flags


def every(ms: int, moves: int) -> list[int]:
    return [ms * (at + 1) for at in range(moves)]


def test_a_program_at_50_ms_a_move_is_marked() -> None:
    assert flags(every(50, 200)) == (QUICK,)


def test_a_quick_person_is_not() -> None:
    assert flags(every(300, 200)) == ()


def test_bursts_of_a_person_are_not() -> None:
    """Two presses of the stock at once, then two cards that were seen coming."""
    times = [at * 700 + extra for at in range(60) for extra in (0, 60, 300)]
    assert flags(times) == ()


def test_a_short_game_says_nothing() -> None:
    assert flags(every(1, LEAST_MOVES - 1)) == ()
    assert flags([]) == ()
