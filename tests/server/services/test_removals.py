"""A row that an operator takes off a leaderboard stays off, is no difference to the audit, and can be put back."""

from __future__ import annotations

import pytest

from server import administering
from server.administering import NoSuch
from server.clock import ManualClock
from server.config import Config
from server.core import boards
from server.core.boards import Period, Tab
from server.services.audit import audit
from server.services.daily_deals import DailyDeals
from server.store.boards import Rule
from server.store.connect import Store
from server.store.removals import Removal
from tests.server.services.ended import ANN, BOB, DAY, GAME, NOON_MS, attempt, projector
from tests.server.services.won import won

BOARD = boards.name(Period.DAY, DAY, GAME, Tab.TIME)
WEEK = boards.name(Period.WEEK, DAY, GAME, Tab.TIME)


async def standing(store: Store, board: str = BOARD) -> list[str]:
    return [placed.player for placed in (await store.boards.page(board, 0, 10)).rows]


async def clean(store: Store) -> bool:
    clock = ManualClock(NOON_MS)
    return (await audit(store, DailyDeals(store.dailies, clock), clock)).clean


async def played(store: Store) -> None:
    await attempt(store, ANN, won().entries(700))
    await attempt(store, BOB, won().entries(800))
    assert await projector(store).sweep() == 2


def off(player: str, *, removed: bool = True, board: str = BOARD) -> Removal:
    return Removal(NOON_MS, board, player, removed, "played by a program")


async def test_a_removed_row_is_gone_and_the_audit_knows_why(store: Store) -> None:
    await played(store)
    assert await standing(store) == [ANN, BOB]
    assert await store.removals.note(off(ANN))
    assert await standing(store) == [BOB]
    assert await standing(store, WEEK) == [ANN, BOB]
    assert await clean(store)
    assert await store.removals.all() == [off(ANN)]


async def test_a_removed_row_does_not_come_back_with_another_projection(store: Store) -> None:
    await played(store)
    before = await store.boards.row(BOARD, ANN)
    assert before is not None
    await store.removals.note(off(ANN))
    await store.boards.put(BOARD, ANN, before.number + 5, before.row, Rule.SET)
    assert await standing(store) == [BOB]
    assert await store.removals.note(off(ANN, removed=False))
    again = await store.boards.row(BOARD, ANN)
    assert again is not None
    assert again.number == before.number + 5, "what came meanwhile is not lost"


async def test_a_row_that_was_put_back_stands_as_before(store: Store) -> None:
    await played(store)
    before = await store.boards.row(BOARD, ANN)
    assert await store.removals.note(off(ANN))
    assert not await store.removals.note(off(ANN)), "it is off already"
    assert await store.removals.note(off(ANN, removed=False))
    assert not await store.removals.note(off(ANN, removed=False))
    assert await store.boards.row(BOARD, ANN) == before
    assert await clean(store)
    assert [each.removed for each in await store.removals.all()] == [True, False]


async def test_the_audit_still_finds_a_removed_row_that_is_not_what_the_logs_say(store: Store) -> None:
    await played(store)
    before = await store.boards.row(BOARD, ANN)
    assert before is not None
    await store.removals.note(off(ANN))
    await store.boards.put(BOARD, ANN, before.number + 1, before.row, Rule.SET)
    assert not await clean(store)


async def test_removing_needs_a_reason_a_board_and_a_row(store: Store, store_url: str) -> None:
    config = Config(redis_url=store_url, durability="second")
    player = await store.players.new_player("Ann", "t" * 43, NOON_MS)
    with pytest.raises(NoSuch, match="reason"):
        await administering.remove(config, BOARD, player.id, " ")
    with pytest.raises(NoSuch, match="no leaderboard"):
        await administering.remove(config, "x", player.id, "why not")
    with pytest.raises(NoSuch, match="does not stand on"):
        await administering.remove(config, BOARD, player.id, "why not")
    with pytest.raises(NoSuch, match="no player"):
        await administering.remove(config, BOARD, "nobody", "why not")
