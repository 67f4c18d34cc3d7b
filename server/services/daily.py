"""Playing the daily deals: one ranked attempt for each player and deal, practice afterwards (ruling 25, P6).

Lives here: beginning, resuming and ending an attempt. Lives elsewhere: the deals (daily_deals), practice
(practice), moves (played_board), results (attempts, projector), days (core.daily).
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import structlog

from server.clock import Clock
from server.core import daily
from server.core.machine import Refusal
from server.services import attempts, daily_view
from server.services.attempts import Entry
from server.services.audience import Viewer
from server.services.daily_deals import Daily, DailyDeals
from server.services.played_board import PlayedBoard
from server.services.ports import Guest
from server.services.practice import PracticePlay
from server.services.projector import Projector
from server.services.solo import LOST
from server.services.takeover import supersede
from server.store import keys
from server.store.connect import Store
from server.store.dailies import Attempt
from server.store.errors import StoreAway, StoreBusy
from server.store.ids import new_id
from server.store.logs import Verdict
from server.tasks import begun, ended
from server.wire.codec import frame
from server.wire.errors import RefusalCode
from server.wire.messages import DailyGame, DailyResult, OpenDaily

MIND_S = 2.0
"""How often the day's deals are looked after, and attempts whose time is up."""
AGAIN_S = 1.0
TRIES = 10

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Run:
    """One player's attempt, as `played_board.Course`: its clock never stops."""

    entry: Entry
    deal: Daily
    attempt: Attempt
    closed: bool = False

    @property
    def id(self) -> str:
        """Of the attempt."""
        return self.attempt.id

    @property
    def gun_ms(self) -> int:
        """When the cards were first shown."""
        return self.attempt.gun_ms

    @property
    def deadline_ms(self) -> int:
        """When the day is final."""
        return daily.final_ms(self.entry.day)


