"""Pages, tables and files of tournaments, from a running server and without one."""

from __future__ import annotations

import asyncio
import csv
import http.client
import io
import json
from typing import Any

import msgspec
import pytest

from server import tournament_client
from server.core.tournament import archive, table
from server.core.tournament.archive import Archive
from server.services.tournaments import Tournaments
from server.store.errors import StoreAway
from tests.server.services.evening import Evening, ended, give_up
from tests.server.services.kit import Servers
from tests.wire_client import WireClient

NOT_FOUND = (404, b'{"error":"not_found"}')


@pytest.fixture
async def evening(servers: Servers) -> Evening:
    """Two servers, no tournament yet."""
    await servers.start(moves=1000)
    await servers.start(moves=1000)
    return Evening(servers)


async def page(evening: Evening, path: str, at: int = 0) -> tuple[int, bytes]:
    """A page of the server of this number."""

    def get() -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", evening.servers.apps[at].port, timeout=10)
        connection.request("GET", path)
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        return reply.status, body

    return await asyncio.to_thread(get)


async def held(evening: Evening, count: int = 3, **changed: Any) -> list[WireClient]:
    """A tournament of one round from its beginning to its end."""
    await evening.create(rounds=1, **changed)
    people = await evening.people(count, servers=2)
    await evening.act("start")
    await people[0].hear(lambda e: e["event"] == "TournamentInfo" and e["round"] == 1)
    drawn = (await evening.state()).rounds[0].entrants()
    racing = [person for person in people if person.player in drawn]
    await evening.race(*racing)
    await asyncio.gather(*(give_up(person, 2 + at) for at, person in enumerate(racing)))
    await ended(people[0])
    return people


async def test_the_page_of_a_tournament_has_everything_but_the_boards(evening: Evening) -> None:
    people = await held(evening)
    status, body = await page(evening, f"/api/tournament/{evening.code}", at=1)
    told = json.loads(body)
    assert status == 200
    assert told["info"]["phase"] == "ended"
    assert told["info"]["options"]["name"] == "Club evening"
    assert {one["entrant"] for one in told["entrants"]} == {person.player for person in people}
    assert [row["place"] for row in told["standings"]] == [
        line.place for line in table.standings(await evening.state())
    ]
    assert told["rounds"][0]["heats"][0]["rows"][0]["ended"] == "resigned"
    assert [one["id"] for one in told["tie_breaks"]] == ["first_places", "best_place", "total_out", "total_time"]
    assert told["edits"][0]["what"] == "start_ms"


async def test_a_deal_is_on_no_page_while_it_is_sealed(evening: Evening) -> None:
    await evening.create(rounds=1)
    people = await evening.people(2)
    await evening.act("start")
    await evening.race(*people)
    found = await evening.servers.store.tournaments.by_code(evening.code)
    assert found is not None
    deal = await evening.servers.store.tournaments.get_deal(found, 1)
    assert deal is not None
    secrets = (deal.code.encode(), deal.nonce.encode(), deal.code.rpartition("-")[2].encode())
    paths = [f"/api/tournament/{evening.code}{kind}" for kind in ("", ".csv", ".heats.csv", ".archive")]
    pages = [await page(evening, path) for path in paths]
    assert [status for status, _ in pages] == [200, 200, 200, 200]
    frames = [data for person in (*people, evening.host) for data in person.raw]
    for body in [body for _, body in pages] + frames:
        assert not any(secret in body for secret in secrets)


async def test_tables_for_a_spreadsheet(evening: Evening) -> None:
    await held(evening, count=3, format="swiss")
    _, body = await page(evening, f"/api/tournament/{evening.code}.csv")
    lines = list(csv.reader(io.StringIO(body.decode())))
    assert lines[0][:6] == ["place", "name", "tag", "entrant", "bot", "points"]
    assert len(lines) == 4
    _, body = await page(evening, f"/api/tournament/{evening.code}.heats.csv")
    heats = list(csv.reader(io.StringIO(body.decode())))
    assert [row[6] for row in heats[1:]].count("bye") == 1
    assert len(heats) == 4


