"""What a player of a daily deal is told, as wire events.

Lives here: building `DailyGame` and `DailyResult`. Lives elsewhere: when they are sent (daily, practice).
"""

from __future__ import annotations

from server.core import daily
from server.core.boards import Result
from server.services.attempts import Entry, Standing
from server.services.daily_deals import Daily
from server.services.played_board import PlayedBoard, board_view
from server.wire.messages import DailyGame, DailyResult


def game(deal: Daily, played: PlayedBoard, now_ms: int, n: int, *, practice: bool) -> DailyGame:
    """The player's board of a daily deal."""
    board, gun_ms = played.board, played.course.gun_ms
    elapsed_ms = board.elapsed_ms if board.ended is not None else max(0, now_ms - gun_ms)
    return DailyGame(
        n=n,
        date=deal.day,
        ruleset=deal.ruleset,
        practice=practice,
        id=deal.id,
        commitment=deal.commitment,
        certified=deal.certified,
        gun_ms=gun_ms,
        elapsed_ms=elapsed_ms,
        final_ms=daily.final_ms(deal.day),
        view=board_view(board),
    )


def result(entry: Entry, found: Result, standing: Standing, streak: daily.Streak) -> DailyResult:
    """What an attempt came to, and where it stands."""
    return DailyResult(
        date=entry.day,
        ruleset=entry.ruleset,
        ended=found.ended,
        out=found.out,
        score=found.score,
        moves=found.moves,
        elapsed_ms=found.elapsed_ms,
        at_ms=found.at_ms,
        score_place=standing.score_place,
        score_players=standing.score_players,
        time_place=standing.time_place,
        time_players=standing.time_players,
        percentile=standing.percentile,
        streak=streak.now,
        best_streak=streak.best,
    )
