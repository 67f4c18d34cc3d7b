"""The solver's chance follows from its seed alone."""

from __future__ import annotations

from itertools import islice

from hypothesis import given

from engine.solver.chance import BLOCK, MOST, stream
from tests.strategies import seeds


@given(seeds, seeds)
def test_the_same_seed_and_branch_give_the_same_numbers(seed: int, branch: int) -> None:
    numbers = list(islice(stream(seed, branch), 40))
    assert numbers == list(islice(stream(seed, branch), 40))
    assert all(0 <= number <= MOST for number in numbers)
    assert numbers != list(islice(stream(seed, branch + 1), 40))
    assert numbers != list(islice(stream(seed + 1, branch), 40))


def test_the_numbers_are_these_for_ever() -> None:
    assert list(islice(stream(0, 0), 8)) == [246, 162, 113, 253, 152, 241, 238, 45]


def test_the_stream_does_not_repeat_after_a_block() -> None:
    numbers = list(islice(stream(7, 3), 2 * BLOCK))
    assert numbers[:BLOCK] != numbers[BLOCK:]
    assert len(set(numbers)) == MOST + 1
