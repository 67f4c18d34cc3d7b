"""`kupa daily` and `kupa audit`: arguments, what is printed, nothing else (see auditing).

What lives here: two commands that `cli` takes up. What they need is imported when they run, so that other
commands start quickly.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli_arguments import AsJson
from server.plural import number_of
from server.shown import harmless
from server.unusable import Unusable, refuse_none

if TYPE_CHECKING:
    from rich.table import Table


def daily(
    ruleset: Annotated[str, typer.Option(help="Which of the daily deals.")] = "DS1-D1N",
    tab: Annotated[str, typer.Option(help="By score or by time.")] = "time",
    date: Annotated[str, typer.Option(help="UTC date such as 2026-07-29; empty: today.")] = "",
    rows: Annotated[int, typer.Option(min=1, max=1000, help="How many rows.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Print the leaderboard of a daily deal."""
    from server import auditing
    from server.app import CannotStart
    from server.config import read_config
    from server.core.boards import Tab
    from server.core.daily import DAILY, parse_day
    from server.store.errors import StoreAway

    day = parse_day(date) if date else None
    if date and day is None:
        raise Unusable(f"{date!r} is not a date; one looks like 2026-07-29")
    if ruleset not in DAILY:
        raise Unusable(f"{ruleset!r} has no daily deal; choose one of {', '.join(DAILY)}")
    refuse_none("--tab", tab, Tab)
    try:
        board = asyncio.run(auditing.board(read_config(os.environ), ruleset, Tab(tab), day, rows))
    except (CannotStart, StoreAway) as error:
        raise Unusable(str(error)) from error
    if as_json:
        typer.echo(json.dumps(board))
        return
    from rich.console import Console

    state = "final" if board["final"] else "open until 02:00 UTC of the next day"
    typer.echo(f"{ruleset} of {board['date']} by {tab}: {number_of(board['players'], 'player')}, {state}")
    Console().print(_table(board, "reached" if tab == Tab.SCORE else "time"))


def _table(board: dict[str, Any], time: str) -> Table:
    """`time`: what the column of times is called. By score it is when the score was come to."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for name, justify in (("place", "right"), ("player", "left"), ("points", "right"), (time, "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]  # one of its words
    for row in board["rows"]:
        who = Text(harmless(f"{row['name']} #{row['tag']}"))
        table.add_row(str(row["place"]), who, str(row["score"]), clock(row["time_ms"]) if row["time_ms"] else "–")
    return table


def clock(ms: int) -> str:
    """A time as it is shown, to the millisecond that decides: `3:07.450`, `1:02:03.004`."""
    seconds, ms = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    whole = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{whole}:{seconds:02}.{ms:03}"


def audit(
    repair: Annotated[bool, typer.Option("--repair", help="Make the leaderboards what the logs say.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replay all logs and compare every row of every leaderboard, also while the server runs.

    Exit status 1 when something differs (after the repair, with --repair).
    """
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    from server import auditing
    from server.app import CannotStart
    from server.config import read_config
    from server.store.errors import StoreAway

    columns, console = (SpinnerColumn(), TextColumn("{task.description}")), Console(file=sys.stderr)
    with Progress(*columns, transient=True, console=console, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("audit")

        def step(logs: int) -> None:
            progress.update(task, description=f"audit: {number_of(logs, 'log')}")

        try:
            report, mended = asyncio.run(auditing.check(read_config(os.environ), repair=repair, step=step))
        except (CannotStart, StoreAway) as error:
            raise Unusable(str(error)) from error
    if as_json:
        typer.echo(json.dumps(auditing.as_json(report, mended)))
    else:
        typer.echo("\n".join(auditing.as_text(report, mended)))
    if not report.clean:
        raise typer.Exit(1)
