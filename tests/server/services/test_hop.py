"""Any process serves any player: two servers on one store, and people who change between them (F13–F15)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import cast

import pytest
import pytest_asyncio

from server.services.ports import Guest
from server.services.room_host import RoomHost
from server.store import keys
from tests.server.services.kit import Servers, deafen, settled
from tests.wire_client import BROKEN, DRAW, RECYCLE, RESIGN, UNDO, WireClient


@pytest_asyncio.fixture
async def two(servers: Servers) -> AsyncIterator[Servers]:
    """Two servers on one store."""
    await servers.start()
    await servers.start()
    yield servers


async def couple(two: Servers) -> tuple[WireClient, WireClient]:
    """Ann on the first server and Bob on the other, in a race."""
    ann, bob = await two.person("Ann", at=0), await two.person("Bob", at=1)
    await two.race(ann, bob)
    return ann, bob


async def test_people_on_two_servers_race_and_hear_the_same(two: Servers) -> None:
    ann, bob = await couple(two)
    assert ann.seen["Dealt"]["view"] == bob.seen["Dealt"]["view"]
    await ann.play(0, DRAW)
    await bob.play(0, DRAW)
    await ann.play(1, RESIGN)
    news = await bob.latest("BoardEnded")
    assert (news["seat"], news["ended"]) == (0, "resigned")
    result = await two.result(ann, bob)
    assert {row[9] for row in result["rows"]} == {"Ann", "Bob"}


async def test_changing_servers_every_five_moves_lands_each_move_exactly_once(two: Servers) -> None:
    ann, bob = await couple(two)
    moves = 0
    for round_ in range(4):
        moves += await ann.think(5)
        dealt = await two.hop(ann, at=(round_ + 1) % 2)
        assert dealt["view"][0] == moves
    entries = await two.board(ann)
    assert [bytes(move) for _, move, _ in ann.played] == [entry[:4] for entry in entries]
    assert [ply for ply, _, _ in ann.played] == list(range(moves))
    assert bob.all("Superseded") == []


async def test_of_two_lines_that_come_at_the_same_instant_one_stays_and_its_moves_are_answered(server: Servers) -> None:
    """Two tabs that a browser opens again, say: whichever claims the board last, the line that is left plays it."""
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    await ann.go()

    async def enters(twin: WireClient) -> WireClient | None:
        try:
            await twin.come()
            await twin.enter(ann.room)
            await twin.latest("Dealt")
        except BROKEN:
            return None
        return twin

    for ply in range(6):
        twins = [WireClient(server.url(), "Ann", ann.token, room=ann.room) for _ in range(2)]
        server.people.extend(twins)
        there = [twin for twin in await asyncio.gather(*map(enters, twins)) if twin is not None]
        answers = [await answer(twin, ply) for twin in there]
        assert answers.count("Moved") == 1, answers
        await asyncio.gather(*(twin.go() for twin in twins))


async def answer(person: WireClient, ply: int) -> str:
    """What a draw is answered with; empty: the line broke."""
    try:
        return str((await person.play(ply, DRAW))["event"])
    except BROKEN:
        return ""


async def test_a_rivals_progress_arrives_from_the_other_server_within_a_second(two: Servers) -> None:
    ann, bob = await couple(two)
    for ply in range(3):
        await ann.play(ply, DRAW)
        played = time.monotonic()
        await bob.hear(lambda e, moves=ply + 1: e["event"] == "Progress" and [0, 0, 0, moves, 0] == e["rows"][:5])  # type: ignore[misc]
        assert time.monotonic() - played < 1.0


async def test_a_rivals_progress_goes_on_after_they_changed_servers(two: Servers) -> None:
    ann, bob = await couple(two)
    await ann.play(0, DRAW)
    cid = await two.person("Cid", at=0)
    await cid.enter(ann.room, watch=True)
    await two.hop(ann, at=1)
    await ann.play(1, DRAW)
    for person in (bob, cid):
        assert await person.hear(lambda e: e["event"] == "Progress" and e["rows"][:5] == [0, 0, 0, 2, 0])


async def test_a_second_tab_on_the_other_server_takes_over(two: Servers) -> None:
    """F14: the last claim wins; the first is told within a second, and is told why."""
    ann, bob = await couple(two)
    await ann.play(0, DRAW)
    tab = WireClient(two.url(1), "Ann", token=ann.token, room=ann.room)
    two.people.append(tab)
    began = time.monotonic()
    assert (await tab.back())["view"][0] == 1
    assert await ann.closed() == 4409
    assert time.monotonic() - began < 1.0
    assert len(ann.all("Superseded")) == 1
    assert (await tab.play(1, DRAW))["event"] == "Moved"
    assert len(await two.board(tab)) == 2
    assert bob.all("Superseded") == []


async def test_a_second_tab_on_the_same_server_takes_over(two: Servers) -> None:
    ann, _ = await couple(two)
    await ann.play(0, DRAW)
    tab = WireClient(two.url(0), "Ann", token=ann.token, room=ann.room)
    two.people.append(tab)
    assert (await tab.back())["view"][0] == 1
    assert await ann.closed() == 4409
    assert (await tab.play(1, DRAW))["event"] == "Moved"
    await two.pass_time(3_000)
    assert (await tab.play(2, DRAW))["event"] == "Moved"


@pytest.mark.parametrize("went", ["before the room heard of it", "while the room took it in"])
async def test_a_connection_that_went_while_it_was_coming_in_puts_no_newer_one_out(two: Servers, went: str) -> None:
    """The store takes long, a person tries again, and the first try is carried out after the second."""
    ann, _ = await couple(two)
    host = await two.host(ann.room, at=0)
    player = next(player for player, member in host.state.members.items() if member.name == "Ann")
    live = host.audience.viewers[player]
    late = Late(looks=0 if went == "before the room heard of it" else 1)
    assert await host.arrive(player, "Ann", "", cast(Guest, late), watch=False) is None
    assert late.looks < 0
    assert host.audience.viewers[player] is live
    assert (await ann.play(0, DRAW))["event"] == "Moved"
    assert ann.all("Superseded") == []


class Late:
    """A guest who is gone when it is looked at the second time, or at once."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    @property
    def is_gone(self) -> bool:
        self.looks -= 1
        return self.looks < 0

    async def make_way(self, _: RoomHost | None) -> None:
        """Nothing is in the way."""


