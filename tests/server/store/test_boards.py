"""Leaderboards on a real store: places, pages, and which row stands (findings L1, L2, L4, ruling 25)."""

from __future__ import annotations

import random

import pytest

from server.core import boards as shown
from server.core.boards import Period, Row, Tab
from server.store import keys
from server.store.boards import Placed, Rule
from server.store.connect import Store
from server.store.ids import new_id

BOARD = "d.2026-07-29.DS1-D1N.score"
ANN, BOB, CAT, DAN = ("AAAAAAAAAA", "BBBBBBBBBB", "CCCCCCCCCC", "DDDDDDDDDD")


async def put(store: Store, player: str, score: int, time_ms: int = 0, rule: Rule = Rule.FIRST, days: int = 1) -> bool:
    row = Row(score, time_ms, 0, 0, 0, days)
    return await store.boards.put(BOARD, player, shown.packed(Period.DAY, Tab.SCORE, row), row, rule)


async def places(store: Store) -> dict[str, int]:
    page = await store.boards.page(BOARD, 0, 1000)
    return {row.player: row.place for row in page.rows}


async def test_equal_results_share_a_place_and_the_next_is_skipped(store: Store) -> None:
    await put(store, ANN, 7)
    for player in (BOB, CAT):
        await put(store, player, 5)
    await put(store, DAN, 0)
    assert await places(store) == {ANN: 1, BOB: 2, CAT: 2, DAN: 4}


async def test_three_at_the_top_share_the_first_place(store: Store) -> None:
    for player, score in ((ANN, 5), (BOB, 7), (CAT, 7)):
        await put(store, player, score)
    assert await places(store) == {BOB: 1, CAT: 1, ANN: 3}


async def test_a_single_row_is_first_and_nothing_scores_no_place_of_zero(store: Store) -> None:
    await put(store, ANN, 0)
    assert await places(store) == {ANN: 1}
    found = await store.boards.row(BOARD, ANN)
    assert found is not None
    assert (found.place, found.row.score) == (1, 0)


async def test_points_below_zero_are_ranked_too(store: Store) -> None:
    for player, score in ((ANN, -104), (BOB, -99), (CAT, 1)):
        await put(store, player, score)
    assert await places(store) == {CAT: 1, BOB: 2, ANN: 3}


async def test_a_later_equal_result_pushes_nobody_down(store: Store) -> None:
    await put(store, BOB, 5, 1000)
    before = await store.boards.row(BOARD, BOB)
    await put(store, ANN, 5, 1000)
    assert await store.boards.row(BOARD, BOB) == before


async def test_the_first_result_counts(store: Store) -> None:
    assert await put(store, ANN, 5)
    assert not await put(store, ANN, 9)
    assert not await put(store, ANN, 2)
    assert await put(store, ANN, 5), "repeating is no change"
    found = await store.boards.row(BOARD, ANN)
    assert found is not None
    assert found.row.score == 5


async def test_the_best_result_counts_where_one_may_try_again(store: Store) -> None:
    assert await put(store, ANN, 5, rule=Rule.BEST)
    assert not await put(store, ANN, 4, rule=Rule.BEST)
    assert await put(store, ANN, 6, rule=Rule.BEST)
    assert not await put(store, ANN, 5, rule=Rule.BEST)
    assert [row.row.score for row in (await store.boards.page(BOARD, 0, 9)).rows] == [6]


async def test_a_sum_of_fewer_days_replaces_none_of_more(store: Store) -> None:
    assert await put(store, ANN, 5, rule=Rule.GROWN, days=2)
    assert not await put(store, ANN, 90, rule=Rule.GROWN, days=1)
    assert await put(store, ANN, 4, rule=Rule.GROWN, days=3)
    found = await store.boards.row(BOARD, ANN)
    assert found is not None
    assert (found.row.score, found.row.days) == (4, 3)


async def test_repair_sets_and_removes(store: Store) -> None:
    await put(store, ANN, 5)
    assert await put(store, ANN, 1, rule=Rule.SET)
    assert await places(store) == {ANN: 1}
    await store.boards.remove(BOARD, ANN)
    assert await places(store) == {}
    assert await store.client.execute_command("EXISTS", keys.ranking(BOARD), keys.ranking_rows(BOARD)) == 0


