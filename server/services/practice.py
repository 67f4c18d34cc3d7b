"""Practice on a daily deal: the same sealed cards again, for nothing (ruling 25).

Lives here: a player's practice game, begun or gone on with; its clock rests while nobody plays. Lives elsewhere: who
may practise (daily), moves (played_board).
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import structlog

from engine.board import Board
from engine.ruleset import RULESETS
from server.clock import Clock
from server.services import daily_view
from server.services.attempts import Entry
from server.services.audience import Viewer
from server.services.daily_deals import Daily
from server.services.played_board import PlayedBoard
from server.services.ports import Guest
from server.services.solo import LOST, Sitting
from server.services.takeover import Takeovers, supersede
from server.store import keys
from server.store.connect import Store
from server.store.dailies import Practice
from server.store.errors import StoreAway, StoreBusy
from server.store.ids import new_id
from server.store.logs import Verdict
from server.store.solo import SavedGame
from server.tasks import begun, ended
from server.wire.codec import frame
from server.wire.messages import DailyGame

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Game:
    """A practice game."""

    deal: Daily
    id: str


class PracticePlay:
    """Practice games of this process's connections. Methods raise StoreAway, StoreBusy."""

    def __init__(self, store: Store, clock: Clock, node: str, keep_s: int) -> None:
        """`keep_s`: how long a practice game is kept after it was last opened; 0: for ever."""
        self._store = store
        self._clock = clock
        self._node = node
        self._keep_s = keep_s
        self._takeovers = Takeovers(store, node)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, entry: Entry, deal: Daily, guest: Guest, n: int, *, fresh: bool) -> DailyGame:
        """Go on with the practice game if there is one that has not ended, or begin anew."""
        await guest.make_way(None)
        saved = await self._store.dailies.practice(entry.day, entry.ruleset, entry.player)
        if saved is not None and not fresh:
            game = Game(deal, saved.id)
            played = await self._take(game, guest)
            if played.board.ended is None:
                return self._sat_down(game, played, guest, n)
        if saved is not None:
            await self._expire(saved.id)
        game = Game(deal, new_id())
        await self._store.dailies.practise(entry.day, entry.ruleset, entry.player, Practice(game.id))
        return self._sat_down(game, await self._take(game, guest), guest, n)

    async def stop(self) -> None:
        """Stop what still runs."""
        await ended(*self._tasks)

    async def _take(self, game: Game, viewer: Viewer) -> PlayedBoard:
        log = keys.board_log(game.id, game.id, 0)
        claim = await self._store.logs.claim(log, self._node, bell=self._takeovers.ring(game.id))
        await self._expire(game.id)
        entries = await self._store.logs.load(log)
        board = Board.replay(RULESETS[game.deal.ruleset], game.deal.deal, entries, ranked=False)
        played = PlayedBoard(
            0,
            board,
            Sitting(game.id, self._clock.now_ms() - board.elapsed_ms),
            log=log,
            progress=keys.progress(game.id),
            epoch=claim.epoch,
            writer=self._store.logs,
            settled=lambda played: self._settled(game, played),
            lost=lambda played, verdict: self._lost(game, played, verdict),
        )
        played.peer = viewer
        self._takeovers.sat(game.id, played)
        return played

    async def _expire(self, game: str) -> None:
        await self._store.solo.retire(SavedGame(game, ""), self._keep_s)

    def _sat_down(self, game: Game, played: PlayedBoard, viewer: Viewer, n: int) -> DailyGame:
        viewer.plays(played)
        return daily_view.game(game.deal, played, self._clock.now_ms(), n, practice=True)

    def _settled(self, game: Game, played: PlayedBoard) -> None:
        if played.ply == 1:  # the log exists from now on, and may expire
            self._spawn(self._expire(game.id))

    def _lost(self, game: Game, played: PlayedBoard, verdict: Verdict) -> None:
        """Another connection plays on, or the store has lost the tail of the log."""
        if played.peer is not None and verdict in LOST:
            self._spawn(self._again(game, played, played.peer))
        else:
            supersede(played)

    async def _again(self, game: Game, played: PlayedBoard, viewer: Viewer) -> None:
        heir = await self._take(game, viewer)
        viewer.send(frame(self._sat_down(game, heir, viewer, 0)))
        played.hand_over(heir)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        begun(self._guarded(work), work, self._tasks, "kupa-practice")

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (StoreAway, StoreBusy) as error:
            _log.warning("practice.waits", why=str(error))
        except Exception:
            _log.exception("practice.failed")
