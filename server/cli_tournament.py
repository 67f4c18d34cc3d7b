"""`kupa tournament …`: arguments, what is printed, nothing else (see tournament_client).

What lives here: the group of commands that `cli` hangs into `kupa`. What they need is imported when they run, so
that other commands start quickly.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli_arguments import Address, AsJson, Force, may_write
from server.plural import number_of
from server.shown import harmless
from server.unusable import Unusable, refuse_unused
from server.wire import bounds

if TYPE_CHECKING:
    from server.core.tournament.archive import Archive

app = typer.Typer(help="Hold tournaments: League, Cup, Swiss and Arena.")

Code = Annotated[str, typer.Argument(help="Code of the tournament.")]

OF_FORMATS = {
    "rounds": ("league", "swiss"), "heat": ("cup", "arena"), "advance": ("cup",), "points": ("league",),
    "arena_minutes": ("arena",), "late_round": ("league", "swiss", "arena"),
}  # fmt: skip
"""Options of `kupa tournament create` that not every format uses."""


def _int(bounds: tuple[int, int], text: str) -> Any:
    """An option with the bounds that the wire has for it."""
    return typer.Option(min=bounds[0], max=bounds[1], help=text)


@app.command("create")
def create_(
    context: typer.Context,
    address: Address,
    name: Annotated[str, typer.Option(help="Of the tournament.")] = "Tournament",
    format: Annotated[str, typer.Option(help="league, cup, swiss or arena.")] = "league",
    ruleset: Annotated[str, typer.Option(help="What is played.")] = "DS1-D1N",
    goal: Annotated[str, typer.Option(help="first (to finish) or score.")] = "first",
    minutes: Annotated[int, typer.Option(help="Time limit of a heat: 3, 5, 10, 15, 20, 30 or 60; 0: an hour.")] = 10,
    rounds: Annotated[int, _int(bounds.ROUNDS, "League, Swiss: how many.")] = 3,
    heat: Annotated[int, _int(bounds.HEAT, "Cup, Arena: entrants in a heat.")] = 2,
    advance: Annotated[int, _int(bounds.ADVANCE, "Cup: how many of a heat go on.")] = 1,
    points: Annotated[str, typer.Option(help="League: place or score.")] = "place",
    arena_minutes: Annotated[int, _int(bounds.ARENA_MINUTES, "Arena: how long heats are drawn.")] = 60,
    places: Annotated[int, _int(bounds.PLACES, "Entrants at most.")] = 500,
    check_in: Annotated[int, _int(bounds.CHECK_IN_S, "Seconds before the start to check in; 0: nobody has to.")] = 0,
    late_round: Annotated[int, _int(bounds.LATE_ROUND, "Up to which round somebody may still come in.")] = 0,
    pause: Annotated[int, _int(bounds.BREAK_S, "Seconds between two rounds.")] = 60,
    absent: Annotated[int, _int(bounds.ABSENT_S, "Seconds after the gun until a no-show; 0: never.")] = 60,
    public: Annotated[bool, typer.Option(help="Listed for everybody.")] = False,
    by: Annotated[str, typer.Option(help="Your name as host.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make a tournament; prints its code and the token that hosts it."""
    from server.tournament_client import create
    from server.tournament_options import refuse_unknown, refuse_unsound
    from server.wire.messages import TournamentOptions

    refuse_unknown(format, ruleset, goal, minutes, points)
    refuse_unused(context, "--format", format, OF_FORMATS)
    options = TournamentOptions(
        name=name, format=format, ruleset=ruleset, goal=goal, minutes=minutes, rounds=rounds, heat=heat,
        advance=advance, points=points, arena_minutes=arena_minutes, places=places, check_in_s=check_in,
        late_round=late_round, break_s=pause, absent_s=absent, public=public,
    )  # fmt: skip
    refuse_unsound(options, by)
    code, token = asyncio.run(create(address, by, options))
    if as_json:
        typer.echo(json.dumps({"code": code, "token": token}))
        return
    typer.echo(harmless(f"{address.rstrip('/')}/t/{code}"))
    typer.echo(harmless(f"host token: {token}"))