async def test_a_row_comes_back_as_it_was_put(store: Store) -> None:
    row = Row(1385, 412_730, 1, 104, 268, 1, "KMPQRTVWXY", ("quick",), "ABCDEFGHJK:0:all")
    assert await store.boards.put(BOARD, ANN, 2**53 - 1, row, Rule.FIRST)
    assert await store.boards.put(BOARD, BOB, 2**53 - 2, row, Rule.FIRST)
    page = await store.boards.page(BOARD, 0, 50)
    assert page.rows == [Placed(1, ANN, 2**53 - 1, row), Placed(2, BOB, 2**53 - 2, row)]


async def test_an_empty_board_has_an_empty_page(store: Store) -> None:
    page = await store.boards.page(BOARD, 0, 50)
    assert (page.players, page.rows) == (0, [])
    assert await store.boards.around(BOARD, ANN, 25) is None
    assert await store.boards.row(BOARD, ANN) is None
    assert await store.boards.at_least(BOARD, [0, 5]) == (0, [0, 0])


async def test_boards_are_separate(store: Store) -> None:
    await put(store, ANN, 5)
    assert await store.boards.players(BOARD) == 1
    assert await store.boards.players("d.2026-07-28.DS1-D1N.score") == 0


@pytest.mark.parametrize("name", ["", "d", "D.x", "d.{x}", "d.a:z", "d." + "x" * 41, "d.a\n"])
async def test_what_is_no_board_reaches_no_key(store: Store, name: str) -> None:
    with pytest.raises(keys.BadKey):
        await store.boards.page(name, 0, 50)


# ---------------------------------------------------------------- many rows


async def filled(store: Store, seed: int, players: int) -> list[tuple[int, int, str]]:
    """A board of many ties; returns (score, −time, player)."""
    chance = random.Random(seed)
    table = []
    for _ in range(players):
        player, score, time_ms = new_id(), chance.randrange(-20, 20), chance.randrange(3)
        await put(store, player, score, time_ms)
        table.append((score, -time_ms, player))
    return sorted(table, reverse=True)


async def test_pages_show_everybody_once_with_the_place_that_counting_gives(store: Store) -> None:
    table = await filled(store, 1, 230)
    rows = [row for first in range(0, 230, 50) for row in (await store.boards.page(BOARD, first, 50)).rows]
    assert sorted(row.player for row in rows) == sorted(player for *_, player in table)
    results = {player: result for *result, player in table}
    for row in rows:
        assert row.place == 1 + sum(result > results[row.player] for result in results.values())
        assert [row.row.score, -row.row.time_ms] == results[row.player]
    assert [row.place for row in rows] == sorted(row.place for row in rows)


async def test_around_a_player_are_the_neighbours_of_the_whole_board(store: Store) -> None:
    await filled(store, 2, 90)
    whole = (await store.boards.page(BOARD, 0, 1000)).rows
    for rank in (0, 1, 24, 45, 88, 89):
        found = await store.boards.around(BOARD, whole[rank].player, 25)
        assert found is not None
        assert found.players == 90
        assert found.first == max(0, rank - 25)
        assert found.rows == whole[max(0, rank - 25) : rank + 26]
        assert await store.boards.row(BOARD, whole[rank].player) == whole[rank]


async def test_a_page_beyond_the_end_is_empty(store: Store) -> None:
    await filled(store, 3, 10)
    page = await store.boards.page(BOARD, 50, 50)
    assert (page.players, page.rows) == (10, [])


async def test_counting_how_many_have_at_least(store: Store) -> None:
    table = await filled(store, 4, 80)
    numbers = [shown.pack_score(score, 0) for score in (19, 5, -20)]
    players, counts = await store.boards.at_least(BOARD, numbers)
    assert players == 80
    assert counts == [sum((score, less) >= (least, 0) for score, less, _ in table) for least in (19, 5, -20)]
