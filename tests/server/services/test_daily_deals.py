"""Daily deals come from the certifier, are drawn when somebody asks, and wait for it (rulings 24, 25)."""

from __future__ import annotations

import asyncio

import pytest
import pytest_asyncio

from engine.moves import move_text
from server.clock import ManualClock
from server.core import daily
from server.services.daily_deals import DailyDeals, Drawn, certified_by, uncertified
from server.store.connect import Store
from server.store.deals import PooledDeal
from tests.server.services.daily_kit import GAME, Days, opens, refused, shown
from tests.server.services.kit import Servers, push
from tests.server.services.won import won

VEGAS = "DS1-D1V"


class Pool:
    """A certifier with these deals and no others."""

    def __init__(self, **deals: PooledDeal) -> None:
        self.deals = deals
        self.asked: list[str] = []

    async def certified(self, ruleset: str) -> PooledDeal | None:
        self.asked.append(ruleset)
        return self.deals.pop(ruleset.replace("-", "_"), None)


def proved(ruleset: str) -> PooledDeal:
    moves = won().moves
    return PooledDeal(won().code.replace(GAME, ruleset), b"".join(bytes(move) for move in moves), "easy")


@pytest_asyncio.fixture
async def days(servers: Servers) -> Days:
    """One server at noon."""
    made = Days(servers)
    await made.start()
    return made


async def test_a_deal_of_the_pool_is_played_and_said_to_be_certified(days: Days) -> None:
    days.servers.apps[0].services.daily.deals.source = certified_by(Pool(DS1_D1N=proved(GAME)))
    ann, day = await days.servers.person(), days.today
    game = await opens(ann)
    assert game["certified"]
    headline = (await shown(days, "/api/daily"))["rulesets"][0]
    assert (headline["ready"], headline["certified"]) == (True, True)
    await days.go_to(day, 26.1)
    revealed = await shown(days, f"/api/daily/{day}/{GAME}")
    assert revealed["code"] == won().code
    assert revealed["solution"] == [move_text(move) for move in won().moves]


async def test_a_vegas_daily_appears_when_it_is_certified(days: Days) -> None:
    pool = Pool()
    days.servers.apps[0].services.daily.deals.source = certified_by(pool)
    ann = await days.servers.person()
    assert await refused(ann, ruleset=VEGAS) == "no_deal"
    state = {each["ruleset"]: each for each in (await shown(days, "/api/daily"))["rulesets"]}
    assert (state[VEGAS]["ready"], state[VEGAS]["certified"], state[VEGAS]["commitment"]) == (False, False, "")
    pool.deals["DS1_D1V"] = proved(VEGAS)
    assert (await opens(ann, ruleset=VEGAS))["certified"]
    push(days.servers.apps[0], 1_001)
    state = {each["ruleset"]: each for each in (await shown(days, "/api/daily"))["rulesets"]}
    assert (state[VEGAS]["ready"], state[VEGAS]["certified"]) == (True, True)


async def test_nothing_is_drawn_before_somebody_asks(store: Store) -> None:
    pool = Pool(DS1_D1N=proved(GAME))
    deals = DailyDeals(store.dailies, ManualClock(daily.DAY_MS * 20_000), certified_by(pool))
    assert (pool.asked, deals.wanted) == ([], set())
    assert await deals.today(GAME) is not None
    assert (pool.asked, deals.wanted) == ([GAME], {GAME})


async def test_many_who_ask_at_once_get_one_deal(store: Store) -> None:
    drawn = 0

    async def slow(ruleset: str) -> Drawn | None:
        nonlocal drawn
        drawn += 1
        await asyncio.sleep(0.01)
        return await uncertified(ruleset)

    clock = ManualClock(daily.DAY_MS * 20_000)
    here, there = DailyDeals(store.dailies, clock, slow), DailyDeals(store.dailies, clock, slow)
    found = await asyncio.gather(*(deals.today(GAME) for deals in (here, there) for _ in range(20)))
    assert len(set(found)) == 1
    assert drawn == 2, "one for each process, of which one stands"


async def test_a_deal_that_was_drawn_too_late_is_not_taken_for_the_next_day(store: Store) -> None:
    clock = ManualClock(daily.DAY_MS * 20_000 - 5)

    async def over_midnight(ruleset: str) -> Drawn | None:
        clock.advance(10)
        return await uncertified(ruleset)

    deals = DailyDeals(store.dailies, clock, over_midnight)
    assert await deals.today(GAME) is None
    assert await store.dailies.get(daily.nth(19_999), GAME) is None
    assert await store.dailies.get(daily.nth(20_000), GAME) is None


async def test_a_source_that_fails_is_asked_again(store: Store) -> None:
    tries = 0

    async def fails_once(ruleset: str) -> Drawn | None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise OSError("no process")
        return await uncertified(ruleset)

    deals = DailyDeals(store.dailies, ManualClock(daily.DAY_MS * 20_000), fails_once)
    with pytest.raises(OSError, match="no process"):
        await deals.today(GAME)
    assert await deals.today(GAME) is not None


async def test_what_is_drawn_is_not_shown_by_its_text(store: Store) -> None:
    deals = DailyDeals(store.dailies, ManualClock(daily.DAY_MS * 20_000), certified_by(Pool(DS1_D1N=proved(GAME))))
    found = await deals.today(GAME)
    stored = await store.dailies.get(daily.nth(20_000), GAME)
    drawn = await certified_by(Pool(DS1_D1N=proved(GAME)))(GAME)
    assert stored is not None
    for text in (repr(found), repr(stored), repr(drawn)):
        assert "ABCDEFG" not in text
        assert stored.nonce not in text