@app.command()
def host(
    address: Address,
    code: Code,
    action: Annotated[str, typer.Argument(help="start, pause, resume, next, extend, close_round, end, drop, undo, …")],
    key: Annotated[str, typer.Option(help="Entrant, round or level that it is about.")] = "",
    value: Annotated[int, typer.Option(help="How much; for start and next: in how many seconds.")] = 0,
    token: Annotated[str, typer.Option(help="The host token.")] = "",
) -> None:
    """Do what a host may do (PROTOCOL.md, HostTournament, has all actions)."""
    from server.tournament_client import act, taking_part
    from server.tournament_options import refuse_unfit_action

    refuse_unfit_action(code, token, action, key, value)
    asyncio.run(act(address, code, token, action, key, value))
    if action == "start" and not value and taking_part(address, code) < 2:
        typer.echo("Nobody can race yet: it begins by itself as soon as two take part. `undo` takes the start back.")


@app.command()
def show(
    what: Annotated[str, typer.Argument(help="A file that `kupa tournament export` wrote, or an address.")],
    code: Annotated[str, typer.Argument(help="With an address: code of the tournament.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show a tournament. A file is checked without the server: every board is played again; exit status 1
    when something in it is wrong."""
    from server.core.tournament import archive, export
    from server.tournament_client import fetch, table_of

    if not code and "://" in what:
        raise Unusable(f"the code of the tournament is missing: `kupa tournament show {what} CODE`")
    if code:
        _show_page(what, fetch(what, code), as_json=as_json)
        return
    kept = _read(Path(what))
    wrong = archive.faults(kept)
    state = kept.state()
    if as_json:
        typer.echo(json.dumps({"faults": wrong} | export.summary(state, state.at_ms)))
    else:
        _print_rows(state.options.name, *table_of(state))
        holds = "all is as it says" if not wrong else "NOT as it says"
        typer.echo(f"{number_of(len(kept.heats), 'heat')} played again: {holds}")
        for fault in wrong:
            typer.echo(harmless(fault), err=True)
    if wrong:
        raise typer.Exit(1)


def _show_page(address: str, page: bytes, *, as_json: bool) -> None:
    from server.tournament_client import place

    columns = ["place", "name", "points", "status"]
    try:
        found = json.loads(page)
        rows = [[place(row["place"]), *(str(row[name]) for name in columns[1:])] for row in found["standings"]]
        title = str(found["info"]["options"]["name"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Unusable(f"what {address} answers is no tournament; does Kupa run there?") from error
    if as_json:
        typer.echo(json.dumps(found))
    else:
        _print_rows(title, columns, rows)


@app.command("export")
def export_(
    address: Address,
    code: Code,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("tournament.json"),
    force: Force = False,
) -> None:
    """Write the whole tournament, with every board of its closed rounds, into one file."""
    from rich.console import Console
    from rich.progress import Progress

    from server.core.tournament import archive
    from server.tournament_client import export
    from server.whole_file import whole_file

    may_write(out, force=force)
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("rounds", total=None)
        found = export(address, code, lambda done, of: progress.update(task, completed=done, total=of))
    try:
        with whole_file(out) as part:
            part.write_bytes(archive.write(found))
    except OSError as error:
        raise Unusable(f"cannot write {out} ({error.strerror})") from error
    typer.echo(f"{out}: {number_of(len(found.heats), 'heat')}")


def _read(file: Path) -> Archive:
    from server.core.tournament import archive
    from server.reading import NotJson, json_object

    try:
        found = archive.read(json_object(file))
        found.state()  # a damaged log is no archive
        return found
    except OSError as error:
        raise Unusable(f"cannot read {file} ({error.strerror})") from error
    except NotJson as error:
        raise Unusable(f"this is no archive of a tournament: {error}") from error
    except archive.BadArchive as error:
        raise Unusable(str(error)) from error


def _print_rows(title: str, names: list[str], rows: list[list[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*names, title=Text(harmless(title), "table.title"))
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))
    Console().print(table)
