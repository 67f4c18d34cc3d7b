"""Racing a friend who is asleep, in the browser: a challenge is set, sent, answered, and seen by both (product P8)."""

from __future__ import annotations

import re

from playwright.async_api import expect

from engine.moves import STOCK, WASTE, Kind, Move
from tests.e2e.conftest import Meet
from tests.e2e.people import PHONE, Person
from tests.e2e.test_axe import Examiner

DRAW = Move(Kind.DRAW, STOCK, WASTE, 0)


async def sets_a_challenge(ann: Person) -> str:
    """Race alone, for others to race later; returns the path to send."""
    await ann.open("/new")
    await ann.page.locator("label", has_text="Challenge: I race alone now").click()
    await ann.press("Go to the table")
    await expect(ann.heading("Your challenge")).to_be_visible()
    await ann.press("I’m ready")
    table = ann.table()
    await table.dealt()
    for _ in range(3):
        await table.play(DRAW, "keys")
    await ann.resign()
    await expect(ann.page.get_by_role("heading", name="Send the challenge")).to_be_visible()
    await expect(ann.page.get_by_text("Sealed before the start, and still")).to_be_visible()
    path = await ann.page.get_by_role("link", name="Who has answered").get_attribute("href")
    assert path is not None
    return path


async def test_a_challenge_is_answered_while_its_maker_is_away(meet: Meet) -> None:
    ann = await meet("Ann", bypass_csp=True)
    path = await sets_a_challenge(ann)
    name = await ann.page.get_by_role("banner").get_by_role("button").locator(".n").inner_text()
    await ann.page.goto("about:blank")

    bob = await meet("Bob", size=PHONE)
    await bob.open(path)
    await expect(bob.heading(f"{name} challenges you")).to_be_visible()
    await bob.press("Race")
    await expect(bob.heading("Ghost race")).to_be_visible()
    await bob.press("I’m ready")
    await bob.table().dealt()
    lanes = await bob.lanes()
    assert any(f"{name}’s ghost" in lane for lane in lanes), lanes
    await bob.resign()
    await expect(bob.page.get_by_role("cell", name=f"{name}’s ghost")).to_be_visible()
    await expect(bob.button("Rematch")).to_have_count(0)
    await bob.press("Watch replay", "link")
    await bob.press(f"{name}’s ghost")
    await expect(bob.page.get_by_role("article", name=f"{name}’s ghost")).to_contain_text("0 of 104 out")

    await ann.open(path)
    await expect(ann.heading("Your race can be answered")).to_be_visible()
    answer = ann.page.get_by_role("link", name=re.compile("’s race$"))
    await expect(answer).to_be_visible()
    await expect(ann.page.get_by_text("The deal is open now.")).to_be_visible()
    examiner = Examiner(ann, ("light", "dark"))
    await examiner.look("challenge")
    assert examiner.found == {}
    await answer.click()
    await expect(ann.page.get_by_role("article")).to_have_count(2)
    await bob.open(path)
    await expect(bob.page.get_by_text("You have raced on this deal.")).to_be_visible()
