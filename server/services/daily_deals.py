"""The deal of each day: drawn once for all processes, sealed until the day is final (rulings 9, 25, S4).

Lives here: the deal function of the dailies and their reveal, the only readers of the secret. Lives elsewhere: days
(core.daily), which deals are winnable (certifier), attempts (daily). No deal is drawn before its day.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from engine import deal_code
from engine.deal_code import Deal, DealCode
from engine.ruleset import RULESETS
from engine.terms import RULES
from server.clock import Clock
from server.core import daily
from server.core.daily import Day
from server.store.dailies import Dailies, StoredDaily
from server.store.deals import PooledDeal
from server.store.ids import new_id
from server.tasks import ended

NONCE_BYTES = 32
SECRET_BYTES = 9
"""Fourteen base-32 letters are 70 bits."""
REMEMBERED = 64
"""Days' deals that a process keeps at hand."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A deal that was never used or shown before."""

    code: DealCode = field(repr=False)
    certified: bool
    solution: bytes = field(default=b"", repr=False)
    """Move bytes of a way to win it, four a move."""
    difficulty: str = ""
    """Of a certified deal (`engine.solver.Difficulty`)."""


Source = Callable[[str], Awaitable[Drawn | None]]
"""Draws a deal of a ruleset; None: there is none yet, ask again."""


@dataclass(frozen=True, slots=True)
class Daily:
    """A day's deal of one ruleset: what everybody may know of it, and the cards for who plays it."""

    day: Day
    ruleset: str
    id: str
    commitment: str
    certified: bool
    deal: Deal = field(repr=False)


@dataclass(frozen=True, slots=True)
class Revealed:
    """What was sealed."""

    code: str
    nonce: str
    solution: bytes
    rules: int
    """By which it was played."""
    difficulty: str
    """Of a certified deal; empty: not certified, or not known."""


class Certifier(Protocol):
    """Who has certified deals, each for one taker."""

    async def certified(self, ruleset: str) -> PooledDeal | None:
        """A deal that nobody has seen; None: none was found in good time, ask again."""
        ...


def certified_by(certifier: Certifier) -> Source:
    """Draws from what the certifier has: no daily deal is played that is not known to be winnable (ruling 24)."""

    async def draw(ruleset: str) -> Drawn | None:
        found = await certifier.certified(ruleset)
        return None if found is None else Drawn(DealCode.parse(found.code), True, found.solution, found.difficulty)

    return draw


async def uncertified(ruleset: str) -> Drawn | None:
    """A secret deal from the system's random source, of which nobody knows whether it can be won."""
    return Drawn(deal_code.secret(RULESETS[ruleset], secrets.token_bytes(SECRET_BYTES)), certified=False)


class DailyDeals:
    """The days' deals as this process knows them. Methods raise StoreAway."""

    def __init__(self, dailies: Dailies, clock: Clock, source: Source = uncertified) -> None:
        self.source = source
        self.wanted: set[str] = set()
        """Rulesets whose deal somebody has asked for: they are drawn every day from then on."""
        self._dailies = dailies
        self._clock = clock
        self._known: dict[tuple[Day, str], Daily] = {}
        self._drawing: dict[str, asyncio.Task[Daily | None]] = {}

    async def today(self, ruleset: str) -> Daily | None:
        """The deal of the day that it is now, drawn if nobody has yet; None: none is ready.

        `ruleset`: one of `daily.DAILY`.
        """
        known = self._known.get((daily.day_of(self._clock.now_ms()), ruleset))
        return known or await asyncio.shield(self.soon(ruleset))

    def soon(self, ruleset: str) -> asyncio.Task[Daily | None]:
        """See to it that today's deal is drawn; whoever needs it may wait for the task, and need not."""
        self.wanted.add(ruleset)
        task = self._drawing.get(ruleset)
        if task is None:
            task = asyncio.create_task(self._today(ruleset), name=f"kupa-daily-{ruleset}")
            self._drawing[ruleset] = task
            task.add_done_callback(lambda task: self._drawn(ruleset, task))
        return task

    async def stop(self) -> None:
        """Draw nothing more."""
        await ended(*self._drawing.values())

    def _drawn(self, ruleset: str, task: asyncio.Task[Daily | None]) -> None:
        del self._drawing[ruleset]
        if not task.cancelled() and task.exception() is not None:
            _log.warning("daily.not_drawn", ruleset=ruleset, why=repr(task.exception()))

    async def _today(self, ruleset: str) -> Daily | None:
        day = daily.day_of(self._clock.now_ms())
        return await self.of(day, ruleset) or await self._draw(day, ruleset)

    async def of(self, day: Day, ruleset: str) -> Daily | None:
        """The deal of a day; None: it was never drawn."""
        known = self._known.get((day, ruleset))
        if known is not None:
            return known
        stored = await self._dailies.get(day, ruleset)
        return None if stored is None else await self._remember(day, ruleset, stored)

    async def revealed(self, day: Day, ruleset: str) -> Revealed | None:
        """Code, nonce and solution; None as long as the day is not final, and for a day without a deal."""
        if not daily.is_final(day, self._clock.now_ms()):
            return None
        stored = await self._dailies.get(day, ruleset)
        if stored is None:
            return None
        return Revealed(stored.code, stored.nonce, stored.solution, stored.rules, stored.difficulty)

    async def _draw(self, day: Day, ruleset: str) -> Daily | None:
        drawn = await self.source(ruleset)
        now_ms = self._clock.now_ms()
        if drawn is None or not daily.begins(day, now_ms):
            return None
        made = StoredDaily(
            new_id(), str(drawn.code), secrets.token_hex(NONCE_BYTES), now_ms, drawn.certified, drawn.solution, RULES,
            drawn.difficulty,
        )  # fmt: skip
        return await self._remember(day, ruleset, await self._dailies.put(day, ruleset, made))

    async def _remember(self, day: Day, ruleset: str, stored: StoredDaily) -> Daily:
        deal = await asyncio.to_thread(deal_code.deal, DealCode.parse(stored.code))
        commitment = deal_code.commitment(stored.id, stored.code, stored.nonce)
        made = Daily(day, ruleset, stored.id, commitment, stored.certified, deal)
        while len(self._known) >= REMEMBERED:
            del self._known[next(iter(self._known))]
        self._known[day, ruleset] = made
        return made
