"""Tournaments as they run: two servers, people on both, one server that ends in the middle."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest

from engine import deal_code
from server.core.formats import FORMATS
from server.core.ids import EntrantId
from server.core.tournament import table
from tests.server.services.evening import Evening, ended, give_up
from tests.server.services.kit import Servers


@pytest.fixture
async def evening(servers: Servers) -> Evening:
    """Two servers, no tournament yet."""
    await servers.start(moves=1000)
    await servers.start(moves=1000)
    return Evening(servers)


async def test_a_league_over_two_servers_from_the_first_page_to_the_standings(evening: Evening) -> None:
    await evening.create()
    people = await evening.people(4, servers=2)
    await evening.act("start")
    for number in (1, 2):
        await evening.race(*people)
        sealed = await evening.state()
        assert sealed.rounds[-1].code == ""
        await asyncio.gather(*(give_up(person, 3 * at) for at, person in enumerate(people)))
        results = [await person.latest("HeatResult") for person in people]
        assert {result["heat"] for result in results} == {results[0]["heat"]}
        opened = await people[0].hear(lambda e: e["event"] == "HeatResult" and e["code"] != "")
        assert deal_code.commitment(opened["heat"], opened["code"], opened["nonce"]) == opened["commitment"]
        await evening.servers.pass_time(5_000 if number == 1 else 0)
    await ended(people[3])
    state = await evening.state()
    page = await people[1].ask("ListStandings", 0, answer="Standings")
    assert [(row[0], row[4], row[5]) for row in page["rows"]] == [
        (line.entrant, line.place, line.points) for line in table.standings(state)
    ]
    assert [len(number.entrants()) for number in state.rounds] == [4, 4]
    assert all(number.code for number in state.rounds)
    assert state.rounds[0].code != state.rounds[1].code


async def test_what_drawing_needs_is_ready_before_the_first_draw_and_was_loaded_aside(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    by: list[threading.Thread] = []
    told = replace(FORMATS["swiss"], prepare=lambda: by.append(threading.current_thread()))
    monkeypatch.setitem(FORMATS, "swiss", told)
    await evening.create(format="league")
    assert by == []
    await evening.create(format="swiss", rounds=1)
    assert len(by) == 1
    assert by[0] is not threading.main_thread()


async def test_all_heats_of_a_round_share_one_deal_that_is_open_when_the_last_is_closed(evening: Evening) -> None:
    await evening.create(format="swiss", rounds=1)
    people = await evening.people(4, servers=2)
    await evening.act("start")
    await evening.race(*people)
    rooms = {person.room for person in people}
    assert len(rooms) == 2
    first = [person for person in people if person.room == people[0].room]
    second = [person for person in people if person not in first]
    await asyncio.gather(*(give_up(person, 2) for person in first))
    assert [(await person.latest("HeatResult"))["code"] for person in first] == ["", ""]
    await asyncio.gather(*(give_up(person, 2) for person in second))
    codes = {(await person.hear(lambda e: e["event"] == "HeatResult" and e["code"] != ""))["code"] for person in people}
    assert len(codes) == 1
    await ended(evening.host if evening.host.seen.get("TournamentInfo") else people[0])


async def test_a_server_that_ends_in_the_middle_takes_nothing_with_it(evening: Evening) -> None:
    await evening.create(rounds=2)
    people = await evening.people(3, servers=2)
    await evening.act("start")
    await evening.race(*people)
    await give_up(people[1], 4)
    await evening.servers.stop(evening.servers.apps[0])
    for person in (people[0], people[2]):
        await evening.servers.hop(person, 1)
        await person.ask("OpenTournament", evening.code, False)
    await asyncio.gather(*(give_up(person, 2) for person in (people[0], people[2])))
    await evening.servers.pass_time(5_000)
    await people[0].hear(lambda e: e["event"] == "TournamentInfo" and e["round"] == 2)
    await evening.race(*people)
    await asyncio.gather(*(give_up(person, 1) for person in people))
    await ended(people[1])
    state = await evening.state()
    assert [len(number.heats) for number in state.rounds] == [1, 1]
    assert all(number.reported for number in state.rounds)
    assert {row.ended for number in state.rounds for row in number.rows()} == {"resigned"}
    assert all(line.points >= 2 for line in table.standings(state))


async def test_who_does_not_come_to_a_heat_is_absent_and_back_when_they_say_so(evening: Evening) -> None:
    await evening.create(rounds=3)
    people = await evening.people(2)
    away = people[1]
    await evening.act("start")
    await evening.race(people[0])
    await give_up(people[0], 2)
    await evening.servers.pass_time(60_000)
    missed = await away.hear(lambda e: e["event"] == "TournamentYou" and e["status"] == "absent")
    assert missed["room"] == ""
    await away.ask("CheckIn")
    await away.hear(lambda e: e["event"] == "TournamentYou" and e["status"] == "in")
    state = await evening.state()
    assert state.rounds[0].rows()[-1].absent


async def test_another_name_and_another_device_are_the_same_entrant(evening: Evening) -> None:
    await evening.create()
    (ann,) = await evening.people(1)
    await ann.ask("Rename", "Annabel")
    code = await ann.ask("LinkDevice", answer="DeviceCode")
    phone = await evening.servers.person("Phone", 1)
    await phone.ask("UseDeviceCode", code["code"], answer="Welcome")
    await phone.ask("OpenTournament", evening.code, True)
    state = await evening.state()
    assert [one.name for one in state.entrants.values()] == ["Annabel"]


async def test_only_who_has_a_token_hosts_and_a_token_can_be_shared_and_taken_back(evening: Evening) -> None:
    await evening.create()
    helper = await evening.servers.person("Helper", 1)
    assert await helper.refused("HostTournament", evening.code, "wrong", "pause", "", 0) == "host_only"
    made = await evening.host.ask("ShareHost", evening.code, evening.token, "Helper", answer="TournamentMade")
    await helper.ask("HostTournament", evening.code, made["token"], "pause", "", 0)
    assert (await evening.state()).edits[-1].by == "Helper"
    names = await helper.ask("ListHosts", evening.code, made["token"], answer="Hosts")
    assert names["names"] == ["Helper", "Olga"]
    assert await helper.refused("ShareHost", evening.code, made["token"], "Olga") == "name"
    assert await helper.refused("RevokeHost", evening.code, made["token"], "Helper") == "no_seat"
    await evening.host.ask("RevokeHost", evening.code, evening.token, "Helper")
    assert await helper.refused("HostTournament", evening.code, made["token"], "resume", "", 0) == "host_only"


async def test_a_host_moves_the_deadline_of_a_running_round_and_closes_it(evening: Evening) -> None:
    await evening.create(rounds=1)
    people = await evening.people(2, servers=2)
    await evening.act("start")
    await evening.race(*people)
    before = people[0].all("HeatInfo")[-1]["deadline_ms"]
    await evening.act("extend", value=60)
    later = await people[1].hear(lambda e: e["event"] == "HeatInfo" and e["deadline_ms"] != before)
    assert later["deadline_ms"] == before + 60_000
    await evening.act("close_round")
    await people[0].hear(lambda e: e["event"] == "HeatInfo" and e["deadline_ms"] < before)
    await evening.servers.pass_time(6_000)
    results = [await person.latest("HeatResult") for person in people]
    assert {row[2] for row in results[0]["rows"]} == {"time_up"}
    await ended(people[0])


async def test_bots_of_a_tournament_play_by_themselves(evening: Evening) -> None:
    await evening.create(format="cup", minutes=3)
    await evening.act("bots", "3", 4)
    watcher = await evening.servers.person("Watcher", 1)
    await watcher.ask("OpenTournament", evening.code, False)
    await evening.act("start")
    for _ in range(2):
        await watcher.hear(lambda e: e["event"] == "TournamentInfo" and e["phase"] == "round")
        await asyncio.sleep(0.5)
        await evening.servers.pass_time(10_000)
        await evening.servers.pass_time(200_000)
        await evening.servers.pass_time(5_000)
        await asyncio.sleep(0.5)
        await evening.servers.pass_time(5_000)
    await ended(watcher)
    state = await evening.state()
    assert [len(number.heats) for number in state.rounds] == [2, 1]


async def test_what_nobody_tells_of_is_found_by_looking(evening: Evening) -> None:
    """The process that judged may have died before it told the tournament."""
    await evening.create(rounds=1)
    people = await evening.people(2, servers=2)
    for app in evening.servers.apps:
        app.services.lobby.on_judged = lambda _: None
    await evening.act("start")
    await evening.race(*people)
    await asyncio.gather(*(give_up(person, 1) for person in people))
    await asyncio.gather(*(person.latest("HeatResult") for person in people))
    await evening.servers.pass_time(5_000)
    await ended(people[0])


@pytest.mark.parametrize("code", ["", "AAAAA", "{}", "ABCDEFGHIJKLMNOP"])
async def test_a_code_that_leads_nowhere_is_refused(evening: Evening, code: str) -> None:
    person = await evening.servers.person()
    assert await person.refused("OpenTournament", code, True) == "noroom"
    assert await person.refused("HostTournament", code, "t", "start", "", 0) == "noroom"


async def test_without_an_open_tournament_there_is_nothing_to_ask(evening: Evening) -> None:
    person = await evening.servers.person()
    assert await person.refused("CheckIn") == "noroom"
    assert await person.refused("ListStandings", 0) == "noroom"
    await person.ask("CloseTournament")


async def test_a_person_can_only_look_and_later_take_part(evening: Evening) -> None:
    await evening.create()
    person = await evening.servers.person()
    await person.ask("OpenTournament", evening.code, False)
    assert (await person.latest("TournamentYou"))["status"] == ""
    await person.ask("OpenTournament", evening.code, True)
    assert person.seen["TournamentYou"]["status"] == "in"
    await person.ask("Withdraw")
    await person.hear(lambda e: e["event"] == "TournamentYou" and e["status"] == "out")
    assert EntrantId(person.player) in (await evening.state()).entrants
