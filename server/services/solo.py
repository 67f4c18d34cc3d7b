"""Games alone: played through the server like everything else, so that they are saved, fair and replayable.

Lives here: opening the saved game of a ruleset or dealing a new one, and its clock, which stands still
while nobody plays. Lives elsewhere: moves (played_board), where it is noted (store.solo).
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass

from engine import deal_code
from engine.board import Board
from engine.deal_code import DealCode, DealCodeError
from engine.ruleset import RULESETS
from engine.solver import CERTIFIABLE
from server.clock import Clock
from server.core.machine import Refusal
from server.services.audience import Viewer
from server.services.counts import STATES, field_of, unpack_row
from server.services.daily_deals import Source
from server.services.played_board import PlayedBoard, board_view
from server.services.ports import Guest
from server.services.takeover import Takeovers, supersede
from server.store import keys
from server.store.connect import Store
from server.store.errors import StoreAway, StoreBusy
from server.store.ids import new_id
from server.store.logs import Verdict
from server.store.solo import SavedGame
from server.wire.codec import frame
from server.wire.errors import RefusalCode
from server.wire.messages import OpenSolo, SoloGame, SoloRow

SHORT_BYTES = 5
"""Seven base-32 letters are 35 bits."""
LONGEST_MS = 49 * 86_400_000
"""An entry's time has 32 bits: that is how long a game can be played."""
AWAY_S = 0.5
"""A board that could not be read again, since the store is away, is tried again after this."""
LOST = (Verdict.SHORT, Verdict.BROKEN)


@dataclass(frozen=True, slots=True)
class Sitting:
    """One time of sitting down to a game: `played_board.Course`. The clock goes on where it stopped."""

    id: str
    gun_ms: int
    closed: bool = False

    @property
    def deadline_ms(self) -> int:
        """There is none worth the name (R11.5)."""
        return self.gun_ms + LONGEST_MS


class Solo:
    """Games alone of this process's connections. Methods raise StoreAway, StoreBusy."""

    def __init__(self, store: Store, clock: Clock, node: str, keep_s: int, source: Source) -> None:
        """`source` draws certified deals."""
        self._store = store
        self._clock = clock
        self._node = node
        self._keep_s = keep_s
        self._source = source
        self._takeovers = Takeovers(store, node)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, player: str, guest: Guest, command: OpenSolo) -> SoloGame | Refusal:
        """Go on with the saved game, or deal: see `OpenSolo`. Refused: `bad_options`, `bad_code`, `no_deal`."""
        code, fresh, ruleset, n = command.code, command.fresh, command.ruleset, command.n
        try:
            given = DealCode.parse(code) if code else None
        except DealCodeError:
            return Refusal(RefusalCode.BAD_CODE)
        if fresh and given is not None:
            ruleset = given.ruleset.id
        if ruleset not in RULESETS or (command.certified and ruleset not in CERTIFIABLE):
            return Refusal(RefusalCode.BAD_OPTIONS)
        await guest.make_way(None)
        saved = (await self._store.solo.saved(player)).get(ruleset)
        if saved is not None and not fresh:
            played = await self._take(saved, guest)
            if played.board.ended is None or (given is not None and str(given) == saved.code):
                return self._sat_down(guest, played, saved, n)
        dealt = given if fresh and given is not None else await self._drawn(ruleset, certified=command.certified)
        if dealt is None:
            return Refusal(RefusalCode.NO_DEAL)
        again = saved is not None and saved.certified and str(dealt) == saved.code
        game = SavedGame(new_id(), str(dealt), again or (given is None and command.certified))
        await self._store.solo.save(player, ruleset, game)
        if saved is not None:
            await self._give_up(saved)
        return self._sat_down(guest, await self._take(game, guest), game, n)

    async def _give_up(self, game: SavedGame) -> None:
        """Another game takes its place: nobody plays it on, on whichever device it lies open."""
        self._takeovers.over(game.game)
        log = keys.board_log(game.game, game.game, 0)
        await self._store.logs.claim(log, self._node, bell=self._takeovers.ring(game.game))
        await self._store.solo.retire(game, self._keep_s)

    async def _drawn(self, ruleset: str, *, certified: bool) -> DealCode | None:
        """A deal that nobody has chosen; None: a certified one is not ready."""
        if certified:
            found = await self._source(ruleset)
            return None if found is None else found.code
        return deal_code.short(RULESETS[ruleset], secrets.token_bytes(SHORT_BYTES))

    async def _take(self, game: SavedGame, viewer: Viewer) -> PlayedBoard:
        code = DealCode.parse(game.code)
        log = keys.board_log(game.game, game.game, 0)
        claim = await self._store.logs.claim(log, self._node, bell=self._takeovers.ring(game.game))
        entries = await self._store.logs.load(log)
        board = Board.replay(code.ruleset, deal_code.deal(code), entries, ranked=False)
        played = PlayedBoard(
            0,
            board,
            Sitting(game.game, self._clock.now_ms() - board.elapsed_ms),
            log=log,
            progress=keys.progress(game.game),
            epoch=claim.epoch,
            writer=self._store.logs,
            lost=lambda lost, verdict: self._lost(lost, verdict, game, viewer),
        )
        played.peer = viewer
        self._takeovers.sat(game.game, played)
        return played

    def _sat_down(self, viewer: Viewer, played: PlayedBoard, game: SavedGame, n: int) -> SoloGame:
        viewer.plays(played)
        board = played.board
        return SoloGame(n, board.ruleset.id, game.code, board.elapsed_ms, board_view(board), game.certified)

    def _lost(self, played: PlayedBoard, verdict: Verdict, game: SavedGame, viewer: Viewer) -> None:
        """Another connection plays on, or the store has lost the tail of the log."""
        if played.peer is None:
            return
        if verdict in LOST:
            task = asyncio.create_task(self._again(played, game, viewer), name="kupa-solo-again")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            supersede(played)

    async def _again(self, lost: PlayedBoard, game: SavedGame, viewer: Viewer) -> None:
        while lost.peer is viewer:
            try:
                played = await self._take(game, viewer)
            except (StoreAway, StoreBusy):
                await asyncio.sleep(AWAY_S)
                continue
            viewer.send(frame(self._sat_down(viewer, played, game, 0)))
            lost.hand_over(played)
            return

    async def listed(self, player: str) -> list[SoloRow]:
        """The saved games, by ruleset."""
        rows = []
        for ruleset, game in sorted((await self._store.solo.saved(player)).items()):
            stored = (await self._store.rooms.progress(game.game)).get(field_of(game.game, 0))
            out, score, moves, state = unpack_row(stored) if stored else (0, RULESETS[ruleset].start_score, 0, 0)
            rows.append(SoloRow(ruleset, game.code, out, score, moves, STATES[state]))
        return rows
