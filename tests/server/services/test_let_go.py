"""What is over leaves memory at once, without a look for garbage in circles: in a server that runs such a look comes
seldom, and whatever it finds alive is left out for minutes (serving)."""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Callable, Iterator
from weakref import ReferenceType, ref

import pytest

from server.core import bots
from server.services.heat_host import HeatHost
from server.services.played_board import PlayedBoard
from server.services.room_host import RoomHost
from server.services.weakly import weakly
from tests.server.services.evening import Evening
from tests.server.services.kit import Servers, eventually
from tests.wire_client import DRAW, RESIGN

MINUTE_MS = 60_000
PLENTY_S = 20.0


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nobody looks for circles meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def boards_of(heat: str) -> int:
    """How many boards of this heat are in memory. (They are too lean to be referred to weakly.)"""
    return sum(type(one) is PlayedBoard and one.course.id == heat for one in gc.get_objects())


async def seen(server: Servers, code: str) -> tuple[ReferenceType[RoomHost], ReferenceType[HeatHost]]:
    """The room and its heat, as long as somebody holds them."""
    return ref(await server.host(code)), ref(await server.heat(code))


async def all_gone(*those: Callable[[], object]) -> None:
    """Wait until each of these answers nothing."""

    async def gone() -> bool:
        return not any(one() for one in those)

    await eventually(gone, PLENTY_S)


@pytest.mark.usefixtures("uncollected")
async def test_a_heat_that_is_over_goes_with_its_boards_and_its_room_when_it_is_closed(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = (await server.race(ann, bob))["heat"]
    room, played = await seen(server, ann.room)
    await ann.play(0, DRAW)
    assert boards_of(heat) == 2
    await server.result(ann, bob)
    for person in (ann, bob):
        await person.ask("LeaveRoom")
    await all_gone(played, lambda: boards_of(heat))
    assert room() is not None
    await server.pass_time(11 * MINUTE_MS)
    await all_gone(room)


@pytest.mark.usefixtures("uncollected")
async def test_bots_go_with_their_heat_while_their_rival_stays(
    server: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bots.LEVELS, 3, dataclasses.replace(bots.LEVELS[3], pace_ms=40))
    ann = await server.person("Ann")
    await ann.create(3)
    heat = (await server.again(ann))["heat"]
    _, played = await seen(server, ann.room)
    await server.gun(ann)
    await ann.play(0, RESIGN)
    await ann.latest("HeatResult")
    await ann.ask("LeaveRoom")
    await all_gone(played, lambda: boards_of(heat))


@pytest.mark.usefixtures("uncollected")
async def test_a_room_whose_people_are_elsewhere_goes_in_the_middle_of_its_heat(servers: Servers) -> None:
    for _ in range(2):
        await servers.start()
    ann, bob = await servers.person("Ann"), await servers.person("Bob")
    heat = (await servers.race(ann, bob))["heat"]
    room, played = await seen(servers, ann.room)
    for person in (ann, bob):
        await servers.hop(person, 1)

    async def let_go() -> bool:
        await servers.apps[0].services.lobby.hub._let_go()
        return not (room() or played())

    await eventually(let_go, PLENTY_S)
    assert boards_of(heat) == 2


@pytest.mark.usefixtures("uncollected")
async def test_a_tournament_nobody_looks_at_goes(servers: Servers) -> None:
    for _ in range(2):
        await servers.start()
    evening = Evening(servers)
    await evening.create()
    hosts = servers.apps[0].services.tournaments.hosts
    tournament = ref(next(iter(hosts.values())))

    async def let_go() -> bool:
        for host in [one for one in hosts.values() if one.idle]:
            del hosts[host.tournament]
            host.stop()
            del host
        return tournament() is None

    await eventually(let_go, PLENTY_S)


def test_who_is_called_weakly_is_called_while_there_and_not_held() -> None:
    class Host:
        heard: list[int] = []  # noqa: RUF012

        def hear(self, number: int, *, twice: bool = False) -> None:
            self.heard.extend([number] * (1 + twice))

    host = Host()
    tell, there = weakly(host.hear), ref(host)
    tell(1)
    tell(2, twice=True)
    del host
    assert there() is None
    tell(3)
    assert Host.heard == [1, 2, 2]
