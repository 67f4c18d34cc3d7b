"""A player's history counts every result once, however often it is projected (findings L4, R32, R34)."""

from __future__ import annotations

import msgspec
import pytest

from server.core.boards import DayResult
from server.core.daily import Day
from server.store import history, keys
from server.store.connect import Store
from server.store.history import Best, Played

ANN = "AAAAAAAAAA"
DAILY = Played("daily", 1_000, "DS1-D1N", "KMPQRTVWXY", "2026-07-29", "", "won", 104, 1385, 268, 412_730)
RACE = Played("race", 2_000, "DS1-D1N", "YXWVTRQPMK", "", "ABCDEFGHJK", "won", 104, 1300, 250, 90_000, 1, 4)


async def test_a_result_is_counted_once(store: Store) -> None:
    assert await store.history.add(ANN, DAILY)
    for _ in range(5):
        assert not await store.history.add(ANN, DAILY)
    totals = await store.history.totals(ANN)
    assert (totals.dailies, totals.rulesets["DS1-D1N"].results, totals.rulesets["DS1-D1N"].won) == (1, 1, 1)
    assert await store.history.latest(ANN, 50) == [DAILY]


async def test_bests_know_their_game(store: Store) -> None:
    for played in (RACE, DAILY):
        await store.history.add(ANN, played)
    counts = (await store.history.totals(ANN)).rulesets["DS1-D1N"]
    assert counts.best_score == Best(1385, "daily", DAILY.game)
    assert counts.best_time == Best(90_000, "race", RACE.game)


async def test_a_board_not_won_has_a_score_and_no_time(store: Store) -> None:
    await store.history.add(ANN, msgspec.structs.replace(DAILY, ended="resigned", ruleset="DS1-D1V", score=-44))
    counts = (await store.history.totals(ANN)).rulesets["DS1-D1V"]
    assert (counts.results, counts.won, counts.best_time) == (1, 0, None)
    assert counts.best_score == Best(-44, "daily", DAILY.game)


async def test_a_deal_that_was_known_counts_for_no_best(store: Store) -> None:
    await store.history.add(ANN, msgspec.structs.replace(RACE, open=True))
    counts = (await store.history.totals(ANN)).rulesets["DS1-D1N"]
    assert (counts.results, counts.best_score, counts.best_time) == (1, None, None)


async def test_first_of_several_is_counted_and_first_of_one_is_not(store: Store) -> None:
    await store.history.add(ANN, RACE)
    await store.history.add(ANN, msgspec.structs.replace(RACE, game="AAAAAAAAAA", racers=1))
    await store.history.add(ANN, msgspec.structs.replace(RACE, game="BBBBBBBBBB", place=2))
    totals = await store.history.totals(ANN)
    assert (totals.races, totals.firsts) == (3, 1)


async def test_nobody_has_an_empty_history(store: Store) -> None:
    totals = await store.history.totals(ANN)
    assert (totals.rulesets, totals.races, totals.dailies) == ({}, 0, 0)
    assert await store.history.latest(ANN, 50) == []
    assert await store.history.days(ANN) == {}


async def test_old_results_make_room_and_stay_counted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST", 3)
    played = [msgspec.structs.replace(RACE, at_ms=at_ms) for at_ms in range(1, 6)]
    for each in played:
        assert await store.history.add(ANN, each)
    assert await store.history.latest(ANN, 50) == played[:1:-1]
    assert not await store.history.add(ANN, played[0]), "it was counted before it was dropped"
    assert (await store.history.totals(ANN)).races == 5


async def test_days_are_kept_by_ruleset(store: Store) -> None:
    one, other = DayResult(520, False, 300_000), DayResult(-104, True, 1)
    for _ in range(2):
        await store.history.add_day(ANN, "DS1-D1N", Day("2026-07-29"), one)
    await store.history.add_day(ANN, "DS1-D1N", Day("2026-07-30"), other)
    await store.history.add_day(ANN, "SS1-D3N", Day("2026-07-30"), one)
    assert await store.history.days(ANN) == {
        "DS1-D1N": {"2026-07-29": one, "2026-07-30": other},
        "SS1-D3N": {"2026-07-30": one},
    }
    await store.history.remove_day(ANN, "SS1-D3N", Day("2026-07-30"))
    assert list(await store.history.days(ANN)) == ["DS1-D1N"]


async def test_what_is_no_player_reaches_no_key(store: Store) -> None:
    with pytest.raises(keys.BadKey):
        await store.history.add("*", DAILY)
