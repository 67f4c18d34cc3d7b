"""The audit finds every row that is not what the logs say, and mends it (product, what must be flawless: 3)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from engine.moves import RESIGN, pack_entry
from server.clock import ManualClock
from server.core import boards, daily
from server.core.boards import DayResult, Period, Row, Tab
from server.core.daily import Day
from server.core.ids import PlayerId
from server.core.tournament import events as tournament_log
from server.services.audit import Report, audit, repair
from server.services.daily_deals import DailyDeals
from server.store import keys
from server.store.boards import Rule
from server.store.connect import Store
from server.store.ids import new_id
from tests.server.core.tournament.driver import Evening
from tests.server.services.ended import ANN, BOB, DAY, GAME, NOON_MS, RACES, Race, attempt, projector, race
from tests.server.services.won import won

YESTERDAY = daily.nth(daily.number(DAY) - 1)
SCORES = boards.name(Period.DAY, DAY, GAME, Tab.SCORE)
WEEK = boards.name(Period.WEEK, DAY, GAME, Tab.TIME)


async def audited(store: Store) -> Report:
    clock = ManualClock(NOON_MS)
    return await audit(store, DailyDeals(store.dailies, clock), clock)


async def differing(store: Store) -> set[tuple[str, str]]:
    return {(each.board, each.player) for each in (await audited(store)).differences}


@pytest_asyncio.fixture
async def played(store: Store) -> AsyncIterator[Race]:
    """Two players, two days and a race, all projected."""
    for player in (ANN, BOB):
        entries = won().entries(700 if player == ANN else 800)
        await attempt(store, player, entries)
        await attempt(store, player, [pack_entry(RESIGN, 9_000)], YESTERDAY, daily.start_ms(YESTERDAY))
    made = race()
    await made.played(store)
    assert await projector(store).sweep() == 5
    yield made


async def test_what_was_projected_agrees_with_its_logs(store: Store, played: Race) -> None:
    report = await audited(store)
    assert report.clean
    assert report.differences == []
    assert (report.logs, report.pending) == (6, 0), "four attempts, a room, a heat"
    assert report.rows == 2 * (2 + 1 + 2 * 3) + 1
    assert report.boards == 3 + 6 + 1


async def test_the_log_of_a_tournament_is_read_as_one_and_is_no_rooms(store: Store) -> None:
    entries = [tournament_log.encode(event) for event in Evening().log]
    name = keys.tournament_log(new_id())
    await store.logs.append(name, 0, entries)
    report = await audited(store)
    assert (report.clean, report.logs) == (True, 1)
    await store.logs.append(name, len(entries), [b"\xc1"])
    report = await audited(store)
    assert not report.clean
    assert f"entry {len(entries)}: not a tournament event" in str(report.unreadable)


async def test_an_empty_store_agrees(store: Store) -> None:
    report = await audited(store)
    assert (report.clean, report.rows, report.boards, report.logs) == (True, 0, 0, 0)


async def test_a_row_altered_by_hand_is_found_and_mended(store: Store, played: Race) -> None:
    """Each number of a row, on every kind of board."""
    for name in (SCORES, WEEK, boards.name(Period.ALL, DAY, GAME, Tab.SCORE), RACES):
        mine = await store.boards.row(name, ANN)
        assert mine is not None
        for altered in (
            Row(mine.row.score + 10, *tail(mine.row)),
            Row(mine.row.score, mine.row.time_ms - 1, *tail(mine.row)[1:]),
        ):
            await store.boards.put(name, ANN, mine.number, altered, Rule.SET)
            assert await differing(store) == {(name, ANN)}
        await store.boards.put(name, ANN, mine.number + 1, mine.row, Rule.SET)
        report = await audited(store)
        assert [(each.board, each.player) for each in report.differences] == [(name, ANN)]
        await repair(store, report.differences)
        assert (await audited(store)).clean
        assert await store.boards.row(name, ANN) == mine


def tail(row: Row) -> tuple[int, int, int, int, int, str, tuple[str, ...], str]:
    return row.time_ms, row.won, row.out, row.moves, row.days, row.game, row.flags, row.where


async def test_a_row_that_nobody_played_is_found_and_removed(store: Store, played: Race) -> None:
    cheat = PlayerId(new_id())
    for name in (SCORES, RACES, "a.DS1-D3N.score"):
        await store.boards.put(name, cheat, 2**40, Row(9_999, 1, 1, 104, 1), Rule.SET)
    report = await audited(store)
    assert {(each.board, each.player) for each in report.differences} == {
        (SCORES, cheat), (RACES, cheat), ("a.DS1-D3N.score", cheat),
    }  # fmt: skip
    assert {each.expected for each in report.differences} == {None}
    await repair(store, report.differences)
    assert (await audited(store)).clean


async def test_a_row_that_was_taken_away_is_found_and_put_back(store: Store, played: Race) -> None:
    before = await store.boards.row(SCORES, BOB)
    await store.boards.remove(SCORES, BOB)
    await store.boards.remove(RACES, ANN)
    report = await audited(store)
    assert {(each.board, each.player) for each in report.differences} == {(SCORES, BOB), (RACES, ANN)}
    await repair(store, report.differences)
    assert (await audited(store)).clean
    assert await store.boards.row(SCORES, BOB) == before


async def test_a_day_in_a_history_that_is_not_so_is_found_and_mended(store: Store, played: Race) -> None:
    days = await store.history.days(ANN)
    await store.history.add_day(ANN, GAME, DAY, DayResult(9_999, True, 1))
    await store.history.add_day(ANN, GAME, Day("2026-07-01"), DayResult(9_999, True, 1))
    await store.history.remove_day(BOB, GAME, YESTERDAY)
    report = await audited(store)
    assert {(each.board, each.player) for each in report.differences} == {
        (f"h.{DAY}.{GAME}.days", ANN), (f"h.2026-07-01.{GAME}.days", ANN), (f"h.{YESTERDAY}.{GAME}.days", BOB),
    }  # fmt: skip
    await repair(store, report.differences)
    assert (await audited(store)).clean
    assert await store.history.days(ANN) == days


async def test_lost_leaderboards_are_built_again_from_the_logs(store: Store, played: Race) -> None:
    names = [SCORES, WEEK, RACES, "a.DS1-D1N.score"]
    before = {name: (await store.boards.page(name, 0, 9)).rows for name in names}
    for name in names:
        await store.client.execute_command("DEL", keys.ranking(name))
        await store.client.execute_command("DEL", keys.ranking_rows(name))
    await repair(store, (await audited(store)).differences)
    assert (await audited(store)).clean
    assert {name: (await store.boards.page(name, 0, 9)).rows for name in names} == before


async def test_what_is_on_its_way_is_no_difference(store: Store, played: Race) -> None:
    cat = PlayerId(new_id())
    await attempt(store, cat, won().entries(600))
    later = race()
    await later.played(store, 300)
    report = await audited(store)
    assert (report.clean, report.pending) == (True, 2)
    await projector(store).sweep()
    assert ((await audited(store)).clean, (await audited(store)).pending) == (True, 0)


async def test_what_is_still_played_is_no_difference(store: Store, played: Race) -> None:
    await attempt(store, PlayerId(new_id()), won().entries(600)[:50])
    assert (await audited(store)).clean


@pytest.mark.parametrize("at", [0, 20])
async def test_a_log_that_no_play_could_have_written_is_named(store: Store, played: Race, at: int) -> None:
    begun = await store.dailies.attempt(DAY, GAME, ANN)
    assert begun is not None
    await store.client.execute_command("LSET", begun.log, at, b"\x05" * 8)
    report = await audited(store)
    assert [name for name, _ in report.unreadable] == [begun.log]
    assert not report.clean


async def test_a_log_changed_to_another_game_is_found(store: Store, played: Race) -> None:
    """The log is what is believed: whoever alters it alters the result, and the rows then differ."""
    begun = await store.dailies.attempt(DAY, GAME, ANN)
    assert begun is not None
    await store.client.execute_command("LSET", begun.log, -1, won().entries(600)[-1])
    assert (SCORES, ANN) in await differing(store)


async def test_equal_best_times_of_one_player_may_stand_either_way(store: Store, played: Race) -> None:
    twin = race()
    await twin.played(store)
    await projector(store).sweep()
    assert (await audited(store)).clean
    mine = await store.boards.row(RACES, ANN)
    assert mine is not None
    assert mine.row.game == played.heat
