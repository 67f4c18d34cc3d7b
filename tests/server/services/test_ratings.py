"""A rated heat changes the ratings once, and those who raced are told (product P9)."""

from __future__ import annotations

from typing import Any

import pytest

from server.clock import ManualClock
from server.core.closed_heat import ClosedHeat
from server.core.rating import Racer, Rating
from server.services import rating_audit
from server.services.daily_deals import DailyDeals
from server.services.player_ratings import of_player
from server.services.projector import Projector
from server.services.ratings import Rater
from server.services.replays import Replays
from server.store import keys
from server.store.errors import StoreAway
from tests.server.services.kit import Servers
from tests.server.services.test_replays import get
from tests.wire_client import Frame, WireClient

GAME = "DS1-D1N"


async def raced(servers: Servers, *people: WireClient, **options: Any) -> Frame:
    """These people have raced in a public room, the first one being the best; returns the result."""
    await servers.race(*people, **{"public": True, **options})
    await people[0].think(12)
    result = await servers.result(*people)
    await servers.pass_time(2_000)
    return result


async def pair(servers: Servers) -> tuple[WireClient, WireClient]:
    return await servers.person("Ann", 0), await servers.person("Bob", len(servers.apps) - 1)


async def test_who_raced_hears_what_it_did_to_the_ratings_after_the_result(server: Servers) -> None:
    ann, bob = await pair(server)
    result = await raced(server, ann, bob)
    told = [await person.latest("RatingChanged") for person in (ann, bob)]
    assert told[0] == told[1]
    assert told[0]["heat"] == result["heat"]
    (_, best, up, deviation, games), (_, other, down, *_) = told[0]["rows"]
    assert (best - up, other - down, games) == (1500, 1500, 1)
    assert up > 0 > down
    assert deviation < 500
    order = [event["event"] for _, event in ann.heard]
    assert order.index("RatingChanged") > order.index("HeatResult")


async def test_who_comes_back_to_the_result_sees_it_again(server: Servers) -> None:
    ann, bob = await pair(server)
    await raced(server, ann, bob)
    told = await ann.latest("RatingChanged")
    await ann.go()
    await ann.come()
    await ann.enter()
    assert ann.seen["RatingChanged"] == told
    order = [event["event"] for _, event in ann.heard]
    assert order[::-1].index("RatingChanged") < order[::-1].index("HeatResult")


async def test_people_at_other_servers_hear_it_too_and_the_heat_counts_once(servers: Servers) -> None:
    await servers.start()
    await servers.start()
    ann, bob = await pair(servers)
    await raced(servers, ann, bob)
    assert await ann.latest("RatingChanged") == await bob.latest("RatingChanged")
    log = [entry async for entry in servers.store.ratings.log(GAME)]
    assert len(log) == 1
    assert {one.player for one in log[0].changes} == {ann.player, bob.player}


async def test_a_server_that_folds_the_room_later_tells_it_to_who_comes(servers: Servers) -> None:
    await servers.start()
    ann, bob = await pair(servers)
    await raced(servers, ann, bob)
    told = await ann.latest("RatingChanged")
    await servers.start()
    await bob.go()
    bob.url = servers.url(1)
    await bob.come()
    await bob.enter()
    assert await bob.latest("RatingChanged") == told


async def test_private_rooms_and_races_against_bots_change_no_rating(server: Servers) -> None:
    ann, bob = await pair(server)
    await raced(server, ann, bob, public=False)
    assert await server.store.ratings.of_player(GAME, ann.player) is None
    assert ann.all("RatingChanged") == []


async def test_a_rated_heat_is_kept_for_ever(server: Servers) -> None:
    ann, bob = await pair(server)
    result = await raced(server, ann, bob)
    await ann.latest("RatingChanged")
    room, heat = await server.room_id(ann.room), result["heat"]
    for key in (keys.board_log(room, heat, 0), keys.board_log(room, heat, 1), keys.deal(room, heat), keys.heat(heat)):
        assert await server.store.client.execute_command("TTL", key) == -1


