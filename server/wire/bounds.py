"""Bounds of what a host chooses for a tournament: for the schema of the wire and for the command line alike.

What lives here: least and greatest of each number, both of them allowed. What does not: what the numbers mean
(`tournaments`), and which go together (server.core.tournament.options). It imports nothing: `kupa --help` is quick.
"""

from __future__ import annotations

from typing import Final

MINUTES: Final = (0, 60)
ROUNDS: Final = (1, 30)
HEAT: Final = (2, 8)
ADVANCE: Final = (1, 7)
ARENA_MINUTES: Final = (0, 600)
PLACES: Final = (2, 999)
CHECK_IN_S: Final = (0, 7_200)
LATE_ROUND: Final = (0, 30)
BREAK_S: Final = (0, 86_400)
ABSENT_S: Final = (0, 3_600)
