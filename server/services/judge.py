"""From sealed logs to places: replays the boards of a closed heat and asks the machine for the rows.

Lives here: loading and replaying, in chunks that leave the event loop free. Lives elsewhere: the order of
places (core.standings), the closing script (store.logs).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from engine.board import Board, Termination, UndoPolicy
from engine.deal_code import Deal
from engine.ruleset import RULESETS
from server.core.credits import Credit, raced
from server.core.integrity import Undone, undone
from server.core.standings import BoardSummary
from server.store import keys
from server.store.logs import LogWriter


@dataclass(frozen=True, slots=True)
class Sealed:
    """What is needed to judge a heat."""

    room: str
    heat: str
    ruleset: str
    undo: str
    seats: tuple[int, ...]
    lengths: tuple[int, ...]
    deal: Deal
    length_ms: int
    """From the gun to the deadline."""
    credits: tuple[Sequence[Credit], ...]
    """By which times of entries are read (`core.credits`), in the order of `seats`."""


def summary(seat: int, board: Board, back: Undone) -> BoardSummary:
    """What ranks a board that has ended, and what was taken back on it."""
    assert board.ended is not None
    return BoardSummary(
        seat=seat,
        ended=board.ended,
        out=board.out,
        score=board.score,
        moves=board.moves,
        elapsed_ms=board.elapsed_ms,
        out_at_ms=board.out_at_ms,
        score_at_ms=board.score_at_ms,
        undos=back.undos,
        peeks=back.peeks,
    )


async def replayed(logs: LogWriter, sealed: Sealed) -> list[BoardSummary]:
    """One summary a seat, in order. A board that had not ended has run out of time.

    Raises StoreAway, and ReplayError for a log that no play could have written.
    """
    found: list[BoardSummary] = []
    for seat, length, credits in zip(sealed.seats, sealed.lengths, sealed.credits, strict=True):
        entries = (await logs.load(keys.board_log(sealed.room, sealed.heat, seat)))[:length]
        ruleset, undo = RULESETS[sealed.ruleset], UndoPolicy(sealed.undo)
        board = Board.replay(ruleset, sealed.deal, raced(credits, entries), ranked=True, undo=undo)
        if board.ended is None:
            board.end(Termination.TIME_UP, sealed.length_ms)
        found.append(summary(seat, board, undone(ruleset, sealed.deal, entries, undo)))
        await asyncio.sleep(0)
    return found
