"""Leaderboards, days and players as everybody may read them over HTTP (P6, findings L2, L6, L10)."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
import pytest_asyncio

from engine.board import Board
from engine.deal_code import DealCode, commitment, deal
from engine.moves import Move
from server.core import boards, daily
from server.core.boards import Period, Row, Tab
from server.core.daily import Day
from server.services.board_pages import COLUMNS
from server.store.boards import Rule
from server.store.ids import new_id, new_token
from tests.server.services.daily_kit import GAME, Days, asks, gives_up, opens, shown, wins
from tests.server.services.kit import Servers, push
from tests.server.services.won import won


@pytest_asyncio.fixture
async def days(servers: Servers) -> Days:
    """One server at noon."""
    made = Days(servers)
    await made.start()
    return made


async def filled(days: Days, results: list[tuple[str, int, int]], tab: Tab = Tab.SCORE) -> list[str]:
    """Rows of today's board: (name, score, time); returns the ids of the players."""
    players = []
    for name, score, time_ms in results:
        player = await days.store.players.new_player(name, new_token(), 1_000)
        row = Row(score, time_ms, int(tab is Tab.TIME), 50, 120, game=new_id())
        board = boards.name(Period.DAY, days.today, GAME, tab)
        await days.store.boards.put(board, player.id, boards.packed(Period.DAY, tab, row), row, Rule.FIRST)
        players.append(player.id)
    return players


def later(days: Days, ms: int = 1_001) -> None:
    """What pages remember for a moment is forgotten."""
    for app in days.servers.apps:
        push(app, ms)


# ---------------------------------------------------------------- today


async def test_today_is_told_without_playing(days: Days) -> None:
    state = await shown(days, "/api/daily")
    assert state["date"] == days.today
    assert state["ends_ms"] == daily.end_ms(days.today)
    assert state["final_ms"] == daily.final_ms(days.today)
    assert abs(state["now_ms"] - days.now_ms) < 5_000
    assert [each["ruleset"] for each in state["rulesets"]] == list(daily.DAILY)
    assert [each["headline"] for each in state["rulesets"]] == [True, False, False, False]
    assert {each["players"] for each in state["rulesets"]} == {0}


async def test_today_counts_who_plays_and_shows_the_best(days: Days) -> None:
    await days.deal_won()
    ann, bob = await days.servers.person("Ann"), await days.servers.person("Bob")
    game = await opens(ann)
    await opens(bob)
    await wins(ann)
    later(days)
    headline = (await shown(days, "/api/daily"))["rulesets"][0]
    assert (headline["players"], headline["finished"], headline["won"]) == (2, 1, 1)
    assert (headline["ready"], headline["certified"]) == (True, True)
    assert (headline["id"], headline["commitment"]) == (game["id"], game["commitment"])
    assert headline["best_score"]["name"] == headline["best_time"]["name"] == "Ann"
    assert headline["best_score"]["score"] == won().score


# ---------------------------------------------------------------- boards


async def test_a_board_is_read_with_places_shared(days: Days) -> None:
    await filled(days, [("Ann", 7, 500), ("Bob", 5, 500), ("Cat", 5, 500), ("Dan", 0, 9)])
    board = await shown(days, f"/api/board?tab=score&date={days.today}")
    assert [(row["place"], row["score"]) for row in board["rows"]] == [(1, 7), (2, 5), (2, 5), (4, 0)]
    assert {row["name"] for row in board["rows"]} == {"Ann", "Bob", "Cat", "Dan"}
    assert (board["players"], board["page"], board["pages"], board["you"], board["final"]) == (4, 1, 1, None, False)
    assert (board["from"], board["to"]) == (days.today, days.today)
    assert {row["game"] for row in board["rows"]} == {""}, "no replay before the day is final"


