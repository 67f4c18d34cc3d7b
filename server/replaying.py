"""`kupa replay` and `kupa export`: a closed heat as one file, played again and checked.

What lives here: reading and writing the file, and its summary as text or JSON. What does not: what is in a replay
and what is wrong with one (core.replay), finding a heat (services.replays).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.moves import Kind
from engine.terms import Termination
from server.app import store_of
from server.config import Config
from server.core import replay
from server.core.replay import BadReplay, Replay, ReplayBoard
from server.plural import number_of
from server.reading import NotJson, json_object
from server.services.replays import Replays
from server.shown import harmless
from server.whole_file import whole_file

SHOWN = 20
"""Faults that are printed; JSON has all."""


class NoHeat(Exception):
    """There is no such heat to be told of; the text is one line."""


def load(file: Path) -> Replay:
    """The replay in a file. Raises BadReplay, OSError."""
    try:
        return replay.read(json_object(file))
    except NotJson as error:
        raise BadReplay(f"this is no replay file: {error}") from error


async def export(config: Config, heat: str, file: Path) -> Replay:
    """Write a closed heat into `file`, which appears when it is whole. Raises NoHeat, CannotStart, OSError."""
    async with store_of(config) as store:
        found = await Replays(store).whole(heat)
    if found is None:
        raise NoHeat(f"there is no heat {heat!r}, or its deal is not open yet; ids have ten letters")
    with whole_file(file) as part:
        part.write_bytes(replay.write(found))
    return found


def ended_ms(board: ReplayBoard) -> int | None:
    """When a board ended, from the gun; None where the time was up, which no entry tells. `at_ms` is something else:
    when it came to the result that it has, which for who resigned at once is the gun."""
    if board.ended == Termination.WON:
        return board.at_ms
    last = board.entries[-1] if board.entries else None
    return last[4] if last is not None and last[0] == Kind.RESIGN else None


def as_json(kept: Replay, faults: list[str]) -> dict[str, Any]:
    """The summary for programs."""
    boards = [
        {name: getattr(board, name) for name in ("seat", "name", "place", "ended", "out", "score", "moves", "at_ms")}
        | {"entries": len(board.entries)}
        for board in kept.boards
    ]
    head = {name: getattr(kept, name) for name in ("heat", "ruleset", "goal", "code", "kupa", "rules", "rated")}
    return {**head, "undo": str(kept.undo), "boards": boards, "verified": not faults, "faults": faults}


def as_text(kept: Replay, faults: list[str]) -> list[str]:
    """The summary for people, without the table of boards: what it is, then whether it holds."""
    goal = {"first": "first to finish", "score": "best score"}[kept.goal]
    lines = [f"heat {kept.heat}: {kept.ruleset}, {goal}, deal {kept.code}, written by Kupa {kept.kupa}"]
    lines += faults[:SHOWN]
    if len(faults) > SHOWN:
        lines.append(f"and {len(faults) - SHOWN} more (--json shows all)")
    bound = "" if kept.open else ", and the deal is the one that the commitment bound"
    holds = f"{number_of(len(kept.boards), 'board')} played again: the result holds{bound}"
    lines.append(number_of(len(faults), "fault") if faults else holds)
    return [harmless(line) for line in lines]
