"""`kupa solve` and `kupa certify`: arguments, what is printed, nothing else (see solving).

What lives here: two commands that `cli` takes up. What they need is imported when they run, so that other
commands start quickly.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli_arguments import AsJson, Code, code_of
from server.plural import number_of
from server.unusable import Unusable, no_store

if TYPE_CHECKING:
    from rich.progress import Progress


def solve(
    code: Code,
    budget: Annotated[int | None, typer.Option(min=1, help="Positions to look at; each ruleset has its own.")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="Print the solution, a move a line.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look for a way to win a deal, all cards known. Exit status 1 when none was found.

    "Not found" says nothing about whether there is one.
    """
    from server import solving

    parsed = code_of(code)
    limit = solving.budget_of(parsed) if budget is None else budget
    with _progress("positions") as progress:
        task = progress.add_task("solve", total=limit)
        found = solving.solve(parsed, limit, lambda looked: progress.update(task, completed=looked))
    answer = found.as_json()
    if as_json:
        typer.echo(json.dumps(answer))
    elif answer["found"]:
        how = "seeing what a player sees" if answer["method"] == "looking" else "knowing all cards"
        typer.echo(
            f"won in {number_of(found.moves, 'move')} "
            f"({answer['difficulty']}: {how}, {number_of(answer['looked'], 'position')})"
        )
        for text in answer["solution"] if moves else ():
            typer.echo(text)
    else:
        typer.echo(f"not found within the budget ({number_of(limit, 'position')})")
    if not answer["found"]:
        raise typer.Exit(1)


def certify(
    ruleset: Annotated[str, typer.Option(help="Of which game, e.g. DS1-D1N.")] = "DS1-D1N",
    count: Annotated[int, typer.Option(min=1, max=10_000, help="How many deals.")] = 64,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes at work at once.")] = 1,
    new: Annotated[bool, typer.Option("--new", help="Also into a data folder where no store is yet.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make deals ahead that are known to be winnable, also while the server runs."""
    from engine.solver import CERTIFIABLE
    from server import solving
    from server.app import CannotStart, NoStore
    from server.config import read_config
    from server.services.certifier_process import WorkerLost
    from server.services.certifier_worker import Answer
    from server.store.errors import StoreError

    if ruleset not in CERTIFIABLE:
        raise Unusable(f"no deal of {ruleset!r} can be certified; choose one of {', '.join(CERTIFIABLE)}")
    with _progress("deals") as progress:
        task = progress.add_task("certify", total=count)

        def tell(answer: Answer) -> None:
            progress.advance(task, bool(answer.code))

        try:
            made, there = asyncio.run(solving.certify(read_config(os.environ), ruleset, count, workers, tell, new=new))
        except NoStore as error:
            raise no_store(error) from error
        except (CannotStart, StoreError) as error:
            raise Unusable(str(error)) from error
        except WorkerLost as error:
            raise Unusable(f"a process that looks for solutions is lost ({error}); try again") from error
    if as_json:
        typer.echo(json.dumps({"ruleset": ruleset, "certified": made, "pool": there}))
    else:
        typer.echo(f"{number_of(made, 'deal')} of {ruleset} certified; {number_of(there, 'is', 'are')} ready")


def _progress(unit: str) -> Progress:
    """A bar on stderr, gone when it is done; nothing where nobody looks."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
    )
    return Progress(*columns, transient=True, console=Console(file=sys.stderr), disable=not sys.stderr.isatty())
