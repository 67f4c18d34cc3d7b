"""A closed heat as one file: everything that is needed to play it again and to check its result (product P8).

Lives here: the file's fields, reading and writing it, and checking it against the engine. Lives elsewhere: where a
heat comes from (services.replays), files and words (server.replaying), the browser's copy (client_web/js/replay.js).

The file is one JSON object, the same that GET /api/heat/<heat> answers. It names its ruleset and the number of the
rules by which it was played; a reader plays it by those or says that it cannot (findings O5). Fields are only ever
added, with a default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Final, Literal

import msgspec

from engine import deal_code
from engine.board import Board, ReplayError, Termination, UndoPolicy
from engine.deal_code import Deal, DealCode, DealCodeError
from engine.moves import Move, MoveError, move_text, pack_entry, parse_move, unpack_entry
from engine.ruleset import RULESETS, Ruleset
from engine.terms import RULES
from server.core import credits
from server.core.closed_heat import ClosedHeat
from server.core.options import GOALS
from server.core.standings import BoardSummary, standings
from server.wire.messages import ResultRow

FORMAT: Final = "kupa-replay"
VERSION: Final = 1
MOST_ENTRIES: Final = 20_000
"""Of a board (ruling 22)."""
MOST_BOARDS: Final = 999

_Text = Annotated[str, msgspec.Meta(max_length=100)]
_Ms = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
_Entry = tuple[int, int, int, int, int]
"""Kind, source, target, count, ms since the gun."""


class BadReplay(ValueError):
    """This is no replay file, or one that cannot be played here; the text is one line."""


class ReplayBoard(msgspec.Struct, frozen=True):
    """One seat's play and what it came to."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=999)]
    player: _Text
    """Public id; empty for a bot."""
    name: _Text
    bot: Annotated[int, msgspec.Meta(ge=0, le=9)]
    """Level of the bot, 0 for a person."""
    place: int
    ended: _Text
    out: int
    score: int
    moves: int
    at_ms: _Ms
    """As in `ResultRow`."""
    reason: _Text
    entries: Annotated[tuple[_Entry, ...], msgspec.Meta(max_length=MOST_ENTRIES)]


class Replay(msgspec.Struct, frozen=True):
    """A closed heat whose deal is open."""

    format: Literal["kupa-replay"]
    version: int
    kupa: _Text
    """Version of the program that wrote the file."""
    rules: int
    """Number of the rules (`engine.terms.RULES`)."""
    heat: _Text
    ruleset: _Text
    goal: _Text
    undo: UndoPolicy
    gun_ms: _Ms
    length_ms: _Ms
    """From the gun to the deadline."""
    open: bool
    """The deal was known before; there is no commitment then."""
    code: _Text
    nonce: _Text
    commitment: _Text
    boards: Annotated[tuple[ReplayBoard, ...], msgspec.Meta(min_length=1, max_length=MOST_BOARDS)]
    """In order of places."""
    number: int = 1
    """Of the deal in its match."""
    rated: bool = False
    page: int = 1
    """Heats of many boards are answered in pages; a file has them all."""
    pages: int = 1
    solution: tuple[_Text, ...] = ()
    """The moves of a way to win it, as text; empty: none is known."""
    difficulty: _Text = ""
    """Of a certified deal: easy, medium or hard; empty: not certified."""

    @property
    def deal(self) -> Deal:
        """The cards."""
        return deal_code.deal(DealCode.parse(self.code))

    @property
    def play_by(self) -> Ruleset:
        """The ruleset."""
        return RULESETS[self.ruleset]


# ---------------------------------------------------------------- writing and reading


def build(
    heat: ClosedHeat, logs: Mapping[int, Sequence[bytes]], *, kupa: str, rated: bool, solution: Sequence[Move] = ()
) -> Replay:
    """The file of a heat whose deal is open; `logs`: the entries of each board, by seat."""
    boards = tuple(_board(heat, row, logs[row.seat]) for row in heat.rows)
    return Replay(
        FORMAT, VERSION, kupa, heat.rules, heat.heat, heat.ruleset, heat.options.goal, UndoPolicy(heat.options.undo),
        heat.gun_ms, heat.deadline_ms - heat.gun_ms, heat.open, heat.code, heat.nonce, heat.commitment, boards,
        heat.number, rated, solution=tuple(move_text(move) for move in solution), difficulty=heat.difficulty,
    )  # fmt: skip


def _board(heat: ClosedHeat, row: ResultRow, log: Sequence[bytes]) -> ReplayBoard:
    taken = heat.taken(row.seat)
    return ReplayBoard(
        row.seat, taken.player, row.name or taken.name, taken.bot_level, row.place, row.ended, row.out, row.score,
        row.moves, row.at_ms, row.reason,
        tuple(_unpacked(entry) for entry in credits.raced(heat.credits_of(taken), log)),
    )  # fmt: skip


