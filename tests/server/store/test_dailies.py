"""A day's deal is drawn once for everybody, and everybody begins once (rulings 25, S4, findings L4)."""

from __future__ import annotations

import asyncio

import pytest

from server.store import dailies, keys
from server.store.connect import Store
from server.store.dailies import Attempt, Practice, StoredDaily
from server.store.ids import new_id
from server.store.logs import Append, Verdict

DAY, GAME = "2026-07-29", "DS1-D1N"
ANN, BOB = "AAAAAAAAAA", "BBBBBBBBBB"


def deal(letters: str) -> StoredDaily:
    return StoredDaily(new_id(), f"DS1-D1N-{letters}-{letters}", "aa", 1_000, True, b"\x01\0\0\0")


async def test_the_first_deal_of_a_day_stands(store: Store) -> None:
    assert await store.dailies.get(DAY, GAME) is None
    first, second = deal("ABCDEFG"), deal("HIJKLMN")
    assert await store.dailies.put(DAY, GAME, first) == first
    assert await store.dailies.put(DAY, GAME, second) == first
    assert await store.dailies.get(DAY, GAME) == first
    assert await store.dailies.get("2026-07-30", GAME) is None
    assert await store.dailies.get(DAY, "DS1-D3N") is None
    assert await store.client.execute_command("TTL", keys.daily(DAY, GAME)) == -1


def test_a_deal_shows_nothing_of_itself() -> None:
    assert "ABCDEFG" not in f"{deal('ABCDEFG')!r} {deal('ABCDEFG')}"


async def test_a_player_begins_once_however_often_it_is_asked(store: Store) -> None:
    tries = [Attempt(new_id(), at_ms) for at_ms in range(5)]
    begun = await asyncio.gather(*(store.dailies.begin(DAY, GAME, ANN, each) for each in tries))
    assert len(set(begun)) == 1
    assert begun[0] in tries
    assert await store.dailies.attempt(DAY, GAME, ANN) == begun[0]
    assert await store.dailies.begun(DAY, GAME) == 1


async def test_attempts_are_by_player_day_and_ruleset(store: Store) -> None:
    await store.dailies.begin(DAY, GAME, ANN, Attempt(new_id(), 1))
    assert await store.dailies.attempt(DAY, GAME, BOB) is None
    assert await store.dailies.attempt("2026-07-28", GAME, ANN) is None
    assert await store.dailies.attempt(DAY, "SS1-D3N", ANN) is None


async def test_everybodys_attempt_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dailies, "SCAN", 20)
    begun = {}
    for at_ms in range(200):
        player, attempt = new_id(), Attempt(new_id(), at_ms)
        begun[player] = await store.dailies.begin(DAY, GAME, player, attempt)
    found = {one.player: one.attempt async for one in store.dailies.attempts(DAY, GAME)}
    assert found == begun
    assert [one async for one in store.dailies.attempts("2026-07-28", GAME)] == []


async def test_a_sealed_attempt_takes_nothing_more(store: Store) -> None:
    attempt = Attempt(new_id(), 1)
    claim = await store.logs.claim(attempt.log, "n1")
    await store.logs.append(attempt.log, 0, [b"12345678"], epoch=claim.epoch)
    assert await store.dailies.seal(attempt.log) == 1
    assert await store.dailies.seal(attempt.log) == 1
    assert await store.logs.append(attempt.log, 1, [b"abcdefgh"], epoch=claim.epoch) == (Verdict.SEALED, 1)
    assert (await store.logs.claim(attempt.log, "n2")).sealed
    assert await store.dailies.seal(Attempt(new_id(), 1).log) == 0


async def test_the_last_practice_game_is_the_one_to_go_on_with(store: Store) -> None:
    first, second = Practice(new_id()), Practice(new_id())
    assert await store.dailies.practice(DAY, GAME, ANN) is None
    await store.dailies.practise(DAY, GAME, ANN, first)
    await store.dailies.practise(DAY, GAME, ANN, second)
    assert await store.dailies.practice(DAY, GAME, ANN) == second
    assert 0 < await store.client.execute_command("TTL", keys.practice(DAY, GAME)) <= 3 * 86_400


@pytest.mark.parametrize(
    ("day", "game"), [("2026-7-29", GAME), ("", GAME), (DAY, "*"), (DAY, ""), ("2026-07-29\n", GAME)]
)
async def test_what_is_no_day_or_ruleset_reaches_no_key(store: Store, day: str, game: str) -> None:
    for ask in (store.dailies.get(day, game), store.dailies.attempt(day, game, ANN), store.dailies.begun(day, game)):
        with pytest.raises(keys.BadKey):
            await ask


# ---------------------------------------------------------------- what is not on the boards yet


async def test_an_end_is_noted_before_its_entry_is_written(store: Store) -> None:
    attempt = Attempt(new_id(), 1)
    member = keys.attempt_member(DAY, GAME, ANN)
    await store.unprojected.expect(member, 9_000)
    claim = await store.logs.claim(attempt.log, "n1")
    written = asyncio.get_running_loop().create_future()
    store.logs.push(
        Append(attempt.log, 0, [b"12345678"], lambda *_: written.set_result(None), claim.epoch, unprojected=(member, 5))
    )
    await written
    assert await store.unprojected.waiting(member) == 5
    assert await store.unprojected.take(4) == []
    assert await store.unprojected.take(5, lease_ms=100) == [member]
    assert await store.unprojected.take(104) == [], "lent out"
    assert await store.unprojected.take(105) == [member], "it comes back unless it is done"
    await store.unprojected.done(member)
    assert await store.unprojected.waiting(member) is None


async def test_expecting_again_changes_nothing(store: Store) -> None:
    member = keys.heat_member(new_id(), new_id())
    await store.unprojected.put(member, 5)
    await store.unprojected.expect(member, 9_000)
    assert await store.unprojected.waiting(member) == 5
