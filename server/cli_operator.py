"""Commands of an operator: `kupa migrate`, and taking a row off a leaderboard with a reason.

What lives here: arguments and what is printed. What they need is imported when they run, so that other commands
start quickly.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import typer

from server.cli_arguments import Player
from server.shown import harmless
from server.unusable import Unusable

Found = TypeVar("Found")
Board = Annotated[str, typer.Argument(help="A leaderboard as `kupa audit --json` names it: d.2026-07-29.DS1-D1N.time")]
Reason = Annotated[str, typer.Option(help="Kept with it, for ever.")]


def migrate(
    finish: Annotated[bool, typer.Option("--finish", help="Raise the schema; older servers start no more.")] = False,
) -> None:
    """Show which schema the store has; --finish raises it, once all servers are updated."""
    from server import migrating
    from server.config import read_config

    typer.echo("\n".join(migrating.as_text(_run(migrating.migrate(read_config(os.environ), finish=finish)))))


def remove(board: Board, player: Player, reason: Reason = "") -> None:
    """Take a player's row off a leaderboard; later results of theirs do not appear there either."""
    from server import administering
    from server.config import read_config

    _run(administering.remove(read_config(os.environ), board, player, reason))
    typer.echo(f"{player} no longer stands on {board}; `kupa admin restore` puts the row back")


def restore(board: Board, player: Player, reason: Reason = "") -> None:
    """Put a row back that was taken off, with what came since."""
    from server import administering
    from server.config import read_config

    _run(administering.restore(read_config(os.environ), board, player, reason))
    typer.echo(f"{player} stands on {board} again")


def removals() -> None:
    """List what was taken off leaderboards and put back, when and why; the newest last."""
    from server import administering
    from server.config import read_config

    found = _run(administering.removals(read_config(os.environ)))
    for each in found:
        at = datetime.fromtimestamp(each.at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        verb = "removed " if each.removed else "restored"
        typer.echo(harmless(f"{at}  {verb}  {each.player}  {each.board}  {each.reason}"))
    if not found:
        typer.echo("nothing was ever removed")


def _run(work: Coroutine[Any, Any, Found]) -> Found:
    from server.administering import NoSuch
    from server.app import CannotStart
    from server.store.errors import StoreAway, StoreUnusable

    try:
        return asyncio.run(work)
    except (NoSuch, CannotStart, StoreAway, StoreUnusable) as error:
        raise Unusable(str(error)) from error
