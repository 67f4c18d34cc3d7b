"""Two people and a guest: from an invitation to a podium that all three see alike."""

from __future__ import annotations

import asyncio
import re

from playwright.async_api import expect

from engine.view import View
from tests.e2e.conftest import Meet
from tests.e2e.people import Person
from tests.e2e.solved import SINGLE, solution
from tests.e2e.tables import Table
from tests.e2e.words import words

RULESET = "SS1-D1N"
CLIPBOARD = ["clipboard-read", "clipboard-write"]


async def sit_down(ann: Person, bob: Person) -> str:
    """Ann makes a room on a deal that is known to be won, Bob comes by its link; returns the link."""
    await ann.open()
    await ann.rename("Ann")
    await ann.create_room(SINGLE)
    await ann.press("Copy link")
    await expect(ann.button("Copied")).to_be_visible()
    link: str = await ann.page.evaluate("navigator.clipboard.readText()")
    await expect(ann.page.get_by_role("img", name="QR code of the link to this room")).to_be_visible()
    await bob.page.goto(link)
    await bob.rename("Bob")
    await expect(ann.page.get_by_role("listitem").filter(has_text="Bob")).to_be_visible()
    return link


async def win(table: Table) -> None:
    """The whole solution, each fourth move by keyboard; the table shows after each move what the rules say."""
    seen = await table.read()
    for number, (move, after) in enumerate(solution(SINGLE)):
        await table.play(move, "drag" if number % 4 else "keys", seen)
        await table.shows(after)
        seen = after


async def sees(person: Person, lane: str) -> None:
    """Wait until a screen reader would read this of somebody in the race."""
    await expect(person.page.get_by_role("listitem").filter(has_text=lane)).to_have_count(1)


async def get_one_card_out(table: Table, seen: View) -> None:
    """The solution up to the first card on a foundation."""
    first_out = next(n for n, (_, after) in enumerate(solution(SINGLE)) if sum(after.foundations))
    for move, after in solution(SINGLE)[: first_out + 1]:
        await table.play(move, "drag", seen)
        await table.shows(after)
        seen = after


async def agree(*people: Person) -> None:
    """All see the same two rows, with the reasons for the places."""
    for person in people:
        await expect(person.page).to_have_title("Result · Kupa")
    rows = [await person.standings() for person in people]
    assert all(row == rows[0] for row in rows)
    (first, second) = rows[0]
    assert first[:2] == ["1", "Ann"]
    assert re.fullmatch(r"Finished first, \d+:\d\d\.\d{3}", first[2])
    assert second[:2] == ["2", "Bob"]
    assert re.fullmatch(r"Resigned: 1 card, \d+ points", second[2])


async def test_two_people_race_on_one_deal_from_an_invitation_to_the_podium_and_a_guest_sees_counts_only(
    meet: Meet,
) -> None:
    ann, bob, guest = await asyncio.gather(meet("Ann", permissions=CLIPBOARD), meet("Bob"), meet("Guest"))
    link = await sit_down(ann, bob)
    await ann.press("I’m ready")
    await bob.press("I’m ready")
    tables = [ann.table(RULESET), bob.table(RULESET)]
    dealt = await asyncio.gather(*(table.dealt() for table in tables))
    assert dealt[0] == dealt[1], "the same faces for both"

    await guest.page.goto(link)
    await expect(guest.heading("A race is on")).to_be_visible()

    await get_one_card_out(tables[1], dealt[1])
    await sees(ann, "Bob, 1 of 52 cards out")
    await expect(guest.page.get_by_role("progressbar", name="Bob: 1 of 52 cards out")).to_be_visible()
    await bob.press("React")
    await bob.press("Nice move!")
    await expect(ann.page.get_by_role("listitem").filter(has_text="Bob, 1 of 52 cards out, Nice move!")).to_have_count(
        1
    )

    await win(tables[0])
    await expect(
        bob.page.get_by_role("listitem").filter(has_text="1. Ann, 52 of 52 cards out, finished")
    ).to_have_count(1)
    await expect(guest.page.get_by_role("application")).to_have_count(0)
    shown = await guest.page.inner_text("body")
    assert [name for name in words().cards if name in shown] == []
    await bob.resign()
    await agree(ann, bob, guest)
