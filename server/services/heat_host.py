"""The boards of a room's heat that this process writes.

Lives here: taking over boards (claim, load, replay), dealing them at the gun, bots, and the server's own
entries. Lives elsewhere: one move (played_board), what rivals see (counts), the room's events (room_host).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from engine import deal_code
from engine.board import Board, UndoPolicy
from engine.deal_code import Deal, DealCode
from engine.moves import Kind, Move, unpack_entry
from engine.ruleset import RULESETS
from server.core import bots, inputs, projection
from server.core.credits import raced
from server.core.endings import Ending
from server.core.events import GHOST, SeatTaken
from server.core.heat import Heat
from server.core.ids import PlayerId
from server.core.room import RoomState
from server.services.audience import Audience, Viewer
from server.services.bot_driver import BotDriver, Driver, longest_pause_ms
from server.services.counts import Counts
from server.services.ghost_driver import LONGEST_PAUSE_MS, GhostDriver
from server.services.played_board import PlayedBoard, Ring, board_view
from server.services.recordings import Recordings
from server.services.shared import Shared
from server.store import keys
from server.store.logs import Verdict
from server.wire.messages import Dealt

BOT_OVERDUE_MS = 5_000
"""A bot that is overdue for so long is taken over by any process that folds the room (ruling 4)."""
BOTS_STOP_MS = 1_500
"""When no person plays any more, bots give up their boards after this: nobody waits for them."""
BOTS_ALONE_HASTE = 20
"""In a heat of bots only (a tournament has such) they play to the end, so many times faster than against people."""


class Room(Protocol):
    """What a heat needs of its room."""

    @property
    def state(self) -> RoomState:
        """The room as folded."""

    @property
    def ring(self) -> Ring:
        """Its bell, which knows whether somebody is connected to another process."""

    def phase_changed(self) -> None:
        """The phase has changed by time alone."""

    async def catch_up(self) -> None:
        """Fold what others have written to the room's log. Raises StoreAway."""

    async def say(self, what: inputs.ShellInput) -> None:
        """Tell the room, however long the store is away."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run this in the room's name: failures are the room's."""


