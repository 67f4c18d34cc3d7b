"""`kupa admin flags`: what operators may want to look at. Nothing follows from a flag by itself.

What lives here: the command. What does not: what is flagged (core.integrity), where it is kept (store.flags).
"""

from __future__ import annotations

import asyncio
import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli_arguments import AsJson
from server.plural import number_of
from server.shown import harmless
from server.unusable import Unusable

if TYPE_CHECKING:
    from server.config import Config
    from server.core.integrity import Flag


def flags(
    player: Annotated[str | None, typer.Option(help="Only those of this player (ten letters).")] = None,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="How many, the newest first.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List results that may be worth a look: superhuman play, seats of one address. A flag proves nothing."""
    from server.administering import NoSuch
    from server.app import CannotStart
    from server.config import read_config
    from server.store.errors import StoreAway

    try:
        found = asyncio.run(_latest(read_config(os.environ), count, player))
    except (NoSuch, CannotStart, StoreAway) as error:
        raise Unusable(str(error)) from error
    if as_json:
        rows = [{name: getattr(flag, name) for name in flag.__struct_fields__} for flag in found]
        typer.echo(json.dumps(rows))
        return
    for flag in found:
        at = datetime.fromtimestamp(flag.at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        others = f" with {', '.join(flag.others)}" if flag.others else ""
        typer.echo(harmless(f"{at}  {flag.player}  {flag.kind}{others}  in {flag.game}"))
    typer.echo(number_of(len(found), "flag") if found else "nothing is flagged")


async def _latest(config: Config, count: int, player: str | None) -> list[Flag]:
    from server import administering
    from server.app import store_of

    async with store_of(config) as store:
        if player is not None:
            player = (await administering.player_of(store, player)).id
        return await store.flags.latest(count, player or "")
