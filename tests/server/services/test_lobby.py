"""Ways into rooms: the public list, codes, quick match, limits."""

from __future__ import annotations

import asyncio

import pytest

from server.store import keys
from tests.server.services.kit import Servers, settled
from tests.wire_client import RESIGN, Frame, WireClient, options

MINUTE_MS = 60_000


async def listed(person: WireClient) -> list[str]:
    """Codes of the public rooms, as the person is shown them."""
    return [row[0] for row in (await person.ask("ListRooms", answer="Rooms"))["rows"]]


async def told(servers: Servers, code: str, at: int = 0) -> None:
    """Wait until the process has told the store about the room."""
    host = await servers.host(code, at)
    await settled(lambda: not host.tasks())


# ------------------------------------------------------------ the public list


async def test_public_rooms_are_listed_and_private_ones_are_not(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    private = await bob.create()
    code = await ann.create(public=True, seats=3, best_of=3)
    await told(server, code)
    rows = (await bob.ask("ListRooms", answer="Rooms"))["rows"]
    assert rows == [[code, "Ann", "DS1-D1N", "first", 3, 3, 1, 3, False]]
    assert private not in [row[0] for row in rows]


async def test_the_list_follows_what_becomes_of_a_room(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    code = await ann.create(public=True)
    await bob.enter(code)
    await told(server, code)
    (row,) = (await bob.ask("ListRooms", answer="Rooms"))["rows"]
    assert (row[6], row[8]) == (2, False)
    await server.again(ann, bob)
    await told(server, code)
    (row,) = (await bob.ask("ListRooms", answer="Rooms"))["rows"]
    assert (row[6], row[8]) == (2, True)
    await ann.ask("LockRoom", True)
    await told(server, code)
    assert await listed(bob) == []
    await ann.ask("LockRoom", False)
    await told(server, code)
    assert await listed(bob) == [code]


async def test_a_room_that_everybody_left_is_listed_no_more(server: Servers) -> None:
    """N2, N3: nothing stays listed that is dead."""
    ann, bob = await server.person("Ann"), await server.person("Bob")
    for leaves in (True, False):
        code = await ann.create(public=True)
        await told(server, code)
        assert await listed(bob) == [code]
        if leaves:
            await ann.ask("LeaveRoom")
        else:
            await ann.go()
        await told(server, code)
        assert await listed(bob) == []


async def test_many_changes_at_once_end_with_what_is_true(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    code = await ann.create(public=True)
    for _ in range(5):
        for locked in (True, False, True):
            await ann.send("LockRoom", 0, locked)
    await ann.ask("LockRoom", True)
    await told(server, code)
    assert await listed(bob) == []
    assert await server.store.client.execute_command("HLEN", keys.LOBBY_ROWS) == 0


async def test_joining_and_leaving_at_once_leaves_nothing_behind(server: Servers) -> None:
    """N2, small: every room that is listed can be entered."""
    people = [await server.person(f"P{number}x") for number in range(4)]
    for round_ in range(3):
        code = await people[round_].create(public=True)
        entering = [
            person.ask("EnterRoom", code, False, answer="Entered") for person in people if person is not people[round_]
        ]
        await asyncio.gather(people[round_].ask("LeaveRoom"), *entering, return_exceptions=True)
        for listing in await listed(people[3]):
            assert (await people[3].enter(listing))["code"] == listing
        for person in people:
            await person.ask("LeaveRoom")
        await told(server, code)
    assert await listed(people[0]) == []


async def test_a_locked_room_a_full_quota_and_an_unknown_code_are_told_apart(servers: Servers) -> None:
    await servers.start(address_rooms=2)
    ann, bob = await servers.person("Ann"), await servers.person("Bob")
    code = await ann.create()
    await ann.create()
    assert await ann.refused("CreateRoom", options(), [], False) == "quota"
    other = ("B" if code[0] != "B" else "C") + code[1:]  # backwards, one code in 400 is the same
    assert await bob.refused("EnterRoom", other, False) == "noroom"
    await servers.pass_time(40 * MINUTE_MS)
    await ann.create()


async def test_a_match_room_is_full_for_who_wants_a_seat_at_once_and_open_for_who_watches(server: Servers) -> None:
    people = [await server.person(name) for name in ("Ann", "Bob", "Cid", "Dot")]
    codes = {(await person.ask("QuickMatch", "DS1-D1N", answer="Entered"))["code"] for person in people}
    assert len(codes) == 1
    eve = await server.person("Eve")
    other = await eve.ask("QuickMatch", "DS1-D1N", answer="Entered")
    assert other["code"] not in codes
    assert other["seat"] == 0
    assert (await eve.enter(codes.pop()))["seat"] == -1


@pytest.mark.parametrize("typed", ["*", "?????", "{}", "{A}", "ABC*E", "[AB]CD", "\\x00ABC", "A" * 16, "a\tb c"])
async def test_what_was_typed_reaches_no_key_before_it_has_the_form_of_a_code(server: Servers, typed: str) -> None:
    ann = await server.person()
    await ann.create()
    assert await ann.refused("EnterRoom", typed, False) == "noroom"
    assert await ann.refused("QuickMatch", typed[:8]) == "bad_options"
    for pattern in ("kupa:code:*", "kupa:match:*"):
        made = {key.decode() for key in await server.store.client.execute_command("KEYS", pattern)}
        assert made <= {keys.code(ann.room)}


# ------------------------------------------------------------ quick match


async def test_two_who_want_the_same_meet_and_the_race_starts_by_itself(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    first = await ann.ask("QuickMatch", "DS1-D3N", answer="Entered")
    second = await bob.ask("QuickMatch", "DS1-D3N", answer="Entered")
    assert first["code"] == second["code"]
    assert (first["seat"], second["seat"]) == (0, 1)
    info = await bob.latest("RoomInfo")
    assert (info["host"], info["options"][0], info["options"][9]) == (-1, "DS1-D3N", True)
    assert await ann.refused("LockRoom", True) == "host_only"
    ann.room = bob.room = first["code"]
    await server.pass_time(10_000)
    assert (await ann.latest("HeatInfo"))["seats"] == [0, 1]
    await server.gun(ann, bob)


async def test_who_wants_another_ruleset_waits_elsewhere(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    first = await ann.ask("QuickMatch", "DS1-D1N", answer="Entered")
    second = await bob.ask("QuickMatch", "SS1-D3N", answer="Entered")
    assert first["code"] != second["code"]


async def test_pressing_again_while_waiting_changes_nothing(server: Servers) -> None:
    ann = await server.person()
    first = await ann.ask("QuickMatch", "DS1-D1N", answer="Entered")
    assert await ann.ask("QuickMatch", "DS1-D1N", answer="Entered") == {**first, "n": first["n"] + 1}
    assert ann.all("LeftRoom") == []


async def test_a_room_whose_only_person_left_is_offered_to_nobody(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    first = await ann.ask("QuickMatch", "DS1-D1N", answer="Entered")
    await ann.go()
    second = await bob.ask("QuickMatch", "DS1-D1N", answer="Entered")
    assert first["code"] != second["code"]


@pytest.mark.parametrize("servers_there", [1, 2])
@pytest.mark.parametrize(("people", "rooms"), [(2, [2]), (3, [3]), (5, [1, 4]), (6, [2, 4]), (10, [2, 4, 4])])
async def test_who_press_at_the_same_instant_meet_on_whichever_server(
    servers: Servers, servers_there: int, people: int, rooms: list[int]
) -> None:
    for _ in range(servers_there):
        await servers.start()
    crowd = [await servers.person(f"P{number}x", at=number % servers_there) for number in range(people)]
    for _ in range(2):
        found = await asyncio.gather(*(one.ask("QuickMatch", "DS1-D1N", answer="Entered") for one in crowd))
        codes = [one["code"] for one in found]
        assert sorted(map(codes.count, set(codes))) == rooms
        waiting = min(set(codes), key=codes.count)
        late = await servers.person("Late")
        assert (await late.ask("QuickMatch", "DS1-D1N", answer="Entered"))["code"] == waiting
        await asyncio.gather(*(one.ask("LeaveRoom") for one in (*crowd, late)))


async def test_who_presses_again_stays_with_whom_they_wait_and_alone_goes_to_who_waits_longer(server: Servers) -> None:
    ann, bob, cid, dot = [await server.person(name) for name in ("Ann", "Bob", "Cid", "Dot")]

    async def press(person: WireClient) -> str:
        return str((await person.ask("QuickMatch", "DS1-D1N", answer="Entered"))["code"])

    first = await press(ann)
    await ann.go()
    second = await press(bob)
    assert second != first
    await ann.come()
    await ann.ask("EnterRoom", first, False, answer="Entered")
    assert await press(ann) == second
    for person in (cid, ann, bob, dot):
        assert await press(person) == second


@pytest.mark.parametrize("servers_there", [1, 2])
async def test_who_fills_a_room_of_quick_match_and_presses_twice_stays_in_it(
    servers: Servers, servers_there: int
) -> None:
    for _ in range(servers_there):
        await servers.start()
    crowd = [await servers.person(f"P{number}x", at=number % servers_there) for number in range(4)]
    presses = [*crowd, crowd[3], crowd[3], crowd[0]]
    found = [(await one.ask("QuickMatch", "DS1-D1N", answer="Entered"))["code"] for one in presses]
    assert len(set(found)) == 1
    assert [one.all("LeftRoom") for one in crowd] == [[]] * 4


async def test_who_presses_again_during_the_race_stays_in_it_until_their_board_has_ended(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")

    async def press(person: WireClient, ruleset: str = "DS1-D1N") -> str:
        return str((await person.ask("QuickMatch", ruleset, answer="Entered"))["code"])

    first = await press(ann)
    assert await press(bob) == first
    for person in (ann, bob):
        await person.ask("Ready", True)
    await ann.latest("HeatInfo")
    assert await press(ann) == first
    await ann.latest("Dealt")
    assert await press(ann) == first
    assert (await ann.play(0, RESIGN))["event"] == "Moved"
    await bob.latest("BoardEnded")
    assert await press(ann) != first
    assert await press(bob) == first
    assert await press(bob, "SS1-D1N") != first


async def test_a_server_that_dies_while_it_looks_keeps_the_others_for_three_seconds(server: Servers) -> None:
    ann = await server.person("Ann")
    await server.store.rooms.take_turn("DS1-D1N", "dead")
    assert not await server.store.rooms.take_turn("DS1-D1N", "ann")
    assert await server.store.rooms.take_turn("DS1-D1N", "dead")
    await server.store.rooms.end_turn("DS1-D1N", "ann")
    assert 2_000 < await server.store.client.execute_command("PTTL", keys.turn("DS1-D1N")) <= 3_000
    await server.store.client.execute_command("PEXPIRE", keys.turn("DS1-D1N"), 50)
    await ann.ask("QuickMatch", "DS1-D1N", answer="Entered")
    assert await server.store.client.execute_command("EXISTS", keys.turn("DS1-D1N")) == 0


def together(found: list[Frame]) -> int:
    """How many came into the same room, at most."""
    codes = [one["code"] for one in found]
    return max(map(codes.count, codes))


async def test_clocks_that_differ_do_not_keep_two_apart(servers: Servers) -> None:
    """The order of waiting rooms is the store's: no process's clock counts."""
    first, second = await servers.start(), await servers.start()
    second.store.clock._offset_ms = (second.store.clock._offset_ms or 0.0) - 400
    ann, bob = await servers.person("Ann", at=0), await servers.person("Bob", at=1)
    assert first.store.clock.now_ms() > second.store.clock.now_ms()
    for _ in range(3):
        found = await asyncio.gather(*(one.ask("QuickMatch", "DS1-D1N", answer="Entered") for one in (ann, bob)))
        assert together(found) == 2
        await asyncio.gather(ann.ask("LeaveRoom"), bob.ask("LeaveRoom"))


# ------------------------------------------------------------ letting go


async def test_what_a_closed_room_held_is_let_go(server: Servers) -> None:
    ann = await server.person()
    code = await ann.create(public=True)
    host, lobby = await server.host(code), server.apps[0].services.lobby
    await ann.ask("LeaveRoom")
    await told(server, code)
    await server.pass_time(10 * MINUTE_MS)
    await settled(lambda: host.room not in lobby.hub.rooms)
    assert await ann.refused("EnterRoom", code, False) == "noroom"
    assert await server.store.rooms.room_of_code(code) is None
    assert lobby._told == {}
    assert keys.bell(host.room).encode() not in server.apps[0].store.bells._listeners
    assert 0 < await server.store.client.execute_command("TTL", keys.room_log(host.room)) <= 30 * 86_400


async def test_a_room_with_nobody_here_is_folded_no_more_and_found_again(server: Servers) -> None:
    ann = await server.person()
    code = await ann.create()
    lobby = server.apps[0].services.lobby
    await ann.go()
    await told(server, code)
    await lobby.hub._let_go()
    assert lobby.hub.rooms == {}
    assert lobby._told == {}
    await ann.come()
    assert (await ann.enter(code))["seat"] == 0