class DailyPlay:
    """The daily deals for this process's connections. Methods raise StoreAway, StoreBusy."""

    def __init__(
        self, store: Store, clock: Clock, node: str, deals: DailyDeals, projector: Projector, practice: PracticePlay
    ) -> None:
        self._store = store
        self._clock = clock
        self._node = node
        self.deals = deals
        self.projector = projector
        self._practice = practice
        self._live: dict[str, tuple[Run, PlayedBoard]] = {}
        """What is played from here, by attempt; let go once nobody looks at it."""
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Look after the day's deals from now on."""
        self._spawn(self._mind())

    async def stop(self) -> None:
        """Stop; who plays goes on elsewhere."""
        await ended(*self._tasks)
        await self._practice.stop()
        await self.deals.stop()

    # ------------------------------------------------------------ coming in

    async def open(self, player: str, guest: Guest, command: OpenDaily) -> DailyGame | Refusal:
        """Begin or resume the attempt, or practise: see `OpenDaily`."""
        now_ms, ruleset = self._clock.now_ms(), command.ruleset
        day = daily.parse_day(command.date) if command.date else daily.day_of(now_ms)
        if day is None or ruleset not in daily.DAILY:
            return Refusal(RefusalCode.BAD_OPTIONS)
        entry = Entry(day, ruleset, player)
        attempt = await self._store.dailies.attempt(day, ruleset, player)
        if command.practice:
            return await self._practise(entry, attempt, guest, command)
        if attempt is None and not daily.begins(day, now_ms):
            return Refusal(RefusalCode.NOT_NOW)
        deal = await (self.deals.today(ruleset) if attempt is None else self.deals.of(day, ruleset))
        if deal is None:
            return Refusal(RefusalCode.NO_DEAL)
        begun = attempt or await self._begin(entry, deal)
        if begun is None:
            return Refusal(RefusalCode.NOT_NOW)
        await guest.make_way(None)
        run = Run(entry, deal, begun)
        return self._sat_down(run, await self._take(run, guest), guest, command.n)

    async def _begin(self, entry: Entry, deal: Daily) -> Attempt | None:
        """The clock starts; None when the day ended meanwhile."""
        gun_ms = self._clock.now_ms()
        if deal.day != entry.day or not daily.begins(entry.day, gun_ms):
            return None
        await self._store.unprojected.expect(member(entry), entry.over_ms)
        return await self._store.dailies.begin(entry.day, entry.ruleset, entry.player, Attempt(new_id(), gun_ms))

    async def _practise(
        self, entry: Entry, attempt: Attempt | None, guest: Guest, command: OpenDaily
    ) -> DailyGame | Refusal:
        """The same cards again, once they can tell the player nothing that helps."""
        deal = await self.deals.of(entry.day, entry.ruleset)
        if attempt is None:
            may = daily.is_final(entry.day, self._clock.now_ms())
        else:
            may = await self.projector.attempt(entry) is not None
        if deal is None or not may:
            return Refusal(RefusalCode.NOT_NOW)
        return await self._practice.open(entry, deal, guest, command.n, fresh=command.fresh)

    async def _take(self, run: Run, viewer: Viewer) -> PlayedBoard:
        """Take the attempt's board over, from another connection too."""
        log = run.attempt.log
        claim = await self._store.logs.claim(log, self._node, bell=(keys.bell(run.id), self._node.encode()))
        board = await attempts.replay(run.entry.ruleset, run.deal.deal, await self._store.logs.load(log))
        played = PlayedBoard(
            0,
            board,
            run,
            log=log,
            progress=keys.progress(run.id),
            epoch=claim.epoch,
            writer=self._store.logs,
            ended=lambda played: self._ended(run, played),
            lost=lambda played, verdict: self._lost(run, played, verdict),
            unprojected=member(run.entry),
        )
        played.peer = viewer
        before = self._live.get(run.id)
        if before is None:
            self._store.bells.subscribe(keys.bell(run.id), lambda *ring: self._rung(run.id, *ring), lambda: None)
        elif before[1].peer is not viewer:
            supersede(before[1])
        self._live[run.id] = (run, played)
        return played

    def _rung(self, game: str, node: bytes, epoch: int) -> None:
        """The attempt was taken over; by another process, after us: the connection here is the older one."""
        if node != self._node.encode() and game in self._live and epoch > self._live[game][1].epoch:
            supersede(self._live[game][1])
            self._let_go(game)

    def _let_go(self, game: str) -> None:
        del self._live[game]
        self._store.bells.unsubscribe(keys.bell(game))

    def _sat_down(self, run: Run, played: PlayedBoard, viewer: Viewer, n: int) -> DailyGame:
        now_ms = self._clock.now_ms()
        if played.board.ended is None and now_ms >= run.deadline_ms:
            attempts.time_up(played.board, run.entry, run.attempt)
        viewer.plays(played)
        if played.board.ended is not None:
            self._spawn(self._tell_result(run, played))
        return daily_view.game(run.deal, played, now_ms, n, practice=False)

    # ------------------------------------------------------------ while it is played

    def _ended(self, run: Run, played: PlayedBoard) -> None:
        """The last entry is in the log, or one before it: the last one brings the result."""
        if played.ply == played.board.ply:
            self._spawn(self._tell_result(run, played))

    def _lost(self, run: Run, played: PlayedBoard, verdict: Verdict) -> None:
        """Another connection plays on, or the store has lost the tail of the log, or time was up."""
        if verdict is Verdict.SEALED:
            return
        if played.peer is not None and verdict in LOST:
            self._spawn(self._again(run, played, played.peer))
        else:
            supersede(played)

    async def _again(self, run: Run, played: PlayedBoard, viewer: Viewer) -> None:
        heir = await self._take(run, viewer)
        viewer.send(frame(self._sat_down(run, heir, viewer, 0)))
        played.hand_over(heir)

    async def _tell_result(self, run: Run, played: PlayedBoard) -> None:
        """Put the result on the boards and say where it stands; the store may be away meanwhile."""
        tries = 0
        while tries < TRIES:
            try:
                event = await self._result(run.entry)
            except (StoreAway, StoreBusy):
                event = None
            else:
                tries += 1
            if event is not None:
                if played.peer is not None:
                    played.peer.send(frame(event))
                return
            await asyncio.sleep(AGAIN_S)
        _log.error("daily.no_result", member=member(run.entry))

    async def _result(self, entry: Entry) -> DailyResult | None:
        found = await self.projector.attempt(entry)
        standing = None if found is None else await attempts.standing(self._store, entry)
        if found is None or standing is None:
            return None
        days = await self._store.history.days(entry.player)
        streak = daily.streak((day for each in days.values() for day in each), entry.day)
        return daily_view.result(entry, found, standing, streak)

    # ------------------------------------------------------------ every so often

    async def _mind(self) -> None:
        """Have the day's deals that are asked for ready; end what is over for who still looks at it."""
        while True:
            for ruleset in self.deals.wanted:
                self.deals.soon(ruleset)
            self.end_what_is_over()
            await asyncio.sleep(MIND_S)

    def end_what_is_over(self) -> None:
        """Tell who plays an attempt past its time that it is over."""
        now_ms = self._clock.now_ms()
        for game, (run, played) in list(self._live.items()):
            if played.peer is None:
                self._let_go(game)
            elif now_ms >= run.entry.over_ms and played.board.ended is None:
                self._spawn(self._again(run, played, played.peer))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        begun(self._guarded(work), work, self._tasks, "kupa-daily")

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (StoreAway, StoreBusy) as error:
            _log.warning("daily.waits", why=str(error))
        except Exception:
            _log.exception("daily.failed")


def member(entry: Entry) -> str:
    """The attempt's member of `kupa:unprojected`."""
    return keys.attempt_member(entry.day, entry.ruleset, entry.player)
