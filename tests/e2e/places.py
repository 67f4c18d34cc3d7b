"""Every page there is, one line each, and a player's day after which none of them is empty.

What lives here: the table of pages that `make screenshots` photographs and axe examines, and the day. What does not:
looking at them. A page gets a line here when it is built.

    day = await lived(url)             plays alone, races, plays the daily deal, makes a tournament
    addresses(day)                     name → path
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.moves import Move
from server.wire.messages import TournamentOptions
from tests.e2e.solved import DOUBLE, SINGLE, solution
from tests.wire_client import RESIGN, Unexpected, WireClient

PLAYED = 120
"""Moves of the game alone that goes on."""
DEALT_S = 90
"""A daily deal has to be certified first."""
PAGES = {
    "home": "/",
    "create": "/new",
    "solo-new": "/solo",
    "rules": "/rules",
    "rules-single": "/rules/single",
    "examples": "/examples",
    "example-seven": "/examples/king-only",
    "example-homes": "/examples/four-homes",
    "example-turn-over": "/examples/turn-over",
    "example-take-back": "/examples/take-back",
    "faq": "/faq",
    "daily": "/daily",
    "leaderboards": "/leaderboards",
    "profile": "/player/{player}",
    "replay": "/replay/{heat}",
    "replay-file": "/replay",
    "ghost": "/g/{heat}",
    "tournaments": "/t",
    "tournament-new": "/t/new",
    "tournament": "/t/{tournament}",
    "settings": "/settings",
    "device": "/device",
    "no-room": "/r/KVMXR",
    "no-deal": "/d/DS1-D1N-AAAAAA9",
    "no-page": "/rules/nothing",
}


@dataclass(frozen=True, slots=True)
class Day:
    """Somebody's day on a server."""

    token: str
    player: str
    heat: str
    """A race against bots that is over."""
    tournament: str
    """One that waits for entrants."""


def addresses(day: Day) -> dict[str, str]:
    """The path of each page, by its name."""
    parts = {"player": day.player, "heat": day.heat, "tournament": day.tournament}
    return {name: path.format(**parts) for name, path in PAGES.items()}


async def lived(url: str, name: str = "Deniz", *, daily: bool = True) -> Day:
    """Live a day on this server. `daily`: the daily deal has been played."""
    person = WireClient(url.replace("http", "ws", 1), name)
    await person.come()
    for code, count in ((SINGLE, len(solution(SINGLE))), (DOUBLE, PLAYED)):
        await play_alone(person, code, [move for move, _ in solution(code)[:count]])
    if daily:
        await play_daily(person)
    heat = await race(person)
    evening: Any = msgspec.to_builtins(TournamentOptions(name="Club evening", format="swiss", rounds=5, public=True))
    made = await person.ask("CreateTournament", evening, answer="TournamentMade")
    await person.go()
    return Day(person.token, person.player, heat, made["code"])


async def play_alone(person: WireClient, code: str, moves: list[Move]) -> None:
    """A game alone, from its start."""
    await person.ask("OpenSolo", code[:7], code, True, False, answer="SoloGame")
    for ply, move in enumerate(moves):
        await person.play(ply, *move)


async def play_daily(person: WireClient) -> None:
    """Today's headline deal, given up at once."""
    until = time.monotonic() + DEALT_S
    while True:
        try:
            await person.ask("OpenDaily", "DS1-D1N", "", False, False, answer="DailyGame")
            break
        except Unexpected as error:
            if "no_deal" not in str(error) or time.monotonic() > until:
                raise
            await asyncio.sleep(1)
    await person.play(0, RESIGN)
    await person.latest("DailyResult", 20)


async def race(person: WireClient) -> str:
    """A race against a bot, given up; returns the heat."""
    await person.create(2, ready=True)
    await person.latest("Dealt", 20)
    await person.play(0, RESIGN)
    result = await person.latest("HeatResult", 30)
    await person.ask("LeaveRoom")
    return str(result["heat"])
