"""What axe-core finds on each page, in both themes and every language: nothing that is serious."""

from __future__ import annotations

from functools import cache
from typing import Literal

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Meet
from tests.e2e.contrast import SOURCE
from tests.e2e.people import Person
from tests.e2e.servers import ROOT
from tests.e2e.words import words

Theme = Literal["light", "dark"]
BOTH: tuple[Theme, ...] = ("light", "dark")
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async ([only, impacts]) => {
  const how = { resultTypes: ['violations', 'incomplete'], elementRef: true };
  if (only) how.runOnly = { type: 'rule', values: only };
  const { violations, incomplete } = await axe.run(document, how);
  const grave = violations.filter(({ impact }) => !impacts || impacts.includes(impact));
  const words = (id) => ({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`;
  return [...grave.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(words(id))), ...unreadable(incomplete)];
}"""
"""What is wrong with the page by these rules (all) and of these impacts (any)."""
GRAVE = ("serious", "critical")


@cache
def axe() -> str:
    """The source of axe-core, and of what judges the texts that it leaves open."""
    return f"{AXE.read_text(encoding='utf-8')};\n{SOURCE}"


async def faults(page: Page, only: tuple[str, ...] = (), impacts: tuple[str, ...] = ()) -> list[str]:
    """What is wrong with a page by these rules of axe-core (empty: all), of these impacts (empty: any)."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(axe())
    found: list[str] = await page.evaluate(RUN, [only or None, impacts or None])
    return found


class Examiner:
    """Looks at pages in some themes and gathers what is wrong with them."""

    def __init__(self, person: Person, themes: tuple[Theme, ...]) -> None:
        self.person = person
        self.themes = themes
        self.found: dict[str, list[str]] = {}

    async def look(self, where: str) -> None:
        """At the page as it is."""
        page = self.person.page
        for theme in self.themes:
            await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            if found := await faults(page, impacts=GRAVE):
                self.found[f"{where}, {theme}"] = found


# Contrast is the same in every language: both themes are looked at in one of them
@pytest.mark.parametrize(
    ("locale", "tag", "themes"), [("en-US", "en", BOTH), ("tr-TR", "tr", BOTH[1:]), ("id-ID", "id", BOTH[:1])]
)
async def test_axe_finds_nothing_serious_on_any_page_of_a_race(
    meet: Meet, locale: str, tag: str, themes: tuple[Theme, ...]
) -> None:
    ann, say = await meet("Ann", locale=locale, bypass_csp=True), words(tag)
    examiner = Examiner(ann, themes)
    await ann.open()
    await ann.press(say("home.play"))
    await ann.table(lang=tag).dealt()
    await examiner.look("table")
    await ann.resign(say)
    await expect(ann.page.get_by_role("heading", name=say("result.standings"))).to_be_visible()
    await examiner.look("result")
    await ann.press(say("result.room"))
    await expect(ann.page.get_by_role("heading", name=say("room.invite"))).to_be_visible()
    await examiner.look("room")
    assert examiner.found == {}


TEXTS = {
    "color: white; background: linear-gradient(rgb(255 0 0), oklch(0.2 0.03 200) 50%)": " 4.00 of 4.5",
    "color: white; background: linear-gradient(oklch(0.3 0.05 200), oklch(0.2 0.03 200) 50%)": "",
    "color: rgb(255 255 255 / 0.3); background: linear-gradient(black, rgb(10 10 10))": " 2.",
    "color: white; opacity: 0.3; background: linear-gradient(black, rgb(10 10 10))": " 2.",
    "color: rgb(140 140 140); font-size: 24px; background: linear-gradient(white, rgb(250 250 250))": "",
    "color: rgb(140 140 140); font-size: 23px; background: linear-gradient(white, rgb(250 250 250))": " 3.2",
    "color: rgb(140 140 140); font: bold 19px serif; background: linear-gradient(white, rgb(250 250 250))": "",
    "color: white; background: linear-gradient(transparent, transparent)": " 1.00 of",
    "color: black; background: linear-gradient(rgb(0 0 0 / 0.9), rgb(0 0 0 / 0.9)), white": " 1.19 of",
    "color: black; background: url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)": "picture",
}
"""Styles of a text on white, and what is said of it: the contrast as it begins, or a word; empty: nothing."""


async def test_text_on_gradients_and_pictures_is_judged_where_axe_leaves_it_open(meet: Meet) -> None:
    ann = await meet("Ann", bypass_csp=True)
    await ann.open("/faq")
    for style, said in TEXTS.items():
        await ann.page.set_content(
            f'<body style="background: white"><p id="it" style="{style}">Some words of a text</p></body>'
        )
        found = await faults(ann.page, ("color-contrast",))
        assert [said in one for one in found] == [True] * bool(said), (style, found)
