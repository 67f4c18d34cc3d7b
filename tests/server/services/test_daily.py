"""The daily deal as it is played: one attempt, one row, wherever one plays it from (ruling 25, findings L4–L10)."""

from __future__ import annotations

import asyncio

import pytest
import pytest_asyncio

from engine.deal_code import DealCode, commitment, deal
from server.core import boards, daily
from server.core.boards import Period, Tab
from server.services.attempts import Entry
from server.store import keys
from tests.server.services.daily_kit import GAME, Days, comes_true, gives_up, opens, refused, wins
from tests.server.services.kit import Servers
from tests.server.services.won import won
from tests.wire_client import DRAW, RESIGN, WireClient


@pytest_asyncio.fixture
async def days(servers: Servers) -> Days:
    """No server yet."""
    return Days(servers)


async def rows(days: Days, tab: Tab = Tab.SCORE, period: Period = Period.DAY) -> dict[str, boards.Row]:
    """The board of today."""
    page = await days.store.boards.page(boards.name(period, days.today, GAME, tab), 0, 100)
    return {row.player: row.row for row in page.rows}


# ---------------------------------------------------------------- the deal


async def test_everybody_gets_the_same_deal_from_every_process(days: Days) -> None:
    await days.start()
    await days.start()
    ann, bob = await days.servers.person("Ann", 0), await days.servers.person("Bob", 1)
    one, other = await asyncio.gather(opens(ann), opens(bob))
    assert (one["id"], one["commitment"], one["view"]) == (other["id"], other["commitment"], other["view"])
    assert one["date"] == days.today


async def test_each_ruleset_and_each_day_has_a_deal_of_its_own(days: Days) -> None:
    await days.start()
    ann = await days.servers.person()
    games = [await opens(ann, ruleset=ruleset) for ruleset in daily.DAILY]
    await days.go_to(days.today, 24)
    games += [await opens(ann, ruleset=ruleset) for ruleset in daily.DAILY]
    assert len({game["id"] for game in games}) == 8
    assert len({game["commitment"] for game in games}) == 8


async def test_no_deal_is_drawn_before_its_day(days: Days) -> None:
    await days.start(hour=23.9)
    await opens(await days.servers.person())
    tomorrow = daily.nth(daily.number(days.today) + 1)
    assert [await days.store.dailies.get(tomorrow, ruleset) for ruleset in daily.DAILY] == [None] * 4


async def test_the_commitment_binds_the_deal_that_is_revealed_when_the_day_is_final(days: Days) -> None:
    app = await days.start()
    ann = await days.servers.person()
    game = await opens(ann)
    deals = app.services.daily.deals
    assert await deals.revealed(days.today, GAME) is None
    day = days.today
    await days.go_to(day, 25.99)
    assert await deals.revealed(day, GAME) is None
    await days.go_to(day, 26)
    shown = await deals.revealed(day, GAME)
    assert shown is not None
    assert commitment(game["id"], shown.code, shown.nonce) == game["commitment"]
    cards = deal(DealCode.parse(shown.code))
    assert [column[1][0] for column in game["view"][6]] == [cards[sum(range(at + 2)) - 1] for at in range(9)]


# ---------------------------------------------------------------- one attempt


async def test_the_clock_starts_with_the_cards_and_does_not_stop(days: Days) -> None:
    await days.start()
    ann = await days.servers.person()
    game = await opens(ann)
    assert 0 <= game["elapsed_ms"] < 2_000
    assert game["final_ms"] == daily.final_ms(days.today)
    await ann.go()
    await days.go_to(days.today, 13)
    await ann.come()
    again = await opens(ann)
    assert again["gun_ms"] == game["gun_ms"]
    assert again["elapsed_ms"] + 1_000 >= 3_600_000
    result = await gives_up(ann)
    assert result["elapsed_ms"] >= again["elapsed_ms"]


async def test_moves_outlast_the_connection_and_the_process(days: Days) -> None:
    await days.start()
    await days.start()
    ann = await days.servers.person()
    await opens(ann)
    assert await ann.think(8) == 8
    await ann.go()
    ann.url = days.servers.url(1)
    await ann.come()
    game = await opens(ann)
    assert game["view"][0] == 8
    assert await ann.think(2) == 2
    assert (await gives_up(ann))["moves"] == 10


async def test_a_second_tab_takes_over_at_once(days: Days) -> None:
    await days.start()
    ann = await days.servers.person()
    await opens(ann)
    await ann.think(3)
    tab = WireClient(ann.url, "Ann", ann.token)
    days.servers.people.append(tab)
    await tab.come()
    assert (await opens(tab))["view"][0] == 3
    assert await ann.closed() == 4409
    assert "Superseded" in ann.seen
    assert (await gives_up(tab))["moves"] == 3


async def elsewhere(days: Days, person: WireClient, at: int) -> WireClient:
    """Another device of the person, connected to the server of this number."""
    device = WireClient(days.servers.url(at), person.name, person.token)
    days.servers.people.append(device)
    await device.come()
    return device


