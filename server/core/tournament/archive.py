"""A whole tournament as one file, which can be checked without the server.

What lives here: the file's fields, reading and writing it, and checking it: the log is folded again, every board
played again, every deal compared with its commitment. What does not: a single heat's file (`server.core.replay`).

The file is one JSON object. Its log is the tournament's own, entry by entry; standings follow from it alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal

import msgspec

from server.core import replay
from server.core.events import LogError
from server.core.replay import BadReplay, Replay
from server.core.tournament import events as log
from server.core.tournament import machine
from server.core.tournament.record import Round, TournamentHeat
from server.core.tournament.results import rows_of
from server.core.tournament.state import TournamentState
from server.wire.messages import ResultRow

FORMAT: Final = "kupa-tournament"
VERSION: Final = 1


class BadArchive(ValueError):
    """This is no archive of a tournament, or one that cannot be read here; the text is one line."""


class Archive(msgspec.Struct, frozen=True):
    """A tournament, as far as its rounds are closed."""

    format: Literal["kupa-tournament"]
    version: int
    kupa: Annotated[str, msgspec.Meta(max_length=100)]
    """Version of the program that wrote the file."""
    log: tuple[bytes, ...]
    """The entries of the tournament's log."""
    heats: tuple[Replay, ...]
    """Heats of closed rounds, in the order in which they were drawn."""
    page: int = 1
    """A server answers one closed round a page; a file has them all."""
    pages: int = 1

    def state(self) -> TournamentState:
        """What the log folds to. Raises BadArchive."""
        try:
            return machine.fold(log.decode_log(list(self.log)))
        except (LogError, LookupError, ValueError) as error:
            raise BadArchive(f"the log in the file is damaged: {error}") from error


def write(archive: Archive) -> bytes:
    """The bytes of the file."""
    return msgspec.json.encode(archive)


_decode = msgspec.json.Decoder(Archive).decode


def read(data: bytes) -> Archive:
    """The archive in these bytes. Raises BadArchive when they are none, or of a later version."""
    try:
        archive = _decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadArchive(f"this is no archive of a tournament: {error}") from error
    if archive.version > VERSION:
        raise BadArchive(f"the file was written by Kupa {archive.kupa}, which is newer: it cannot be read here")
    return archive


def joined(pages: Sequence[Archive]) -> Archive:
    """The file that these pages make: the log of the last one, and all heats."""
    heats = tuple(heat for page in pages for heat in page.heats)
    return msgspec.structs.replace(pages[-1], heats=heats, page=1, pages=1)


def faults(archive: Archive) -> list[str]:
    """What is wrong with an archive, one line each; [] when all is well. Raises BadArchive."""
    state = archive.state()
    heats = {one.heat: one for one in archive.heats}
    found: list[str] = []
    for number in state.rounds:
        if number.open:
            continue
        for heat in number.heats:
            if heat.rows:
                played = heats.pop(heat.heat, None)
                found += [f"round {number.number}, heat {heat.heat}: {fault}" for fault in _heat(number, heat, played)]
    found += [f"heat {heat} belongs to no closed round" for heat in heats]
    return found


def _heat(number: Round, heat: TournamentHeat, played: Replay | None) -> Iterator[str]:
    if played is None:
        yield "its boards are missing"
        return
    try:
        checked = replay.read(replay.write(played))
    except BadReplay as error:
        yield str(error)
        return
    yield from replay.faults(checked)
    if (checked.code, checked.nonce) != (number.code, number.nonce):
        yield "its deal is not that of its round"
    for board in checked.boards:
        if board.seat >= len(heat.entrants) or board.player not in (heat.entrants[board.seat], ""):
            yield f"seat {board.seat}: not who was drawn"
            return
    told = {row.entrant: row for row in heat.rows or ()}
    for row in rows_of(heat.entrants, [_row(board) for board in checked.boards]):
        if told.get(row.entrant) != row:
            yield f"{row.entrant}: the tournament counted another result"


def _row(board: replay.ReplayBoard) -> ResultRow:
    return ResultRow(
        board.seat, board.place, board.ended, board.out, board.score, board.moves, board.at_ms, board.reason, 0
    )
