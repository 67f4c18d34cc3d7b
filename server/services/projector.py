"""From what has ended to leaderboards and histories, once and for all (architecture A5, reliability 2.6).

Lives here: the loop over `kupa:unprojected`, and what one member becomes. The logs are replayed: they, and no
news of them, are the truth. Every step may be repeated, and a member goes only after all of them, so a process
that dies repeats and never loses. Lives elsewhere: an attempt's result (attempts), further effects of a heat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog

from engine import deal_code
from engine.board import ReplayError
from engine.deal_code import DealCode
from server.clock import Clock
from server.core import boards
from server.core import events as log
from server.core.boards import Period, Result, Tab
from server.core.closed_heat import ClosedHeat, closed_heat
from server.core.daily import Day
from server.core.ids import HeatId
from server.core.standings import BoardSummary
from server.services import attempts
from server.services.attempts import Entry
from server.services.daily_deals import DailyDeals
from server.services.judge import Sealed, replayed
from server.store import keys
from server.store.boards import Rule
from server.store.connect import Store
from server.store.errors import StoreAway, StoreBusy
from server.store.history import Played
from server.store.rooms import StoredDeal
from server.tasks import ended

EVERY_S = 1.0
AGAIN_MS = 300_000
"""What failed is tried again after this."""

Effect = Callable[[ClosedHeat], Awaitable[None]]
"""What else follows from a closed heat; must do nothing the second time."""

_log = structlog.get_logger(__name__)


class Projector:
    """Projects what is due; any number of processes may do so at once."""

    def __init__(self, store: Store, clock: Clock, deals: DailyDeals, effects: Sequence[Effect] = ()) -> None:
        self._store = store
        self._clock = clock
        self._deals = deals
        self._effects = tuple(effects)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin: what was left by processes that died comes first."""
        self._task = asyncio.create_task(self._run(), name="kupa-projector")

    async def stop(self) -> None:
        """Stop at once; what was begun is repeated by others."""
        await ended(self._task)
        self._task = None

    async def _run(self) -> None:
        while True:
            try:
                while await self.sweep():
                    pass
            except (StoreAway, StoreBusy) as error:
                _log.debug("projector.waits", why=str(error))
            except Exception:
                _log.exception("projector.failed")
            await asyncio.sleep(EVERY_S)

    async def sweep(self) -> int:
        """Project what is due now; how many members that were. Raises StoreAway."""
        members = await self._store.unprojected.take(self._clock.now_ms())
        for member in members:
            try:
                await self._project(member)
            except (LookupError, ValueError, ReplayError, log.LogError) as error:
                _log.error("projection.failed", member=member, why=f"{type(error).__name__}: {error}")
                await self._store.unprojected.put(member, self._clock.now_ms() + AGAIN_MS)
        return len(members)

    async def _project(self, member: str) -> None:
        kind, first, *rest = member.split(":")
        if kind == "d":
            await self.attempt(Entry(Day(first), rest[0], rest[1]))
        else:
            await self._heat(first, HeatId(rest[0]), member)

    # ------------------------------------------------------------ attempts

    async def attempt(self, entry: Entry) -> Result | None:
        """The result of a player's attempt, which then stands on all boards; None: there is none (yet).

        Raises StoreAway; LookupError when the deal is gone; ReplayError for a log that cannot be.
        """
        store = self._store
        member = keys.attempt_member(entry.day, entry.ruleset, entry.player)
        attempt = await store.dailies.attempt(entry.day, entry.ruleset, entry.player)
        if attempt is None:
            await store.unprojected.done(member)
            return None
        daily = await self._deals.of(entry.day, entry.ruleset)
        if daily is None:
            raise LookupError(f"the deal of {entry.day} {entry.ruleset} is not in the store")
        found = await attempts.judged(store, daily.deal, entry, attempt, self._clock.now_ms())
        if found is not None and await store.unprojected.waiting(member) is not None:
            await attempts.score(store, entry, attempt, found)
            await store.unprojected.done(member)
        return found

    # ------------------------------------------------------------ heats of rooms

    async def _heat(self, room: str, heat: HeatId, member: str) -> None:
        store = self._store
        entries = await store.logs.load(keys.room_log(room))
        if not entries:
            _log.warning("projection.room_gone", member=member)
            await store.unprojected.done(member)
            return
        closed = closed_heat(log.decode_log(entries), heat)
        if closed is None:
            return  # not judged yet: it comes back after its lease
        await self.closed(closed)
        await store.unprojected.done(member)

    async def closed(self, heat: ClosedHeat) -> None:
        """All that follows from a closed heat. Safe to repeat. Raises StoreAway; LookupError without its deal."""
        stored = await self._store.rooms.get_deal(heat.room, heat.heat)
        if stored is None:
            raise LookupError(f"the deal of heat {heat.heat} is not in the store")
        places = {row.seat: row.place for row in heat.rows}
        for found in await replayed(self._store.logs, sealed(heat, stored)):
            player = heat.taken(found.seat).player
            if not player:
                continue
            await self._store.history.add(player, played(heat, found, places[found.seat]))
            if found.ended == "won" and heat.ranks:
                await self._race_time(heat, found, player)
        for effect in self._effects:
            await effect(heat)

    async def _race_time(self, heat: ClosedHeat, found: BoardSummary, player: str) -> None:
        row = race_row(heat, found, await self._store.logs.load(keys.board_log(heat.room, heat.heat, found.seat)))
        name = boards.name(Period.RACE, Day(""), heat.ruleset, Tab.TIME)
        number = boards.packed(Period.RACE, Tab.TIME, row)
        if await self._store.boards.put(name, player, number, row, Rule.BEST):
            await self._store.rooms.keep_heat(heat.room, heat.heat, [one.seat for one in heat.seats])


def sealed(heat: ClosedHeat, stored: StoredDeal) -> Sealed:
    """What is needed to replay its boards; the deal may have to stay secret after the heat (ruling 9)."""
    return Sealed(
        room=heat.room,
        heat=heat.heat,
        ruleset=heat.ruleset,
        undo=heat.options.undo,
        seats=tuple(one.seat for one in heat.seats),
        lengths=heat.lengths,
        deal=deal_code.deal(DealCode.parse(stored.code)),
        length_ms=heat.deadline_ms - heat.gun_ms,
        credits=tuple(heat.credits_of(one) for one in heat.seats),
    )


def race_row(heat: ClosedHeat, found: BoardSummary, entries: Sequence[bytes]) -> boards.Row:
    """The row of a board that was won in a race of a room, and its log."""
    result = Result(
        heat.ruleset, found.ended, found.out, found.score, found.moves, found.elapsed_ms, found.score_at_ms, heat.heat,
        attempts.flags(entries),
    )  # fmt: skip
    row = boards.result_row(Tab.TIME, result, where=f"{heat.room}:{found.seat}:{heat.options.undo}")
    assert row is not None
    return row


def played(heat: ClosedHeat, found: BoardSummary, place: int) -> Played:
    """The board as its player's history keeps it."""
    return Played(
        "race", heat.gun_ms, heat.ruleset, heat.heat, "", heat.room, found.ended, found.out, found.score, found.moves,
        found.elapsed_ms, place, len(heat.seats), not heat.ranks,
    )  # fmt: skip
