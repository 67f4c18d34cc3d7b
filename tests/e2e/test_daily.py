"""The daily deal in a browser: read by a stranger, played once, on the leaderboard when it is over."""

from __future__ import annotations

import re

from playwright.async_api import expect

from engine.moves import STOCK, WASTE, Kind, Move
from tests.e2e.conftest import Meet
from tests.e2e.people import Person
from tests.e2e.tables import Table

DRAW = Move(Kind.DRAW, STOCK, WASTE, 0)
READY_MS = 90_000
"""On a fresh server and a busy machine a certified deal may be looked for so long."""


async def goes_to_play(person: Person) -> None:
    """Follow the link to the deal that the board's page shows, as soon as there is one."""
    await expect(person.page.get_by_role("link", name="Play", exact=True)).to_be_visible(timeout=READY_MS)
    await person.press("Play", "link")


async def test_the_board_is_read_without_playing_and_no_link_starts_the_clock(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open()
    await ann.press("Open today’s deal", "link")
    await expect(ann.heading("Today’s deal")).to_be_visible()
    await expect(ann.page.get_by_role("timer")).to_have_text(re.compile(r"^\d+:\d\d(:\d\d)?$"))
    await expect(ann.page.get_by_role("heading", name="Sealed")).to_be_visible(timeout=READY_MS)
    for name in ("Score", "Week", "All time", "Single, draw 3", "Day"):
        await ann.page.locator("label", has=ann.page.get_by_role("radio", name=name, exact=True)).click()
        await expect(ann.page.get_by_role("heading", name=re.compile(r"^\d+ players?$"))).to_be_visible()
    await goes_to_play(ann)
    await expect(ann.heading("Ready for the clock?")).to_be_visible()
    day = await (await ann.page.request.get(f"{ann.url}/api/daily")).json()
    single = next(one for one in day["rulesets"] if one["ruleset"] == "SS1-D3N")
    assert single["players"] == 0


async def second_tab(ann: Person) -> Table:
    """One more tab goes on with the same attempt, unasked, since it was begun on this device; the first one says so."""
    first = ann.page
    await ann.tab()
    await ann.page.goto(first.url)
    table = Table(ann.page)
    assert (await table.dealt()).stock == 57
    await expect(first.get_by_role("heading", name="Opened elsewhere")).to_be_visible()
    return table


async def test_one_attempt_is_taken_over_by_a_second_tab_resigned_and_stands_on_the_board(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/daily")
    await goes_to_play(ann)
    await ann.press("Show the cards")
    table = ann.table()
    seen = await table.dealt()
    assert seen.stock == 59
    assert await ann.button("Hint").count() == 0
    for left in (58, 57):
        await table.play(DRAW, "keys")
        assert (await table.read()).stock == left
    await expect(ann.page.get_by_text("saving…")).to_be_hidden()

    again = await second_tab(ann)
    await again.play(DRAW, "keys")
    assert (await again.read()).stock == 56

    await ann.press("Resign")
    question = ann.page.get_by_role("alertdialog")
    await expect(question).to_contain_text("It is final")
    await question.get_by_role("button", name="Resign", exact=True).click()
    sheet = ann.page.get_by_role("dialog", name="Resigned")
    await expect(sheet).to_contain_text("Only for who has won")
    await expect(sheet).to_contain_text("Place 1 of 1")

    await sheet.get_by_role("link", name="To the board").click()
    await expect(ann.page.get_by_role("heading", name="Your result")).to_be_visible()
    await ann.page.locator("label", has=ann.page.get_by_role("radio", name="Score", exact=True)).click()
    await expect(ann.page.locator("tr.is-me")).to_contain_text("(you)")
    await ann.press("Practise this deal", "link")
    practice = await Table(ann.page).dealt()
    assert practice.stock == 59
    assert practice.columns == seen.columns
    await expect(ann.button("Hint")).to_be_visible()

    player = await ann.page.evaluate("localStorage.getItem('kupa:attempts')")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d/DS1-D1N", player)


async def test_a_day_that_is_over_says_so_and_leads_to_the_board_of_its_game(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/daily/2020-01-01/SS1-D3N")
    await expect(ann.heading("This day is over")).to_be_visible()
    await expect(ann.page.get_by_role("main")).to_contain_text("2020")
    await expect(ann.button("Show the cards")).to_have_count(0)
    await ann.press("To the board", "link")
    await expect(ann.page).to_have_url(f"{ann.url}/daily/2020-01-01?game=SS1-D3N")
    await expect(ann.page.get_by_role("radio", name="Single, draw 3", exact=True)).to_be_checked()
    await ann.page.reload()
    await expect(ann.page.get_by_role("radio", name="Single, draw 3", exact=True)).to_be_checked()