async def test_pages_and_neighbours_of_a_long_board(days: Days) -> None:
    players = await filled(days, [(f"P{at:03}", 200 - at, at) for at in range(120)])
    pages = [await shown(days, f"/api/board?tab=score&page={page}") for page in (1, 2, 3, 4)]
    assert [len(page["rows"]) for page in pages] == [50, 50, 20, 0]
    assert [row["player"] for page in pages for row in page["rows"]] == players
    assert pages[2]["rows"][-1]["place"] == pages[2]["players"] == 120
    around = await shown(days, f"/api/board?tab=score&around={players[60]}")
    assert [row["player"] for row in around["rows"]] == players[35:86]
    assert (around["you"]["player"], around["you"]["place"]) == (players[60], 61)
    own = await shown(days, f"/api/board?tab=score&page=3&player={players[0]}")
    assert (own["you"]["place"], own["rows"][0]["place"]) == (1, 101)


async def test_who_is_not_on_the_board_sees_the_first_page(days: Days) -> None:
    players = await filled(days, [("Ann", 1, 1)])
    board = await shown(days, f"/api/board?tab=score&around={new_id()}")
    assert ([row["player"] for row in board["rows"]], board["you"]) == (players, None)


async def test_an_empty_board_is_an_empty_page(days: Days) -> None:
    board = await shown(days, "/api/board")
    assert (board["tab"], board["rows"], board["players"], board["pages"]) == ("time", [], 0, 1)
    assert {bar["count"] for bar in board["chart"]} == {0}


async def test_three_past_days_are_three_boards(days: Days) -> None:
    first = days.today
    for ahead in range(3):
        await days.go_to(daily.nth(daily.number(first) + ahead), 13)
        await filled(days, [(f"P{ahead}", ahead, 1)])
    for ahead in range(3):
        day = daily.nth(daily.number(first) + ahead)
        board = await shown(days, f"/api/board?tab=score&date={day}")
        assert ([row["name"] for row in board["rows"]], board["board"]) == ([f"P{ahead}"], f"d.{day}.{GAME}.score")


async def test_longer_periods_and_races_have_boards(days: Days) -> None:
    for period, covers in ((Period.WEEK, daily.week_days), (Period.MONTH, daily.month_days)):
        board = await shown(days, f"/api/board?period={period}&date={days.today}&tab=score")
        assert (board["from"], board["to"]) == covers(days.today)
        assert board["chart"] == []
    for endless in ("all", "race"):
        board = await shown(days, f"/api/board?period={endless}&tab=time&ruleset=SS1-D3N")
        assert (board["from"], board["to"], board["final"]) == (None, None, False)
    assert (await shown(days, "/api/board?period=race&ruleset=DS1-D3V"))["board"] == "r.DS1-D3V.time"


async def test_the_chart_counts_everybody_once(days: Days) -> None:
    await filled(days, [("A", -20, 1), ("B", 0, 1), ("C", 99, 1), ("D", 5_000, 1), ("E", 350, 1)])
    bars = (await shown(days, "/api/board?tab=score"))["chart"]
    assert sum(bar["count"] for bar in bars) == 5
    assert (bars[0]["from"], bars[0]["count"], bars[-1]["to"], bars[-1]["count"]) == (None, 3, None, 1)
    assert [bar["count"] for bar in bars if bar["from"] is not None and bar["from"] <= 350 < (bar["to"] or 9e9)] == [1]
    await filled(days, [("A", 1, 119_999), ("B", 1, 120_000), ("C", 1, 50_000_000)], Tab.TIME)
    bars = (await shown(days, "/api/board?tab=time"))["chart"]
    assert [bar["count"] for bar in bars] == [1, 1, *[0] * (len(bars) - 3), 1]


async def test_a_name_is_shown_as_it_is_now(days: Days) -> None:
    (player,) = await filled(days, [("Ann", 1, 1)])
    assert (await shown(days, "/api/board?tab=score"))["rows"][0]["name"] == "Ann"
    await days.store.players.rename(player, "Grace")
    later(days, 16_000)
    assert (await shown(days, "/api/board?tab=score"))["rows"][0]["name"] == "Grace"


