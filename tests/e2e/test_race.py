"""A stranger opens the first page, races against bots, and races again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from playwright.async_api import expect

from engine import rules, view
from engine.moves import COLUMN0, FOUNDATIONS, WASTE, Kind, Move
from engine.view import View
from tests.e2e.conftest import Meet
from tests.e2e.people import Person
from tests.e2e.tables import Table

FAIR = (
    "Sealed before the start",
    "Opened after the end",
    "The code fits the seal",
    "Your cards lie where the code puts them",
)
PRESS = Move(Kind.DRAW, 0, 0, 0)
FIRST_LOAD = """async () => {
  const paint = await new Promise((done) => {
    const look = (list) => list.getEntriesByName('first-contentful-paint').forEach(done);
    new PerformanceObserver(look).observe({ type: 'paint', buffered: true });
  });
  const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const first = all.filter(({ startTime }) => startTime < paint.startTime);
  return first.reduce((sum, { transferSize }) => sum + transferSize, 0);
}"""
"""Bytes over the line until the first page was painted, heads of the answers included."""
GESTURES = ("tap", "drag", "double tap")
GIVEN = "DS1-D1N-AAAAAAC"
"""A deal that has a chance for each of them within a few moves; not every deal has."""


async def fairness_is_ticked(person: Person) -> None:
    """The check of the seal was done in the browser and found everything right."""
    box = person.page.locator("section", has=person.page.get_by_role("heading", name="Fair, and checked here"))
    items = box.get_by_role("listitem")
    for text in FAIR:
        await expect(items.filter(has_text=text)).to_have_count(1)
    await expect(box.locator(".is-bad")).to_have_count(0)


def means(table: Table, seen: View, move: Move) -> str:
    """The gesture of this test that stands for a move."""
    if move.target == FOUNDATIONS:
        return "tap"
    return "double tap" if rules.double_tap(view.table(seen, table.ruleset), move.source) == move else "drag"


async def make(table: Table, seen: View, move: Move, gesture: str) -> View:
    """Play a transfer by a gesture; returns the table afterwards, on which the card lies where it should."""
    if gesture == "double tap":
        await table.double_tap(table.source(seen, move))
    else:
        await table.play(move, "tap" if gesture == "tap" else "drag", seen)
    after = await table.read()
    if move.target == FOUNDATIONS:
        assert sum(after.foundations) == sum(seen.foundations) + 1
    else:
        came = [len(each.columns[move.target - COLUMN0][1]) for each in (seen, after)]
        assert came[1] == came[0] + move.count
    return after


async def test_a_stranger_is_in_a_race_against_bots_after_at_most_three_clicks(
    meet: Meet, figure: Callable[[str, object], None]
) -> None:
    ann = await meet("Ann")
    await ann.open()
    await expect(ann.heading("One deal. Everyone at once.")).to_be_visible()
    figure("bytes of the first load", await ann.page.evaluate(FIRST_LOAD))
    await ann.press("Play now")
    seen = await ann.table().dealt()
    figure("clicks from the first page to the race", ann.clicks)
    figure("seconds from the click to the table", f"{await ann.hears_countdown(3):.2f}")
    assert ann.clicks <= 3
    assert seen.stock == 59
    assert [(down, len(up)) for down, up in seen.columns] == [(n, 1) for n in range(9)]
    assert len(await ann.lanes()) == 3


def wanted_move(table: Table, seen: View, wanted: list[str]) -> Move | None:
    """A transfer that one of these gestures stands for."""
    moves = rules.table_moves(view.table(seen, table.ruleset))
    mine = [move for move in moves if move.source == WASTE or move.source >= COLUMN0]
    return next((move for move in mine if means(table, seen, move) in wanted), None)


async def test_cards_move_by_tap_drag_and_double_tap_and_each_move_can_be_undone(meet: Meet) -> None:
    ann = await meet("Ann", reduced_motion="no-preference")
    await ann.open(f"/d/{GIVEN}")
    table = ann.table()
    await table.dealt()
    wanted, moves = list(GESTURES), 0
    while wanted:
        await table.still()
        seen = await table.read()
        move = wanted_move(table, seen, wanted)
        if move is None:
            await table.play(PRESS, "tap", seen)
            moves += 1
            assert moves < 20, f"no chance for {wanted}"
            continue
        gesture = means(table, seen, move)
        wanted.remove(gesture)
        await make(table, seen, move, gesture)
        await ann.press("Undo")
        await table.shows(seen)
        await table.still()
        await make(table, seen, move, gesture)
        moves += 2
    assert int(await ann.stat("Moves")) == moves


async def test_who_resigns_is_asked_once_more_then_sees_the_podium_and_a_fair_deal_and_a_rematch_is_one_tap_away(
    meet: Meet,
) -> None:
    ann = await meet("Ann")
    first = await (await ann.play_now()).read()
    await ann.press("Resign")
    await ann.press("Keep playing")
    await expect(ann.page.get_by_role("alertdialog")).to_be_hidden()
    await ann.resign()
    await expect(ann.page).to_have_title("Result · Kupa")
    podium = ann.page.get_by_role("list").filter(has=ann.page.get_by_text("You", exact=True)).get_by_role("listitem")
    await expect(podium).to_have_count(3)
    await fairness_is_ticked(ann)
    await ann.press("Rematch")
    second = await ann.table().dealt()
    assert second.columns != first.columns


@pytest.mark.parametrize("kept", [True, False])
async def test_a_page_loaded_again_in_mid_race_proves_as_much_as_before_and_claims_no_more_than_it_has_seen(
    meet: Meet, kept: bool
) -> None:
    ann = await meet("Ann")
    table = await ann.play_now()
    drawn = 2
    for _ in range(drawn):
        await table.play(PRESS, "tap", await table.read())
        await table.still()
    # What the server has not answered yet has not been seen
    async with asyncio.timeout(10):
        while await ann.page.evaluate("JSON.parse(localStorage.getItem('kupa:seen')).drawn.length") < drawn:
            await ann.page.wait_for_timeout(50)
    if not kept:
        await ann.page.evaluate("localStorage.removeItem('kupa:seen')")
    await ann.page.reload()
    await table.dealt()
    await table.play(PRESS, "tap", await table.read())
    await table.still()
    await ann.resign()
    if kept:
        await fairness_is_ticked(ann)
        await expect(ann.page.get_by_text(f"{table.ruleset.columns + drawn + 1} cards compared")).to_be_visible()
    else:
        await expect(ann.page.get_by_role("heading", name="Checked here in part")).to_be_visible()
        for text in ("Sealed before the start: not checked", "Your cards: not compared"):
            await expect(ann.page.locator(".is-unseen", has_text=text)).to_be_visible()