async def test_two_tabs_that_fight_for_a_board_lose_and_double_nothing(two: Servers) -> None:
    ann, _ = await couple(two)
    tabs = [ann, WireClient(two.url(1), "Ann", token=ann.token, room=ann.room)]
    two.people.append(tabs[1])
    landed = 0
    for turn in range(6):
        tab = tabs[(turn + 1) % 2]
        landed = (await tab.back())["view"][0]
        assert (await tab.play(landed, DRAW))["event"] == "Moved"
        landed += 1
    acknowledged = sorted((ply, move) for tab in tabs for ply, move, _ in tab.played)
    entries = await two.board(ann)
    assert [bytes(move) for _, move in acknowledged] == [entry[:4] for entry in entries]
    assert landed == len(entries) == 6


async def test_moves_sent_again_after_a_change_are_answered(two: Servers) -> None:
    """F15: what had landed is shown, what had not is played, and a gap is a gap."""
    ann, _ = await couple(two)
    for ply in range(3):
        await ann.play(ply, DRAW)
    await two.hop(ann, at=1)
    shown = await ann.play(1, DRAW)
    assert (shown["event"], shown["view"][0]) == ("Restored", 3)
    assert (await ann.play(2, RECYCLE))["event"] == "Restored"
    assert (await ann.play(4, DRAW))["code"] == "seq"
    assert (await ann.play(3, DRAW))["event"] == "Moved"
    assert (await ann.play(3, DRAW))["event"] == "Moved"
    assert len(await two.board(ann)) == 4


async def test_undo_reaches_back_over_a_change(two: Servers) -> None:
    ann, _ = await couple(two)
    before = ann.seen["Dealt"]["view"]
    await ann.play(0, DRAW)
    await two.hop(ann, at=1)
    assert ann.seen["Dealt"]["view"][7] == 1
    after = (await ann.play(1, UNDO))["view"]
    assert after[3:7] == before[3:7]


async def test_moves_in_flight_when_the_connection_breaks_land_once_or_not_at_all(two: Servers) -> None:
    ann, _ = await couple(two)
    for ply in range(8):
        await ann.push(ply, DRAW)
    landed = (await two.hop(ann, at=1))["view"][0]
    assert 0 <= landed <= 8
    for ply in range(landed, 8):
        assert (await ann.play(ply, DRAW))["event"] == "Moved"
    assert len(await two.board(ann)) == 8


