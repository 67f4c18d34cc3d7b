"""`kupa daily` and `kupa audit` as they are typed."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable

import pytest

from engine.moves import Kind, Move, pack_entry
from server import cli
from server.cli_boards import clock
from server.core import boards, daily
from server.core.boards import Period, Row, Tab
from server.store import listing
from server.store.boards import Rule
from server.store.connect import Store, open_store
from server.store.ids import new_token
from tests.server.services.ended import attempt, projector
from tests.server.services.won import won
from tests.store_fixture import store_url

__all__ = ["store_url"]

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(store_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Type a command on the test's store: status, stdout, stderr."""
    monkeypatch.setenv("REDIS_URL", store_url)
    monkeypatch.setenv("COLUMNS", "120")

    def type_(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["kupa", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return type_


def within(url: str, work: Callable[[Store], Awaitable[None]]) -> None:
    """Do something with the test's store."""

    async def run() -> None:
        store = await open_store(url)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


async def played(store: Store) -> None:
    """An empty store in which one attempt of today was won."""
    await store.client.execute_command("FLUSHALL")
    now_ms = store.clock.now_ms()
    ann = await store.players.new_player("Ann", new_token(), now_ms)
    await attempt(store, ann.id, won().entries(700), daily.day_of(now_ms), now_ms - 3_600_000)
    assert await projector(store, now_ms).sweep() == 1


async def altered(store: Store) -> None:
    """Somebody gives the first row more points by hand."""
    names = await listing.leaderboards(store.client)
    (name,) = [name for name in names if name.startswith("d.") and name.endswith(".score")]
    (first,) = (await store.boards.page(name, 0, 9)).rows
    row = Row(first.row.score + 500, first.row.time_ms, 1, 104, first.row.moves, 1, first.row.game)
    number = boards.packed(Period.DAY, Tab.SCORE, row)
    await store.boards.put(name, first.player, number, row, Rule.SET)


async def resigned(store: Store) -> None:
    """An empty store in which one attempt of today was given up after 9.8 s, before anything had counted."""
    await store.client.execute_command("FLUSHALL")
    now_ms = store.clock.now_ms()
    ann = await store.players.new_player("Ann", new_token(), now_ms)
    log = [pack_entry(Move(Kind.DRAW, 0, 0, 0), 4_000), pack_entry(Move(Kind.RESIGN, 0, 0, 0), 9_800)]
    await attempt(store, ann.id, log, daily.day_of(now_ms), now_ms - 3_600_000)
    assert await projector(store, now_ms).sweep() == 1


def test_who_has_come_to_no_score_has_no_time_of_it(typed: Typed, store_url: str) -> None:
    within(store_url, resigned)
    status, out, _ = typed("daily", "--tab", "score")
    assert status == 0
    (row,) = [line for line in out.splitlines() if "Ann #" in line]
    assert [cell.strip() for cell in row.split("│")[3:5]] == ["0", "–"]


def test_the_audit_says_that_everything_agrees(typed: Typed, store_url: str) -> None:
    within(store_url, played)
    status, out, _ = typed("audit")
    assert (status, out.splitlines()) == (
        0, ["1 log replayed, 8 rows on 8 leaderboards compared", "everything agrees"],
    )  # fmt: skip


def test_the_audit_catches_a_row_altered_by_hand_and_mends_it(typed: Typed, store_url: str) -> None:
    within(store_url, played)
    within(store_url, altered)
    status, out, _ = typed("audit")
    assert status == 1
    assert "1 row differs from the logs" in out
    status, out, _ = typed("audit", "--json")
    report = json.loads(out)
    (difference,) = report["differences"]
    assert status == 1
    assert difference["found"]["score"] == difference["expected"]["score"] + 500
    status, out, _ = typed("audit", "--repair")
    assert (status, out.splitlines()[1:]) == (0, ["1 row mended", "everything agrees"])
    assert json.loads(typed("audit", "--json")[1])["differences"] == []


def test_todays_board_is_printed(typed: Typed, store_url: str) -> None:
    within(store_url, played)
    status, out, _ = typed("daily", "--tab", "score")
    assert status == 0
    assert ": 1 player, " in out
    assert "reached" in out
    assert "Ann #" in out
    assert clock(won().takes_ms(700)) in out
    board = json.loads(typed("daily", "--json")[1])
    assert [(row["place"], row["name"], row["time_ms"]) for row in board["rows"]] == [(1, "Ann", won().takes_ms(700))]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--ruleset", "DS1-D3V"), "DS1-D1N"),
        (("--tab", "moves"), "score or time"),
        (("--date", "29.7.2026"), "2026-07-29"),
        (("--rows", "0"), "--rows"),
    ],
)
def test_what_cannot_be_used_is_one_line(typed: Typed, words: tuple[str, ...], named: str) -> None:
    status, out, err = typed("daily", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert named in err


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0:00.000"), (187_450, "3:07.450"), (3_723_004, "1:02:03.004"), (93_600_000, "26:00:00.000")],
)
def test_times_are_shown_to_what_decides(ms: int, text: str) -> None:
    assert clock(ms) == text
