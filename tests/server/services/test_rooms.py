"""Rooms as the people in them know them: seats, watchers, host, options, matches, reactions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.services.kit import Servers
from tests.wire_client import DRAW, RECYCLE, UNDO, WireClient, options

MINUTE_MS = 60_000


async def three(server: Servers, **chosen: Any) -> list[WireClient]:
    """Ann, who is the host, Bob and Cid in one room."""
    people = [await server.person(name) for name in ("Ann", "Bob", "Cid")]
    code = await people[0].create(**chosen)
    for person in people[1:]:
        await person.enter(code)
    return people


def seats(person: WireClient) -> dict[int, str]:
    """Who sits where, as this person was told."""
    taken: dict[int, str] = {}
    for _, event in person.heard:
        if event["event"] == "SeatRow":
            taken[event["seat"]] = event["name"]
        elif event["event"] == "SeatFreed":
            taken.pop(event["seat"], None)
    return taken


# ------------------------------------------------------------ coming and going


async def test_who_comes_sits_down_and_everybody_is_told(server: Servers) -> None:
    ann, bob, cid = await three(server)
    await ann.settle()
    assert seats(ann) == seats(cid) == {0: "Ann", 1: "Bob", 2: "Cid"}
    assert [event["seat"] for event in bob.all("SeatRow") if event["you"]][-1] == 1
    assert (await bob.ask("LeaveRoom"))["event"] == "Done"
    assert bob.all("LeftRoom") == [{"event": "LeftRoom", "reason": "left"}]
    assert await bob.refused("Ready", True) == "noroom"
    assert await ann.hear("SeatFreed") == {"event": "SeatFreed", "seat": 1}


async def test_a_room_is_found_by_its_code_however_it_is_typed(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    code = await ann.create()
    for typed in (code.lower(), f" {code[:2]}-{code[2:]} ", "–".join(code)):
        assert (await bob.enter(typed))["code"] == code
    assert len(seats(bob)) == 2


async def test_entering_the_own_room_again_under_any_spelling_keeps_seat_and_host(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    code = await ann.create()
    await bob.enter(code)
    assert (await ann.enter(code.lower()))["seat"] == 0
    assert (await ann.latest("RoomInfo"))["host"] == 0
    assert ann.all("LeftRoom") == []


@pytest.mark.parametrize("typed", ["", "AB", "ABCDEF", "*", "*****", "{}", "A{B}C", "IIIII", "ABCD?", "[A-Z]", "ÄBCDE"])
async def test_what_is_no_code_leads_nowhere(server: Servers, typed: str) -> None:
    ann = await server.person()
    await ann.create()
    bob = await server.person("Bob")
    assert await bob.refused("EnterRoom", typed, False) == "noroom"


async def test_a_refusal_changes_nothing_also_for_who_is_somewhere_else(server: Servers) -> None:
    ann, bob, cid = await three(server)
    locked = await server.person("Dot")
    other = await locked.create(seats=1)
    await locked.ask("LockRoom", True)
    for command, values in (
        ("EnterRoom", ("ZZZZZ", False)),
        ("EnterRoom", (other, False)),
        ("CreateRoom", (options(ruleset="XX"), [], False)),
        ("CreateRoom", (options(match=True), [], False)),
        ("QuickMatch", ("DS9-D9N",)),
        ("QuickMatch", ("*",)),
        ("OpenSolo", ("DS9-D9N", "", False)),
        ("OpenSolo", ("DS1-D1N", "no code", True)),
    ):
        assert await ann.refused(command, *values) in ("noroom", "locked", "bad_options", "bad_code"), command
    await bob.settle()
    assert ann.all("LeftRoom") == []
    assert seats(bob) == {0: "Ann", 1: "Bob", 2: "Cid"}
    assert (await cid.latest("RoomInfo"))["host"] == 0


async def test_going_into_another_room_leaves_the_one_before(server: Servers) -> None:
    ann, bob, cid = await three(server)
    other = await cid.create()
    assert await ann.hear("SeatFreed") == {"event": "SeatFreed", "seat": 2}
    await bob.enter(other)
    assert (await bob.ask("Ready", True))["event"] == "Done"
    names = [event["event"] for _, event in bob.heard]
    assert names.index("LeftRoom") < len(names) - 1 - names[::-1].index("RoomInfo"), "first out, then in"


async def test_a_seat_is_kept_through_a_broken_connection(server: Servers) -> None:
    ann, bob, _ = await three(server)
    await bob.go()
    assert (await ann.hear(lambda e: e["event"] == "SeatRow" and not e["present"]))["name"] == "Bob"
    welcome = await bob.come()
    assert welcome["room"] == bob.room
    assert (await bob.enter())["seat"] == 1
    assert (await ann.hear(lambda e: e["event"] == "SeatRow" and e["present"]))["name"] == "Bob"


async def test_reloading_ten_times_takes_one_seat(server: Servers) -> None:
    """N13, N17: the newest connection counts, and the end of an older one makes nobody absent."""
    ann = await server.person()
    code = await ann.create()
    for _ in range(10):
        old = ann.socket
        await ann.come()
        await ann.enter(code)
        await old.close()
    bob = await server.person("Bob")
    await bob.enter(code)
    assert seats(bob) == {0: "Ann", 1: "Bob"}
    await server.pass_time(2_000)
    await bob.settle()
    assert all(event["present"] for event in bob.all("SeatRow")[-2:])


# ------------------------------------------------------------ watching


async def test_who_comes_during_a_race_watches_and_is_seated_for_the_next_deal(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann)
    await ann.play(0, DRAW)
    assert (await bob.enter(ann.room))["seat"] == -1
    assert bob.seen["HeatInfo"]["heat"] == ann.seen["Dealt"]["heat"]
    assert (await bob.latest("Progress"))["rows"] == [0, 0, 0, 1, 0]
    assert await bob.refused("Ready", True) in ("not_now", "not_seated")
    assert (await bob.play(0, DRAW))["event"] == "Denied"
    await server.result(ann)
    assert (await bob.hear(lambda e: e["event"] == "SeatRow" and e["you"]))["seat"] == 1
    await server.again(ann, bob)
    await server.gun(ann, bob)
    assert bob.seen["Dealt"]["view"] == ann.seen["Dealt"]["view"]


async def test_who_leaves_in_the_middle_of_a_race_still_has_a_name_for_who_comes_later(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    seat = next(no for no, name in seats(ann).items() if name == "Bob")
    await bob.ask("LeaveRoom")
    assert (await ann.hear(lambda e: e["event"] == "SeatFreed"))["seat"] == seat
    wil = await server.person("Wil")
    assert (await wil.enter(ann.room))["seat"] == -1
    assert wil.seen["HeatInfo"]["gone"] == [[seat, "Bob"]]


async def test_who_finds_every_seat_taken_watches(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await ann.create(seats=1)
    assert (await bob.enter(ann.room))["seat"] == -1
    assert await bob.refused("SitDown") == "no_seat"
    assert (await ann.hear(lambda e: e["event"] == "RoomInfo" and e["watchers"] == 1))["watchers"] == 1
    await ann.ask("StandUp")
    assert await ann.refused("Ready", True) == "not_seated"


async def test_spectators_come_and_go_without_any_effect_on_the_boards(server: Servers) -> None:
    """N34."""
    ann, wil = await server.person("Ann"), await server.person("Wil")
    await server.race(ann)
    for ply in range(4):
        await wil.enter(ann.room, watch=True)
        assert (await ann.play(ply, DRAW))["event"] == "Moved"
        await wil.ask("LeaveRoom")
    assert len(await server.board(ann)) == 4
    assert seats(ann) == {0: "Ann"}


# ------------------------------------------------------------ the host


async def test_the_host_kicks_and_who_was_kicked_stays_out_until_the_room_is_opened(server: Servers) -> None:
    ann, bob, cid = await three(server)
    assert await bob.refused("RemoveSeat", 2) == "host_only"
    await ann.ask("RemoveSeat", 2)
    assert await cid.hear("LeftRoom") == {"event": "LeftRoom", "reason": "kicked"}
    assert await cid.refused("EnterRoom", ann.room, False) == "locked"
    assert await ann.refused("RemoveSeat", 0) == "no_seat"
    assert await ann.refused("RemoveSeat", 7) == "no_seat"
    await ann.ask("LockRoom", False)
    assert (await cid.enter(ann.room))["seat"] == 2


async def test_a_locked_room_lets_nobody_new_in_and_everybody_back(server: Servers) -> None:
    ann, bob, _ = await three(server)
    await ann.ask("LockRoom", True)
    dot = await server.person("Dot")
    assert await dot.refused("EnterRoom", ann.room, False) == "locked"
    assert await dot.refused("EnterRoom", ann.room, True) == "locked"
    await bob.go()
    await bob.come()
    assert (await bob.enter())["seat"] == 1


async def test_the_host_hands_over(server: Servers) -> None:
    ann, bob, _ = await three(server)
    await ann.ask("HandOver", 1)
    assert (await bob.hear(lambda e: e["event"] == "RoomInfo" and e["host"] == 1))["host"] == 1
    assert await ann.refused("LockRoom", True) == "host_only"
    await bob.ask("LockRoom", True)


async def test_a_host_who_leaves_is_followed_by_who_has_sat_longest(server: Servers) -> None:
    ann, bob, cid = await three(server)
    await ann.ask("LeaveRoom")
    assert (await cid.hear(lambda e: e["event"] == "RoomInfo" and e["host"] == 1))["host"] == 1
    await bob.ask("AddBot", 1)


async def test_the_host_starts_without_the_unready_after_twenty_seconds(server: Servers) -> None:
    ann, bob, cid = await three(server)
    assert await ann.refused("StartHeat") == "not_ready"
    await bob.ask("Ready", True)
    assert await ann.refused("StartHeat") == "too_early"
    info = await ann.latest("RoomInfo")
    await server.pass_time(20_000)
    assert server.apps[0].store.clock.now_ms() >= info["startable_ms"]
    await ann.ask("StartHeat")
    assert (await cid.latest("HeatInfo"))["seats"] == [0, 1]
    await server.gun(ann, bob)
    assert "Dealt" not in cid.seen


async def test_ready_can_be_taken_back_until_the_deal_is_drawn(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await bob.enter(await ann.create())
    for _ in range(12):
        await ann.ask("Ready", True)
        await ann.ask("Ready", False)
    await bob.ask("Ready", True)
    await ann.settle()
    assert "HeatInfo" not in ann.seen
    await ann.ask("Ready", True)
    await ann.latest("HeatInfo")
    assert await ann.refused("Ready", False) == "not_now"


# ------------------------------------------------------------ options


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        ({"ruleset": "DS1-D9N"}, "bad_options"),
        ({"goal": "last"}, "bad_options"),
        ({"minutes": 4}, "bad_options"),
        ({"seats": 9}, "bad_options"),
        ({"undo": "some"}, "bad_options"),
        ({"best_of": 2}, "bad_options"),
        ({"match": True}, "bad_options"),
        ({"code": "DS1-D1N-AAAAAA!"}, "bad_code"),
        ({"code": "SS1-D1N-AAAAAAB"}, "bad_code"),
    ],
)
async def test_options_that_do_not_exist_are_refused(server: Servers, chosen: dict[str, Any], code: str) -> None:
    ann = await server.person()
    assert await ann.refused("CreateRoom", options(**chosen), [], False) == code
    await ann.create()
    assert await ann.refused("SetOptions", options(**chosen)) == code


async def test_other_options_make_everybody_unready(server: Servers) -> None:
    ann, bob, cid = await three(server)
    await ann.ask("Ready", True)
    await ann.ask("SetOptions", options(minutes=5, undo="none"))
    info = await bob.hear(lambda e: e["event"] == "RoomInfo" and e["options"][2] == 5)
    assert info["options"][4] == "none"
    await bob.ask("Ready", True)
    await cid.ask("Ready", True)
    await cid.settle()
    assert "HeatInfo" not in cid.seen
    assert await bob.refused("SetOptions", options()) == "host_only"


async def test_more_bots_than_seats_are_refused(server: Servers) -> None:
    ann = await server.person()
    assert await ann.refused("CreateRoom", options(seats=2), [1, 1], False) == "bad_options"
    await ann.create(1, seats=2)
    assert await ann.refused("AddBot", 1) == "no_seat"
    await ann.ask("RemoveSeat", 1)
    await ann.ask("AddBot", 3)


async def test_without_undo_no_move_is_taken_back(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann, undo="none")
    await ann.play(0, DRAW)
    assert await ann.play(1, UNDO) == {"event": "Denied", "ply": 1, "code": "undo_off"}
    await server.result(ann)


async def test_hidden_undo_takes_nothing_back_that_showed_a_card(server: Servers) -> None:
    """Ruling 6."""
    ann = await server.person()
    await server.race(ann, undo="hidden")
    await ann.play(0, DRAW)
    assert (await ann.play(1, UNDO))["code"] == "undo_revealed"
    assert (await ann.play(1, RECYCLE))["code"] == "stock_not_empty"


async def test_a_best_of_three_is_tallied_and_decided_by_two_wins(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob, best_of=3)
    tallies = []
    for deal in (1, 2):
        await ann.play(0, DRAW)
        await bob.play(0, DRAW)
        # Neither has a card out: the better score, or else who came to it first, wins the deal.
        result = await server.result(bob, ann)
        tallies.append({row[9]: row[8] for row in result["rows"]})
        assert result["number"] == deal
        info = await ann.latest("RoomInfo")
        if info["decided"]:
            break
        await server.again(ann, bob)
        await server.gun(ann, bob)
    assert sum(tallies[0].values()) <= 1
    assert tallies[-1]["Ann"] + tallies[-1]["Bob"] <= len(tallies)


# ------------------------------------------------------------ reactions


async def test_reactions_are_shown_to_everybody_and_kept_nowhere(server: Servers) -> None:
    ann, bob, _ = await three(server)
    wil = await server.person("Wil")
    await wil.enter(ann.room, watch=True)
    length = (await server.host(ann.room)).state.version
    await ann.ask("React", 3)
    assert await bob.hear("Reacted") == {"event": "Reacted", "seat": 0, "reaction": 3}
    await wil.ask("React", 5)
    assert await ann.hear(lambda e: e["event"] == "Reacted" and e["seat"] == -1)
    assert (await server.host(ann.room)).state.version == length
    for _ in range(2):
        await ann.ask("React", 0)
    assert await ann.refused("React", 0) == "slow"
