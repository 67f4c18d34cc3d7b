"""The places of one heat from what its boards came to (product P3, ruling 5).

What lives here: the two orders, places and reasons, over plain summaries. What does not: where a summary
comes from (the replay of a sealed log), and points of a match (`match`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from server.core.options import SCORE

WON: Final = "won"


@dataclass(frozen=True, slots=True)
class BoardSummary:
    """One sealed board. Times are in milliseconds from the gun."""

    seat: int
    ended: str
    """won, resigned, abandoned or time_up."""
    out: int
    """Cards on the foundations."""
    score: int
    moves: int
    elapsed_ms: int
    """Time of the last entry: of a won board, when it was won."""
    out_at_ms: int
    """When it last came to this number of cards out."""
    score_at_ms: int
    """When it last came to this score."""
    undos: int = 0
    """Actions that were taken back; they rank nothing."""
    peeks: int = 0
    """Of these, how many had first shown a card."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A board's place."""

    board: BoardSummary
    place: int
    """From 1; equals share a place: 1, 2, 2, 4."""
    at_ms: int
    """When it was won, else when it came to what ranks it."""
    reason: str
    """Why it stands behind the one before: first, time, out, score, earlier, tie, ended."""


_Rank: TypeAlias = tuple[int, ...]
"""Lower is better; each part has its reason."""


def standings(boards: Iterable[BoardSummary], goal: str) -> list[Standing]:
    """All boards by place, equals by seat. The order depends on the boards alone, not on their order.

    Goal `first`: those who won by time; then the others by cards out, then score, then who was there first.
    Goal `score`: by score, then who came to it first. Equal to the millisecond is a tie.
    """
    rank, reasons = _rank_of(goal), _SCORE_REASONS if goal == SCORE else _FIRST_REASONS
    ordered = sorted(((rank(board), board) for board in boards), key=lambda one: (one[0], one[1].seat))
    rows: list[Standing] = []
    above: _Rank | None = None
    for index, (here, board) in enumerate(ordered):
        place, reason = index + 1, "first"
        if here == above:
            place, reason = rows[-1].place, "tie"
        elif above is not None:
            reason = reasons[next(at for at, part in enumerate(here) if part != above[at])]
        rows.append(Standing(board, place, board.elapsed_ms if board.ended == WON else here[-1], reason))
        above = here
    return rows


def place_among(own: BoardSummary, boards: Iterable[BoardSummary], goal: str) -> int:
    """The place that `standings` of `boards` would give to `own`, which is one of them."""
    rank = _rank_of(goal)
    here = rank(own)
    return 1 + sum(rank(board) < here for board in boards)


def _rank_of(goal: str) -> Callable[[BoardSummary], _Rank]:
    return _by_score if goal == SCORE else _first_to_finish


_FIRST_REASONS: Final = ("ended", "time", "out", "score", "earlier")
_SCORE_REASONS: Final = ("score", "earlier")


def _first_to_finish(board: BoardSummary) -> _Rank:
    if board.ended == WON:
        return (0, board.elapsed_ms, 0, 0, 0)
    return (1, 0, -board.out, -board.score, max(board.out_at_ms, board.score_at_ms))


def _by_score(board: BoardSummary) -> _Rank:
    return (-board.score, board.score_at_ms)
