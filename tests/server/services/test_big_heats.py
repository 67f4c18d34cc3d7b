"""A heat of hundreds: what is told to each is looked up once for all, and gathered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest

from server.clock import ManualClock
from server.core import projection
from server.core.ids import PlayerId
from server.core.tournament import table
from server.services.audience import Audience
from server.services.counts import Counts, pack_row
from server.services.tournament_host import TournamentHost
from server.services.wheel import Wheel
from server.store.rooms import Rooms
from tests.server.core.driver import Room, player
from tests.server.services.evening import Evening
from tests.server.services.fakes import Person
from tests.server.services.kit import Servers

NAMES = [f"p{number}" for number in range(20)]
PATIENCE_S = 10


def counted(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[object]:
    """One entry for each call of a function from now on."""
    calls: list[object] = []
    real: Callable[..., object] = getattr(module, name)

    def call(*args: Any, **named: Any) -> object:
        calls.append(args)
        return real(*args, **named)

    monkeypatch.setattr(module, name, call)
    return calls


async def until(true: Callable[[], bool]) -> None:
    """It comes true before long."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110 - a viewer keeps what it was sent, and rings for nobody
            await asyncio.sleep(0.01)


def told(person: Person, event: str) -> list[dict[str, Any]]:
    return [one for one in person.heard() if one["event"] == event]


# ---------------------------------------------------------------- seats


def full_house() -> Room:
    """Twenty people in a tournament's room."""
    house = Room.of_tournament(*NAMES)
    for name in NAMES:
        house.enters(name)
    return house


async def test_rows_are_made_once_for_all_who_come_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    house, people, hall = full_house(), [Person() for _ in NAMES], Audience()
    made = counted(monkeypatch, projection, "seat_rows")
    for name, person in zip(NAMES, people, strict=True):
        hall.enter(player(name), person, house.state, house.now)
    assert len(made) == 1
    assert all(len(told(person, "SeatRow")) == len(NAMES) for person in people)
    own = [[row["seat"] for row in told(person, "SeatRow") if row["you"]] for person in people]
    assert own == [[house.state.members[player(name)].seat] for name in NAMES]


async def test_seats_that_change_within_a_moment_are_told_together() -> None:
    house, hall, person = full_house(), Audience(), Person()
    hall.enter(player("p0"), person, house.state, house.now)
    person.frames.clear()
    for name in NAMES[1:]:
        house.drops(name)
        hall.show(house.state, house.now)
    assert told(person, "SeatRow") == []
    await until(lambda: bool(told(person, "SeatRow")))
    assert [row["present"] for row in told(person, "SeatRow")] == [False] * (len(NAMES) - 1)
    hall.stop()


async def test_ends_of_boards_are_placed_once_for_each_who_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    house, hall, person = full_house(), Audience(), Person()
    house.begins()
    for seat in range(10):
        house.passes(1_000).ends(seat)
    placed = counted(monkeypatch, projection, "provisional_places")
    hall.enter(player("p0"), person, house.state, house.now)
    assert len(placed) == 1
    assert [(news["seat"], news["place"]) for news in told(person, "BoardEnded")] == [(at, at + 1) for at in range(10)]


# ---------------------------------------------------------------- counts


class Stored:
    """The progress hash, empty."""

    def __init__(self) -> None:
        self.readings = 0

    async def progress(self, _: str) -> dict[str, bytes]:
        self.readings += 1
        return {}


@pytest.fixture
def hall() -> Audience:
    return Audience()


@pytest.fixture
def stored() -> Stored:
    return Stored()


@pytest.fixture
async def big(hall: Audience, stored: Stored) -> Counts:
    house = full_house()
    house.begins()

    def spawn(work: Coroutine[Any, Any, None]) -> None:
        work.close()

    made = Counts("ROOMROOMRO", house.heat, "first", hall, cast(Rooms, stored), ManualClock(), Wheel(), spawn)
    for one in house.heat.seats:
        made.own(one.seat, row(0))
    return made


def row(moves: int) -> bytes:
    return pack_row(cast(Any, SimpleNamespace(out=moves, score=moves, moves=moves, ended=None)))


@pytest.mark.interpreted
async def test_rows_of_others_are_read_once_for_all_who_come_within_a_moment(big: Counts, stored: Stored) -> None:
    for name in NAMES:
        await big.show(player(name), Person())
    assert stored.readings == 1
    big.stop()


@pytest.mark.interpreted
async def test_who_comes_to_a_big_heat_is_shown_the_rows_of_interest_and_again_when_they_ask(
    big: Counts, hall: Audience
) -> None:
    person, who = Person(), player("p9")
    hall.viewers[PlayerId(who)] = person
    for times in (1, 2):
        await big.show(who, person)
        assert len(told(person, "Progress")) == times - 1
        await until(lambda times=times: len(told(person, "Progress")) == times)  # type: ignore[misc]
    assert told(person, "Progress")[-1]["rows"][::5] == [0, 1, 2, 3, 4, 8, 9, 10]
    assert told(person, "Progress")[-1]["place"] == 10
    big.stop()


@pytest.mark.interpreted
async def test_no_second_has_six_frames_of_progress(
    big: Counts, hall: Audience, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.viewers[player("p0")] = Person()
    loop, sent = asyncio.get_running_loop(), list[float]()
    monkeypatch.setattr(big, "_send_some", lambda: sent.append(loop.time()))
    moves = 0
    async with asyncio.timeout(PATIENCE_S):
        while len(sent) < 4:
            moves += 1
            big.own(moves % 20, row(moves))
            await asyncio.sleep(0.005)
    assert all(later - earlier > 1 / 5 for earlier, later in pairwise(sent))
    big.stop()


# ---------------------------------------------------------------- standings


async def test_however_many_look_on_the_standings_are_counted_once_for_what_is_told(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    await servers.start(moves=1000)
    evening = Evening(servers)
    await evening.create()
    teller = counted(monkeypatch, TournamentHost, "_tell")
    seen = counted(monkeypatch, table, "standings")
    people = await evening.people(5)
    await evening.act("points", people[0].player, 3)
    for person in people[1:]:
        await person.ask("Withdraw")
    await people[0].hear(lambda e: e["event"] == "TournamentYou" and e["points"] == 3)
    assert 1 <= len(seen) <= len(teller) + 1