async def test_another_device_on_another_process_takes_over_at_once(days: Days) -> None:
    await days.start()
    await days.start()
    ann = await days.servers.person()
    await opens(ann)
    phone = await elsewhere(days, ann, 1)
    await opens(phone)
    assert await ann.closed(1) == 4409
    assert "Superseded" in ann.seen
    await phone.think(1)
    assert (await gives_up(phone))["moves"] == 1


async def test_who_missed_the_bell_is_told_at_the_next_move(days: Days) -> None:
    app = await days.start()
    await days.start()
    ann = await days.servers.person()
    await opens(ann)
    app.services.daily._rung = lambda *_: None  # type: ignore[method-assign]
    phone = await elsewhere(days, ann, 1)
    await opens(phone)
    await phone.think(1)
    await ann.push(0, RESIGN)  # not what the phone played: in one millisecond that would be the same entry
    assert await ann.closed() == 4409
    assert (await gives_up(phone))["moves"] == 1


async def test_back_and_forth_between_processes(days: Days) -> None:
    await days.start()
    await days.start()
    ann = await days.servers.person()
    await opens(ann)
    for at in (1, 0, 1):
        device = await elsewhere(days, ann, at)
        await opens(device)
        assert await ann.closed(2) == 4409
        await device.think(1)
        ann = device
    assert (await gives_up(ann))["moves"] == 3


async def test_resigning_is_final(days: Days) -> None:
    await days.start()
    ann = await days.servers.person()
    await opens(ann)
    await ann.think(2)
    first = await gives_up(ann)
    again = await opens(ann)
    assert again["view"][8] == "resigned"
    assert again["elapsed_ms"] == first["elapsed_ms"]
    assert await ann.latest("DailyResult") == first
    assert (await ann.play(3, DRAW))["code"] == "ended"
    assert await days.store.dailies.begun(days.today, GAME) == 1


async def test_five_finishes_two_tabs_and_a_reconnection_make_one_row(days: Days) -> None:
    app = await days.start()
    ann = await days.servers.person()
    await opens(ann)
    tab = WireClient(ann.url, "Ann", ann.token)
    days.servers.people.append(tab)
    await tab.come()
    await opens(tab)
    for _ in range(5):
        await tab.push(0, RESIGN)
    await tab.latest("DailyResult")
    await tab.go()
    await tab.come()
    await opens(tab)
    await tab.latest("DailyResult")
    entry = Entry(days.today, GAME, tab.player)
    for _ in range(3):
        await app.services.daily.projector.attempt(entry)
    for period in (Period.DAY, Period.WEEK, Period.MONTH, Period.ALL):
        found = await rows(days, period=period)
        assert [(row.score, row.days) for row in found.values()] == [(0, 1)]
    totals = await days.store.history.totals(tab.player)
    assert (totals.dailies, totals.rulesets[GAME].results) == (1, 1)
    assert len(await days.store.history.latest(tab.player, 9)) == 1


@pytest.mark.parametrize("ruleset", ["DS1-D1N", "SS1-D3N"])
async def test_a_won_game_stands_on_both_boards_as_its_log_says(days: Days, ruleset: str) -> None:
    await days.start()
    await days.deal_won(ruleset=ruleset)
    ann = await days.servers.person()
    await opens(ann, ruleset=ruleset)
    result = await wins(ann, ruleset)
    game = won(ruleset)
    assert (result["ended"], result["score"], result["moves"]) == ("won", game.score, game.counted)
    assert result["at_ms"] == result["elapsed_ms"]
    for tab in Tab:
        board = boards.name(Period.DAY, days.today, ruleset, tab)
        (row,) = (await days.store.boards.page(board, 0, 9)).rows
        assert (row.player, row.row.score, row.row.time_ms, row.row.won) == (
            ann.player, game.score, result["elapsed_ms"], 1,
        )  # fmt: skip


async def test_the_place_that_is_told_is_the_place_on_the_board(days: Days) -> None:
    await days.start()
    people = [await days.servers.person(name) for name in ("Ann", "Bob", "Cat", "Dan")]
    for person in people:
        await opens(person)
    for person, moves in zip(people, (30, 5, 0, 0), strict=True):
        await person.think(moves)
    told = {person.player: await gives_up(person) for person in people}
    board = boards.name(Period.DAY, days.today, GAME, Tab.SCORE)
    for person in people:
        told[person.player] = await_again = await reopened(person)
        row = await days.store.boards.row(board, person.player)
        assert row is not None
        assert (await_again["score_place"], await_again["score_players"]) == (row.place, 4)
        assert await_again["time_place"] == 0
        less = sum(other["score"] < await_again["score"] for other in told.values())
        assert await_again["percentile"] >= 100 * less // 3 - 1


async def reopened(person: WireClient) -> dict[str, object]:
    """The result as it is told again."""
    await opens(person)
    return await person.latest("DailyResult")


# ---------------------------------------------------------------- around midnight