async def test_a_board_is_a_table_for_spreadsheets(days: Days) -> None:
    await filled(days, [("Ann", 7, 500), ("=1+1", 5, 600)])
    status, body = await asks(days, "/api/board.csv?tab=score")
    table = list(csv.DictReader(io.StringIO(body.decode())))
    assert status == 200
    assert tuple(table[0]) == COLUMNS
    assert [(row["place"], row["name"], row["score"], row["time_ms"]) for row in table] == [
        ("1", "Ann", "7", "500"),
        ("2", "'=1+1", "5", "600"),
    ]


BAD = {
    "period=year": "bad_period", "tab=moves": "bad_tab", "period=race&tab=score": "bad_tab",
    "date=2026-02-30": "bad_date", "date=": "bad_date", "date=2999-01-01": "bad_date",
    "period=all&date=2026-07-29": "bad_date", "ruleset=DS1-D3V": "bad_ruleset", "ruleset=*": "bad_ruleset",
    "page=0": "bad_page", "page=-1": "bad_page", "page=x": "bad_page", "page=99999999": "bad_page",
    "page=%D9%A1": "bad_page", "around=x": "bad_player", "player={}": "bad_player",
    "page=1&page=2": "bad_query", "colour=red": "bad_query", "around=ABCDEFGHJK&page=2": "bad_query", "&": "bad_query",
    "x": "bad_query", "date=" + "1" * 600: "bad_query",
}  # fmt: skip


@pytest.mark.parametrize("path", ["/api/board", "/api/board.csv"])
async def test_what_cannot_be_used_is_named(days: Days, path: str) -> None:
    for query, code in BAD.items():
        status, body = await asks(days, f"{path}?{query}")
        assert (status, json.loads(body)) == (400, {"error": code}), query


# ---------------------------------------------------------------- one day


async def test_a_day_is_opened_when_it_is_final(days: Days) -> None:
    await days.deal_won()
    ann, day = await days.servers.person("Ann"), days.today
    game = await opens(ann)
    await wins(ann)
    path = f"/api/daily/{day}/{GAME}"
    before = await shown(days, path)
    assert not before["final"]
    assert not {"code", "nonce", "solution"} & set(before)
    assert (await asks(days, f"{path}/{ann.player}"))[0] == 404
    await days.go_to(day, 26.01)
    after = await shown(days, path)
    assert after["final"]
    assert commitment(game["id"], after["code"], after["nonce"]) == after["commitment"] == game["commitment"]
    row = (await shown(days, f"/api/board?date={day}"))["rows"][0]
    replay = await shown(days, f"{path}/{row['player']}")
    assert (replay["game"], replay["name"], replay["code"]) == (row["game"], "Ann", after["code"])
    code = DealCode.parse(replay["code"])
    board = Board(code.ruleset, deal(code), ranked=replay["ranked"])
    for *move, at_ms in replay["entries"]:
        board.apply(Move(*move), at_ms)
    assert (board.ended, board.score, board.elapsed_ms) == ("won", replay["score"], row["time_ms"])


@pytest.mark.parametrize(
    "path",
    ["2026-07-29/DS1-D1N", "x/DS1-D1N", "today/DS1-D3V", "today/*", "today", "today/DS1-D1N/x", "today/DS1-D1N/../x"],
)
async def test_what_is_no_daily_is_not_there(days: Days, path: str) -> None:
    await shown(days, "/api/daily")
    assert (await asks(days, f"/api/daily/{path.replace('today', days.today)}"))[0] == 404


async def test_a_deal_of_today_that_is_not_drawn_yet_is_on_its_way(days: Days) -> None:
    """Ruling 24: it says so; nothing is missing."""
    told = await shown(days, f"/api/daily/{days.today}/DS1-D1V")
    assert (told["ready"], told["final"], told["commitment"], told["players"]) == (False, False, "", 0)
    await opens(await days.servers.person("Ann"))
    assert (await shown(days, f"/api/daily/{days.today}/{GAME}"))["ready"]


