"""Days for tests: the clock pushed to an hour, deals that are known to the test, results as they are told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from server.app import App
from server.core import daily
from server.core.daily import Day
from server.services.daily_deals import uncertified
from server.store.connect import Store
from server.store.dailies import StoredDaily
from server.store.ids import new_id
from tests.server.services.kit import Servers, push
from tests.server.services.won import won
from tests.wire_client import RESIGN, Frame, WireClient

GAME = "DS1-D1N"
HOUR_MS = 3_600_000


class Days:
    """Servers whose clocks stand at an hour of a day in the future, when nothing was drawn yet."""

    def __init__(self, servers: Servers) -> None:
        self.servers = servers
        self.store: Store = servers.store
        self.ahead_ms = 0

    async def start(self, hour: float = 12, **changed: Any) -> App:
        """One more server; the first one goes to `hour` of the next day, the others to the same time."""
        app = await self.servers.start(**{"moves": 1000, **changed})
        if len(self.servers.apps) == 1:
            now_ms = app.store.clock.now_ms()
            tomorrow = daily.nth(daily.number(daily.day_of(now_ms)) + 1)
            self.ahead_ms = daily.start_ms(tomorrow) + int(hour * HOUR_MS) - now_ms
        push(app, self.ahead_ms)
        app.services.daily.deals.source = uncertified  # a solver for each test would take its time
        return app

    @property
    def now_ms(self) -> int:
        """The servers' time."""
        return self.servers.apps[-1].store.clock.now_ms()

    @property
    def today(self) -> Day:
        """The day it is there."""
        return daily.day_of(self.now_ms)

    async def go_to(self, day: Day, hour: float) -> None:
        """All clocks go on to an hour of a day (hours may be negative or above 24)."""
        ms = daily.start_ms(day) + int(hour * HOUR_MS) - self.now_ms
        assert ms > 0
        self.ahead_ms += ms
        for app in self.servers.apps:
            push(app, ms)

    async def deal_won(self, day: Day | None = None, ruleset: str = GAME) -> None:
        """The day's deal is the one that is won in `won`."""
        made = StoredDaily(new_id(), won(ruleset).code, "ab" * 32, 1_000, True)
        assert await self.store.dailies.put(day or self.today, ruleset, made) == made


async def opens(person: WireClient, date: str = "", ruleset: str = GAME, **how: bool) -> Frame:
    """The person asks for a daily deal; returns the `DailyGame`."""
    person.seen.pop("DailyResult", None)
    return await person.ask(
        "OpenDaily", ruleset, date, how.get("practice", False), how.get("fresh", False), answer="DailyGame"
    )


async def refused(person: WireClient, date: str = "", ruleset: str = GAME, practice: bool = False) -> str:
    """The person asks for a daily deal and does not get it; returns the code."""
    return await person.refused("OpenDaily", ruleset, date, practice, False)


async def gives_up(person: WireClient) -> Frame:
    """The person resigns; returns the `DailyResult`."""
    assert person.board is not None
    assert (await person.play(person.board.ply, RESIGN))["event"] == "Moved"
    return await person.latest("DailyResult")


async def wins(person: WireClient, ruleset: str = GAME) -> Frame:
    """The person plays the won game; returns the `DailyResult`."""
    moves = won(ruleset).moves
    for at in range(0, len(moves), 10):
        answers = await person.burst(at, moves[at : at + 10])
        assert {answer["event"] for answer in answers} == {"Moved"}
    return await person.latest("DailyResult")


async def asks(days: Days, path: str, at: int = 0) -> tuple[int, bytes]:
    """GET an address of the server of this number; returns status and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", days.servers.apps[at].port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


async def shown(days: Days, path: str, at: int = 0) -> Any:
    """GET an address that answers JSON."""
    status, body = await asks(days, path, at)
    assert status == 200, (status, body)
    return json.loads(body)


async def comes_true(ask: Callable[[], Any], wanted: object, seconds: float = 5.0) -> None:
    """Wait until the store says so."""
    found = None
    for _ in range(int(seconds / 0.02)):
        found = await ask()
        if found == wanted:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{found!r}, not {wanted!r}")


__all__ = ["GAME", "Days", "asks", "comes_true", "gives_up", "opens", "refused", "shown", "wins"]
