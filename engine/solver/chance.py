"""The solver's own small source of chance: the same seed gives the same numbers everywhere.

What lives here: an endless stream of bytes from SHAKE-128. What does not: real randomness; a secret
deal never comes from here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

BLOCK: Final = 1024
"""Bytes that are made at once."""
MOST: Final = 255
"""The largest number of the stream; the smallest is 0."""


def stream(seed: int, branch: int) -> Iterator[int]:
    """Numbers 0–255 that look like chance. Different branches of a seed have nothing in common."""
    block = 0
    while True:
        yield from hashlib.shake_128(f"kupa solver|{seed}|{branch}|{block}".encode("ascii")).digest(BLOCK)
        block += 1
