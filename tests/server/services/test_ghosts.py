"""Racing somebody who is asleep: their board plays again while one races it (product P8, rulings 9, 22)."""

from __future__ import annotations

import asyncio
from typing import Any

from engine.moves import unpack_entry
from server.core import boards, replay
from server.core.boards import Period, Tab
from server.core.daily import Day
from server.core.events import GHOST
from server.core.ghosts import SEALED_MS
from server.services.replays import Replays
from server.store import keys
from tests.server.services.kit import Servers, settled
from tests.server.services.test_replays import get
from tests.wire_client import DRAW, RESIGN, Frame, WireClient, options


async def alone(servers: Servers, person: WireClient, moves: int, **changed: Any) -> str:
    """The person has begun to race alone and made so many moves; returns the heat."""
    entered = await person.ask("Challenge", options(**changed), answer="Entered")
    person.room = entered["code"]
    heat = await servers.again(person)
    await servers.gun(person)
    await person.think(moves)
    return str(heat["heat"])


async def challenge(servers: Servers, person: WireClient, moves: int = 4, **changed: Any) -> str:
    """The person races alone, for others to race later; returns the heat."""
    heat = await alone(servers, person, moves, **changed)
    await servers.result(person)
    return heat


async def chase(servers: Servers, person: WireClient, heat: str, *seats: int) -> Frame:
    """The person races against these boards; returns the `HeatInfo` of the race that runs."""
    entered = await person.ask("RaceGhosts", heat, list(seats or (0,)), answer="Entered")
    person.room = entered["code"]
    info = await servers.again(person)
    await servers.gun(person)
    return info


async def log_of(servers: Servers, heat: str, seat: int) -> list[bytes]:
    room = await servers.store.rooms.room_of_heat(heat)
    assert room is not None
    return await servers.store.logs.load(keys.board_log(room, heat, seat))


async def answered(servers: Servers, heat: str, app: int = 0) -> dict[str, Any]:
    """What is told of the challenge once somebody's answer is known."""
    await servers.pass_time(2_000)
    for _ in range(100):
        _, told, _ = await get(servers.apps[app], f"/api/ghost/{heat}")
        if told["answers"]:
            return dict(told)
        await asyncio.sleep(0.05)
    raise AssertionError("nobody has answered")


# ---------------------------------------------------------------- playing again


