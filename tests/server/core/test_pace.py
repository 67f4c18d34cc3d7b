"""A hand is not as fast as a program, nor as even (findings L12, reliability S20)."""

from __future__ import annotations

import random

from server.core.pace import LEAST_MOVES, QUICK, RAPID, STEADY, flags


def every(ms: int, moves: int) -> list[int]:
    return [ms * (at + 1) for at in range(moves)]


def hand(mean_ms: int, moves: int, seed: int = 1) -> list[int]:
    """Pauses as uneven as those of people are."""
    chance, at, times = random.Random(seed), 0, []
    for _ in range(moves):
        at += round(mean_ms * chance.lognormvariate(-0.18, 0.6))
        times.append(at)
    return times


def test_a_program_at_50_ms_a_move_is_marked() -> None:
    assert flags(every(50, 200)) == (QUICK, RAPID, STEADY)


def test_a_program_that_waits_unevenly_is_marked_for_its_speed() -> None:
    assert flags(hand(60, 200)) == (QUICK, RAPID)


def test_a_program_at_human_speed_is_marked_for_its_evenness() -> None:
    assert flags(every(700, 200)) == (STEADY,)


def test_a_quick_person_is_not_marked() -> None:
    for seed in range(20):
        assert flags(hand(330, 300, seed)) == ()


def test_a_fast_stretch_in_a_slow_game_is_marked() -> None:
    slow = hand(2_000, 60)
    fast = [slow[-1] + ms for ms in hand(60, 40)]
    assert flags([*slow, *fast, *(fast[-1] + ms for ms in slow)]) == (QUICK, RAPID)


def test_bursts_of_a_person_are_not_marked() -> None:
    """Two presses of the stock at once, then two cards that were seen coming."""
    times = [at * 700 + extra for at in range(60) for extra in (0, 60, 300)]
    assert flags(times) == ()


def test_moves_that_a_hanging_line_held_back_are_not_marked() -> None:
    """Sixteen moves made over eight seconds come in at one instant, twice in a row."""
    times = hand(500, 40)
    for _ in range(2):
        times += [times[-1] + 8_000] * 16
    assert flags([*times, *(times[-1] + ms for ms in hand(500, 40, 2))]) == ()


def test_a_short_game_says_nothing() -> None:
    assert flags(every(1, LEAST_MOVES - 1)) == ()
    assert flags([]) == ()


def test_moves_at_one_instant_are_fast_but_not_even() -> None:
    assert flags([5] * 100) == (QUICK, RAPID)
