"""A race as somebody sees it who came too late to be in it: counts and curves, and no card (ruling 10)."""

from __future__ import annotations

from playwright.async_api import expect

from tests.e2e.conftest import Meet
from tests.e2e.test_axe import BOTH, Examiner


async def test_who_comes_during_a_race_watches_counts_and_curves_then_its_result(meet: Meet) -> None:
    ann, bob = await meet("Ann"), await meet("Bob", bypass_csp=True)
    await ann.open()
    await ann.rename("Ann")
    table = await ann.play_now()
    await ann.page.keyboard.press("Space")
    await bob.open("/r/" + ann.page.url.rpartition("/")[2])
    await expect(bob.heading("A race is on")).to_be_visible()
    lanes = bob.page.get_by_role("listitem").filter(has=bob.page.get_by_role("progressbar"))
    await expect(lanes).to_have_count(3)
    await expect(lanes.filter(has_text="Ann")).to_have_count(1)
    await expect(bob.page.get_by_role("heading", name="How the race goes")).to_be_visible()
    await expect(bob.page.get_by_role("application")).to_have_count(0)
    assert not [event for event in bob.story().split() if event in ("Dealt", "Moved")]
    examiner = Examiner(bob, BOTH)
    await examiner.look("spectators")
    assert examiner.found == {}

    assert (await table.read()).stock == 58
    await ann.resign()
    for person in (ann, bob):
        await expect(person.page).to_have_title("Result · Kupa")
    assert await bob.standings() == await ann.standings()
