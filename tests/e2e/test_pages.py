"""Rules, examples, questions, settings, and what there is without a connection."""

from __future__ import annotations

import json
import re

import pytest
from playwright.async_api import expect

from engine.errors import ErrorCode
from tests.e2e.conftest import Meet
from tests.e2e.people import LOST_LINE, PHONE, Person
from tests.e2e.places import Day, addresses
from tests.e2e.servers import ROOT
from tests.e2e.test_axe import Theme, faults
from tests.e2e.words import words

THEMES: tuple[Theme, ...] = ("light", "dark")
TAGS = {"en": "en-US", "tr": "tr-TR", "id": "id-ID"}
LIKE_ANOTHER = ("example-seven", "example-homes", "example-turn-over")
"""Pages that differ from another one in their cards only."""
ARRIVED = "(text) => !document.querySelector('.plain--wait') && !document.body.textContent.includes(text)"
"""Nothing of the page is still on its way."""
SOON = """() => {
  const late = document.querySelector('.late');
  late.style.animation = 'none';
  void late.offsetWidth;
  late.style.animation = '';
  const [wait] = late.getAnimations();
  wait.pause();
  wait.currentTime = 5000;
  const { visibility } = getComputedStyle(late);
  wait.finish();
  return visibility;
}"""
"""What stands on a page that has not come is not seen five seconds after its beginning."""
EXAMPLES = json.loads((ROOT / "client_web" / "data" / "examples.json").read_text(encoding="ascii"))
FRAME_REFUSALS = """async ([codes, tag]) => {
  const [{ mountFrame }, { Language }] = await Promise.all([import('/js/table/frame.js'), import('/js/i18n.js')]);
  const lang = new Language(tag, await (await fetch(`/lang/${tag}.json`)).json());
  const root = document.body.appendChild(document.createElement('div'));
  const frame = mountFrame(root, { t: (key, params) => lang.t(key, params), tools: [], onTool: () => {} });
  const seen = {};
  for (const code of codes) {
    frame.refuse(code);
    await new Promise((done) => setTimeout(done, 20));
    const toast = root.querySelector('.toast');
    const heard = root.querySelector('[role=alert]').textContent.trim();
    seen[code] = [toast.textContent, heard, toast.getClientRects().length];
  }
  frame.destroy();
  return seen;
}"""


async def texts(person: Person, tag: str) -> dict[str, object]:
    """The long texts as they are served."""
    found: dict[str, object] = await person.page.evaluate(f"fetch('/lang/pages.{tag}.json').then((one) => one.json())")
    return found


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
async def test_every_example_can_be_stepped_to_its_end_and_back(meet: Meet, size: tuple[int, int]) -> None:
    ann = await meet("Ann", size=size)
    await ann.open("/examples")
    pages = await texts(ann, "en")
    told = pages["examples"]
    assert isinstance(told, dict)
    for example in EXAMPLES:
        text = told[example["name"]]
        await expect(ann.heading(text["title"])).to_be_visible()
        figure = ann.page.get_by_role("figure")
        for number, step in enumerate(text["steps"]):
            await expect(figure.get_by_text(step)).to_be_visible()
            refused = "refused" in example["frames"][number]
            await expect(figure.locator(".is-refused")).to_have_count(int(refused))
            await figure.get_by_role("button").last.click()
        await expect(figure.get_by_text(text["steps"][0])).to_be_visible()
        overflow = await ann.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0
        await ann.page.get_by_role("link", name=re.compile("^Next: ")).click()


