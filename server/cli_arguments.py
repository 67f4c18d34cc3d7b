"""Arguments and options that several commands take.

What lives here: their words, and what reads them. What does not: those of one command alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from server.unusable import Unusable

if TYPE_CHECKING:
    from engine.deal_code import DealCode

Address = Annotated[str, typer.Argument(help="Where the server is, e.g. http://localhost:8000.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]
Code = Annotated[str, typer.Argument(help="A deal code such as DS1-D1N-AAAAAAB.")]
Player = Annotated[str, typer.Argument(help="Ten letters, as in the address of the profile.")]


def code_of(text: str) -> DealCode:
    """The deal code that was typed. Raises Unusable."""
    from engine.deal_code import DealCode, DealCodeError

    try:
        return DealCode.parse(text)
    except DealCodeError as error:
        raise Unusable(f"{text!r} is not a deal code: {error}; one looks like DS1-D1N-AAAAAAB") from error
