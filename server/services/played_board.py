"""A board that this process writes: the engine's board, ahead of the log by what is in flight.

Lives here: the path of one move from the decoded command to the answer (architecture A4). It runs
between two awaits of the event loop and never waits itself: a legal move advances the board in
memory, its entry rides in the writer's next batch, and the answer leaves when the log has it.
Lives elsewhere: rules (engine), who sits where (core.room), batching and retries (store.logs).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from engine import view
from engine.board import Board
from engine.errors import ErrorCode as Refused
from engine.moves import Kind, Move, pack_entry
from server.services.audience import Viewer
from server.services.counts import field_of, pack_row
from server.store.logs import Append, LogWriter, Verdict
from server.wire.codec import ServerFrame, frame
from server.wire.messages import BoardView, Denied, Moved, Play, Restored

MAX_IN_FLIGHT = 16
ANSWERS_KEPT = 64
AUTO = Move(Kind.AUTO, 0, 0, 0)


class Course(Protocol):
    """What a board is played in: a heat, or a game alone."""

    @property
    def id(self) -> str:
        """Id of the heat, or of the game."""

    @property
    def gun_ms(self) -> int:
        """From when on moves count; times of entries count from here."""

    @property
    def deadline_ms(self) -> int:
        """From when on they do not."""

    @property
    def closed(self) -> bool:
        """Nothing is written any more."""


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
    )


class PlayedBoard:
    """One seat's board under one claim (epoch). `settled` is told after each confirmed entry, `lost` once,
    when the log says that another process writes it or that it was sealed."""

    __slots__ = (
        "_answers", "_bell", "_field", "_flight", "_key", "_last_ms", "_row_key", "_settled", "_writer", "board",
        "course", "epoch", "lost", "lost_by", "peer", "ply", "row", "seat",
    )  # fmt: skip

    def __init__(
        self,
        seat: int,
        board: Board,
        course: Course,
        *,
        log: str,
        progress: str,
        bell: Callable[[], tuple[str, bytes] | None],
        epoch: int,
        writer: LogWriter,
        settled: Callable[[PlayedBoard], None],
        lost: Callable[[PlayedBoard, Verdict], None],
    ) -> None:
        self.seat = seat
        self.board = board
        self.course = course
        self.epoch = epoch
        self.peer: Viewer | None = None
        self.ply = board.ply
        """Entries that the log is known to hold."""
        self.row = pack_row(board)
        self._key = log
        self._row_key = progress
        self._field = field_of(course.id, seat)
        self._bell = bell
        self._writer = writer
        self._settled = settled
        self.lost = lost
        self.lost_by: Verdict | None = None
        self._last_ms = board.elapsed_ms
        self._flight: deque[tuple[int, bytes, ServerFrame]] = deque()
        self._answers: deque[tuple[int, bytes, ServerFrame]] = deque(maxlen=ANSWERS_KEPT)

    @property
    def in_flight(self) -> int:
        """Moves whose answers wait for the log."""
        return len(self._flight)

    def play(self, command: Play, at_ms: int) -> None:
        """Answer one `Play` of this seat, received at `at_ms`: now, or when the log has it."""
        board, ply = self.board, command.ply
        move = Move(command.kind, command.source, command.target, command.count)
        if ply != board.ply:
            self._off_ply(ply, move)
            return
        code = self._refusal(move, at_ms)
        if code is not None:
            self._send(frame(Denied(ply, code)))
            return
        self._advance(move, at_ms)

    def _refusal(self, move: Move, at_ms: int) -> str | None:
        if self.lost_by is not None:
            return Refused.ENDED
        if at_ms < self.course.gun_ms:
            return Refused.EARLY
        if at_ms >= self.course.deadline_ms or self.course.closed:
            return Refused.ENDED
        if len(self._flight) >= MAX_IN_FLIGHT:
            return Refused.SLOW
        if move.kind == Kind.AUTO or (move.kind == Kind.RESIGN and move.count):
            return Refused.BAD_ACTION
        code = self.board.check(move)
        if code is None and self._writer.full:
            return Refused.BUSY
        return code

    def write(self, move: Move, at_ms: int) -> bool:
        """An entry of the server's own (a bot's move, an absence): False if the rules or the queue refuse it."""
        if self.lost_by is not None or self._writer.full or self.board.check(move) is not None:
            return False
        self._advance(move, at_ms)
        return True

    def _advance(self, move: Move, at_ms: int) -> None:
        board, ply = self.board, self.board.ply
        ms = max(self._last_ms, at_ms - self.course.gun_ms)
        turned = board.apply(move, ms)
        entries = [pack_entry(move, ms)]
        completes = board.ruleset.auto_completes and board.ended is None and board.auto_ready()
        if completes:
            board.apply(AUTO, ms)
            entries.append(pack_entry(AUTO, ms))
        self._last_ms = ms
        if move.kind == Kind.UNDO:
            answer = frame(Restored(ply, board_view(board)))
        else:
            answer = frame(Moved(ply, board.score, bytes(turned), completes))
        row = pack_row(board)
        self._flight.append((ply, entries[0][:4], answer))
        self._writer.push(
            Append(
                log=self._key,
                at=ply,
                entries=entries,
                epoch=self.epoch,
                settled=self._on_settled,
                progress=(self._row_key, self._field, row),
                bell=self._bell(),
            )
        )

    def _on_settled(self, append: Append, verdict: Verdict, length: int) -> None:
        if verdict is not Verdict.OK and verdict is not Verdict.DUP:
            self._fail(append, verdict)
            return
        held = self._flight.popleft()
        self._answers.append(held)
        self.ply = append.at + len(append.entries)
        assert append.progress is not None
        self.row = append.progress[2]
        self._send(held[2])
        self._settled(self)

    def _fail(self, append: Append, verdict: Verdict) -> None:
        if verdict is Verdict.SEALED:
            self._send(frame(Denied(append.at, Refused.ENDED)))
        if self.lost_by is None:
            self.lost_by = verdict
            self.lost(self, verdict)

    def _off_ply(self, ply: int, move: Move) -> None:
        if ply > self.board.ply:
            self._send(frame(Denied(ply, Refused.SEQ)))
            return
        four = bytes(move)
        for at, bytes4, _ in self._flight:
            if at == ply and bytes4 == four:
                return  # it is on its way: the answer that is due answers this one too
        for at, bytes4, answer in self._answers:
            if at == ply and bytes4 == four:
                self._send(answer)
                return
        self._send(frame(Restored(ply, board_view(self.board))))

    def _send(self, event: ServerFrame) -> None:
        if self.peer is not None:
            self.peer.send(event)
