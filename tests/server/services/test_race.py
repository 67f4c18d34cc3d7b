"""A race from the countdown to its result, as the people in it hear it."""

from __future__ import annotations

import asyncio
import time

import pytest

from engine.deal_code import commitment
from tests.server.services.kit import Servers
from tests.wire_client import DRAW, RECYCLE, RESIGN, TRANSFER, UNDO, Frame

COLUMN1 = 20


def answers(person_frames: list[Frame]) -> list[tuple[str, int]]:
    """Names and plies of answers to moves."""
    return [(one["event"], one["ply"]) for one in person_frames]


async def test_two_people_race_on_the_same_deal_and_hear_the_same_result(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = await server.race(ann, bob)
    assert ann.seen["Dealt"]["view"] == bob.seen["Dealt"]["view"]
    assert await ann.think(4) == 4
    assert await bob.think(2) == 2
    result = await server.result(ann, bob)
    assert result["heat"] == heat["heat"]
    assert {(row[9], row[2], row[5]) for row in result["rows"]} == {("Ann", "resigned", 4), ("Bob", "resigned", 2)}
    assert ann.all("HeatResult") == bob.all("HeatResult") == [result]


async def test_the_gun_fires_three_seconds_after_the_draw_and_moves_before_it_are_early(server: Servers) -> None:
    """In real time: the only thing pushed nowhere here is the clock."""
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = await server.drawn(ann, bob)
    began = time.monotonic()
    assert await ann.play(0, DRAW) == {"event": "Denied", "ply": 0, "code": "early"}
    assert (await ann.play(5, DRAW))["code"] == "early"
    await asyncio.gather(ann.latest("Dealt"), bob.latest("Dealt"))
    assert 2.4 < time.monotonic() - began < 3.6
    apart = abs(ann.heard[-1][0] - bob.heard[-1][0])
    assert apart < 0.1, "the gun is for everybody at once"
    assert ann.seen["RoomInfo"]["phase"] in ("countdown", "running")
    assert (await ann.hear(lambda e: e["event"] == "RoomInfo" and e["phase"] == "running"))["phase"] == "running"
    assert heat["deadline_ms"] - heat["gun_ms"] == 180_000
    assert (await ann.play(0, DRAW))["event"] == "Moved"


async def test_the_commitment_given_before_the_gun_opens_with_code_and_nonce(server: Servers) -> None:
    ann = await server.person()
    heat = await server.race(ann)
    result = await server.result(ann)
    assert len(heat["commitment"]) == 64
    assert result["commitment"] == heat["commitment"] == commitment(heat["heat"], result["code"], result["nonce"])


async def test_no_deal_comes_twice(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    results = [await server.result(ann)]
    await server.again(ann)
    await server.gun(ann)
    results.append(await server.result(ann))
    assert results[0]["code"] != results[1]["code"]
    assert results[0]["nonce"] != results[1]["nonce"]


async def test_a_rematch_is_being_ready_again(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    first = await server.result(ann, bob)
    heat = await server.again(ann, bob)
    await server.gun(ann, bob)
    assert heat["heat"] != first["heat"]
    assert ann.seen["Dealt"]["view"][0] == 0
    assert (await ann.play(0, DRAW))["event"] == "Moved"
    assert (await server.result(ann, bob))["heat"] == heat["heat"]


# ------------------------------------------------------------ one answer to each


async def test_sixteen_moves_in_flight_are_answered_in_order(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    heard = await ann.burst(0, [(DRAW,)] * 16)
    assert answers(heard) == [("Moved", ply) for ply in range(16)]
    log = await server.board(ann)
    assert len(log) == 16


async def test_a_move_sent_twice_is_answered_twice_and_counts_once(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    first = await ann.play(0, DRAW)
    assert await ann.play(0, DRAW) == first
    assert (await ann.play(1, DRAW))["ply"] == 1
    assert await ann.play(0, DRAW) == first
    assert len(await server.board(ann)) == 2


async def test_a_move_sent_again_while_it_is_on_its_way_is_answered_once(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    await ann.push(0, DRAW)
    await ann.push(0, DRAW)
    await ann.push(1, DRAW)
    assert answers([await ann.hear(lambda e: e["event"] == "Moved") for _ in range(2)])[-1][0] == "Moved"
    await ann.settle()
    assert {event["ply"] for event in ann.all("Moved")} == {0, 1}
    assert len(await server.board(ann)) == 2


async def test_another_move_under_a_ply_that_is_taken_shows_the_board(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    await ann.play(0, DRAW)
    shown = await ann.play(0, RECYCLE)
    assert shown["event"] == "Restored"
    assert shown["view"][0] == 1
    assert len(await server.board(ann)) == 1


async def test_a_ply_beyond_the_log_is_a_gap(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    assert await ann.play(1, DRAW) == {"event": "Denied", "ply": 1, "code": "seq"}
    assert (await ann.play(20_000, DRAW))["code"] == "seq"
    assert (await ann.play(0, DRAW))["event"] == "Moved"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ((0, 0, 0, 0), "bad_action"),
        ((9, 0, 0, 0), "bad_action"),
        ((255, 255, 255, 255), "bad_action"),
        ((DRAW, 1, 0, 0), "bad_action"),
        ((RECYCLE,), "stock_not_empty"),
        ((UNDO,), "nothing_to_undo"),
        ((TRANSFER, 99, 2, 1), "bad_action"),
        ((TRANSFER, COLUMN1, COLUMN1 + 1, 0), "bad_action"),
        ((TRANSFER, COLUMN1, COLUMN1 + 1, 53), "too_many"),
        ((TRANSFER, COLUMN1, COLUMN1, 1), "same_column"),
        ((TRANSFER, COLUMN1, COLUMN1 + 1, 2), "too_many"),
        ((TRANSFER, COLUMN1 + 1, COLUMN1, 2), "face_down"),
        ((TRANSFER, 1, 2, 1), "empty_source"),
        ((5, 0, 0, 0), "bad_action"),
        ((RESIGN, 0, 0, 1), "bad_action"),
    ],
)
async def test_a_refused_move_changes_nothing_and_its_ply_may_be_used_again(
    server: Servers, move: tuple[int, ...], code: str
) -> None:
    ann = await server.person()
    await server.race(ann)
    assert await ann.play(0, *move) == {"event": "Denied", "ply": 0, "code": code}
    assert (await ann.play(0, DRAW))["event"] == "Moved"


async def test_everything_is_answered_exactly_once_in_a_storm_of_right_and_wrong_moves(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    heard = await ann.burst(0, [(DRAW,)] * 5)
    for ply, move in (
        (9, (DRAW,)),
        (5, (TRANSFER, 99, 99, 9)),
        (2, (DRAW,)),
        (3, (RECYCLE,)),
        (5, (DRAW,)),
        (6, (UNDO,)),
    ):
        await ann.push(ply, *move)
    heard += [await ann.hear(lambda e: e["event"] in ("Moved", "Restored", "Denied")) for _ in range(6)]
    await ann.settle()
    assert sorted(answers(heard)) == sorted(
        [("Moved", ply) for ply in range(6)]
        + [("Denied", 9), ("Denied", 5), ("Moved", 2), ("Restored", 3), ("Restored", 6)]
    )
    assert sum(len(ann.all(name)) for name in ("Moved", "Restored", "Denied")) == 11
    assert len(await server.board(ann)) == 7


async def test_who_sends_more_than_sixteen_at_once_hears_slow_and_then_gaps(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    heard = await ann.burst(0, [(DRAW,)] * 20)
    moved = [one for one in heard if one["event"] == "Moved"]
    assert len(heard) == 20
    assert len(await server.board(ann)) == len(moved) >= 16


# ------------------------------------------------------------ the end of a board


async def test_after_resigning_moves_are_ended_and_the_others_play_on(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    assert (await ann.play(0, RESIGN))["event"] == "Moved"
    assert await ann.play(1, DRAW) == {"event": "Denied", "ply": 1, "code": "ended"}
    news = await bob.latest("BoardEnded")
    assert (news["ended"], news["place"]) == ("resigned", 2)
    assert (await bob.play(0, DRAW))["event"] == "Moved"
    assert (await server.result(ann, bob))["rows"][0][9] in ("Ann", "Bob")


async def test_after_the_result_moves_are_ended(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    await ann.play(0, DRAW)
    await server.result(ann)
    assert await ann.play(2, DRAW) == {"event": "Denied", "ply": 2, "code": "ended"}
    assert await ann.play(0, DRAW) == {"event": "Denied", "ply": 0, "code": "ended"}


async def test_a_move_of_the_last_heat_is_no_move_of_the_next(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    await ann.play(0, DRAW)
    await server.result(ann, bob)
    await ann.ask("Ready", True)
    await bob.ask("Ready", True)
    assert await ann.play(0, DRAW) in ({"event": "Denied", "ply": 0, "code": code} for code in ("early", "ended"))
    await server.gun(ann, bob)
    assert (await ann.play(0, DRAW))["event"] == "Moved"


async def test_who_sits_a_heat_out_has_no_board_in_it(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    await bob.play(0, DRAW)
    await server.result(ann, bob)
    await ann.ask("Ready", True)
    await server.pass_time(20_000)
    await ann.ask("StartHeat")
    await server.gun(ann)
    assert bob.seen.get("Dealt", {"heat": ""})["heat"] != ann.seen["Dealt"]["heat"]
    assert await bob.play(0, DRAW) == {"event": "Denied", "ply": 0, "code": "ended"}


async def test_moves_outside_a_room_are_noroom(server: Servers) -> None:
    ann = await server.person()
    assert (await ann.play(0, DRAW))["code"] == "noroom"
    await ann.create()
    assert (await ann.play(0, DRAW))["code"] == "ended"
