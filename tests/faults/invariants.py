"""What must be true of a race whatever happened to it: I1–I10 over tapes and logs, offline and deterministic.

Lives here: the evidence and the checks; each violation begins with the number of its invariant. Lives elsewhere: how
the evidence comes about (site), leaderboards and ratings (I5: `kupa audit`, whose report is part of the evidence).

I1 what was confirmed stands in the log · I2 logs replay, and what was shown is what they say · I3 nothing stands
there twice, or that nobody sent · I4 places are the fold of the logs, for everybody · I5 leaderboards likewise ·
I6 the room's log is one story that all have heard to its end · I7 times are those of the clock · I8 no card was
shown that was not turned, nothing of a secret deal · I9 nothing is left over · I10 every refusal is documented
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.board import Board, ReplayError, Termination, UndoPolicy
from engine.deal_code import DealCode, commitment, deal
from engine.errors import ErrorCode
from engine.moves import Kind, Move, unpack_entry
from server.core import events as log
from server.core import room
from server.core.closed_heat import ClosedHeat, closed_heat
from server.core.credits import raced
from server.core.ids import HeatId
from server.core.standings import BoardSummary, standings
from server.services.played_board import board_view
from server.wire.codec import encode
from server.wire.errors import CloseCode, RefusalCode
from server.wire.messages import Dealt
from tests.faults.player import Line, Tape
from tests.wire_client import Frame, parsed

CLOCK_MS = 50
"""How far two clocks may be apart that follow the same one."""
CODES = {*ErrorCode, *RefusalCode, *(str(int(code)) for code in CloseCode), "1000", "1005", "1006"}


@dataclass(slots=True)
class Evidence:
    """All there is to know about what happened in one room."""

    tapes: list[Tape]
    room_log: list[bytes] = field(default_factory=list)
    boards: dict[tuple[str, int], list[bytes]] = field(default_factory=dict)
    """By heat and seat."""
    deals: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Code and nonce by heat."""
    audit: list[str] = field(default_factory=list)
    """What `kupa audit` has to say against leaderboards and ratings."""
    errors: list[str] = field(default_factory=list)
    """Lines of the servers' logs that report a fault of their own, or show a secret."""
    left_over: list[str] = field(default_factory=list)
    """Tasks, connections and descriptors that should be gone."""
    rolled_back: bool = False
    """The store lost its tail (F5): confirmed moves may be gone, if that was shown."""
    clock_ms: float = CLOCK_MS
    """How far the time of an entry may lie outside of the instants of question and answer."""


def violations(found: Evidence) -> list[str]:
    """Everything that is not as it must be; empty when all is well."""
    try:
        events = log.decode_log(found.room_log)
    except log.LogError as error:
        return [f"I6 the room's log cannot be read: {error}"]
    said = [f"I5 {line}" for line in found.audit]
    said += [f"I9 {line}" for line in found.left_over]
    said += [f"I10 {line}" for line in found.errors]
    said += _one_story(events, found)
    said += _refusals(found)
    for event in events:
        if isinstance(event, log.HeatDrawn):
            said += _Heat(found, events, event).violations()
    return said


def _refusals(found: Evidence) -> Iterator[str]:
    for tape in found.tapes:
        for line in tape.lines:
            event = line.frame
            if event["event"] in ("Refused", "Denied") and event["code"] not in CODES:
                yield f"I10 {tape.name} was refused with {event['code']}, which is not documented"
            if event["event"] == "?":
                yield f"I10 {tape.name} got a frame of an unknown kind"
        yield from (f"I10 {tape.name}: closed with {code}" for code in tape.codes if str(code) not in CODES)


def _one_story(events: list[log.RoomEvent], found: Evidence) -> Iterator[str]:
    """I6: each heat is drawn, closed and judged once, in this order, and told to all as it stands."""
    try:
        room.fold(events)
    except (log.LogError, KeyError, ValueError, AssertionError) as error:
        yield f"I6 the room's log is no story: {error!r}"
    times = [event.at_ms for event in events]
    if times != sorted(times):
        yield "I6 events of the room go back in time"
    for kind in (log.HeatDrawn, log.HeatClosed, log.HeatJudged):
        heats = [event.heat for event in events if isinstance(event, kind)]
        if len(set(heats)) != len(heats):
            yield f"I6 a heat has {kind.__name__} twice"
    drawn = [event for event in events if isinstance(event, log.HeatDrawn)]
    closed = {event.heat for event in events if isinstance(event, log.HeatClosed)}
    for earlier in drawn[:-1]:
        if earlier.heat not in closed:
            yield f"I6 heat {earlier.heat} was never closed, and another one was drawn"