async def test_what_was_begun_before_midnight_counts_for_its_day(days: Days) -> None:
    await days.start(hour=23.99)
    ann, day = await days.servers.person(), days.today
    await opens(ann)
    await days.go_to(day, 24.5)
    assert (await opens(ann, date=day))["date"] == day
    assert (await gives_up(ann))["date"] == day
    assert list(await rows(days)) == [], "today's board"
    yesterday = await days.store.boards.page(boards.name(Period.DAY, day, GAME, Tab.SCORE), 0, 9)
    assert [row.player for row in yesterday.rows] == [ann.player]


async def test_after_midnight_nobody_begins_yesterdays_deal(days: Days) -> None:
    await days.start(hour=23.99)
    ann, day = await days.servers.person(), days.today
    await days.go_to(day, 24)
    assert await refused(ann, date=day) == "not_now"
    assert (await opens(ann))["date"] == days.today == daily.nth(daily.number(day) + 1)
    assert await days.store.dailies.begun(day, GAME) == 0


async def test_nobody_begins_tomorrows_deal(days: Days) -> None:
    await days.start()
    ann = await days.servers.person()
    assert await refused(ann, date=daily.nth(daily.number(days.today) + 1)) == "not_now"


@pytest.mark.parametrize(
    ("date", "ruleset"), [("2026-7-1", GAME), ("x", GAME), ("", "DS1-D3V"), ("", "x"), ("2026-02-30", GAME)]
)
async def test_what_is_no_daily_is_refused(days: Days, date: str, ruleset: str) -> None:
    await days.start()
    assert await refused(await days.servers.person(), date, ruleset) == "bad_options"


async def test_at_two_o_clock_time_is_up_and_what_was_reached_counts(days: Days) -> None:
    app = await days.start(hour=20)
    ann, bob, day = await days.servers.person("Ann"), await days.servers.person("Bob"), days.today
    for person in (ann, bob):
        await opens(person)
        await person.think(12)
    await bob.go()
    await days.go_to(day, 26)
    assert (await ann.play(12, DRAW))["code"] == "ended"
    await days.go_to(day, 26.001)
    app.services.daily.end_what_is_over()
    result = await ann.latest("DailyResult")
    assert (result["ended"], result["date"]) == ("time_up", day)
    assert ann.seen["DailyGame"]["view"][8] == "time_up"
    assert result["elapsed_ms"] == daily.final_ms(day) - ann.seen["DailyGame"]["gun_ms"]
    board = boards.name(Period.DAY, day, GAME, Tab.SCORE)
    await comes_true(lambda: days.store.boards.players(board), 2)
    await bob.come()
    assert (await opens(bob, date=day))["view"][8] == "time_up"
    assert (await bob.latest("DailyResult"))["score"] == result["score"]


async def test_a_streak_grows_day_by_day(days: Days) -> None:
    await days.start(hour=10)
    ann, first = await days.servers.person(), days.today
    told = []
    for ahead in (0, 1, 2, 4):
        await days.go_to(first, 24 * ahead + 11)
        await opens(ann, ruleset=daily.DAILY[ahead % 4])
        told.append(await gives_up(ann))
    assert [(each["streak"], each["best_streak"]) for each in told] == [(1, 1), (2, 2), (3, 3), (1, 3)]


# ---------------------------------------------------------------- what must not get lost or out


async def test_what_ended_before_the_process_died_is_on_the_board_within_a_minute(days: Days) -> None:
    """Reliability 2, promise 5: the entry is in the log, and the process dies before it projects."""
    app = await days.start()
    ann = await days.servers.person()
    await opens(ann)
    await ann.think(5)

    async def dies(_: Entry) -> None:
        await asyncio.sleep(60)

    app.services.daily.projector.attempt = dies  # type: ignore[method-assign,assignment]
    await ann.play(5, RESIGN)
    board = boards.name(Period.DAY, days.today, GAME, Tab.SCORE)
    await days.servers.stop(app)
    assert await days.store.boards.players(board) == 0
    await days.start()
    await comes_true(lambda: days.store.boards.players(board), 1)
    member = keys.attempt_member(days.today, GAME, ann.player)
    await comes_true(lambda: days.store.unprojected.waiting(member), None)


async def test_no_frame_holds_code_or_nonce_before_the_day_is_final(days: Days) -> None:
    await days.start()
    ann = await days.servers.person()
    await opens(ann)
    await ann.think(40)
    await ann.play(ann.board.ply if ann.board else 0, RESIGN)
    await ann.latest("DailyResult")
    await opens(ann, practice=True)
    await ann.think(10)
    stored = await days.store.dailies.get(days.today, GAME)
    assert stored is not None
    letters = stored.code.split("-", 2)[2].replace("-", "")
    everything = b"".join(ann.raw)
    pieces = [letters[at : at + 5] for at in range(10)] + [stored.nonce[at : at + 8] for at in range(57)]
    assert [piece for piece in pieces if piece.encode() in everything] == []
    assert bytes.fromhex(stored.nonce)[:8] not in everything
