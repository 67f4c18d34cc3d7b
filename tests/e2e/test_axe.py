"""What axe-core finds on each page, in both themes and every language: nothing that is serious."""

from __future__ import annotations

from functools import cache
from typing import Literal

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Meet
from tests.e2e.people import Person
from tests.e2e.servers import ROOT
from tests.e2e.words import words

Theme = Literal["light", "dark"]
BOTH: tuple[Theme, ...] = ("light", "dark")
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const words = (id) => ({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`;
  return grave.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(words(id)));
}"""


@cache
def axe() -> str:
    """The source of axe-core."""
    return AXE.read_text(encoding="utf-8")


class Examiner:
    """Looks at pages in some themes and gathers what is wrong with them."""

    def __init__(self, person: Person, themes: tuple[Theme, ...]) -> None:
        self.person = person
        self.themes = themes
        self.found: dict[str, list[str]] = {}

    async def look(self, where: str) -> None:
        """At the page as it is."""
        page = self.person.page
        if not await page.evaluate("'axe' in window"):
            await page.evaluate(axe())
        for theme in self.themes:
            await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            if faults := await page.evaluate(RUN):
                self.found[f"{where}, {theme}"] = faults


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
