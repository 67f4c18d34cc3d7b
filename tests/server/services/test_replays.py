"""A heat is told whole once its deal is open, and before that there is no such heat (ruling 9, product P8)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from server.app import App
from server.core import replay
from server.services.replays import Replays
from server.store import keys
from server.store.connect import Store
from server.store.ids import new_id
from tests.server.services.kit import Servers
from tests.wire_client import DRAW, UNDO


async def get(app: App, path: str) -> tuple[int, Any, str]:
    """Status, JSON and headers of a page of this server."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), json.loads(body), head.decode()


async def raced(server: Servers, **options: Any) -> str:
    """Two people have raced; returns the heat."""
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = await server.race(ann, bob, **options)
    await ann.think(6)
    await bob.play(0, DRAW)
    await bob.play(1, UNDO)
    await server.result(ann, bob)
    return str(heat["heat"])


async def test_a_closed_heat_is_told_whole_and_plays_again(server: Servers) -> None:
    heat = await raced(server)
    status, told, head = await get(server.apps[0], f"/api/heat/{heat}")
    assert (status, told["format"], told["heat"]) == (200, "kupa-replay", heat)
    assert "application/json" in head
    kept = replay.read(json.dumps(told).encode())
    assert replay.faults(kept) == []
    assert [(board.name, board.moves, len(board.entries)) for board in kept.boards] == [("Ann", 6, 7), ("Bob", 1, 3)]
    assert (kept.open, kept.rated, kept.pages) == (False, False, 1)
    assert kept.commitment == server.people[0].all("HeatInfo")[-1]["commitment"]


async def test_a_rated_heat_says_so(server: Servers) -> None:
    heat = await raced(server, public=True)
    assert (await get(server.apps[0], f"/api/heat/{heat}"))[1]["rated"] is True


async def test_every_server_tells_every_heat(servers: Servers) -> None:
    await servers.start()
    await servers.start()
    heat = await raced(servers)
    one, other = [await get(app, f"/api/heat/{heat}") for app in servers.apps]
    assert one[1] == other[1]
    assert other[0] == 200


async def test_a_heat_that_runs_and_one_that_never_was_are_the_same_nothing(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = await server.race(ann, bob)
    await ann.think(3)
    asked = [await get(server.apps[0], f"/api/heat/{one}") for one in (heat["heat"], new_id(), "x", "", "../heat")]
    assert {(status, str(told)) for status, told, _ in asked[:4]} == {(404, "{'error': 'not_found'}")}
    assert asked[0][2] == asked[1][2], "not even a header tells"
    assert asked[4][0] == 404


@pytest.mark.parametrize("query", ["page=0", "page=x", "page=1&page=1", "other=1", "page=", "page=-1", "page=99999"])
async def test_a_page_that_is_none_is_refused_or_not_there(server: Servers, query: str) -> None:
    heat = await raced(server)
    status, told, _ = await get(server.apps[0], f"/api/heat/{heat}?{query}")
    assert (status, told["error"]) in ((400, "bad_query"), (400, "bad_page"), (404, "not_found"))


async def test_a_heat_of_many_boards_comes_in_pages_and_as_a_file_whole(
    server: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.services.replays.PAGE", 1)
    heat = await raced(server)
    first, second, third = [await get(server.apps[0], f"/api/heat/{heat}?page={page}") for page in (1, 2, 3)]
    assert [(told["page"], told["pages"], len(told["boards"])) for _, told, _ in (first, second)] == [
        (1, 2, 1),
        (2, 2, 1),
    ]
    assert [told["boards"][0]["place"] for _, told, _ in (first, second)] == [1, 2]
    assert third[0] == 404
    whole = await Replays(server.store).whole(heat)
    assert whole is not None
    assert len(whole.boards) == 2
    assert replay.faults(whole) == []


async def test_boards_that_were_kept_for_as_long_as_they_were_to_be_are_no_heat_any_more(server: Servers) -> None:
    heat = await raced(server)
    room = await server.store.rooms.room_of_heat(heat)
    assert room is not None
    await server.store.client.execute_command("DEL", keys.board_log(room, heat, 0))
    assert (await get(server.apps[0], f"/api/heat/{heat}"))[0] == 404


# ---------------------------------------------------------------- keeping (ruling 22)


async def expiries(store: Store, room: str, heat: str) -> list[int]:
    """Seconds until what a heat is told from expires, −1 for what stays."""
    log = keys.board_log(room, heat, 0)
    names = [keys.room_log(room), log, keys.meta(log), keys.deal(room, heat), keys.heat(heat)]
    return [int(await store.client.execute_command("TTL", name)) for name in names]


async def kept(store: Store, room: str, heat: str) -> None:
    """What a heat leaves behind."""
    log = keys.board_log(room, heat, 0)
    for name in (keys.room_log(room), log, keys.meta(log), keys.deal(room, heat), keys.heat(heat)):
        await store.client.execute_command("SET", name, "x", "EX", 50)


@pytest.mark.parametrize("closed_first", [True, False])
async def test_a_heat_that_something_stands_on_is_kept_for_ever(store: Store, closed_first: bool) -> None:
    room, heat = new_id(), new_id()
    await kept(store, room, heat)
    for closing in (closed_first, not closed_first):
        if closing:
            await store.rooms.keep_room(room, 60)
        else:
            await store.rooms.keep_heat(room, heat, [0])
    assert await expiries(store, room, heat) == [-1] * 5


async def test_a_room_that_nothing_stands_on_expires(store: Store) -> None:
    room, heat = new_id(), new_id()
    await kept(store, room, heat)
    await store.client.execute_command("PERSIST", keys.room_log(room))
    await store.rooms.keep_room(room, 60)
    assert 0 < (await expiries(store, room, heat))[0] <= 60


async def test_a_heat_leads_to_its_room_for_as_long_as_its_deal_is_kept(server: Servers) -> None:
    heat = await raced(server)
    room = await server.store.rooms.room_of_heat(heat)
    assert room is not None
    deal, lead = (await expiries(server.store, room, heat))[3:]
    assert deal > 0
    assert abs(deal - lead) <= 1
    assert await server.store.rooms.room_of_heat("*") is None
