"""The command `kupa`: what an operator or a player types.

What lives here: arguments, what is printed, exit statuses. What does not: anything that is more than
calling one function. Unusable input is one line on stderr and exit status 2, never a traceback.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import typer
from typer.exceptions import TyperException

from server import cli_boards, cli_flags, cli_operator, cli_replays, cli_solver, cli_tournament
from server.cli_arguments import Address, AsJson, Code, Force, Player, code_of, may_write
from server.config import ConfigError, read_config
from server.plural import number_of
from server.shown import harmless
from server.unusable import Unusable, given, no_store, refuse_none, refuse_unused

app = typer.Typer(
    name="kupa",
    add_completion=False,
    pretty_exceptions_enable=False,
)

admin = typer.Typer(help="What an operator may do, also while the server runs.")
app.add_typer(admin, name="admin")
app.add_typer(cli_tournament.app, name="tournament")
admin.command()(cli_flags.flags)
for verb in (cli_operator.remove, cli_operator.restore, cli_operator.removals):
    admin.command()(verb)
app.command()(cli_operator.migrate)
app.command()(cli_boards.daily)
app.command()(cli_boards.audit)
app.command()(cli_replays.replay)
app.command()(cli_replays.export)
app.command()(cli_solver.solve)
app.command()(cli_solver.certify)

UNUSABLE = 2
Result = TypeVar("Result")


@app.callback()
def kupa() -> None:
    """Race other people at solitaire with two decks or with one: a server for the browser, and tools around it."""


@app.command()
def serve(
    port: Annotated[int | None, typer.Option(help="Port for pages and sockets (KUPA_PORT).")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on (KUPA_HOST).")] = None,
    data: Annotated[str | None, typer.Option(help="Folder of the embedded store (KUPA_DATA).")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes, best one for each core (KUPA_WORKERS).")] = None,
    worker: Annotated[str, typer.Option(hidden=True)] = "",
) -> None:
    """Run the server until it is told to stop (Ctrl-C, SIGTERM)."""
    from server import serving

    config = read_config(os.environ, port=port, host=host, data=data, workers=workers)
    if data is not None and config.redis_url:
        raise Unusable("--data is for the embedded store, but REDIS_URL names another: leave one of them out")
    try:
        run(serving.serve(config, worker=worker))
    except serving.CannotStart as error:
        if not worker:
            raise Unusable(str(error)) from error
        typer.echo(_one_line(str(error)))  # its parent says it, once for all workers
        raise typer.Exit(UNUSABLE) from error


@app.command()
def deal(
    code: Code,
    as_json: AsJson = False,
) -> None:
    """Print the cards behind a deal code: columns from the deepest card, then the stock in drawing order."""
    from engine import deal_code
    from engine.cards import card_text

    parsed = code_of(code)
    cards = [card_text(card) for card in deal_code.deal(parsed)]
    columns, at = [], 0
    for size in range(1, parsed.ruleset.columns + 1):
        columns.append(cards[at : at + size])
        at += size
    if as_json:
        typer.echo(json.dumps({"code": str(parsed), "columns": columns, "stock": cards[at:]}))
        return
    typer.echo(str(parsed))
    for number, column in enumerate(columns, start=1):
        typer.echo(f"C{number}  {' '.join(column)}")
    typer.echo(f"stock  {' '.join(cards[at:])}")


@app.command()
def bot(
    context: typer.Context,
    address: Address,
    room: Annotated[str, typer.Option(help="Code of the room to enter; empty: quick match.")] = "",
    tournament: Annotated[str, typer.Option(help="Code of a tournament to take part in, instead of a room.")] = "",
    level: Annotated[int, typer.Option(min=1, max=3, help="How well it plays.")] = 2,
    count: Annotated[int, typer.Option(min=1, max=100, help="How many bots.")] = 1,
    heats: Annotated[int, typer.Option(min=1, help="Races until it leaves.")] = 1,
    speed: Annotated[float, typer.Option(min=0.1, max=100, help="1 is human speed.")] = 1.0,
) -> None:
    """Let programs play that are clients like everybody else (they see no more than a person does)."""
    from server import bot_client

    for option in ("room", "heats"):
        if tournament and given(context, option):
            raise Unusable(f"--{option} is not for --tournament: whom a bot races there, and how often, is drawn")
    try:
        run(
            bot_client.play(
                address, room=room, level=level, count=count, heats=heats, speed=speed,
                say=lambda line: typer.echo(harmless(line)),
                tournament=tournament,
            )
        )  # fmt: skip
    except bot_client.CannotPlay as error:
        raise Unusable(str(error)) from error


@admin.command()
def ban(player: Player, reason: Annotated[str, typer.Option(help="Kept with the ban.")] = "") -> None:
    """Let a player in no more."""
    from server import administering

    _administer(administering.ban(read_config(os.environ), player, reason))


@admin.command()
def unban(player: Player) -> None:
    """Let a player in again."""
    from server import administering

    _administer(administering.unban(read_config(os.environ), player))


@admin.command()
def rename(player: Player, name: str) -> None:
    """Give a player another name."""
    from server import administering

    _administer(administering.rename(read_config(os.environ), player, name))


@admin.command()
def player(player: Player) -> None:
    """Show what is known of a player."""
    from server import administering

    _administer(administering.show(read_config(os.environ), player))


def _administer(work: Coroutine[Any, Any, Any]) -> None:
    from server.administering import NoSuch
    from server.app import CannotStart

    try:
        found = run(work)
    except (NoSuch, CannotStart) as error:
        raise Unusable(str(error)) from error
    banned = f", banned: {found.banned}" if found.banned else ""
    typer.echo(harmless(f"{found.id} {found.name} #{found.tag}{banned}"))


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where to write; compressed if it ends in .gz.")],
    force: Force = False,
) -> None:
    """Write everything that the store holds into one file, also while the server runs."""
    may_write(file, force=force)
    _archive(file, "backup")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file made by `kupa backup`.")],
    new: Annotated[bool, typer.Option("--new", help="Into a data folder where no store is yet.")] = False,
) -> None:
    """Write a backup into an empty store. The file is checked as a whole first."""
    _archive(file, "restore", new=new)


def _archive(file: Path, verb: str, *, new: bool = False) -> None:
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    from server import archiving
    from server.app import CannotStart, NoStore
    from server.store.archive import BadArchive

    config = read_config(os.environ)
    columns, console = (SpinnerColumn(), TextColumn("{task.description}")), Console(file=sys.stderr)
    with Progress(*columns, transient=True, console=console, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(verb)

        def step(done: int) -> None:
            progress.update(task, description=f"{verb}: {number_of(done, 'key')}")

        try:
            if verb == "backup":
                count = run(archiving.backup(config, file, step))
            else:
                count = run(archiving.restore(config, file, step, new=new))
        except NoStore as error:
            raise (Unusable(str(error)) if verb == "backup" else no_store(error)) from error
        except (CannotStart, BadArchive) as error:
            raise Unusable(str(error)) from error
        except OSError as error:
            raise Unusable(f"cannot use {file} ({error.strerror or error})") from error
    typer.echo(f"{number_of(count, 'key')} {'written to' if verb == 'backup' else 'restored from'} {file}")


Places = Annotated[
    tuple[int, int],
    typer.Option(
        min=0,
        max=10_000,
        metavar="FIRST LAST",
        help="Before that, each player plays up to a place between these two moves of the game, evenly spread: "
        "so few players and many can be measured over the same moves.",
    ),
]
MODES = ("closed", "open", "idle")
OF_MODES = {"rate": ("open",), "places": ("closed", "open")}
"""Options of `kupa load` that not every mode uses."""


@app.command()
def load(
    context: typer.Context,
    address: Address,
    mode: Annotated[str, typer.Option(help="closed (find the peak), open (a given rate) or idle.")] = "closed",
    players: Annotated[int, typer.Option(min=1, max=20_000)] = 64,
    seats: Annotated[int, typer.Option(min=1, max=8, help="People in a room.")] = 4,
    rate: Annotated[
        float, typer.Option(min=1, max=1_000_000, help="Open: moves a second, all players together.")
    ] = 1_000.0,
    warm: Annotated[float, typer.Option(min=0, max=3_600, help="Seconds of it before anything is measured.")] = 2.0,
    seconds: Annotated[float, typer.Option(min=1, max=3_600)] = 10.0,
    places: Places = (0, 0),
    pid: Annotated[list[int] | None, typer.Option(help="Processes of the server, for CPU and memory.")] = None,
    as_json: AsJson = False,
) -> None:
    """Put load on a server of one's own and print what it did. Its limits for each address and connection
    must allow it: KUPA_MOVES (unless it is set, 10 moves a second of each player, which a closed loop meets at once:
    that is no peak), KUPA_ADDRESS_CONNECTIONS, _HANDSHAKES, _IDENTITIES, _ROOMS."""
    from server.load import runner
    from server.load.player import LoadError

    refuse_none("--mode", mode, MODES)
    refuse_unused(context, "--mode", mode, OF_MODES)
    first, last = places
    if first > last:
        raise Unusable(f"--places {first} {last}: the first comes after the last; turn them around")
    people = players - players % seats or seats
    plan = runner.Plan(address, people, seats, mode, rate, warm, places, seconds, tuple(pid or ()))
    try:
        report = run(runner.run(plan))
    except (LoadError, OSError) as error:
        raise Unusable(str(error)) from error
    typer.echo(report.as_json() if as_json else "\n".join(report.lines()))


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run `work` on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)


def main() -> None:
    """Entry point: unusable input becomes one line and exit status 2."""
    for before, word in pairwise(sys.argv):
        if any("\ud800" <= character <= "\udfff" for character in word):
            option = f"{before} " if before.startswith("--") else ""
            _refuse(f"{option}{word} is no text in UTF-8; type it anew, or give the file another name")
    try:
        status = app(_asked(sys.argv[1:]), standalone_mode=False)
    except TyperException as error:
        _refuse(f"{error.format_message().rstrip('.')}. See `{_command(sys.argv[1:])} --help`.")
    except (ConfigError, Unusable) as error:
        _refuse(str(error))
    except (KeyboardInterrupt, typer.Abort):
        status = 130
    sys.exit(status if isinstance(status, int) else 0)


def _asked(words: list[str]) -> list[str]:
    """What was typed; who names but a group of commands is shown which there are."""
    command: Any = typer.main.get_command(app)
    for word in words:
        command = getattr(command, "commands", {}).get(word)
    return [*words, "--help"] if getattr(command, "commands", None) else words


def _command(words: list[str]) -> str:
    """The innermost command that is named by what was typed; not every error knows it."""
    command, path = typer.main.get_command(app), "kupa"
    for word in words:
        inner = getattr(command, "commands", {}).get(word)
        if inner is None:
            break
        command, path = inner, f"{path} {word}"
    return path


def _refuse(words: str) -> NoReturn:
    print(f"kupa: {_one_line(words)}", file=sys.stderr)
    sys.exit(UNUSABLE)


def _one_line(words: str) -> str:
    return harmless(" ".join(words.split()))


if __name__ == "__main__":
    main()
