"""In the gate: what is fuzzed gets its seeds, damaged ones and any bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import SEEDS, TARGETS

EXAMPLES = settings().max_examples // 2


def damaged(seed: bytes, cut: int, at: int, put: bytes) -> bytes:
    """Cut somewhere, with something put in."""
    cut, at = cut % (len(seed) + 1), at % (len(seed) + 1)
    return (seed[:at] + put + seed[at:])[: max(cut, 1) + len(put)]


@pytest.mark.parametrize("target", TARGETS)
def test_what_strangers_send_is_read_or_refused(target: str) -> None:
    tried = 0

    @settings(max_examples=EXAMPLES)
    @given(st.binary(max_size=200))
    def any_bytes(data: bytes) -> None:
        nonlocal tried
        tried += 1
        TARGETS[target](data)

    @settings(max_examples=EXAMPLES)
    @given(st.sampled_from(SEEDS[target]), st.integers(0, 500), st.integers(0, 500), st.binary(max_size=8))
    def near_misses(seed: bytes, cut: int, at: int, put: bytes) -> None:
        nonlocal tried
        tried += 1
        TARGETS[target](damaged(seed, cut, at, put))

    any_bytes()
    near_misses()
    assert tried >= EXAMPLES