async def test_an_example_leads_to_its_deal(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/examples/second-ace")
    await ann.press("DS1-D1N-ACESAF5", "link")
    await ann.table().dealt()
    await expect(ann.button("DS1-D1N-ACESAF5")).to_be_visible()


async def test_the_rules_open_over_a_running_game_and_close_back_into_it(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/d/SS1-D1N-AAAAAAB")
    table = ann.table("SS1-D1N")
    await table.dealt()
    await ann.page.keyboard.press("Space")
    seen = await table.read()
    await ann.press("Rules")
    panel = ann.page.get_by_role("dialog", name="The rules of Single")
    await expect(panel).to_be_visible()
    await panel.get_by_role("button", name="Turning over in the single game").click()
    example = ann.page.get_by_role("dialog", name="Turning over in the single game")
    await example.get_by_role("button", name="Next").click()
    await expect(example.get_by_text("They are drawn. The stock is empty.")).to_be_visible()
    await example.get_by_role("button", name="Back to the rules").click()
    await expect(panel).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(panel).to_be_hidden()
    await table.shows(seen)
    assert (await ann.focus() or {})["name"] == "Rules"
    await ann.page.keyboard.press("Space")


async def test_another_language_needs_no_reload_on_the_long_pages(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/rules")
    await expect(ann.heading("The rules of Double")).to_be_visible()
    await ann.page.evaluate("window.stayed = true")
    await ann.press("Türkçe")
    await expect(ann.heading("Çift deste kuralları")).to_be_visible()
    await ann.press("Bahasa Indonesia")
    await expect(ann.heading("Aturan Ganda")).to_be_visible()
    await expect(ann.page.locator("html")).to_have_attribute("lang", "id")
    assert await ann.page.evaluate("window.stayed")


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("tag", TAGS)
async def test_each_reason_for_a_refusal_is_seen_and_heard_in_words(meet: Meet, tag: str) -> None:
    ann = await meet("Ann")
    await ann.open("/faq")
    codes = [str(code) for code in ErrorCode]
    seen = await ann.page.evaluate(FRAME_REFUSALS, [codes, tag])
    say = words(tag)
    assert list(seen) == codes
    for code, (shown, heard, boxes) in seen.items():
        assert (shown, heard, boxes) == (say(f"refusal.{code}"), say(f"refusal.{code}"), 1)
    assert len({shown for shown, _, _ in seen.values()}) == len(codes)


@pytest.mark.parametrize("tag", TAGS)
async def test_axe_finds_nothing_on_any_page_in_either_theme(meet: Meet, day: Day, tag: str) -> None:
    ann = await meet("Ann", locale=TAGS[tag], bypass_csp=True)
    say = words(tag)
    found: dict[str, list[str]] = {}

    async def look(where: str) -> None:
        """Of the second theme its colours: nothing else differs."""
        for theme, rules in zip(THEMES, ((), ("color-contrast",)), strict=True):
            await ann.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            if wrong := await faults(ann.page, rules):
                found[f"{where}, {theme}"] = wrong

    await ann.open()
    await ann.page.evaluate("(token) => localStorage.setItem('kupa:token', token)", day.token)
    for name, path in addresses(day).items():
        if name in LIKE_ANOTHER:
            continue
        await ann.open(path)
        await expect(ann.page.get_by_role("heading", level=1)).to_be_visible()
        await expect(ann.page.get_by_role("banner").get_by_role("button")).to_be_visible()
        await ann.page.wait_for_function(ARRIVED, arg=say("board.loading"))
        await look(name)
    await ann.open("/d/SS1-D1N-AAAAAAB")
    await ann.table("SS1-D1N", tag).dealt()
    await look("table")
    for tool in ("new", "share", "rules", "settings"):
        await ann.press(say(f"tool.{tool}"))
        await expect(ann.page.get_by_role("dialog")).to_be_visible()
        await look(tool)
        await ann.page.keyboard.press("Escape")
    assert found == {}


@pytest.mark.parametrize("tag", TAGS)
async def test_a_proposed_name_stands_whole_in_the_head_of_a_small_phone(meet: Meet, tag: str) -> None:
    ann = await meet("Ann", locale=TAGS[tag], size=(360, 740))
    await ann.open()
    name = ann.page.get_by_role("banner").locator(".n")
    await expect(name).to_have_text(re.compile(r" [1-9]\d$"))
    assert await name.evaluate("(node) => node.scrollWidth - node.clientWidth") == 0
    await expect(name).to_have_attribute("title", await name.inner_text())


# ---------------------------------------------------------------- settings


async def test_settings_change_the_page_at_once_and_last(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/settings")
    root = ann.page.locator("html")
    for group, label, attribute, value in (
        ("Colours", "Dark", "data-theme", "dark"),
        ("Contrast", "High", "data-contrast", "more"),
        ("Suits", "Four colours", "data-deck", "4"),
        ("Movement", "Fast", "data-motion", "fast"),
    ):
        choice = ann.page.get_by_role("group", name=group, exact=True)
        await choice.locator("label", has_text=label).click()
        await expect(root).to_have_attribute(attribute, value)
    await ann.page.get_by_role("switch", name="Sound").check(force=True)
    await ann.page.reload()
    await expect(root).to_have_attribute("data-contrast", "more")
    await expect(root).to_have_attribute("data-theme", "dark")
    await expect(ann.page.get_by_role("switch", name="Sound")).to_be_checked()


async def test_the_left_hand_and_large_faces_change_the_table(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/d/SS1-D1N-AAAAAAB")
    table = ann.table("SS1-D1N")
    seen = await table.dealt()
    right = await table.place(seen, 0).bounding_box()
    assert await ann.page.locator("use[href^='#face-b']").count() == 0
    await ann.press("Settings")
    for group, label in (("Stock on the", "Right, for the left hand"), ("Card faces", "Large signs")):
        await ann.page.get_by_role("group", name=group, exact=True).locator("label", has_text=label).click()
    await ann.press("Close")
    left = await table.place(seen, 0).bounding_box()
    assert right is not None
    assert left is not None
    assert left["x"] > right["x"] + 500
    await expect(ann.page.locator("use[href^='#face-b']").nth(6)).to_be_attached()
    await table.shows(seen)


# ---------------------------------------------------------------- without a connection


async def test_without_a_connection_a_plain_page_says_so_and_nothing_old_is_shown(meet: Meet) -> None:
    ann = await meet("Ann", service_workers="allow")
    ann.expects(r"ERR_INTERNET_DISCONNECTED|WebSocket connection")
    await ann.open("/rules")
    await ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    await ann.page.wait_for_function("navigator.serviceWorker.controller !== null")
    kept = await ann.page.evaluate(
        """async () => (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys())))
          .flat().map(({ url }) => new URL(url).pathname)"""
    )
    assert sorted(kept) == ["/icon.svg", "/offline.css", "/offline.html"]
    await ann.context.set_offline(True)
    await ann.page.reload()
    for text in ("No connection", "Bağlantı yok", "Tidak ada koneksi"):
        await expect(ann.page.get_by_role("heading", name=text)).to_be_visible()
    assert await faults(ann.page) == []
    await ann.context.set_offline(False)
    await ann.press("Try again", "link")
    await expect(ann.heading("The rules of Double")).to_be_visible()


# ---------------------------------------------------------------- what does not come


async def test_a_part_that_does_not_come_is_said_and_comes_when_it_is_asked_for_again(meet: Meet) -> None:
    ann = await meet("Ann")
    ann.expects(LOST_LINE)
    part = "**/daily.part.js"
    await ann.page.route(part, lambda route: route.abort())
    await ann.open("/leaderboards")
    await expect(ann.heading("Connection lost. Trying again…")).to_be_visible()
    await ann.hears("Connection lost")
    await ann.page.unroute(part)
    await ann.press("Try now")
    await expect(ann.heading("Leaderboards")).to_be_visible()


@pytest.mark.parametrize("first", ["**/js/first.js", "**/lang/en.json"])
async def test_a_first_page_that_does_not_come_leaves_a_way_to_try_again(meet: Meet, first: str) -> None:
    ann = await meet("Ann")
    ann.expects(f"{LOST_LINE}|Failed to fetch")
    await ann.page.route(first, lambda route: route.abort())
    await ann.open("/rules")
    again = ann.page.get_by_role("link", name="Try again")
    await expect(again).to_be_visible()
    assert await ann.page.evaluate(SOON) == "hidden"
    await expect(again).to_be_visible()
    await ann.page.unroute(first)
    await again.click()
    await expect(ann.heading("The rules of Double")).to_be_visible()
    await expect(again).to_be_hidden()
