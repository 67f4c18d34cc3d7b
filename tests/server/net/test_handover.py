"""Workers on one port: who comes for a room is served where the others of that room are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.net import handover
from server.net.handover import Place
from server.net.settings import NetSettings
from server.wire.messages import Done, Ready
from tests.server.net.conftest import Stage, Stages
from tests.server.net.raw import HELLO, Raw, command, handshake
from tests.store_fixture import until

CODES = st.text("ABCDEFGHJKLMNPQRSTUVWXYZ", min_size=5, max_size=5)


@given(CODES, st.integers(1, 16))
def test_every_code_has_one_home_however_it_is_typed(code: str, count: int) -> None:
    places = [Place(number, count, "/x") for number in range(count)]
    homes = [place.number for place in places if place.has(code)]
    assert len(homes) == 1
    assert places[homes[0]].has(code.lower())


@given(st.integers(0, 15), st.integers(1, 16), st.text("abc/ é", min_size=1))
def test_a_place_is_read_as_it_was_written(number: int, count: int, folder: str) -> None:
    assert Place.parse(str(Place(number, count, folder))) == Place(number, count, folder)


@pytest.fixture
async def workers(stages: Stages, tmp_path: Path) -> AsyncIterator[list[Stage]]:
    """Two workers that know each other. (On ports of their own, so that a test knows to which one it comes.)"""
    settings = NetSettings(base="/kupa")
    made = [await stages(settings, place=Place(number, 2, str(tmp_path))) for number in range(2)]
    yield made
    for raw in [raw for stage in made for raw in stage.raws]:
        await raw.leave()


def code_of(number: int) -> str:
    """A room code whose people come together at this one of two workers."""
    return next(code for code in ("ABCDE", "BCDEF", "CDEFG", "DEFGH") if Place(number, 2, "").has(code))


async def asked(stage: Stage, target: str) -> Raw:
    """A request for this address; the head of its answer has come."""
    raw = await stage.connect()
    raw.write(handshake(stage.port).replace(b" /ws ", b" " + target.encode() + b" "))
    assert "101" in await raw.head()
    return raw


def served(workers: list[Stage]) -> list[int]:
    return [worker.listener.counts.sockets for worker in workers]


@pytest.mark.parametrize("target", ["/ws?room={}", "/kupa/ws?room={}"])
@pytest.mark.parametrize("typed", [str.upper, str.lower])
async def test_who_comes_for_a_room_is_served_where_it_is(workers: list[Stage], target: str, typed: object) -> None:
    code = code_of(1)
    raw = await asked(workers[0], target.format(typed(code)))  # type: ignore[operator]
    assert served(workers) == [0, 1]
    await workers[0].listener.close()
    await raw.greet()
    raw.write(command(Ready(7, True)))
    assert await raw.event() == Done(7)


async def test_who_comes_for_a_room_of_this_worker_or_for_none_stays(workers: list[Stage]) -> None:
    for target in ("/ws", f"/ws?room={code_of(0)}", "/ws?room=", "/ws?room=ABC", f"/ws?seat={code_of(1)}"):
        await asked(workers[0], target)
    assert served(workers) == [5, 0]


async def test_a_request_that_comes_in_pieces_is_served_where_it_came_in(workers: list[Stage]) -> None:
    raw = await workers[0].connect()
    request = handshake(workers[0].port).replace(b" /ws ", f" /ws?room={code_of(1)} ".encode())
    raw.write(request[:50])
    await until(lambda: any(each._tail for each in workers[0].listener._connections))
    raw.write(request[50:])
    assert "101" in await raw.head()
    assert served(workers) == [1, 0]


async def test_who_goes_at_once_is_let_go_without_a_word(
    workers: list[Stage], caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(20):
        raw = await workers[0].connect()
        raw.write(handshake(workers[0].port).replace(b" /ws ", f" /ws?room={code_of(1)} ".encode()))
        raw.writer.write_eof()
        raw.writer.close()
    last = await asked(workers[0], f"/ws?room={code_of(1)}")
    await last.leave()
    await until(lambda: not any(worker.listener._connections for worker in workers))
    assert caplog.records == []


async def test_what_is_sent_before_the_answer_has_come_is_heard(workers: list[Stage]) -> None:
    raw = await workers[0].connect()
    raw.write(handshake(workers[0].port).replace(b" /ws ", f" /ws?room={code_of(1)} ".encode()))
    await until(lambda: bool(workers[1].listener._connections))
    raw.write(command(HELLO))
    raw.write(command(Ready(7, True)))
    assert "101" in await raw.head()
    assert [await raw.event() for _ in range(2)] == [Done(1), Done(7)]


async def test_where_the_other_worker_is_gone_people_are_served_here(workers: list[Stage]) -> None:
    await workers[1].listener.close()
    raw = await asked(workers[0], f"/ws?room={code_of(1)}")
    await raw.greet()
    assert served(workers) == [1, 0]


async def test_a_crowd_waits_at_a_full_door(workers: list[Stage]) -> None:
    """The system lets ten wait there; more come at once when a heat is opened to a hall."""
    away = workers[1].listener._handover
    assert away is not None
    door = away._socket.fileno()
    asyncio.get_running_loop().remove_reader(door)
    coming = [asyncio.create_task(asked(workers[0], f"/ws?room={code_of(1)}")) for _ in range(40)]
    here = workers[0].listener._handover
    assert here is not None
    await until(lambda: bool(here._later))
    asyncio.get_running_loop().add_reader(door, away._come)
    await asyncio.gather(*coming)
    assert served(workers) == [0, 40]


async def test_who_waits_at_a_door_in_vain_is_served_here(
    workers: list[Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "PATIENCE", 3)
    away = workers[1].listener._handover
    assert away is not None
    asyncio.get_running_loop().remove_reader(away._socket.fileno())
    coming = [asyncio.create_task(asked(workers[0], f"/ws?room={code_of(1)}")) for _ in range(40)]
    await until(lambda: sum(task.done() for task in coming) > 0)
    here = served(workers)[0]
    assert here > 0
    asyncio.get_running_loop().add_reader(away._socket.fileno(), away._come)
    await asyncio.gather(*coming)
    assert sum(served(workers)) == 40


async def test_a_worker_started_again_takes_what_is_its_own(
    workers: list[Stage], stages: Stages, tmp_path: Path
) -> None:
    died = workers[1].listener._handover
    assert died is not None
    asyncio.get_running_loop().remove_reader(died._socket.fileno())
    died._socket.close()  # its door stays in the folder, and nobody is behind it
    workers[1].listener._handover = None
    again = await stages(place=Place(1, 2, str(tmp_path)))
    await asked(workers[0], f"/ws?room={code_of(1)}")
    assert served([*workers, again]) == [0, 0, 1]
