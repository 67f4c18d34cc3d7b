"""A tournament with its host and people, on running servers.

Lives here: making one, letting people in, racing. Lives elsewhere: servers and time (kit), a person's socket
(wire_client).
"""

from __future__ import annotations

import asyncio
from typing import Any

from server.core.tournament import events as log
from server.core.tournament import machine
from server.core.tournament.state import TournamentState
from server.store import keys
from tests.server.services.kit import Servers
from tests.wire_client import Frame, WireClient

OPTIONS: dict[str, Any] = {
    "name": "Club evening", "format": "league", "ruleset": "DS1-D1N", "goal": "first", "minutes": 3, "undo": "all",
    "hints": True, "rounds": 2, "heat": 2, "advance": 1, "points": "place", "arena_minutes": 60, "late_counts": True,
    "places": 500, "start_ms": 0, "check_in_s": 0, "late_round": 0, "break_s": 5, "absent_s": 60, "public": False,
}  # fmt: skip


class Evening:
    """A tournament with its host and people."""

    def __init__(self, servers: Servers) -> None:
        self.servers = servers
        self.code = self.token = ""
        self.host: WireClient

    async def create(self, at: int = 0, **changed: Any) -> None:
        """Somebody makes it."""
        self.host = await self.servers.person("Olga", at)
        options = list({**OPTIONS, **changed}.values())
        made = await self.host.ask("CreateTournament", options, answer="TournamentMade")
        self.code, self.token = made["code"], made["token"]

    async def act(self, action: str, key: str = "", value: int = 0, by: WireClient | None = None) -> None:
        """The host does something."""
        await (by or self.host).ask("HostTournament", self.code, self.token, action, key, value)

    async def people(self, count: int, servers: int = 1) -> list[WireClient]:
        """People come in, by turns to each server."""
        found = [await self.servers.person(f"Player {at}", at % servers) for at in range(count)]
        for person in found:
            await person.ask("OpenTournament", self.code, True)
        return found

    async def state(self) -> TournamentState:
        """What the log in the store folds to."""
        found = await self.servers.store.tournaments.by_code(self.code)
        assert found is not None
        return machine.fold(log.decode_log(await self.servers.store.logs.load(keys.tournament_log(found))))

    async def race(self, *people: WireClient) -> None:
        """Everybody goes to the heat they are drawn for, and its gun fires."""
        for person in people:
            await self.go_to_heat(person)
        await self.servers.pass_time(10_000)
        await asyncio.gather(*(person.latest("Dealt") for person in people))

    async def go_to_heat(self, person: WireClient) -> Frame:
        """Enter the room that `TournamentYou` names."""
        you = await person.hear(lambda e: e["event"] == "TournamentYou" and e["room"] not in ("", person.room))
        person.seen.pop("Dealt", None)
        person.seen.pop("HeatResult", None)
        return await person.enter(you["room"])


async def give_up(person: WireClient, after: int) -> None:
    """Play a few moves and resign."""
    await person.think(after)
    assert person.board is not None
    if not person.board.ended:
        await person.play(person.board.ply, 6)


async def ended(person: WireClient) -> Frame:
    """The tournament is over."""
    return await person.hear(lambda e: e["event"] == "TournamentInfo" and e["phase"] == "ended")