async def test_asking_for_everything_again_in_the_middle_of_moves_throws_nobody_out(two: Servers) -> None:
    """The board is the same connection's: no claim, no fence, one answer to each."""
    ann, _ = await couple(two)
    for ply in range(0, 12, 3):
        await ann.push(ply, DRAW)
        await ann.send("Resync", 1000 + ply)
        await ann.push(ply + 1, DRAW)
        await ann.send("EnterRoom", 2000 + ply, ann.room, False)
        await ann.push(ply + 2, DRAW)
    await ann.hear(lambda e: e["event"] == "Entered" and e["n"] == 2009)
    for ply in range(12):
        if not any(event["ply"] == ply for event in ann.all("Moved")):
            await ann.answer(ply)
    assert sorted(event["ply"] for event in ann.all("Moved")) == list(range(12))
    assert ann.all("Superseded") == []
    for event in ann.all("Dealt")[1:]:
        told = [ply for ply in range(12) if ann.heard.index(_first(ann, ply)) < ann.heard.index(_of(ann, event))]
        assert event["view"][0] == len(told), "a board is shown as the log has it"


def _first(person: WireClient, ply: int) -> tuple[float, dict[str, object]]:
    return next(one for one in person.heard if one[1]["event"] == "Moved" and one[1]["ply"] == ply)


def _of(person: WireClient, event: dict[str, object]) -> tuple[float, dict[str, object]]:
    return next(one for one in person.heard if one[1] is event)


async def test_a_board_claimed_behind_the_players_back_is_taken_again(two: Servers) -> None:
    """A process that took the player for gone fenced the board; the room's log says that they are here."""
    ann, _ = await couple(two)
    await ann.play(0, DRAW)
    heat = ann.seen["Dealt"]["heat"]
    await two.store.logs.claim(keys.board_log(await two.room_id(ann.room), heat, 0), "zombie")
    answers = await ann.burst(1, [(DRAW,)] * 3)
    assert [(one["event"], one["ply"]) for one in answers] == [("Moved", 1), ("Moved", 2), ("Moved", 3)]
    assert ann.all("Superseded") == []
    assert len(await two.board(ann)) == 4


async def test_reactions_cross_servers(two: Servers) -> None:
    ann, bob = await couple(two)
    await ann.ask("React", 2)
    assert await bob.hear("Reacted") == {"event": "Reacted", "seat": 0, "reaction": 2}
    await asyncio.sleep(0)
    assert len(ann.all("Reacted")) == 1


async def test_a_server_that_ends_says_so_and_the_others_do_not_wait_for_it(two: Servers) -> None:
    ann, bob = await couple(two)
    await two.stop(two.apps[1])
    assert await bob.closed() in (1001, 1012)
    await ann.hear(lambda e: e["event"] == "SeatRow" and e["name"] == "Bob" and not e["present"])
    bob.url = two.url(0)
    await bob.back()
    assert (await bob.play(0, DRAW))["event"] == "Moved"


async def test_who_was_on_a_server_that_died_is_away_after_its_sign_of_life_ended(two: Servers) -> None:
    ann, bob = await couple(two)
    node = two.apps[1].services.lobby.hub.shared.node
    host = await two.host(ann.room, at=0)
    await settled(lambda: host.ring.afar)
    hub = two.apps[1].services.lobby.hub
    for task in hub._tasks:
        task.cancel()  # no sign of life any more, as of a process that hangs
    await two.store.nodes.gone(node)
    await two.apps[0].services.lobby.hub._mind()
    await ann.hear(lambda e: e["event"] == "SeatRow" and e["name"] == "Bob" and not e["present"])
    # It lives after all: who is there says so, and is present again.
    await ann.hear(lambda e: e["event"] == "SeatRow" and e["name"] == "Bob" and e["present"])
    assert (await bob.play(0, DRAW))["event"] == "Moved"


async def test_a_server_that_heard_no_bell_refuses_nobody_for_what_is_no_longer_so(two: Servers) -> None:
    """A no is said of the whole log, not of what this process happened to know."""
    ann, bob = await two.person("Ann", at=0), await two.person("Bob", at=1)
    code = await ann.create()
    await ann.ask("LockRoom", True)
    assert await bob.refused("EnterRoom", code, False) == "locked"
    deafen(two.apps[1])
    await ann.ask("LockRoom", False)
    assert (await bob.enter(code))["seat"] == 1
    assert await bob.refused("AddBot", 1) == "host_only"
    await ann.ask("HandOver", 1)
    assert (await bob.ask("AddBot", 1))["event"] == "Done"
