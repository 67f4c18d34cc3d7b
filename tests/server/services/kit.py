"""Servers in this event loop on one real store, people connected to them, and a clock that can be pushed on.

Lives here: starting, stopping, races, passing time. Lives elsewhere: a person's socket (wire_client), the
store (store_fixture). A race needs no 3 seconds here: `pass_time` moves the clocks of all servers and lets
them do what is then due. Bots look at the clock again; coalesced progress runs by the loop's own timers.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

from server.app import App, running
from server.config import Config
from server.core.heat import COUNTDOWN_MS
from server.core.ids import RoomId
from server.services.heat_host import HeatHost
from server.services.room_host import RoomHost
from server.store import keys
from server.store.connect import Store
from tests.store_fixture import until
from tests.wire_client import Frame, WireClient

PLENTY: dict[str, Any] = {"address_handshakes": 10_000, "address_identities": 10_000, "address_rooms": 10_000}
"""Limits per address are out of the way; all people here come from one."""


def settings(store_url: str, **changed: Any) -> Config:
    """Settings of a server on this store."""
    return Config(host="127.0.0.1", redis_url=store_url, durability="second", **({"port": 0} | PLENTY | changed))


class Servers:
    """The servers of one test."""

    def __init__(self, store: Store, store_url: str) -> None:
        self.store = store
        """A connection of the test's own, to look into the logs."""
        self.apps: list[App] = []
        self.people: list[WireClient] = []
        self._url = store_url
        self._open: dict[App, contextlib.AsyncExitStack] = {}

    async def start(self, **changed: Any) -> App:
        """One more server."""
        stack = contextlib.AsyncExitStack()
        app = await stack.enter_async_context(running(settings(self._url, **changed)))
        self._open[app] = stack
        self.apps.append(app)
        return app

    async def stop(self, app: App) -> None:
        """End a server in good order; its number stays taken."""
        await self._open.pop(app).aclose()

    async def close(self) -> None:
        """Everybody goes, then every server ends."""
        for person in self.people:
            await person.go()
        for app in list(self._open):
            await self.stop(app)

    def url(self, at: int = 0) -> str:
        """Where the server of this number is."""
        return f"ws://127.0.0.1:{self.apps[at].port}"

    async def person(self, name: str = "Ann", at: int = 0) -> WireClient:
        """Somebody new, connected to the server of this number."""
        made = WireClient(self.url(at), name)
        self.people.append(made)
        await made.come()
        return made

    async def hop(self, person: WireClient, at: int) -> Frame:
        """The person's connection breaks, and comes back to another server; returns the `Dealt`."""
        await person.go()
        person.url = self.url(at)
        return await person.back()

    # ------------------------------------------------------------ rooms

    async def room_id(self, code: str) -> RoomId:
        """The id behind a room code."""
        found = await self.store.rooms.room_of_code(code)
        assert found is not None
        return RoomId(found)

    async def host(self, code: str, at: int = 0) -> RoomHost:
        """The room as the server of this number folds it."""
        return self.apps[at].services.lobby.hub.rooms[await self.room_id(code)]

    async def heat(self, code: str, at: int = 0) -> HeatHost:
        """The heat of the room as the server of this number plays it."""
        heat = (await self.host(code, at)).heat
        assert heat is not None
        return heat

    async def drawn(self, *people: WireClient, watching: tuple[WireClient, ...] = (), **options: Any) -> Frame:
        """The first person makes a room, the others come in, all are ready: returns the `HeatInfo`."""
        first, *others = people
        code = await first.create(**options)
        for person in others:
            await person.enter(code)
        for person in watching:
            await person.enter(code, watch=True)
        return await self.again(*people, watching=watching)

    async def again(self, *people: WireClient, watching: tuple[WireClient, ...] = ()) -> Frame:
        """All are ready for the next heat of their room: returns the `HeatInfo`."""
        for person in (*people, *watching):
            person.seen.pop("HeatInfo", None)
            person.seen.pop("Dealt", None)
            person.seen.pop("HeatResult", None)
        for person in people:
            await person.ask("Ready", True)
        heats = [await person.latest("HeatInfo") for person in (*people, *watching)]
        assert all(heat == heats[0] for heat in heats)
        return heats[0]

    async def gun(self, *people: WireClient) -> list[Frame]:
        """The countdown is over: returns everybody's `Dealt`."""
        for person in people:
            await person.settle()
            person.seen.pop("Dealt", None)
        await self.pass_time(COUNTDOWN_MS)
        return list(await asyncio.gather(*(person.latest("Dealt") for person in people)))

    async def race(self, *people: WireClient, watching: tuple[WireClient, ...] = (), **options: Any) -> Frame:
        """A race that runs: returns its `HeatInfo`."""
        heat = await self.drawn(*people, watching=watching, **options)
        await self.gun(*people)
        return heat

    async def result(self, *people: WireClient) -> Frame:
        """The result of the race, after each who still plays has resigned; everybody hears the same."""
        for person in people:
            if person.board is not None and not person.board.ended:
                await person.play(person.board.ply, 6)
        results = await asyncio.gather(*(person.latest("HeatResult") for person in people))
        assert all(result == results[0] for result in results)
        return results[0]

    async def board(self, person: WireClient, heat: str = "") -> list[bytes]:
        """The log of the person's board in this heat, or in the one they were dealt last."""
        heat = heat or person.all("Dealt")[-1]["heat"]
        seat = person.all("Dealt")[-1]["seat"]
        return await self.store.logs.load(keys.board_log(await self.room_id(person.room), heat, seat))

    # ------------------------------------------------------------ time

    async def pass_time(self, ms: int) -> None:
        """All clocks go on by `ms`, and what is due then is done."""
        fired: list[HeatHost] = []
        apps = list(self._open)
        for app in apps:
            before_ms = app.store.clock.now_ms()
            push(app, ms)
            for host in app.services.lobby.hub.rooms.values():
                if host.heat is not None and before_ms < host.heat.heat.gun_ms <= before_ms + ms:
                    fired.append(host.heat)
        for heat in fired:
            heat._fire()
        for app in apps:
            for host in list(app.services.lobby.hub.rooms.values()):
                if host.heat is not None:
                    _hurry_bots(host.heat)
                await host.tick()
            for tournament in list(app.services.tournaments.hosts.values()):
                await tournament.tick()


def _hurry_bots(heat: HeatHost) -> None:
    """Bots that were to move at a time of the old clock set their timers by the new one."""
    for driver in heat._bots.values():
        driver.stop()
        driver.start()


def push(app: App, ms: int) -> None:
    """Push the clock of one server on by `ms`; it takes no connection for silent because of it."""
    clock = app.store.clock
    clock._monotonic = _later(clock._monotonic, ms)
    for connection in app.listener._connections:
        connection._heard_ms += ms


def _later(monotonic: Callable[[], float], ms: int) -> Callable[[], float]:
    return lambda: monotonic() + ms / 1000


async def eventually(true: Callable[[], Awaitable[bool]], seconds: float = 5.0) -> None:
    """Wait for something that must come about in the store."""
    for _ in range(int(seconds / 0.01)):
        if await true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"it did not come within {seconds} s")


def deafen(app: App) -> None:
    """The server hears no bell any more and looks at nothing by itself, but when subscriptions are confirmed."""
    for task in app.services.lobby.hub._tasks:
        task.cancel()
    listeners = app.store.bells._listeners
    for channel, listener in list(listeners.items()):
        listeners[channel] = dataclasses.replace(listener, on_bell=lambda payload, number: None)


async def settled(true: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for something that must come about without a frame to tell."""
    await until(true, seconds)