async def test_a_ghost_plays_again_what_was_played_when_it_was_played(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    recorded = await challenge(server, ann, moves=5)
    info = await chase(server, bob, recorded)
    assert info["seats"] == [0, 1]
    assert bob.seen["Dealt"]["view"] == ann.all("Dealt")[-1]["view"], "the same deal"
    await bob.play(0, DRAW)
    result = await server.result(bob)
    assert await log_of(server, info["heat"], 1) == await log_of(server, recorded, 0)
    rows = {row[0]: row for row in result["rows"]}
    assert (rows[1][9], rows[1][5], rows[1][2]) == ("Ann", 5, "resigned")
    assert rows[0][9] == "Bob"
    kept = await Replays(server.store).whole(info["heat"])
    assert kept is not None
    assert replay.faults(kept) == []


async def test_a_ghost_of_a_race_that_was_given_time_back_plays_by_its_clock(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    recorded = await alone(server, ann, 3)
    host, now_ms = await server.host(ann.room), server.apps[0].store.clock.now_ms()
    await server.pass_time(5_000)
    host.came_back(now_ms, now_ms + 4_000)
    await settled(lambda: not host.tasks())
    await ann.think(2)
    await server.result(ann)
    info = await chase(server, bob, recorded)
    await server.result(bob)
    await answered(server, recorded)
    played = [unpack_entry(entry)[1] for entry in await log_of(server, recorded, 0)]
    again = [unpack_entry(entry)[1] for entry in await log_of(server, info["heat"], 1)]
    assert again == [*played[:3], *(at_ms - 4_000 for at_ms in played[3:])]
    assert played[3] - played[2] >= 5_000
    kept = await Replays(server.store).whole(recorded)
    assert kept is not None
    assert [entry[4] for entry in kept.boards[0].entries] == again
    assert replay.faults(kept) == []


async def test_the_rival_sees_how_far_the_ghost_is_and_never_its_cards(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    recorded = await challenge(server, ann, moves=12)
    await chase(server, bob, recorded)
    moves = await bob.hear(lambda e: e["event"] == "Progress" and 1 in e["rows"][::5])
    at = moves["rows"][::5].index(1)
    assert moves["rows"][5 * at + 3] > 0
    seat = next(row for row in bob.all("SeatRow") if row["seat"] == 1)
    assert (seat["name"], seat["bot"], seat["player"]) == ("Ann", GHOST, "")


async def test_a_ghost_whose_time_ran_out_ends_when_nobody_races_it_any_more(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    recorded = await alone(server, ann, 3)
    await server.pass_time(200_000)
    assert (await ann.latest("HeatResult"))["rows"][0][2] == "time_up"
    info = await chase(server, bob, recorded)
    await server.result(bob)
    ghost = [unpack_entry(entry) for entry in await log_of(server, info["heat"], 1)]
    assert [move for move, _ in ghost[:-1]] == [unpack_entry(one)[0] for one in await log_of(server, recorded, 0)]
    assert ghost[-1][0].kind == RESIGN


async def test_several_boards_of_an_open_race_are_raced_at_once(server: Servers) -> None:
    ann, bob, cem = [await server.person(name) for name in ("Ann", "Bob", "Cem")]
    recorded = (await server.race(ann, bob))["heat"]
    await ann.think(3)
    await bob.think(6)
    await server.result(ann, bob)
    info = await chase(server, cem, recorded, 1, 0)
    result = await server.result(cem)
    assert {(row[0], row[9], row[5]) for row in result["rows"]} == {(0, "Cem", 0), (1, "Bob", 6), (2, "Ann", 3)}
    assert await log_of(server, info["heat"], 1) == await log_of(server, recorded, 1)


async def test_another_process_plays_the_ghost_on(servers: Servers) -> None:
    await servers.start()
    await servers.start()
    ann, bob = await servers.person("Ann", 0), await servers.person("Bob", 0)
    recorded = await challenge(servers, ann, moves=8)
    info = await chase(servers, bob, recorded)
    await servers.stop(servers.apps[0])
    await servers.hop(bob, 1)
    await servers.result(bob)
    assert await log_of(servers, info["heat"], 1) == await log_of(servers, recorded, 0)


# ---------------------------------------------------------------- sealed until answered


async def test_a_challenge_is_sealed_for_everybody_until_it_is_answered(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    recorded = await challenge(server, ann)
    result = ann.seen["HeatResult"]
    assert (result["code"], result["nonce"]) == ("", "")
    assert len(result["commitment"]) == 64
    assert ann.seen["RoomInfo"]["kind"] == "challenge"
    assert (await get(server.apps[0], f"/api/heat/{recorded}"))[0] == 404
    status, told, _ = await get(server.apps[0], f"/api/ghost/{recorded}")
    assert (status, told["open"], told["challenge"], told["answers"]) == (200, False, True, [])
    assert [(ghost["seat"], ghost["name"], ghost["player"]) for ghost in told["ghosts"]] == [(0, "Ann", ann.player)]
    assert "DS1-D1N-" not in str(told)
    info = await chase(server, bob, recorded)
    assert (await get(server.apps[0], f"/api/heat/{recorded}"))[0] == 404, "not while it is being answered"
    await server.result(bob)
    told = await answered(server, recorded)
    assert (told["open"], [(one["name"], one["heat"]) for one in told["answers"]]) == (True, [("Bob", info["heat"])])
    status, opened, _ = await get(server.apps[0], f"/api/heat/{recorded}")
    assert status == 200
    assert opened["commitment"] == result["commitment"]
    assert (await get(server.apps[0], f"/api/heat/{info['heat']}"))[1]["code"] == opened["code"]


async def test_a_challenge_that_nobody_answers_is_open_after_seven_days(server: Servers) -> None:
    ann = await server.person("Ann")
    recorded = await challenge(server, ann)
    await server.pass_time(SEALED_MS - 60_000)
    assert (await get(server.apps[0], f"/api/heat/{recorded}"))[0] == 404
    await server.pass_time(60_000)
    assert (await get(server.apps[0], f"/api/heat/{recorded}"))[0] == 200


# ---------------------------------------------------------------- who may


async def test_who_knows_the_deal_does_not_race_on_it_again(server: Servers) -> None:
    ann, bob, cem = [await server.person(name) for name in ("Ann", "Bob", "Cem")]
    recorded = await challenge(server, ann)
    assert await ann.refused("RaceGhosts", recorded, [0]) == "not_now"
    info = await chase(server, bob, recorded)
    await server.result(bob)
    await answered(server, recorded)
    assert await bob.refused("RaceGhosts", recorded, [0]) == "not_now"
    assert await ann.refused("RaceGhosts", info["heat"], [0]) == "not_now", "she knows it through her challenge"
    again = await chase(server, cem, info["heat"], 0, 1)
    result = await server.result(cem)
    assert {row[9] for row in result["rows"]} == {"Ann", "Bob", "Cem"}
    assert await log_of(server, again["heat"], 2) == await log_of(server, recorded, 0)


async def test_there_is_nothing_to_race_in_a_heat_that_runs_or_never_was(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = (await server.race(ann))["heat"]
    assert await bob.refused("RaceGhosts", heat, [0]) == "noroom"
    assert await bob.refused("RaceGhosts", "ABCDEFGHJK", [0]) == "noroom"
    assert await bob.refused("RaceGhosts", "x", [0]) == "noroom"
    assert (await get(server.apps[0], f"/api/ghost/{heat}"))[0] == 404
    await server.result(ann)
    assert await bob.refused("RaceGhosts", heat, [3]) == "bad_options"
    assert (await get(server.apps[0], f"/api/ghost/{heat}"))[1]["open"] is True


# ---------------------------------------------------------------- ranking


async def test_ghost_races_stand_on_no_board_and_change_no_rating(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    recorded = await challenge(server, ann, public=True)
    await chase(server, bob, recorded)
    await server.result(bob)
    await answered(server, recorded)
    for person in (ann, bob):
        (played,) = await server.store.history.latest(person.player, 9)
        assert played.open, "counts for no best"
        assert await server.store.ratings.of_player("DS1-D1N", person.player) is None
    name = boards.name(Period.RACE, Day(""), "DS1-D1N", Tab.TIME)
    assert await server.store.boards.players(name) == 0
