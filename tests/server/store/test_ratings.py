"""Ratings on a real store: one change a heat, whoever asks how often, and everything follows from the log."""

from __future__ import annotations

import asyncio

import pytest

from server.core import rating
from server.core.rating import Racer, RatedHeat, Rating
from server.store import keys
from server.store.connect import Store
from server.store.ids import new_id

ANN, BOB, CAT = "AAAAAAAAAA", "BBBBBBBBBB", "CCCCCCCCCC"
RULESET = "DS1-D1N"
ROOM = "RRRRRRRRRR"


async def rate(store: Store, *players: str, heat: str = "", at_ms: int = 0, ruleset: str = RULESET) -> RatedHeat:
    """A heat in which the players came in in this order."""
    people = [Racer(at, player, at + 1) for at, player in enumerate(players)]
    return await store.ratings.rate(ruleset, heat or new_id(), ROOM, at_ms, people)


async def log(store: Store, ruleset: str = RULESET) -> list[RatedHeat]:
    return [entry async for entry in store.ratings.log(ruleset)]


async def check(store: Store) -> None:
    """What is stored is the fold of the log."""
    fold, faults = rating.folded(await log(store))
    kept = await store.ratings.kept(RULESET)
    assert faults == []
    assert (kept.now, kept.heats) == (fold.now, fold.heats)
    for player, curve in fold.curves.items():
        points = await store.ratings.curve(RULESET, player, 1000)
        assert [(one.heat, one.rating) for one in points] == [(entry.heat, after) for entry, after in curve]


async def test_a_heat_changes_the_ratings_of_who_raced(store: Store) -> None:
    rated = await rate(store, ANN, BOB, at_ms=7)
    ann, bob = rated.changes
    assert await store.ratings.of_player(RULESET, ANN) == ann.after
    assert await store.ratings.of_player(RULESET, BOB) == bob.after
    assert await store.ratings.of_player(RULESET, CAT) is None
    assert [(point.at_ms, point.rating) for point in await store.ratings.curve(RULESET, ANN, 9)] == [(7, ann.after)]
    await check(store)


async def test_a_heat_that_is_projected_again_changes_nothing(store: Store) -> None:
    first = await rate(store, ANN, BOB, heat="HHHHHHHHHH")
    await rate(store, BOB, CAT)
    again = await rate(store, ANN, BOB, heat="HHHHHHHHHH", at_ms=99)
    assert again == first
    assert await store.ratings.of_heat(RULESET, "HHHHHHHHHH") == first
    assert len(await log(store)) == 2
    await check(store)


async def test_many_processes_rate_many_heats_at_once_and_each_counts_once(store: Store) -> None:
    heats = [new_id() for _ in range(8)]
    pairs = [(ANN, BOB), (BOB, CAT), (CAT, ANN)]
    work = [rate(store, *pairs[at % 3], heat=heat) for at, heat in enumerate(heats) for _ in range(3)]
    answers = await asyncio.gather(*work)
    assert len(await log(store)) == 8
    assert len({answer.heat for answer in answers}) == 8
    for answer in answers:
        assert await store.ratings.of_heat(RULESET, answer.heat) == answer
    await check(store)


async def test_each_ruleset_has_ratings_of_its_own(store: Store) -> None:
    await rate(store, ANN, BOB)
    await rate(store, BOB, ANN, ruleset="SS1-D3N")
    double, single = [await store.ratings.of_player(ruleset, ANN) for ruleset in (RULESET, "SS1-D3N")]
    assert double is not None
    assert single is not None
    assert double.mu > single.mu


async def test_a_heat_that_is_not_rated_is_not_found(store: Store) -> None:
    assert await store.ratings.of_heat(RULESET, new_id()) is None


async def test_the_curve_ends_with_the_last_heats(store: Store) -> None:
    for at_ms in range(5):
        await rate(store, ANN, BOB, at_ms=at_ms)
    assert [point.at_ms for point in await store.ratings.curve(RULESET, ANN, 2)] == [3, 4]


async def test_long_logs_are_read_in_pieces(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.store.ratings.PIECE", 2)
    for at_ms in range(5):
        await rate(store, ANN, BOB, at_ms=at_ms)
    assert [entry.at_ms for entry in await log(store)] == [0, 1, 2, 3, 4]


async def test_what_was_altered_is_written_again_from_the_log(store: Store) -> None:
    await rate(store, ANN, BOB)
    await rate(store, BOB, CAT)
    command = store.client.execute_command
    await command("HSET", keys.ratings(RULESET), CAT, b"\x93\x01\x02\x03")
    await command("DEL", keys.rating_curve(RULESET, ANN))
    await command("HDEL", keys.rated_heats(RULESET), (await log(store))[0].heat)
    assert await store.ratings.of_player(RULESET, CAT) == Rating(1, 2, 3)
    entries = await log(store)
    fold, _ = rating.folded(entries)
    assert await store.ratings.rewrite(RULESET, fold, len(entries))
    await check(store)


async def test_what_is_rated_during_a_repair_is_not_lost(store: Store) -> None:
    await rate(store, ANN, BOB)
    entries = await log(store)
    fold, _ = rating.folded(entries)
    later = await rate(store, BOB, CAT)
    assert not await store.ratings.rewrite(RULESET, fold, len(entries))
    assert (await log(store))[-1] == later
    await check(store)
    assert await store.client.execute_command("KEYS", "*:new") == []


async def test_a_player_who_is_in_no_log_goes_with_the_repair(store: Store) -> None:
    await store.client.execute_command("HSET", keys.ratings(RULESET), CAT, b"\x93\x01\x02\x03")
    await store.client.execute_command("RPUSH", keys.rating_curve(RULESET, CAT), b"x")
    assert await store.ratings.rewrite(RULESET, rating.Fold(), 0)
    assert await store.client.execute_command("KEYS", "kupa:{rating:*") == []


@pytest.mark.parametrize("ruleset", ["", "DS1-D1N:x", "{}", "*"])
async def test_what_is_no_ruleset_reaches_no_key(store: Store, ruleset: str) -> None:
    with pytest.raises(keys.BadKey):
        await store.ratings.of_player(ruleset, ANN)
