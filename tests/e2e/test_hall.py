"""An evening as the hall sees it: the screen on the wall and the sheets to print, from the names to the podium."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.e2e.conftest import Meet
from tests.e2e.people import Person
from tests.e2e.test_axe import BOTH, Examiner
from tests.e2e.test_tournament import HEAT_MS, bots, make, podium

ENTRANTS = 3
ROUND_MS = 240_000
"""Bots among themselves play to the end and fast; the time limit of three minutes ends the round at the latest."""


async def comes_in(screen: Page, person: Person, code: str) -> None:
    """Who comes may join by the code, and sees who is there already."""
    await screen.goto(f"{person.url}/t/{code}/screen")
    picture = screen.get_by_role("img", name="QR code of the link to this tournament")
    await expect(picture).to_be_visible()
    assert await picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    await expect(screen.locator(".code")).to_have_text(code)
    await expect(screen.locator(".names li")).to_have_count(ENTRANTS)


async def test_the_screen_shows_the_way_in_and_the_names_and_ends_in_the_podium_and_all_can_be_printed(
    meet: Meet,
) -> None:
    olga, hall = await meet("Olga"), await meet("Hall", size=(1280, 720))
    code = await make(olga, "Hall League", "League", Rounds="1")
    await bots(olga, ENTRANTS)
    screen = hall.page
    await comes_in(screen, hall, code)

    await olga.press("Start now")
    await expect(screen.locator(".heats .heat li").or_(screen.locator(".podium"))).not_to_have_count(0, timeout=HEAT_MS)
    await expect(podium(olga)).to_be_visible(timeout=ROUND_MS)
    await expect(screen.locator(".podium .who p")).to_have_count(ENTRANTS, timeout=HEAT_MS)
    await expect(screen.locator(".step--1 .block")).to_have_text("1")

    await screen.goto(f"{hall.url}/t/{code}/print")
    await expect(screen).to_have_title("Hall League · Kupa")
    await expect(screen.get_by_role("button", name="Print certificates only")).to_be_visible()
    await expect(screen.locator("tbody tr")).to_have_count(ENTRANTS)
    assert hall.complaints() == []


async def test_axe_finds_nothing_serious_on_the_screen_and_the_sheets(meet: Meet) -> None:
    olga, hall = await meet("Olga"), await meet("Hall", size=(1280, 720), bypass_csp=True)
    code = await make(olga, "Hall League", "League", Rounds="1")
    await bots(olga, ENTRANTS)
    examiner, screen = Examiner(hall, BOTH), hall.page
    await comes_in(screen, hall, code)
    await examiner.look("the way in")
    await olga.press("Start now")
    await expect(screen.locator(".heats .heat li").or_(screen.locator(".podium"))).not_to_have_count(0, timeout=HEAT_MS)
    await examiner.look("a round")
    await screen.goto(f"{hall.url}/t/{code}/print")
    await expect(screen.locator("tbody tr")).to_have_count(ENTRANTS)
    await examiner.look("sheets")
    assert examiner.found == {}