class _Heat:
    """One heat of the evidence."""

    def __init__(self, found: Evidence, events: list[log.RoomEvent], drawn: log.HeatDrawn) -> None:
        self.found = found
        self.drawn = drawn
        self.id = drawn.heat
        code, self.nonce = found.deals[drawn.heat]
        self.code = DealCode.parse(code)
        self.deal = deal(self.code)
        self.closed: ClosedHeat | None = closed_heat(events, HeatId(drawn.heat))
        self.lengths = next((e.lengths for e in events if isinstance(e, log.HeatClosed) and e.heat == self.id), None)
        self.undo = UndoPolicy(self.closed.options.undo) if self.closed is not None else UndoPolicy.ALL

    def violations(self) -> list[str]:
        said: list[str] = []
        if self.drawn.commitment and self.drawn.commitment != commitment(self.id, str(self.code), self.nonce):
            said.append("I4 the commitment does not open")
        for at, taken in enumerate(self.drawn.seats):
            entries = self.found.boards.get((self.id, taken.seat), [])
            if self.lengths is not None and len(entries) != self.lengths[at]:
                said.append(f"I4 seat {taken.seat}: {len(entries)} entries, sealed with {self.lengths[at]}")
            said += self._board(taken.seat, entries)
        said += self._places()
        for tape in self.found.tapes:
            said += self._tape(tape)
        return said

    # ------------------------------------------------------------ logs

    def _board(self, seat: int, entries: list[bytes]) -> Iterator[str]:
        times = [unpack_entry(entry)[1] for entry in entries]
        if times != sorted(times):
            yield f"I7 seat {seat}: times go back"
        try:
            self._replayed(entries)
        except ReplayError as error:
            yield f"I2 seat {seat} cannot be replayed: {error}"

    def _replayed(self, entries: list[bytes]) -> Board:
        return Board.replay(self.code.ruleset, self.deal, entries, ranked=True, undo=self.undo)

    def _places(self) -> Iterator[str]:
        """I4: the result that was told is the fold of the sealed logs."""
        if self.closed is None:
            yield f"I6 heat {self.id} was not judged"
            return
        try:
            boards = [self._summary(taken.seat) for taken in self.closed.seats]
        except ReplayError:
            return
        expected = [(row.board.seat, row.place, row.at_ms) for row in standings(boards, self.closed.options.goal)]
        if expected != [(row.seat, row.place, row.at_ms) for row in self.closed.rows]:
            told = [(row.seat, row.place, row.at_ms) for row in self.closed.rows]
            yield f"I4 places {told} are not those of the logs {expected}"
        for tape in self.found.tapes:
            results = [e for line in tape.lines if not line.out and (e := line.frame)["event"] == "HeatResult"]
            own = [result for result in results if result["heat"] == self.id]
            if any(_shown(result["rows"]) != expected for result in own):
                yield f"I4 {tape.name} was told other places than those of the logs"
            if not own and self._took_part(tape) and CloseCode.ELSEWHERE not in tape.codes:
                yield f"I6 {tape.name} never heard the result"

    def _summary(self, seat: int) -> BoardSummary:
        assert self.closed is not None
        entries = raced(self.closed.credits_of(self.closed.taken(seat)), self.found.boards.get((self.id, seat), []))
        board = self._replayed(entries)
        if board.ended is None:
            board.end(Termination.TIME_UP, self.closed.deadline_ms - self.closed.gun_ms)
        assert board.ended is not None
        return BoardSummary(
            seat, board.ended, board.out, board.score, board.moves, board.elapsed_ms, board.out_at_ms,
            board.score_at_ms,
        )  # fmt: skip

    # ------------------------------------------------------------ tapes

    def _took_part(self, tape: Tape) -> bool:
        return any(e["heat"] == self.id for line in tape.lines if (e := line.frame)["event"] == "Dealt")

    def _tape(self, tape: Tape) -> Iterator[str]:
        seat = next((e["seat"] for line in tape.lines if self._deals(e := line.frame)), None)
        if not self.drawn.open:
            yield from self._secret(tape)
        if seat is None:
            return
        entries = self.found.boards.get((self.id, seat), [])
        moves = [unpack_entry(entry)[0] for entry in entries]
        yield from self._confirmed(tape, seat, entries, moves)
        yield from self._sent(tape, moves)

    def _deals(self, event: Frame) -> bool:
        return event["event"] == "Dealt" and str(event["heat"]) == self.id

    def _secret(self, tape: Tape) -> Iterator[str]:
        """I8: neither code nor nonce before the result."""
        words = (str(self.code).encode(), str(self.code).replace("-", "").encode(), self.nonce.encode())
        for line in tape.lines:
            if line.out:
                continue
            if parsed(line.data)["event"] == "HeatResult":
                return
            if any(word in line.data for word in words):
                yield f"I8 {tape.name} was shown the code or the nonce before the end"

    def _confirmed(self, tape: Tape, seat: int, entries: list[bytes], moves: list[Move]) -> Iterator[str]:
        """I1, I2, I7, I8 of every answer and every view."""
        out: dict[tuple[int, int], Line] = {}
        here = False
        lost_from = len(entries)
        for line in tape.lines:
            event = line.frame
            if event["event"] == "Play":
                out[line.socket, event["ply"]] = line
            elif event["event"] == "Dealt":
                here = event["heat"] == self.id
            if not here or line.out:
                continue
            if event["event"] in ("Dealt", "Restored"):
                if event["view"][0] <= len(entries):
                    yield from self._view(tape, event, entries)
                elif not self.found.rolled_back:
                    yield f"I1 {tape.name} was shown a board of {event['view'][0]} entries, the log has {len(entries)}"
            elif event["event"] == "Moved":
                asked = out.get((line.socket, event["ply"]))
                if asked is None:
                    yield f"I10 {tape.name} got an answer to ply {event['ply']} without a question"
                    continue
                yield from self._moved(tape, event, asked, line, entries, moves)
                lost_from = max(lost_from, event["ply"] + 1)
        if self.found.rolled_back and lost_from > len(entries) and not self._shown_back(tape):
            yield f"I1 {tape.name} lost moves and was not shown so"

    def _moved(
        self, tape: Tape, event: Frame, asked: Line, answered: Line, entries: list[bytes], moves: list[Move]
    ) -> Iterator[str]:
        ply, move = event["ply"], asked.frame["move"]
        if ply >= len(moves) or moves[ply] != move:
            if not self.found.rolled_back:
                there = moves[ply] if ply < len(moves) else "nothing"
                yield f"I1 {tape.name}: {move} was confirmed at {ply}, where {there} stands"
            return
        board = self._prefix(entries, ply)
        if board is None:
            return
        turned = bytes(board.apply(move, 0))
        if turned != event["turned"]:
            yield f"I8 {tape.name}: ply {ply} showed {event['turned'].hex()}, the rules show {turned.hex()}"
        if not self.found.rolled_back:  # else it may have been lost and made again
            yield from self._time(tape, ply, entries, asked, answered)

    def _time(self, tape: Tape, ply: int, entries: list[bytes], asked: Line, answered: Line) -> Iterator[str]:
        at_ms = unpack_entry(entries[ply])[1] + self.drawn.gun_ms
        clock_ms = self.found.clock_ms
        if at_ms > answered.wall_ms + clock_ms:
            lost = "was" if self._shown_back(tape) else "was never"
            late_ms = at_ms - answered.wall_ms
            yield f"I7 {tape.name}: ply {ply} is stamped {late_ms} ms after its answer; {lost} shown a shorter board"
        if at_ms < asked.wall_ms - clock_ms:
            first = next(line for line in tape.lines if line.frame == asked.frame)
            if at_ms < first.wall_ms - clock_ms:
                yield f"I7 {tape.name}: ply {ply} is stamped {first.wall_ms - at_ms} ms before it was sent"

    def _prefix(self, entries: list[bytes], ply: int) -> Board | None:
        try:
            return self._replayed(entries[:ply])
        except ReplayError:
            return None

    def _view(self, tape: Tape, event: Frame, entries: list[bytes]) -> Iterator[str]:
        board = self._prefix(entries, event["view"][0])
        if board is None:
            return
        expected = parsed(encode(Dealt("", 0, board_view(board))))["view"]
        if expected != event["view"] and not self.found.rolled_back:
            shown, allowed = _cards(event["view"]), _cards(expected)
            if any(shown.count(card) > allowed.count(card) for card in set(shown)):
                yield f"I8 {tape.name} was shown cards that were not turned at ply {event['view'][0]}"
            else:
                yield f"I2 {tape.name} was shown another board than the log has at ply {event['view'][0]}"

    def _shown_back(self, tape: Tape) -> bool:
        """Whether a view had fewer entries than this player had been told of before, by a view or an answer."""
        told, here = 0, False
        for line in tape.lines:
            event = line.frame
            if event["event"] == "Dealt":
                here = event["heat"] == self.id
            if not here or line.out:
                continue
            if event["event"] in ("Dealt", "Restored"):
                if event["view"][0] < told:
                    return True
                told = event["view"][0]
            elif event["event"] == "Moved":
                told = max(told, event["ply"] + 1)
        return False

    def _sent(self, tape: Tape, moves: list[Move]) -> Iterator[str]:
        """I3: each entry is a move that this player sent under this ply, or one of the server's own."""
        windows = [one for one in self.found.tapes if one.name == tape.name]
        sent = {(e["ply"], e["move"]) for one in windows for line in one.lines if (e := line.frame)["event"] == "Play"}
        for ply, move in enumerate(moves):
            own = move.kind == Kind.AUTO or (move.kind == Kind.RESIGN and move.count)
            if not own and (ply, move) not in sent:
                yield f"I3 {tape.name}: {move} stands at {ply} and was never sent there"


def _shown(rows: list[list[object]]) -> list[tuple[object, object, object]]:
    """Seat, place and time of the rows of a result."""
    return [(row[0], row[1], row[6]) for row in rows]


def _cards(view: list[object]) -> list[int]:
    """All cards that a view shows."""
    waste, columns, known = view[4], view[6], view[10]
    assert isinstance(waste, bytes)
    assert isinstance(columns, list)
    assert isinstance(known, bytes)
    return [*waste, *known, *(card for _, up in columns for card in up)]
