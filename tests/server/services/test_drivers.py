"""Bots and ghosts while the log does not confirm what they wrote: the clock of the heat stands still (ruling 21)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from engine.board import Board
from engine.deal_code import DealCode, deal
from engine.moves import DRAW, pack_entry, unpack_entry
from engine.ruleset import RULESETS
from server.core.bots import Memory
from server.core.heat import Heat
from server.services.bot_driver import BotDriver
from server.services.ghost_driver import GhostDriver
from tests.server.services.fakes import GUN_MS, Table, heat

CARDS = deal(DealCode.parse("DS1-D1N-AAAAAAA"))


class Time:
    """A clock, and a loop whose timers fire when it is pushed on."""

    def __init__(self) -> None:
        self.ms = GUN_MS
        self._timers: deque[tuple[float, Callable[..., None], tuple[Any, ...]]] = deque()

    def now_ms(self) -> int:
        return self.ms

    def call_later(self, seconds: float, work: Callable[..., None], *words: Any) -> None:
        self._timers.append((self.ms + 1_000 * seconds, work, words))

    def runs_to(self, ms: int, settles: Callable[[], None] = lambda: None) -> None:
        """Up to so many ms after the gun; `settles` after each timer."""
        while self._timers and self._timers[0][0] <= GUN_MS + ms:
            due_ms, work, words = self._timers.popleft()
            self.ms = max(self.ms, round(due_ms))
            work(*words)
            settles()
        self.ms = GUN_MS + ms


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time()
    monkeypatch.setattr("server.services.bot_driver.asyncio.get_running_loop", lambda: made)
    return made


def table(course: Heat) -> Table:
    return Table(Board(RULESETS["DS1-D1N"], CARDS, ranked=True), at_once=False, heat=course)


def confirmed(played: Table) -> None:
    """The store answers everything."""
    played.writer.settle(count=len(played.writer.waiting))


def test_a_bot_makes_no_move_while_its_last_one_waits_for_a_store_that_is_away(time: Time) -> None:
    course = heat()
    played = table(course)
    BotDriver(played.played, 3, Memory(7), time, lambda _: False).start()
    time.runs_to(20_000, lambda: confirmed(played))
    before = len(played.writer.log)
    assert before > 3
    time.runs_to(60_000)
    assert len(played.writer.waiting) == 1
    course.credit(time.ms - 40_000, time.ms)
    played.writer.settle()
    time.runs_to(62_000, lambda: confirmed(played))
    assert len(played.writer.log) > before + 1, "and it goes on"


@pytest.mark.parametrize("ms", [(1_000, 5_000, 5_500, 6_000, 12_000), (1_000, 8_000, 9_000, 16_000)])
def test_a_ghost_shows_each_move_at_its_time_though_the_store_was_away(time: Time, ms: tuple[int, ...]) -> None:
    """Its entries bear that time, whatever was given back since: it was given back already when they were recorded."""
    course = heat()
    played = table(course)
    recorded = [pack_entry(DRAW, at_ms) for at_ms in ms]
    GhostDriver(played.played, recorded, time, lambda _: False).start()
    time.runs_to(2_000, lambda: confirmed(played))
    time.runs_to(15_000)
    assert len(played.writer.waiting) == 1, "what is due later waits"
    played.writer.settle()
    course.credit(GUN_MS + 5_000, GUN_MS + 15_000)
    time.runs_to(30_000, lambda: confirmed(played))
    assert [unpack_entry(entry)[1] for entry in played.writer.log] == list(ms)
