"""Time that was given back, and how the times of entries are read (ruling 21).

What lives here: from the time an entry bears to the time on its heat's clock. What does not: what is given back
(settling), where the clock stands now (`heat.gun_ms`).

An entry bears the time since the gun as it was drawn, whatever becomes of the gun since. Of an outage nobody knows
before it is over, and each process sees its ends a little differently; what was given back stands in the log of the
room, once. The heat's clock stood still meanwhile. So both logs together say when a move was raced, and all who read
them say the same: who moved late in an outage has all of it back that had gone by then.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.moves import pack_entry, unpack_entry

Credit = tuple[int, int]
"""From when to when the clock stood still, in ms since the gun as it was drawn."""


def raced_ms(credits: Sequence[Credit], at_ms: int) -> int:
    """Where the heat's clock stood `at_ms` after the gun as it was drawn: 0 until the gun fires. `credits` do not
    overlap. Never decreasing in `at_ms`."""
    stood_ms = sum(max(0, min(at_ms, to_ms) - from_ms) for from_ms, to_ms in credits)
    return max(0, at_ms - stood_ms)


def outside(known: Sequence[tuple[int, int]], from_ms: int, to_ms: int) -> list[tuple[int, int]]:
    """What of this time lies in none of the known ones, in order."""
    found = []
    for since_ms, until_ms in sorted(known):
        if from_ms < min(since_ms, to_ms):
            found.append((from_ms, min(since_ms, to_ms)))
        from_ms = max(from_ms, until_ms)
    return [*found, (from_ms, to_ms)] if from_ms < to_ms else found


def raced(credits: Sequence[Credit], entries: Sequence[bytes]) -> list[bytes]:
    """The entries of a board, bearing the time on the heat's clock."""
    if not credits:
        return list(entries)
    read = (unpack_entry(entry) for entry in entries)
    return [pack_entry(move, raced_ms(credits, at_ms)) for move, at_ms in read]