async def test_a_process_that_dies_right_after_rating_rates_nobody_twice(server: Servers) -> None:
    ann, bob = await pair(server)
    await server.race(ann, bob, public=True)
    await ann.think(5)
    result = await server.result(ann, bob)
    store, later = server.store, ManualClock(server.store.clock.now_ms() + 5_000)
    deals = DailyDeals(store.dailies, later)

    async def dies(_: ClosedHeat) -> None:
        raise StoreAway("killed")

    with pytest.raises(StoreAway):
        await Projector(store, later, deals, [Rater(store), dies]).sweep()
    rated = await store.ratings.of_heat(GAME, result["heat"])
    assert rated is not None
    later.advance(60_000)
    await Projector(store, later, deals, [Rater(store)]).sweep()
    assert [entry async for entry in store.ratings.log(GAME)] == [rated]
    assert await store.unprojected.waiting(keys.heat_member(await server.room_id(ann.room), result["heat"])) is None


# ---------------------------------------------------------------- pages


async def test_a_player_has_a_page_with_ratings_and_curve(server: Servers) -> None:
    ann, bob = await pair(server)
    result = await raced(server, ann, bob)
    row = (await ann.latest("RatingChanged"))["rows"][0]
    status, told, _ = await get(server.apps[0], f"/api/player/{ann.player}")
    assert (status, told["player"]) == (200, ann.player)
    (one,) = told["ratings"]
    assert (one["ruleset"], one["rating"], one["deviation"], one["games"]) == (GAME, row[1], row[3], 1)
    assert one["provisional"] is True
    assert [step[1:] for step in one["curve"]] == [[row[1], row[3], result["heat"]]]


async def test_who_never_raced_has_no_ratings(server: Servers) -> None:
    ann = await server.person()
    assert (await get(server.apps[0], f"/api/player/{ann.player}"))[1]["ratings"] == []


# ---------------------------------------------------------------- the audit


async def test_the_audit_finds_what_was_altered_by_hand_and_mends_it(server: Servers) -> None:
    ann, bob = await pair(server)
    await raced(server, ann, bob)
    await ann.latest("RatingChanged")
    store, heats = server.store, Replays(server.store).heat
    assert await rating_audit.differences(store.ratings, heats) == []
    right = await of_player(store.ratings, ann.player)
    await store.client.execute_command("HSET", keys.ratings(GAME), ann.player, b"\x93\xce\x00\x1e\x84\x80\x64\x02")
    assert await store.ratings.of_player(GAME, ann.player) == Rating(2_000_000, 100, 2)
    (line,) = await rating_audit.differences(store.ratings, heats)
    assert f"player {ann.player}" in line
    assert len(await rating_audit.differences(store.ratings, heats, repair=True)) == 1
    assert await rating_audit.differences(store.ratings, heats) == []
    assert await of_player(store.ratings, ann.player) == right


async def test_the_audit_believes_the_heat_and_not_the_log_of_ratings(server: Servers) -> None:
    ann, bob = await pair(server)
    result = await raced(server, ann, bob)
    await ann.latest("RatingChanged")
    store, heats = server.store, Replays(server.store).heat
    (entry,) = [one async for one in store.ratings.log(GAME)]
    right = await store.ratings.of_player(GAME, ann.player)
    room = await server.room_id(ann.room)
    await store.client.execute_command("DEL", *(await store.client.execute_command("KEYS", "kupa:{rating:*")))
    swapped = [Racer(one.seat, one.player, 3 - one.place) for one in entry.changes]
    await store.ratings.rate(GAME, result["heat"], room, entry.at_ms, swapped)
    found = await rating_audit.differences(store.ratings, heats, repair=True)
    assert f"ratings of {GAME}: heat {result['heat']}: it gives other places" in found
    assert await store.ratings.of_player(GAME, ann.player) == right
    assert await rating_audit.differences(store.ratings, heats) == []
