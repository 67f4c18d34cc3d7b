"""A race watched again: from its result and from a file, by pointer, keyboard and ear (product P8)."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.async_api import Locator, Page, expect

from tests.e2e.conftest import Meet
from tests.e2e.people import PHONE
from tests.e2e.test_axe import BOTH, Examiner

GOLDEN = Path(__file__).parents[1] / "golden" / "replays"
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def board(page: Page, name: str) -> Locator:
    return page.get_by_role("article", name=name, exact=True)


async def opened(page: Page, name: str) -> Locator:
    """Open a replay file; returns the slider of its time."""
    await page.get_by_label("A file saved from a replay").set_input_files(GOLDEN / name)
    return page.get_by_role("slider", name="Time in the race")


async def test_a_file_is_scrubbed_stepped_played_and_linked_to(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/replay")
    time = await opened(ann.page, "ds1-d1n-secret.json")
    ada, grace = board(ann.page, "Ada"), board(ann.page, "Grace")
    await expect(ada).to_contain_text("0 of 104 out")
    await expect(ann.page.get_by_text("Deal checked: fixed before the start")).to_be_visible()

    await ann.press(re.compile("^Ada and Grace part at move 6"))
    await ann.hears(r"^0:04\. Ada: \d+ of 104 out")
    await time.press("ArrowRight")
    await expect(time).to_have_attribute("aria-valuetext", re.compile("^0:0[4-6] of 3:22$"))
    await time.press("End")
    await expect(ada).to_contain_text("104 of 104 out · score 1,270 · won")
    await expect(grace).to_contain_text("104 of 104 out · score 1,270 · won")
    await expect(ada.locator('.card[data-pile^="1"]').first).to_be_visible()
    await ann.press("One move back")
    await expect(grace).to_contain_text("103 of 104 out")

    words = ann.page.get_by_role("table", name="Cards out over time")
    rows = await words.get_by_role("row").all_inner_texts()
    assert rows[0].split() == ["Time", "Ada", "Grace"]
    assert rows[-1].split()[1:] == ["104", "104"]

    await time.press("Home")
    await ann.page.get_by_role("combobox", name="Speed").select_option("16")
    await ann.press("Play")
    await expect(ann.button("Pause")).to_be_visible()
    await expect(ada).not_to_contain_text("0 of 104 out")
    await ann.press("Pause")
    await ann.press("Link to this moment")
    await expect(ann.page).to_have_url(re.compile(r"/replay#t=\d+\.\d&b=0,1$"))
    await ann.press("Grace")
    await expect(grace).to_have_count(0)


async def test_a_file_that_is_none_says_so(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/replay")
    await ann.page.get_by_label("A file saved from a replay").set_input_files(GOLDEN / "SHA256SUMS")
    await expect(ann.page.get_by_role("alert")).to_have_text("This is no replay that can be shown.")


async def test_a_race_is_watched_from_its_result_and_by_a_link_to_an_instant(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.play_now()
    await ann.resign()
    await ann.press("Watch replay", "link")
    await expect(ann.heading("Replay")).to_be_visible()
    await expect(board(ann.page, "You")).to_contain_text("0 of 104 out")
    await expect(ann.page.get_by_text("Deal checked: fixed before the start")).to_be_visible()
    path = ann.page.url.removeprefix(ann.url)

    bob = await meet("Bob", size=PHONE)
    await bob.open(f"{path}#t=0.5&b=0,1")
    name = await bob.page.get_by_role("article").first.get_attribute("aria-label")
    assert name == await ann.page.get_by_role("banner").get_by_role("button").locator(".n").inner_text()
    await expect(bob.page.get_by_role("article")).to_have_count(2)
    await expect(bob.page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("^0:00 of"))
    assert await bob.page.evaluate(WIDE) == 0, "nothing lies beyond the side of a phone"
    async with bob.page.expect_download() as download:
        await bob.press("Save as a file", "link")
    saved = await (await download.value).path()
    await bob.open("/replay")
    await bob.page.get_by_label("A file saved from a replay").set_input_files(saved)
    await expect(bob.heading("Replay")).to_be_visible()


async def test_a_race_that_never_was_cannot_be_watched(meet: Meet) -> None:
    ann = await meet("Ann")
    ann.expects(r"404 \(Not Found\)")
    await ann.open("/replay/ABCDEFGHJK")
    await expect(ann.page.get_by_text("There is no such replay.")).to_be_visible()


async def test_axe_finds_nothing_serious_on_the_pages_of_replays(meet: Meet) -> None:
    ann = await meet("Ann", bypass_csp=True)
    examiner = Examiner(ann, BOTH)
    await ann.open("/replay")
    await expect(ann.heading("Open a replay file")).to_be_visible()
    await examiner.look("file")
    await (await opened(ann.page, "ds1-d3n-score.json")).press("End")
    await examiner.look("replay")
    assert examiner.found == {}


async def test_two_people_see_what_a_rated_race_did_to_their_ratings(meet: Meet) -> None:
    ann, bob = await meet("Ann"), await meet("Bob")
    await ann.open("/new")
    await ann.page.locator("label", has_text="Listed for everybody").click()
    await ann.press("Create the room")
    await expect(ann.page).to_have_url(re.compile(r"/r/[A-Z]{5}$"))
    await bob.open(ann.page.url.removeprefix(ann.url))
    await expect(bob.button("I’m ready")).to_be_visible()
    for person in (ann, bob):
        await person.press("I’m ready")
    for person in (ann, bob):
        await person.table().dealt()
    for person in (bob, ann):
        await person.resign()
    for person in (ann, bob):
        await expect(person.page.get_by_role("columnheader", name="Rating")).to_be_visible()
        await expect(person.page.get_by_role("row").nth(1)).to_contain_text(re.compile(r"15\d\d ± 4\d\d .*provisional"))
    heat = await ann.page.get_by_role("link", name="Watch replay").get_attribute("href")
    assert heat is not None
    told = await (await ann.page.request.get(ann.url + heat.replace("/replay/", "/api/heat/"))).json()
    assert told["rated"] is True
    await ann.open(f"/player/{told['boards'][0]['player']}")
    await expect(ann.page.get_by_role("heading", name="Ratings")).to_be_visible()
    await expect(ann.page.get_by_text(re.compile(r"^15\d\d ± 4\d\d$"))).to_be_visible()
