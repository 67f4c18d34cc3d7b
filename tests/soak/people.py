"""Two hundred people who come, race, play alone, lose their connection and go, for as long as asked.

Lives here: what people do in a soak, and what went wrong for them. Lives elsewhere: how one plays over broken
connections (faults.player), what is done to the servers (harm).
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Coroutine
from typing import Any

from server.tasks import ended
from tests.faults.player import Player
from tests.wire_client import BROKEN, Frame

TABLE = 4
HEAT_S = 600.0
"""A race that takes longer than this never ends."""
SOLO_EVERY = 4
"""One in so many plays alone for a while between two races."""


class Guest(Player):
    """A player who remembers no more of the past than is needed to play on."""

    async def open(self) -> None:
        await super().open()
        self.forget()

    async def send(self, command: str, *values: object) -> None:
        await super().send(command, *values)
        self.tape.lines.clear()

    async def next(self, within_s: float = 10.0) -> Frame:
        event = await super().next(within_s)
        self.forget()
        return event

    def forget(self) -> None:
        """Let go of what only a test would look at."""
        for past in (self.heard, self.raw, self.sent, self.played, self.tape.lines):
            past.clear()


class Crowd:
    """Everybody of a soak."""

    def __init__(self, urls: Callable[[int], list[str]], players: int, rate: float, seed: int) -> None:
        """`urls(home)`: the servers that live, that of number `home` first. `rate`: moves a second of each player."""
        self.moves = self.heats = self.solos = self.cut_off = 0
        self.faults: list[str] = []
        """What must not have happened."""
        self._rate = rate
        self._chance = random.Random(seed)
        self._free = [
            Guest(f"Guest {number}", lambda home=number % 2: urls(home), seed + number)  # type: ignore[misc]
            for number in range(players)
        ]
        self.all = list(self._free)
        self._tables: set[asyncio.Task[None]] = set()

    async def play(self, over: Callable[[], bool]) -> None:
        """Seat whoever is free until it is over; returns when the last race has ended and all are gone."""
        while not over():
            self._chance.shuffle(self._free)
            while len(self._free) >= TABLE:
                people, self._free = self._free[:TABLE], self._free[TABLE:]
                task = asyncio.create_task(self._table(people, over))
                self._tables.add(task)
                task.add_done_callback(self._tables.discard)
                await asyncio.sleep(0.05)
            await asyncio.sleep(0.5)
        await asyncio.gather(*self._tables)

    def reset(self, share: float) -> None:
        """So many connections break at once."""
        for guest in self._chance.sample(self.all, int(len(self.all) * share)):
            guest.cut()
            self.cut_off += 1

    async def _table(self, people: list[Guest], over: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(HEAT_S):
                await self._race(people, over)
                for guest in people:
                    if not over() and self._chance.randrange(SOLO_EVERY) == 0:
                        await self._alone(guest)
        except (AssertionError, *BROKEN) as error:
            said = ", ".join(f"{guest.name} {guest.codes} {sorted(guest.seen)}" for guest in people)
            self.faults.append(f"room {people[0].room}: {type(error).__name__} {str(error)[:300]}: {said}")
        for guest in people:
            with contextlib.suppress(*BROKEN):
                await guest.go()
        self._free += people

    async def _race(self, people: list[Guest], over: Callable[[], bool]) -> None:
        host = people[0]
        for guest in people:
            guest.board = None
        await together(*(_come(guest) for guest in people))
        code = await _create(host)
        for guest in people[1:]:
            guest.room = code
            await _enter(guest)
        await together(*(guest.surely("Ready", True) for guest in people))
        plies = self._chance.randrange(10, 40)
        await together(*(self._moves_of(guest, plies, over) for guest in people))
        await together(*(guest.result(60) for guest in people))
        self.heats += 1
        await together(*(guest.surely("LeaveRoom") for guest in people))

    async def _moves_of(self, guest: Guest, plies: int, over: Callable[[], bool]) -> None:
        """Play so many moves at one's own pace."""
        await guest.until_dealt()
        left = plies

        def enough() -> bool:
            nonlocal left
            left -= 1
            self.moves += left >= 0
            return left < 0 or over()

        await guest.play_until(enough, self._chance.uniform(0.5, 1.5) / self._rate)

    async def _alone(self, guest: Guest) -> None:
        """A few moves of a game of one's own."""
        with contextlib.suppress(*BROKEN):
            await guest.go()
            await _come(guest)
            guest.board = None
            await guest.ask("OpenSolo", "SS1-D1N", "", False, answer="SoloGame")
            self.solos += 1
            await guest.think(5)


async def together(*works: Coroutine[Any, Any, object]) -> None:
    """All at once. When one fails the others end: else they would play on with people who are free for another race,
    and one fault would make many."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        await ended(*tasks)


async def _come(guest: Guest, within: int = 200) -> None:
    """Open a socket, whatever it takes."""
    guest.codes.clear()
    for _ in range(within):
        for url in guest._urls():
            guest.url = url
            try:
                await guest.come()
                return
            except BROKEN:
                await asyncio.sleep(0.05)
    raise AssertionError(f"{guest.name} found no server")


async def _create(host: Guest) -> str:
    """A new room, even if the connection breaks meanwhile."""
    while True:
        try:
            return await host.create(minutes=10, public=True)
        except BROKEN:
            await _come(host)


async def _enter(guest: Guest) -> None:
    """Go in; a connection that breaks is opened again."""
    while True:
        try:
            await guest.enter()
            return
        except BROKEN:
            await _come(guest)
