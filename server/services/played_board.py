"""A board that this process writes: the engine's board, ahead of the log by what is in flight.

Lives here: the path of one move from the decoded command to the answer (architecture A4). It runs
between two awaits of the event loop and never waits itself: a legal move advances the board in
memory, its entry rides in the writer's next batch, and the answer leaves when the log has it.
Lives elsewhere: rules (engine), who sits where (core.room), batching and retries (store.logs).
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from engine import view
from engine.board import Board
from engine.errors import ErrorCode as Refused
from engine.moves import ENTRY_FORMAT, ENTRY_SIZE, Four, Kind, Move, pack_entry
from server.core.heat import Heat
from server.services.audience import Viewer
from server.services.counts import ROW_FORMAT, Counts, field_of, pack_row
from server.store.lane import Carried, Verdict, packed_append, packed_head, word_of
from server.wire.codec import ServerFrame, frame
from server.wire.messages import BoardView, Denied, Event, Moved, Play, Restored

MAX_IN_FLIGHT = 16
ANSWERS_KEPT = 64
AUTO = Move(Kind.AUTO, 0, 0, 0)
_AUTO: Final = int(Kind.AUTO)
_RESIGN: Final = int(Kind.RESIGN)
_UNDO: Final = int(Kind.UNDO)
_OK: Final = Verdict.OK
_DUP: Final = Verdict.DUP
"""As numbers and names of this module: an enumeration's own way to them is slow, and this is asked at every move."""

_LINE: Final = struct.Struct(f">BI BB{ENTRY_FORMAT} B{ROW_FORMAT} B")
"""The last four of what `packed_append` packs, in one stroke, of what nearly all moves are: one entry, after which the
board goes on, and no bell."""
_UINT32: Final = 0xCE
_ONE: Final = 0x91
_ENTRY: Final = 0xA0 + ENTRY_SIZE
_ROW: Final = 0xA0 + struct.calcsize(">" + ROW_FORMAT)
_NIL: Final = 0xC0
"""MessagePack: a number of four bytes, an array of one, strings of these lengths, nothing."""
_ROW_AT: Final = struct.calcsize(f">BI BB{ENTRY_FORMAT} B")


class Course(Protocol):
    """What a board is played in: a heat, or a game alone."""

    @property
    def id(self) -> str:
        """Id of the heat, or of the game."""

    @property
    def gun_ms(self) -> int:
        """From when on moves count; times of entries count from here, but in a heat (`PlayedBoard.zero_ms`)."""

    @property
    def deadline_ms(self) -> int:
        """From when on they do not."""

    @property
    def closed(self) -> bool:
        """Nothing is written any more."""


class Writer(Protocol):
    """What takes the entries of boards: `store.logs.LogWriter`."""

    @property
    def full(self) -> bool:
        """`push` would say no."""

    def push(self, append: Carried) -> bool:
        """Take an append, whose `settle` is called once its outcome is known; False when full."""


class Ring:
    """The bell of a room, rung after each entry of a board while somebody of the room is connected elsewhere."""

    __slots__ = ("afar", "channel")

    def __init__(self, channel: str) -> None:
        self.channel = channel
        self.afar = False
        """Somebody is."""


def board_view(board: Board) -> BoardView:
    """What the player of this board may see of it, as the wire carries it."""
    own = view.own(board)
    return BoardView(
        ply=own.ply,
        score=own.score,
        moves=own.moves,
        stock=own.stock,
        waste=bytes(own.waste),
        foundations=bytes(own.foundations),
        columns=[(down, bytes(up)) for down, up in own.columns],
        undoable=own.undoable,
        ended=own.ended or "",
        marks=own.marks,
        known=own.known,
    )


class _Flown(Carried):
    """A move that waits for the log, and what goes out when the log has it."""

    __slots__ = ("answer", "at_ms", "behind", "board", "command", "row")

    def __init__(
        self, board: PlayedBoard, command: Play, at_ms: int, answer: ServerFrame, row: bytes, count: int, packed: bytes
    ) -> None:
        super().__init__(board.log, board.word, command.ply, count, packed)
        self.board = board
        self.command = command
        self.at_ms = at_ms
        self.answer = answer
        self.row = row
        self.behind: list[tuple[Play | None, int, ServerFrame]] | None = None
        """What was to be sent since and shows this move, most of it in answer to a command."""

    def after(self, command: Play | None, at_ms: int, answer: ServerFrame) -> None:
        """Send this too, when the log has the move."""
        if self.behind is None:
            self.behind = []
        self.behind.append((command, at_ms, answer))

    def settle(self, verdict: Verdict, length: int) -> None:
        """The log has answered."""
        self.board._on_settled(self, verdict)