def _unpacked(entry: bytes) -> _Entry:
    move, at_ms = unpack_entry(entry)
    return (*move, at_ms)


def write(replay: Replay) -> bytes:
    """The bytes of the file."""
    return msgspec.json.encode(replay)


_decode = msgspec.json.Decoder(Replay).decode


def read(data: bytes) -> Replay:
    """The replay in these bytes. Raises BadReplay when they are none, or of a later version or ruleset."""
    try:
        replay = _decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadReplay(f"this is no replay file: {error}") from error
    if replay.version > VERSION or replay.rules > RULES:
        raise BadReplay(f"the file was written by Kupa {replay.kupa}, which is newer: it cannot be played here")
    if replay.ruleset not in RULESETS or replay.goal not in GOALS:
        raise BadReplay(f"the file's game, {replay.ruleset} by {replay.goal}, is not known here")
    if replay.pages > 1:
        raise BadReplay("the file has only some of the boards")
    try:
        code = DealCode.parse(replay.code)
        for move in replay.solution:
            parse_move(move)
        for board in replay.boards:
            entries(board)
    except (DealCodeError, MoveError) as error:
        raise BadReplay(f"the file cannot be played: {error}") from error
    if code.ruleset.id != replay.ruleset:
        raise BadReplay(f"the file's deal is one of {code.ruleset.id}, not of {replay.ruleset}")
    if len({board.seat for board in replay.boards}) < len(replay.boards):
        raise BadReplay("two boards of the file have one seat")
    return replay


def entries(board: ReplayBoard) -> list[bytes]:
    """The log of a board. Raises MoveError for what is no entry."""
    return [pack_entry(Move(*entry[:4]), entry[4]) for entry in board.entries]


# ---------------------------------------------------------------- checking


def faults(replay: Replay) -> list[str]:
    """What is wrong with a replay, one line each: it is played again and its result compared; [] when all is well."""
    found = list(_sealing(replay))
    deal = replay.deal
    summaries: list[BoardSummary] = []
    for board in replay.boards:
        try:
            summaries.append(_played(replay, board, deal))
        except ReplayError as error:
            found.append(f"seat {board.seat}: no play could have written this log: {error}")
        found += _times(replay, board)
    if len(summaries) == len(replay.boards):
        found += _result(replay, summaries)
    if replay.solution:
        found += _solution(replay, deal)
    return found


def _sealing(replay: Replay) -> Iterator[str]:
    bound = deal_code.commitment(replay.heat, str(DealCode.parse(replay.code)), replay.nonce)
    if not replay.open and bound != replay.commitment:
        yield "the deal is not the one that the commitment binds"


def _played(replay: Replay, board: ReplayBoard, deal: Deal) -> BoardSummary:
    again = Board.replay(replay.play_by, deal, entries(board), ranked=True, undo=replay.undo)
    if again.ended is None:
        again.end(Termination.TIME_UP, replay.length_ms)
    assert again.ended is not None
    return BoardSummary(
        board.seat, again.ended, again.out, again.score, again.moves, again.elapsed_ms, again.out_at_ms,
        again.score_at_ms,
    )  # fmt: skip


def _times(replay: Replay, board: ReplayBoard) -> Iterator[str]:
    times = [entry[4] for entry in board.entries]
    if any(after < before for before, after in pairwise(times)):
        yield f"seat {board.seat}: times go back"
    if times and times[-1] >= replay.length_ms:
        yield f"seat {board.seat}: an entry lies after the deadline"


def _result(replay: Replay, summaries: Sequence[BoardSummary]) -> Iterator[str]:
    due = {row.board.seat: row for row in standings(summaries, replay.goal)}
    for board in replay.boards:
        row = due[board.seat]
        again = row.board
        pairs = {
            "place": (board.place, row.place), "ended": (board.ended, again.ended), "out": (board.out, again.out),
            "score": (board.score, again.score), "moves": (board.moves, again.moves), "at_ms": (board.at_ms, row.at_ms),
            "reason": (board.reason, row.reason),
        }  # fmt: skip
        for name, (told, found) in pairs.items():
            if told != found:
                yield f"seat {board.seat}: {name} is {found}, the file says {told}"


def _solution(replay: Replay, deal: Deal) -> Iterator[str]:
    log = [pack_entry(parse_move(move), 0) for move in replay.solution]
    try:
        board = Board.replay(replay.play_by, deal, log, ranked=True, undo=UndoPolicy.NONE)
    except ReplayError as error:
        yield f"the solution cannot be played: {error}"
        return
    if board.ended is not Termination.WON and not board.auto_ready():
        yield "the solution does not win"