async def test_how_far_running_heats_are_and_who_is_there_is_told_by_any_server(evening: Evening) -> None:
    await evening.create(rounds=1, absent_s=0)
    come, waited_for = await evening.people(2)
    await evening.act("start")
    await come.hear(lambda e: e["event"] == "TournamentInfo" and e["round"] == 1)
    await evening.race(come)
    await come.think(3)
    _, body = await page(evening, f"/api/tournament/{evening.code}.live", at=1)
    told = json.loads(body)
    assert told["info"]["phase"] == "round"
    assert told["info"]["gun_ms"] <= told["now_ms"]
    (heat,) = told["heats"]
    assert heat["room"] == come.room
    rows = {row["entrant"]: row for row in heat["rows"]}
    assert rows[come.player]["there"] == "yes"
    assert rows[come.player]["moves"] > 0
    assert rows[waited_for.player] == {
        "entrant": waited_for.player, "there": "never", "out": 0, "score": 0, "moves": 0, "ended": "",
    }  # fmt: skip


async def test_whether_a_code_is_a_tournaments_is_always_answered(evening: Evening) -> None:
    await evening.create()
    for code, there in ((evening.code, True), ("QQQQQ", False), ("*", False)):
        status, body = await page(evening, f"/api/tournament/{code}.there", at=1)
        assert (status, json.loads(body)) == (200, {"there": there})


@pytest.mark.parametrize("path", ["AAAAA", "x", "", "AAAAA.live", "AAAAA.csv", "%7B%7D", "A.archive"])
async def test_there_is_no_page_for_what_there_is_not(evening: Evening, path: str) -> None:
    assert await page(evening, f"/api/tournament/{path}") == NOT_FOUND


async def test_a_store_that_is_away_is_told_as_everywhere(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object) -> None:
        raise StoreAway("gone")

    monkeypatch.setattr(Tournaments, "listed", away)
    monkeypatch.setattr(Tournaments, "by_code", away)
    for path in ("/api/tournaments", "/api/tournament/AAAAA", "/api/tournament/AAAAA.live"):
        assert await page(evening, path) == (503, b'{"error":"busy"}')


async def test_there_is_no_page_of_another_kind_or_number(evening: Evening) -> None:
    await held(evening, count=2)
    for kind in (".pdf", ".archive?page=0", ".archive?page=2", ".archive?page=x", ".archive?page=%C2%B2"):
        assert await page(evening, f"/api/tournament/{evening.code}{kind}") == NOT_FOUND


async def test_public_tournaments_are_listed_and_others_are_not(evening: Evening) -> None:
    await evening.create(public=True)
    shown = evening.code
    await evening.create()
    _, body = await page(evening, "/api/tournaments", at=1)
    assert [row["code"] for row in json.loads(body)] == [shown]


async def test_an_exported_tournament_is_checked_without_the_server(evening: Evening) -> None:
    await held(evening, count=4, format="swiss")
    address = f"http://127.0.0.1:{evening.servers.apps[1].port}"
    kept = await asyncio.to_thread(tournament_client.export, address, evening.code, lambda done, of: None)
    again = archive.read(archive.write(kept))
    assert archive.faults(again) == []
    assert len(again.heats) == 2
    assert table.standings(again.state()) == table.standings(await evening.state())
    first = again.heats[0]
    for wrong in (
        msgspec.structs.replace(again, heats=again.heats[1:]),
        msgspec.structs.replace(again, heats=(*again.heats, msgspec.structs.replace(first, heat="ABCDEFGHJK"))),
        changed_heat(again, code=again.heats[0].code[:-1] + ("A" if first.code[-1] != "A" else "B")),
        changed_heat(again, boards=(msgspec.structs.replace(first.boards[0], score=99), *first.boards[1:])),
        changed_heat(again, boards=(msgspec.structs.replace(first.boards[0], player="ABCDEFGHJK"), *first.boards[1:])),
    ):
        assert archive.faults(wrong) != []
    with pytest.raises(archive.BadArchive):
        archive.faults(msgspec.structs.replace(again, log=again.log[1:]))


def changed_heat(kept: Archive, **changed: Any) -> Archive:
    """The archive with its first heat altered."""
    first, *others = kept.heats
    return msgspec.structs.replace(kept, heats=(msgspec.structs.replace(first, **changed), *others))


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"format":"kupa-replay"}', b"\xff"])
def test_what_is_no_archive_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(archive.BadArchive, match=r"^[^\n]+$"):
        archive.read(data)