def _line(ply: int, move: Four, ms: int, board: Board) -> bytes:
    """What comes after the head of an append, see `_LINE`."""
    kind, source, target, cards = move
    return _LINE.pack(
        _UINT32, ply, _ONE, _ENTRY, kind, source, target, cards, ms, _ROW, board.out, board.score, board.moves, 0, _NIL
    )


class PlayedBoard:
    """One seat's board under one claim (epoch). `counts` and `settled` are told after each confirmed entry, `ended`
    after one that leaves the board at its end, `lost` once, when the log says that another process writes it or that
    it was sealed. `unprojected` is put into `kupa:unprojected` before the entry that ends the board, unless empty.

    Nothing that the log does not have is shown: what shows the board as it stands in memory waits behind the
    last move in flight. Of a board that was lost, but not sealed, all that is unanswered is kept for the board
    that follows it (`hand_over`).
    """

    __slots__ = (
        "_answers", "_bell_head", "_counts", "_ended", "_flight", "_head", "_heat", "_last_ms", "_ring", "_settled",
        "_unanswered", "_unprojected", "_writer", "board", "course", "epoch", "log", "lost", "lost_by", "peer", "ply",
        "row", "seat", "word",
    )  # fmt: skip

    def __init__(
        self,
        seat: int,
        board: Board,
        course: Course,
        *,
        log: str,
        progress: str,
        epoch: int,
        writer: Writer,
        lost: Callable[[PlayedBoard, Verdict], None],
        ring: Ring | None = None,
        counts: Counts | None = None,
        settled: Callable[[PlayedBoard], None] | None = None,
        ended: Callable[[PlayedBoard], None] | None = None,
        unprojected: str = "",
    ) -> None:
        self.seat = seat
        self.board = board
        self.course = course
        self._heat = course if isinstance(course, Heat) else None
        self.epoch = epoch
        self.peer: Viewer | None = None
        self.ply = board.ply  # entries that the log is known to hold
        self.row = pack_row(board)
        self.log = log
        self.word = word_of(log)
        self._head = packed_head(epoch, progress, field_of(course.id, seat))
        self._ring = ring
        self._bell_head = b"p%d:" % seat  # of what the bell says: before the row
        self._writer = writer
        self._counts, self._settled, self._ended = counts, settled, ended
        self.lost = lost
        self.lost_by: Verdict | None = None
        self._last_ms = board.elapsed_ms
        self._flight: deque[_Flown] = deque()
        self._answers: deque[tuple[Play, ServerFrame]] = deque(maxlen=ANSWERS_KEPT)
        self._unanswered: list[tuple[Play, int]] = []
        self._unprojected = unprojected

    @property
    def in_flight(self) -> int:
        """Moves whose answers are still owed."""
        return len(self._flight) + len(self._unanswered)

    # ------------------------------------------------------------ moves

    def play(self, command: Play, at_ms: int) -> None:
        """Answer one `Play` of this seat, received at `at_ms`: now, or when the log has it."""
        if self.lost_by is not None and self.lost_by is not Verdict.SEALED:
            self._unanswered.append((command, at_ms))
            return
        zero_ms = self._zero_ms(at_ms)
        if zero_ms is None or self.lost_by is not None:
            early = self.lost_by is None and not self.course.closed and at_ms < self.course.gun_ms
            self._send(frame(Denied(command.ply, Refused.EARLY if early else Refused.ENDED)))
            return
        if command.ply != self.board.ply:
            self._off_ply(command, at_ms)
            return
        move = (command.kind, command.source, command.target, command.count)
        code = self._refusal(move)
        if code is None:
            self._advance(command, move, at_ms, at_ms - zero_ms)
        else:
            self._send(frame(Denied(command.ply, code)))

    @property
    def zero_ms(self) -> int:
        """Times of entries count from here, whatever was given back since (`core.credits`)."""
        return self.course.gun_ms if self._heat is None else self._heat.zero_ms

    def _zero_ms(self, at_ms: int) -> int | None:
        """From when the time of this instant's move counts, or None: the move does not."""
        heat, course = self._heat, self.course
        if heat is not None:  # nearly all boards; the same, without asking what kind of thing it is
            return heat.zero_ms if heat.gun_ms <= at_ms < heat.deadline_ms and heat.lengths is None else None
        return course.gun_ms if course.gun_ms <= at_ms < course.deadline_ms and not course.closed else None

    def _refusal(self, move: Four) -> str | None:
        if len(self._flight) >= MAX_IN_FLIGHT:
            return Refused.SLOW
        if move[0] == _AUTO or (move[0] == _RESIGN and move[3]):
            return Refused.BAD_ACTION
        code = self.board.check(move)
        if code is None and self._writer.full:
            return Refused.BUSY
        return code

    def _off_ply(self, command: Play, at_ms: int) -> None:
        """The ply is taken, by this very move or another, or lies beyond the log."""
        if command.ply > self.board.ply:
            self._send(frame(Denied(command.ply, Refused.SEQ)))
            return
        for flown in self._flight:
            if flown.command == command:
                flown.after(command, at_ms, flown.answer)
                return
        for played, answer in self._answers:
            if played == command:
                self._send(answer)
                return
        shown = frame(Restored(command.ply, board_view(self.board)))
        if self._flight:
            self._flight[-1].after(command, at_ms, shown)
        else:
            self._send(shown)

    def write(self, move: Four, at_ms: int) -> bool:
        """An entry of the server's own (a bot's move, an absence): False if the rules or the queue refuse it."""
        if self.lost_by is not None or self._writer.full or self.board.check(move) is not None:
            return False
        self._advance(Play(self.board.ply, *move), move, at_ms, at_ms - self.zero_ms)
        return True

    def _advance(self, command: Play, move: Four, at_ms: int, since_ms: int) -> None:
        board, ply = self.board, command.ply
        ms = max(self._last_ms, since_ms)
        turned = board.apply(move, ms)
        completes = board.ruleset.auto_completes and board.ended is None and board.auto_ready()
        if completes:
            board.apply(AUTO, ms)
        self._last_ms = ms
        if move[0] == _UNDO:
            answer = frame(Restored(ply, board_view(board)))
        else:
            answer = frame(Moved(ply, board.score, turned, completes))
        ring, ended = self._ring, board.ended is not None
        if ended or (ring is not None and ring.afar):
            entries = [pack_entry(move, ms), pack_entry(AUTO, ms)] if completes else [pack_entry(move, ms)]
            row, count = pack_row(board), len(entries)
            bell = (ring.channel, self._bell_head + row) if ring is not None and ring.afar else None
            packed = packed_append(self._head, ply, entries, row, bell)
        else:
            line = _line(ply, move, ms, board)
            row, count, packed = line[_ROW_AT:-1], 1, self._head + line
        flown = _Flown(self, command, at_ms, answer, row, count, packed)
        if self._unprojected and ended:
            flown.unprojected = (self._unprojected, at_ms)
        self._flight.append(flown)
        self._writer.push(flown)

    # ------------------------------------------------------------ what the log says

    def _on_settled(self, flown: _Flown, verdict: Verdict) -> None:
        self._flight.popleft()
        if verdict is not _OK and verdict is not _DUP:
            self._fail(flown, verdict)
            return
        self._answers.append((flown.command, flown.answer))
        self.ply = flown.at + flown.count
        self.row = flown.row
        self._send(flown.answer)
        if flown.behind is not None:
            for _, _, answer in flown.behind:
                self._send(answer)
        if self._counts is not None:
            self._counts.own(self.seat, self.row)
        if self._settled is not None:
            self._settled(self)
        if self.board.ended is not None and self._ended is not None:
            self._ended(self)

    def _fail(self, flown: _Flown, verdict: Verdict) -> None:
        commands = [(flown.command, flown.at_ms)]
        commands += [(command, at_ms) for command, at_ms, _ in flown.behind or () if command is not None]
        if verdict is Verdict.SEALED:
            for command, _ in commands:
                self._send(frame(Denied(command.ply, Refused.ENDED)))
        else:
            self._unanswered += commands
        if self.lost_by is None:
            self.lost_by = verdict
            self.lost(self, verdict)

    def hand_over(self, heir: PlayedBoard) -> None:
        """The board was lost and `heir` is what became of it: what is unanswered is asked there."""
        for command, at_ms in sorted(self._unanswered, key=lambda one: one[0].ply):
            heir.play(command, at_ms)
        self._unanswered.clear()

    def show(self, event: Event) -> None:
        """Send an event that shows the board as it stands, as soon as the log has all that it shows."""
        if self._flight:
            self._flight[-1].after(None, 0, frame(event))
        else:
            self._send(frame(event))

    def _send(self, event: ServerFrame) -> None:
        if self.peer is not None:
            self.peer.send(event)
