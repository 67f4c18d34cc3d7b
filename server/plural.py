"""Numbers of things as people read them.

What lives here: one function. What does not: what is counted.
"""

from __future__ import annotations


def number_of(count: int, one: str, many: str = "") -> str:
    """`1 board`, `2 boards`, `0 boards`; `many` where it is not `one` with an s."""
    return f"{count} {one if count == 1 else many or one + 's'}"
