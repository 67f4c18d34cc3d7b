"""`kupa replay` and `kupa export`: arguments, what is printed, nothing else (see replaying).

What lives here: two commands that `cli` takes up. What they need is imported when they run, so that other
commands start quickly.
"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli_arguments import AsJson, Force, may_write
from server.plural import number_of
from server.shown import harmless
from server.unusable import Unusable

if TYPE_CHECKING:
    from rich.table import Table

    from server.core.replay import Replay


def replay(
    file: Annotated[Path, typer.Argument(help="A file made by `kupa export`, or saved from a replay's page.")],
    as_json: AsJson = False,
) -> None:
    """Play a heat again from its file and check its result and commitment. No server is needed.

    Exit status 1 when something is wrong with it.
    """
    from rich.console import Console

    from server import replaying
    from server.core.replay import BadReplay, faults

    try:
        kept = replaying.load(file)
    except BadReplay as error:
        raise Unusable(f"{file}: {error}") from error
    except OSError as error:
        raise Unusable(f"cannot read {file} ({error.strerror or error})") from error
    found = faults(kept)
    if as_json:
        typer.echo(json.dumps(replaying.as_json(kept, found)))
    else:
        head, *rest = replaying.as_text(kept, found)
        typer.echo(head)
        Console().print(_table(kept))
        typer.echo("\n".join(rest))
    if found:
        raise typer.Exit(1)


def _table(kept: Replay) -> Table:
    from rich.table import Table
    from rich.text import Text

    from server import replaying
    from server.cli_boards import clock

    table = Table()
    for name in ("place", "player", "out", "score", "moves", "time", "ended"):
        table.add_column(name, justify="left" if name in ("player", "ended") else "right")
    for board in kept.boards:
        who = Text(harmless(board.name) or f"bot, level {board.bot}")
        numbers = (board.out, board.score, board.moves)
        ended_ms = replaying.ended_ms(board)
        time = "–" if ended_ms is None else clock(ended_ms)
        table.add_row(str(board.place), who, *map(str, numbers), time, Text(harmless(board.ended)))
    return table


def export(
    heat: Annotated[str, typer.Argument(help="Id of a closed heat: ten letters, as in the address of its replay.")],
    file: Annotated[Path, typer.Argument(help="Where to write.")],
    force: Force = False,
) -> None:
    """Write a closed heat into one file that `kupa replay` and the replay page can play, also while the server runs."""
    from server import replaying
    from server.app import CannotStart
    from server.config import read_config
    from server.store.errors import StoreAway

    may_write(file, force=force)
    try:
        kept = asyncio.run(replaying.export(read_config(os.environ), heat.strip().upper(), file))
    except (replaying.NoHeat, CannotStart, StoreAway) as error:
        raise Unusable(str(error)) from error
    except OSError as error:
        raise Unusable(f"cannot write {file} ({error.strerror or error})") from error
    typer.echo(f"{number_of(len(kept.boards), 'board')} written to {file}")