class HeatHost:
    """One heat in one process. Made when the heat is drawn or found, dropped when it is judged."""

    def __init__(self, room: Room, heat: Heat, audience: Audience, shared: Shared) -> None:
        self.heat = heat
        state, store, clock = room.state, shared.store, shared.clock
        self.counts = Counts(
            state.room, heat, state.options.goal, audience, store.rooms, clock, shared.wheel, room.spawn
        )
        self.boards: dict[int, PlayedBoard] = {}
        self._room = room
        self._audience = audience
        self._logs = store.logs
        self._rooms = store.rooms
        self._recordings = Recordings(store)
        self._clock = clock
        self._node = shared.node
        self._bots: dict[int, Driver] = {}
        self._timers: list[asyncio.TimerHandle] = []
        self._deal: Deal | None = None
        self._dealing = asyncio.Lock()
        self._open = True

    # ------------------------------------------------------------ taking boards

    async def take(self, player: PlayerId, connection: Viewer) -> None:
        """Take over the board of a person who is connected here; deal it if the gun has fired.

        Does nothing for who does not race. A connection that has its board is shown it again. Raises StoreAway.
        """
        seat = self.heat.board_of(player)
        if seat is None or not self._open:
            return
        played = self.boards.get(seat)
        if played is None or played.peer is not connection:
            played = await self._claim(seat)
        if played is None or self._audience.viewers.get(player) is not connection:
            return
        played.peer = connection
        connection.plays(played)
        if self._clock.now_ms() >= self.heat.gun_ms:
            self._deal_out(played)

    def let_go(self, player: PlayerId) -> None:
        """The player is connected through another process, which writes their board from now on."""
        seat = self.heat.board_of(player)
        played = None if seat is None else self.boards.pop(seat, None)
        if played is not None:
            played.peer = None
            self.counts.let_go(played.seat)

    async def take_bots(self) -> None:
        """Play all bots of this heat from here."""
        for taken in self.heat.seats:
            if taken.bot_level and taken.seat not in self._bots:
                await self._take_bot(taken)

    async def _take_bot(self, taken: SeatTaken) -> None:
        played = await self._claim(taken.seat)
        if played is not None and played.board.ended is None:
            driver = await (self._ghost if taken.bot_level == GHOST else self._bot)(taken, played)
            self._bots[taken.seat] = driver
            driver.start()

    async def _bot(self, taken: SeatTaken, played: PlayedBoard) -> BotDriver:
        entries = await self._logs.load(self._log(taken.seat))
        fresh = Board(played.board.ruleset, await self._cards(), ranked=True)
        moves = [unpack_entry(entry)[0] for entry in entries[: played.ply]]
        memory = bots.recall(taken.bot_seed, fresh, moves)
        haste = 1 if self._people() else BOTS_ALONE_HASTE
        return BotDriver(played, taken.bot_level, memory, self._clock, self._nobody_plays, haste)

    async def _ghost(self, taken: SeatTaken, played: PlayedBoard) -> GhostDriver:
        chased = await self._recordings.found(self._room.state.chase)
        if chased is None:
            raise LookupError(f"the heat {self._room.state.chase} is not in the store")
        recorded = await self._logs.load(keys.board_log(chased.room, chased.heat, taken.bot_seed))
        times = chased.credits_of(chased.taken(taken.bot_seed))
        return GhostDriver(played, raced(times, recorded), self._clock, self._nobody_plays)

    async def _claim(self, seat: int) -> PlayedBoard | None:
        heat, room = self.heat, self._room.state
        log = self._log(seat)
        claim = await self._logs.claim(log, self._node)
        if claim.sealed:
            return None
        board = await self._replayed(seat)
        newer = self.boards.get(seat)
        if newer is not None and newer.epoch > claim.epoch:
            return newer  # claimed here meanwhile
        if not self._open:
            return None
        played = PlayedBoard(
            seat,
            board,
            heat,
            log=log,
            progress=keys.progress(room.room),
            epoch=claim.epoch,
            writer=self._logs,
            lost=self._lost,
            ring=self._room.ring,
            counts=self.counts,
            ended=self._report_if_ended,
        )
        self.boards[seat] = played
        self.counts.own(seat, played.row)
        self._report_if_ended(played)
        return played

    async def _replayed(self, seat: int) -> Board:
        ruleset, undo = RULESETS[self.heat.ruleset], UndoPolicy(self._room.state.options.undo)
        entries = await self._logs.load(self._log(seat))
        return Board.replay(ruleset, await self._cards(), entries, ranked=True, undo=undo)

    def _log(self, seat: int) -> str:
        return keys.board_log(self._room.state.room, self.heat.id, seat)

    async def _cards(self) -> Deal:
        async with self._dealing:  # hundreds take their boards at once: one reads and shuffles for all
            if self._deal is None:
                stored = await self._rooms.get_deal(self._room.state.room, self.heat.id)
                if stored is None:
                    raise LookupError(f"the deal of heat {self.heat.id} is not in the store")
                self._deal = await asyncio.to_thread(deal_code.deal, DealCode.parse(stored.code))
        return self._deal

    # ------------------------------------------------------------ the gun

    def aim(self) -> None:
        """Set the timers of gun and deadline, again when their times have shifted."""
        self._disarm()
        for at_ms, work in ((self.heat.gun_ms, self._fire), (self.heat.deadline_ms, self._time_up)):
            wait_ms = at_ms - self._clock.now_ms()
            if wait_ms > 0 and self._open:
                self._timers.append(asyncio.get_running_loop().call_later(wait_ms / 1000, work))

    def shifted(self) -> None:
        """Gun and deadline have; and who ended while the store was away has that time back."""
        self.aim()
        for news in projection.boards_credited(self._room.state):
            self._audience.tell(news)

    def _too_early(self, at_ms: int, work: Callable[[], None]) -> bool:
        """A timer may wake a moment early: then it is set again. The clock is read once: between two
        readings the instant could pass, and nobody would wait for it any more."""
        wait_ms = at_ms - self._clock.now_ms()
        if wait_ms > 0:
            self._timers.append(asyncio.get_running_loop().call_later(wait_ms / 1000, work))
        return wait_ms > 0

    def _disarm(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def _time_up(self) -> None:
        """No move counts any more; the closing follows."""
        if not self._too_early(self.heat.deadline_ms, self._time_up):
            self._room.phase_changed()

    def _fire(self) -> None:
        """Every board of this process leaves the server now, and not before (ruling 15)."""
        if self._too_early(self.heat.gun_ms, self._fire):
            return
        for played in self.boards.values():
            self._deal_out(played)
        self._room.phase_changed()

    def _deal_out(self, played: PlayedBoard) -> None:
        if played.peer is not None and played.lost_by is None:
            played.show(Dealt(self.heat.id, played.seat, board_view(played.board)))

    # ------------------------------------------------------------ what becomes of entries

    def _report_if_ended(self, played: PlayedBoard) -> None:
        if played.board.ended is not None and played.ply == played.board.ply:
            self._report(played.seat, played.board)

    def _report(self, seat: int, board: Board) -> None:
        assert board.ended is not None
        done = inputs.BoardDone(self.heat.id, seat, board.ended, board.out, board.score, board.elapsed_ms)
        self._room.spawn(self._room.say(done))

    def _lost(self, played: PlayedBoard, verdict: Verdict) -> None:
        if self.boards.get(played.seat) is played:
            del self.boards[played.seat]
            self.counts.let_go(played.seat)
            self._bots.pop(played.seat, None)
        taken = self.heat.taken(played.seat)
        if taken is not None and taken.player and verdict is not Verdict.SEALED:
            self._room.spawn(self._again(taken.player, played))

    async def _again(self, player: PlayerId, lost: PlayedBoard) -> None:
        """Somebody else claimed the board, or the store lost its tail. If the room's log still has the player
        here, and not at another process, the board is taken again and what is unanswered asked again."""
        await self._room.catch_up()
        if lost.peer is None or self._audience.viewers.get(player) is not lost.peer:
            return
        heir = self.boards.get(lost.seat)
        if heir is None or heir.peer is not lost.peer:  # it may be of another line of theirs that is gone already
            await self.take(player, lost.peer)
            heir = self.boards.get(lost.seat)
        if heir is not None and heir.peer is lost.peer:
            lost.hand_over(heir)

    # ------------------------------------------------------------ every so often

    def neglected(self, at_ms: int) -> bool:
        """Whether there is anything to `mind`: in nearly all rooms there is not."""
        heat, boards, viewers = self.heat, self.boards, self._audience.viewers
        for one in heat.seats:
            seat = one.seat
            played = boards.get(seat)
            viewer = viewers.get(one.player) if one.player and seat not in heat.gone else None
            if played is None and (viewer is not None or seat not in heat.ended):
                return True
            if played is not None and viewer is not None and played.peer is not viewer:
                return True
            if one.bot_level and seat not in self._bots and seat not in heat.ended and at_ms >= heat.gun_ms:
                return True
        return False

    async def mind(self, at_ms: int) -> None:
        """Every two seconds: what was missed, or left undone by a store that was away or a process that died.

        Raises StoreAway.
        """
        if any(one.seat not in self.boards for one in self.heat.playing()):
            await self.counts.read()
            await self._tell_ends()
        for player, viewer in list(self._audience.viewers.items()):
            seat = self.heat.board_of(player)
            if seat is not None and (seat not in self.boards or self.boards[seat].peer is not viewer):
                await self.take(player, viewer)
        await self._mind_bots(at_ms)

    async def _tell_ends(self) -> None:
        """News of boards that ended, from their logs: the process that wrote the end may have died then."""
        for one in self.heat.playing():
            row = self.counts.rows.get(one.seat)
            if row is not None and row[3] and one.seat not in self.boards:
                board = await self._replayed(one.seat)
                if board.ended is not None:
                    self._report(one.seat, board)

    # ------------------------------------------------------------ the server's own entries

    async def end_board(self, ending: Ending) -> None:
        """Write the RESIGN of somebody who left or stayed away (ruling 2). Raises StoreAway."""
        played = self.boards.get(ending.seat) or await self._claim(ending.seat)
        if played is not None and played.board.ended is None:
            played.peer = None
            played.write(Move(Kind.RESIGN, 0, 0, ending.count), ending.at_ms)

    async def _mind_bots(self, at_ms: int) -> None:
        """Take over bots that nobody seems to play any more."""
        for taken in self.heat.playing():
            if not taken.bot_level or taken.seat in self._bots or at_ms < self.heat.gun_ms:
                continue
            heard = self.counts.heard_ms.setdefault(taken.seat, at_ms)
            # With everybody connected here, nobody else needs to play it: no need to wait until it is overdue.
            if not self._room.ring.afar or at_ms - heard >= BOT_OVERDUE_MS + _longest_ms(taken.bot_level):
                self.counts.heard_ms[taken.seat] = at_ms
                await self._take_bot(taken)

    def _nobody_plays(self, at_ms: int) -> bool:
        """No person plays any more, for long enough that bots may stop."""
        heat = self.heat
        if any(one.player and one.seat not in heat.gone for one in heat.playing()):
            return False
        people = self._people()
        if not people:
            return False  # bots among themselves: somebody wants to know which of them is better
        ends = [news.at_ms for seat, news in heat.ended.items() if seat in people]
        return at_ms >= max([heat.gun_ms, *heat.gone.values(), *ends]) + BOTS_STOP_MS

    def _people(self) -> set[int]:
        """The seats of this heat that are people's, gone or not."""
        return {one.seat for one in self.heat.seats if one.player}

    # ------------------------------------------------------------ the end

    def leave(self, player: PlayerId, connection: Viewer) -> None:
        """This connection of the player is gone; the clock goes on and the seat is kept."""
        for played in self.boards.values():
            if played.peer is connection:
                played.peer = None

    def stop(self) -> None:
        """The heat is closed, or this process lets go of it: nothing is dealt or sent any more, and no board is held
        (who still plays one holds it)."""
        self._open = False
        for driver in self._bots.values():
            driver.stop()
        self._bots.clear()
        self.boards.clear()
        self.counts.stop()
        self._disarm()

    @property
    def has_bots(self) -> bool:
        """Bots are played from here."""
        return bool(self._bots) and self._open


def _longest_ms(level: int) -> int:
    """A bot of this level, or a ghost, makes no longer pause, or is looked after all the same."""
    return LONGEST_PAUSE_MS if level == GHOST else longest_pause_ms(level)
