"""Arguments and options that several commands take.

What lives here: their words, and what reads them. What does not: those of one command alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.unusable import Unusable

if TYPE_CHECKING:
    from engine.deal_code import DealCode

Address = Annotated[str, typer.Argument(help="Where the server is, e.g. http://localhost:8000.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]
Force = Annotated[bool, typer.Option("--force", help="Write over the file if it is there already.")]
Code = Annotated[str, typer.Argument(help="A deal code such as DS1-D1N-AAAAAAB.")]
Player = Annotated[str, typer.Argument(help="Ten letters, as in the address of the profile.")]


def may_write(file: Path, *, force: bool) -> None:
    """Raise Unusable for what is no name of a file, and, unless it is to be written over, for a file that is there."""
    if not file.name or file.is_dir():
        raise Unusable(f"{str(file)!r} is a folder; say which file to write")
    if file.exists() and not force:
        raise Unusable(f"{file} is there already; choose another name, or write over it with --force")


def code_of(text: str) -> DealCode:
    """The deal code that was typed. Raises Unusable."""
    from engine.deal_code import DealCode, DealCodeError

    try:
        return DealCode.parse(text)
    except DealCodeError as error:
        raise Unusable(f"{text!r} is not a deal code: {error}; one looks like DS1-D1N-AAAAAAB") from error
