"""Attempts at a daily deal as their logs tell them, and what they are worth on the leaderboards.

Lives here: replaying an attempt, and writing its result to history and boards, each step safe to repeat.
Lives elsewhere: playing (daily), when it is done (projector), the boards' order (core.boards).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from engine.board import Board, Termination, UndoPolicy
from engine.deal_code import Deal
from engine.ruleset import RULESETS
from server.core import boards, daily, integrity
from server.core.boards import SUMS, Period, Result, Tab
from server.core.daily import Day
from server.core.integrity import Flag
from server.store.boards import Rule
from server.store.connect import Store
from server.store.dailies import Attempt
from server.store.history import Played

UNDO = UndoPolicy.ALL
LATE_MS = 2_000
"""After the deadline, so that entries on their way still arrive (as in ruling 1)."""
LONG = 2_000
"""Logs of more entries are replayed in a thread, so that nobody else waits."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Whose attempt at which deal."""

    day: Day
    ruleset: str
    player: str

    @property
    def over_ms(self) -> int:
        """From when on the attempt is over, whatever its log says."""
        return daily.final_ms(self.day) + LATE_MS


async def replay(ruleset: str, deal: Deal, entries: Sequence[bytes]) -> Board:
    """The board of an attempt's log. Raises ReplayError for a log that no play could have written."""

    def play() -> Board:
        return Board.replay(RULESETS[ruleset], deal, entries, ranked=True, undo=UNDO)

    return await asyncio.to_thread(play) if len(entries) > LONG else play()


def time_up(board: Board, entry: Entry, attempt: Attempt) -> None:
    """The day is final and the board had not ended."""
    board.end(Termination.TIME_UP, daily.final_ms(entry.day) - attempt.gun_ms)


def result(board: Board, attempt: Attempt, entries: Sequence[bytes]) -> Result:
    """What a board that has ended came to."""
    assert board.ended is not None
    return Result(
        board.ruleset.id, board.ended, board.out, board.score, board.moves, board.elapsed_ms, board.score_at_ms,
        attempt.id, flags(entries),
    )  # fmt: skip


def flags(entries: Sequence[bytes]) -> tuple[str, ...]:
    """What in the pace of a log is beyond a human hand (S20): shown beside the result, which stands."""
    return tuple(flag.kind for flag in integrity.of_pace(0, "", "", entries))


async def judged(store: Store, deal: Deal, entry: Entry, attempt: Attempt, now_ms: int) -> Result | None:
    """Seal the attempt and read its result; None, and nothing sealed, while it is played.

    Raises StoreAway, ReplayError.
    """
    found, length = await read(store, deal, entry, attempt, now_ms)
    if found is not None and await store.dailies.seal(attempt.log) != length:
        found, _ = await read(store, deal, entry, attempt, now_ms)
    return found


async def read(store: Store, deal: Deal, entry: Entry, attempt: Attempt, now_ms: int) -> tuple[Result | None, int]:
    """The attempt's result, None while it is played, and the length of its log. Raises StoreAway, ReplayError."""
    entries = await store.logs.load(attempt.log)
    board = await replay(entry.ruleset, deal, entries)
    if board.ended is None and now_ms < entry.over_ms:
        return None, len(entries)
    if board.ended is None:
        time_up(board, entry, attempt)
    return result(board, attempt, entries), len(entries)


async def score(store: Store, entry: Entry, attempt: Attempt, found: Result) -> None:
    """Write a result to the player's history and to all boards it counts for. Safe to repeat; raises StoreAway."""
    player, ruleset, day = entry.player, entry.ruleset, entry.day
    ended_ms = attempt.gun_ms + found.elapsed_ms
    await store.flags.add([Flag(ended_ms, kind, player, attempt.id) for kind in found.flags])
    await store.history.add_day(player, ruleset, day, found.of_day)
    await store.history.add(
        player,
        Played(
            "daily", attempt.gun_ms, ruleset, attempt.id, day, "", found.ended, found.out, found.score, found.moves,
            found.elapsed_ms,
        ),
    )  # fmt: skip
    for tab in Tab:
        row = boards.result_row(tab, found)
        if row is not None:
            name = boards.name(Period.DAY, day, ruleset, tab)
            await store.boards.put(name, player, boards.packed(Period.DAY, tab, row), row, Rule.FIRST)
    await add_up(store, entry, Rule.GROWN)


async def add_up(store: Store, entry: Entry, rule: Rule) -> None:
    """Write the sums of week, month and all time anew from the player's days. Raises StoreAway."""
    days = (await store.history.days(entry.player)).get(entry.ruleset, {})
    for period in SUMS:
        for tab in Tab:
            row = boards.sum_row(tab, days, boards.span(period, entry.day))
            if row is not None:
                name = boards.name(period, entry.day, entry.ruleset, tab)
                await store.boards.put(name, entry.player, boards.packed(period, tab, row), row, rule)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a result stands on the boards of its day."""

    score_place: int
    score_players: int
    time_place: int
    """0: not on it."""
    time_players: int
    percentile: int


async def standing(store: Store, entry: Entry) -> Standing | None:
    """Where the player stands; None: the result is not on the boards (yet). Raises StoreAway."""
    by_score, by_time = (boards.name(Period.DAY, entry.day, entry.ruleset, tab) for tab in Tab)
    mine = await store.boards.row(by_score, entry.player)
    if mine is None:
        return None
    players, (not_less,) = await store.boards.at_least(by_score, [mine.number])
    timed = await store.boards.row(by_time, entry.player)
    return Standing(
        mine.place,
        players,
        timed.place if timed is not None else 0,
        await store.boards.players(by_time),
        boards.percentile(players - not_less, players),
    )
