"""The operator's commands print what they did, and refuse in one line."""

from __future__ import annotations

import asyncio

import pytest

from server.core import boards
from server.core.boards import Period, Row, Tab
from server.core.daily import Day
from server.store import keys, schema
from server.store.boards import Rule
from server.store.connect import Store
from tests.faults.process import Ended, kupa
from tests.store_fixture import store, store_url

__all__ = ["store", "store_url"]

BOARD = boards.name(Period.DAY, Day("2026-07-29"), "DS1-D1N", Tab.TIME)


async def run(url: str, *words: str) -> Ended:
    return await kupa(*words, REDIS_URL=url, KUPA_DURABILITY="second")


async def test_a_row_is_removed_listed_and_put_back(store: Store, store_url: str) -> None:
    ann = (await store.players.new_player("Ann", "t" * 43, 1)).id
    await store.boards.put(BOARD, ann, 5, Row(10, 20, 1, 1, 1), Rule.BEST)
    removed = await run(store_url, "admin", "remove", BOARD, ann, "--reason", "a program")
    assert removed.status == 0, removed.err
    assert await store.boards.players(BOARD) == 0
    again = await run(store_url, "admin", "remove", BOARD, ann, "--reason", "a program")
    assert (again.status, again.err) == (2, f"kupa: Ann does not stand on {BOARD}\n")
    listed = await run(store_url, "admin", "removals")
    assert f"removed   {ann}  {BOARD}  a program" in listed.out
    back = await run(store_url, "admin", "restore", BOARD, ann, "--reason", "a person after all")
    assert back.status == 0, back.err
    assert await store.boards.players(BOARD) == 1


async def test_a_removal_without_a_reason_is_refused_in_one_line(store: Store, store_url: str) -> None:
    ann = (await store.players.new_player("Ann", "t" * 43, 1)).id
    refused = await run(store_url, "admin", "remove", BOARD, ann)
    assert refused.status == 2
    assert "needs a reason" in refused.err
    assert len(refused.err.strip().splitlines()) == 1


@pytest.mark.parametrize("player", ["abc", "x", "", "AAAAAAAAAA"])
async def test_who_is_no_player_is_refused_wherever_one_is_named(store: Store, store_url: str, player: str) -> None:
    reason = ("--reason", "a program")
    for words in (
        ("player", player), ("ban", player, *reason), ("unban", player), ("rename", player, "Zed"),
        ("remove", BOARD, player, *reason), ("restore", BOARD, player, *reason), ("flags", "--player", player),
    ):  # fmt: skip
        refused = await run(store_url, "admin", *words)
        assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1), words
        assert f"there is no player {player!r}" in refused.err


async def test_migrate_says_where_the_store_stands(store: Store, store_url: str) -> None:
    await store.client.execute_command("SET", keys.SCHEMA, schema.KNOWN)
    shown, finished = await asyncio.gather(run(store_url, "migrate"), run(store_url, "migrate", "--finish"))
    for ended in (shown, finished):
        assert ended.status == 0, ended.err
        assert f"schema {schema.KNOWN}" in ended.out
        assert "nothing is to be done" in ended.out


@pytest.mark.parametrize("words", [("admin", "removals"), ("migrate",)])
async def test_a_store_that_is_away_is_told_in_one_line(words: tuple[str, ...]) -> None:
    refused = await run("redis://127.0.0.1:1", *words)
    assert refused.status == 2
    assert "cannot reach the store" in refused.err
    assert len(refused.err.strip().splitlines()) == 1