async def test_tomorrow_is_nowhere(days: Days) -> None:
    """Findings L10: no answer holds a future deal, and asking draws none."""
    tomorrow = daily.nth(daily.number(days.today) + 1)
    for ruleset in daily.DAILY:
        assert (await asks(days, f"/api/daily/{tomorrow}/{ruleset}"))[0] == 404
        assert await days.store.dailies.get(tomorrow, ruleset) is None


async def test_no_page_holds_code_or_nonce_before_the_day_is_final(days: Days) -> None:
    ann, day = await days.servers.person("Ann"), days.today
    await opens(ann)
    await ann.think(10)
    await gives_up(ann)
    later(days)
    paths = [
        "/api/daily", f"/api/daily/{day}/{GAME}", f"/api/daily/{day}/{GAME}/{ann.player}", f"/api/player/{ann.player}",
        *(f"/api/board?period={period}&tab={tab}" for period in ("day", "week", "month", "all") for tab in Tab),
        f"/api/board.csv?tab=score&around={ann.player}",
    ]  # fmt: skip
    everything = b"".join([(await asks(days, path))[1] for path in paths])
    stored = await days.store.dailies.get(day, GAME)
    assert stored is not None
    letters = stored.code.split("-", 2)[2].replace("-", "")
    pieces = [letters[at : at + 5] for at in range(10)] + [stored.nonce[at : at + 8] for at in range(57)]
    assert [piece for piece in pieces if piece.encode() in everything] == []
    assert ann.player.encode() in everything


# ---------------------------------------------------------------- players


async def test_a_profile_tells_results_bests_and_streak(days: Days) -> None:
    await days.deal_won()
    ann = await days.servers.person("Ann")
    await opens(ann)
    result = await wins(ann)
    await opens(ann, ruleset="SS1-D3N")
    await gives_up(ann)
    profile = await shown(days, f"/api/player/{ann.player}")
    assert (profile["name"], profile["streak"]) == ("Ann", {"now": 1, "best": 1, "today": True})
    assert profile["days"] == {days.today: ["DS1-D1N", "SS1-D3N"]}
    double, single = profile["rulesets"]
    assert (double["ruleset"], double["results"], double["won"]) == (GAME, 1, 1)
    assert double["best_time"]["value"] == result["elapsed_ms"]
    assert double["best_score"]["value"] == won().score
    assert (single["won"], single["best_time"]) == (0, None)
    assert [each["ruleset"] for each in profile["results"]] == ["SS1-D3N", GAME]
    assert profile["dailies"] == {"results": 2}


async def test_a_streak_is_kept_up_until_the_end_of_the_next_day(days: Days) -> None:
    ann, first = await days.servers.person("Ann"), days.today
    await opens(ann)
    await gives_up(ann)
    told = []
    for hour in (23, 47, 49):
        await days.go_to(first, hour)
        told.append((await shown(days, f"/api/player/{ann.player}"))["streak"])
    assert [(each["now"], each["today"]) for each in told] == [(1, True), (1, False), (0, False)]


@pytest.mark.parametrize("player", ["ABCDEFGHJK", "x", "", "../x", "ABCDEFGHJK/x"])
async def test_nobody_is_not_there(days: Days, player: str) -> None:
    assert (await asks(days, f"/api/player/{player}"))[0] == 404


async def test_an_empty_profile_is_a_profile(days: Days) -> None:
    ann = await days.servers.person("Ann")
    profile: dict[str, Any] = await shown(days, f"/api/player/{ann.player}")
    assert (profile["results"], profile["rulesets"], profile["days"]) == ([], [], {})
    assert profile["races"] == {"results": 0, "firsts": 0}


async def test_both_processes_tell_the_same(days: Days) -> None:
    await days.start()
    ann = await days.servers.person("Ann", 1)
    await opens(ann)
    await gives_up(ann)
    later(days)
    day = Day(days.today)
    for path in (f"/api/daily/{day}/{GAME}", "/api/board?tab=score", f"/api/player/{ann.player}"):
        assert await shown(days, path, 0) == await shown(days, path, 1)
