"""Other words at once on every page, refusals in each language, and names that are nothing but text."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from engine import rules, view
from engine.errors import ErrorCode
from engine.moves import COLUMN0
from engine.view import View
from tests.e2e.conftest import Meet
from tests.e2e.people import Person
from tests.e2e.tables import Table
from tests.e2e.words import Words, words

OTHERS = (("tr", "Türkçe"), ("id", "Bahasa Indonesia"))
MARKUP = "<img src onerror=x>"
"""A name of 19 characters that would complain to the console if it were ever taken for markup."""
TOO_LONG = "<img src=x onerror=alert(1)>"


async def switch_at_the_foot(person: Person, name: str) -> None:
    """By the button at the foot of a page."""
    await person.page.get_by_role("contentinfo").get_by_role("button", name=name, exact=True).click()


async def switch_at_the_table(person: Person, now: Words, then: Words, name: str) -> None:
    """By the settings that open over the table."""
    await person.press(now("tool.settings"))
    sheet = person.page.get_by_role("dialog", name=now("settings.title"))
    await sheet.get_by_text(name, exact=True).click()
    sheet = person.page.get_by_role("dialog", name=then("settings.title"))
    await sheet.get_by_role("button", name=then("dialog.close")).click()
    await expect(sheet).to_be_hidden()


def misfit(table: Table, seen: View) -> tuple[int, int]:
    """A column whose last card does not fit on another one, and that one."""
    position = view.table(seen, table.ruleset)
    columns = range(COLUMN0, COLUMN0 + table.ruleset.columns)
    return next(
        (source, target)
        for source in columns
        for target in columns
        if source != target and rules.transfer_refusal(position, source, target, 1) == ErrorCode.NO_FIT
    )


async def a_refusal_is_said(person: Person, table: Table) -> None:
    """An illegal drop flies back with the reason in words."""
    seen = await table.read()
    source, target = misfit(table, seen)
    await table.drag(table.name(seen, source), table.name(seen, target))
    reason = table.say("refusal.no_fit")
    await expect(person.page.get_by_role("main").get_by_text(reason)).to_be_visible()
    await person.hears(f"^{reason}$")
    await table.shows(seen)


async def test_words_change_on_every_page_without_loading_it_again_and_refusals_are_said_in_each_language(
    meet: Meet,
) -> None:
    ann = await meet("Ann")
    page, english = ann.page, words()
    await ann.open()
    await page.evaluate("window.neverLoadedAgain = true")
    for tag, name in (*OTHERS, ("en", "English")):
        await switch_at_the_foot(ann, name)
        await expect(ann.heading(words(tag)("home.title"))).to_be_visible()
        await expect(page.locator("html")).to_have_attribute("lang", tag)
        await expect(page.get_by_role("contentinfo").get_by_role("button", name=name)).to_have_attribute(
            "aria-pressed", "true"
        )
    await page.get_by_role("link", name="Create", exact=True).click()
    await ann.press("Create the room")
    for tag, name in (*OTHERS, ("en", "English")):
        await switch_at_the_foot(ann, name)
        await expect(ann.button(words(tag)("room.im_ready"))).to_be_visible()
        await expect(page.get_by_role("heading", name=words(tag)("room.invite"))).to_be_visible()
    await ann.press("I’m ready")
    await a_refusal_is_said(ann, await dealt(ann, "en"))
    await page.keyboard.press("Space")
    now = english
    for tag, name in OTHERS:
        await switch_at_the_table(ann, now, words(tag), name)
        table = await dealt(ann, tag)
        assert (await table.read()).stock == 58, "the race went on where it was"
        await a_refusal_is_said(ann, table)
        now = words(tag)
    assert await page.evaluate("window.neverLoadedAgain") is True


async def dealt(person: Person, tag: str) -> Table:
    """The table in this language, with its cards."""
    table = person.table(lang=tag)
    await table.dealt()
    return table


@pytest.mark.parametrize(("locale", "tag"), [("tr-TR", "tr"), ("id-ID", "id"), ("in", "id"), ("fr-FR", "en")])
async def test_the_first_page_speaks_the_browsers_language_where_it_can(meet: Meet, locale: str, tag: str) -> None:
    ann = await meet("Ann", locale=locale)
    await ann.open()
    await expect(ann.heading(words(tag)("home.title"))).to_be_visible()


async def test_a_name_made_of_markup_is_refused_or_shown_as_text_to_everybody(meet: Meet) -> None:
    ann, bob = await meet("Ann"), await meet("Bob")
    await ann.open()
    await ann.page.get_by_role("banner").get_by_role("button", name="change the name").click()
    dialog = ann.page.get_by_role("dialog", name="Your name")
    await dialog.get_by_label("Name").fill(TOO_LONG)
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_text(words()("no.name_long"))).to_be_visible()
    await dialog.get_by_label("Name").fill("Adm1n")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_text(words()("no.name_reserved"))).to_be_visible()
    await dialog.get_by_role("button", name="Cancel").click()

    await ann.rename(MARKUP)
    await expect(ann.page.get_by_role("banner").get_by_text(MARKUP, exact=True)).to_be_visible()
    code = await ann.create_room()
    await bob.open(f"/r/{code}")
    await expect(bob.page.get_by_role("listitem").filter(has_text=MARKUP)).to_be_visible()
    await expect(ann.page.get_by_text("2 of 4 seats")).to_be_visible()
    for person in (ann, bob):
        await person.press("I’m ready")
    await bob.table().dealt()
    assert any(MARKUP in lane for lane in await bob.lanes())
    for person in (ann, bob):
        await person.resign()
    for person in (ann, bob):
        await expect(person.page.get_by_role("cell", name=MARKUP, exact=True)).to_be_visible()
        await expect(person.page.locator("img[onerror]")).to_have_count(0)
