"""Practice on a daily deal: after one's own attempt, or when the day is final; it counts for nothing."""

from __future__ import annotations

import pytest_asyncio

from server.core import boards
from server.core.boards import Period, Tab
from tests.server.services.daily_kit import GAME, Days, gives_up, opens, refused
from tests.server.services.kit import Servers
from tests.wire_client import RESIGN


@pytest_asyncio.fixture
async def days(servers: Servers) -> Days:
    """No server yet."""
    return Days(servers)


async def rows(days: Days) -> dict[str, boards.Row]:
    """The board of today by score."""
    page = await days.store.boards.page(boards.name(Period.DAY, days.today, GAME, Tab.SCORE), 0, 100)
    return {row.player: row.row for row in page.rows}


async def test_practice_comes_after_the_attempt(days: Days) -> None:
    await days.start()
    ann = await days.servers.person()
    assert await refused(ann, practice=True) == "not_now"
    game = await opens(ann)
    assert await refused(ann, practice=True) == "not_now"
    await gives_up(ann)
    practice = await opens(ann, practice=True)
    assert practice["practice"]
    assert practice["id"] == game["id"]
    assert practice["view"][:9] == game["view"][:9], "the same cards, scored to the letter"


async def test_practice_is_gone_on_with_counts_for_nothing_and_shows_no_code(days: Days) -> None:
    await days.start()
    ann = await days.servers.person()
    await opens(ann)
    await gives_up(ann)
    before = await rows(days)
    await opens(ann, practice=True)
    await ann.think(4)
    assert (await opens(ann, practice=True))["view"][0] == 4
    assert (await opens(ann, practice=True, fresh=True))["view"][0] == 0
    await ann.play(0, RESIGN)
    await ann.settle()
    assert await rows(days) == before
    assert "DailyResult" not in ann.seen
    stored = await days.store.dailies.get(days.today, GAME)
    assert stored is not None
    assert [data for data in ann.raw if stored.code[8:15].encode() in data] == []
    assert len(await days.store.history.latest(ann.player, 9)) == 1


async def test_when_the_day_is_final_everybody_may_practise(days: Days) -> None:
    await days.start()
    ann, bob, day = await days.servers.person("Ann"), await days.servers.person("Bob"), days.today
    await opens(ann)
    assert await refused(bob, date=day, practice=True) == "not_now"
    await days.go_to(day, 25)
    assert await refused(bob, date=day, practice=True) == "not_now"
    await days.go_to(day, 26)
    assert (await opens(bob, date=day, practice=True))["date"] == day
    assert await refused(bob, date=day) == "not_now"
