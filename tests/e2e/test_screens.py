"""Every screen from a small phone to a wall: nothing is cut off, nothing scrolls sideways, fingers hit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

from playwright.async_api import expect

from engine.moves import COLUMN0, SLOT0, STOCK, WASTE, Kind
from tests.e2e.conftest import Meet
from tests.e2e.doctored import deal_a_long_column
from tests.e2e.people import PHONE, Person, Size
from tests.e2e.tables import swipe

SIZES: tuple[Size, ...] = ((360, 640), PHONE, (844, 390), (1440, 900), (3840, 2160))
TARGET = 32
"""Least width of what a finger is to hit, in CSS pixels (WCAG asks for 24)."""
STRIP = 8
"""Least height of what is seen of a covered open card."""
PAGE = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return { wide: scrollWidth - innerWidth, high: scrollHeight - innerHeight };
}"""
BOXES = """(root, selector) => [...root.querySelectorAll(selector)].map((node) => {
  const { x, y, width: w, height: h } = node.getBoundingClientRect();
  const { pile = '', index = '' } = node.dataset;
  const name = node.getAttribute('aria-label') ?? node.textContent;
  return { x, y, w, h, pile: Number(pile), index: Number(index), name };
}).filter(({ w }) => w > 0)"""

Box = dict[str, Any]


async def boxes(person: Person, root: str, selector: str) -> list[Box]:
    """Where everything lies that is found in `root`."""
    found: list[Box] = await person.page.locator(root).first.evaluate(BOXES, selector)
    return found


def inside(box: Box, outer: Box) -> bool:
    right, bottom = box["x"] + box["w"], box["y"] + box["h"]
    within_x = box["x"] >= outer["x"] - 0.5 and right <= outer["x"] + outer["w"] + 0.5
    return bool(within_x and box["y"] >= outer["y"] - 0.5 and bottom <= outer["y"] + outer["h"] + 0.5)


def apart(a: Box, b: Box) -> bool:
    """Whether two boxes share nothing."""
    beside = a["x"] + a["w"] <= b["x"] + 0.5 or b["x"] + b["w"] <= a["x"] + 0.5
    return bool(beside or a["y"] + a["h"] <= b["y"] + 0.5 or b["y"] + b["h"] <= a["y"] + 0.5)


async def faults_of_table(person: Person) -> list[str]:
    """What is wrong with the table on this screen."""
    faults = []
    page = await person.page.evaluate(PAGE)
    if page["wide"] > 0 or page["high"] > 0:
        faults.append(f"the page scrolls by {page}")
    felt = (await boxes(person, ".page-table", "main"))[0]
    cards = await boxes(person, ".board", ".card")
    faults += [f"{card['name']} is cut off" for card in cards if not inside(card, felt)]
    long = [card for card in cards if card["pile"] == COLUMN0 + 8]
    if len(long) != 20:
        faults.append(f"{len(long)} cards of 20 are there")
    opened = sorted(card["y"] for card in long if card["index"] >= 0)
    strips = [below - above for above, below in pairwise(opened)]
    if min(strips) < STRIP:
        faults.append(f"only {min(strips):.1f} px of a card are seen")
    return faults + faults_of_piles(await boxes(person, ".board", "[role=button]")) + await faults_of_tools(person)


def faults_of_piles(targets: list[Box]) -> list[str]:
    """Piles that are too narrow for a finger or lie on each other."""
    faults = [f"{one['name']} is {one['w']:.0f} px wide" for one in targets if one["w"] < TARGET]
    columns = [one for one in targets if one["pile"] >= COLUMN0]
    if len({round(one["x"]) for one in columns}) != 9:
        faults.append("there are not nine columns")
    others = [one for one in targets if one["pile"] < COLUMN0 and one["pile"] in (STOCK, WASTE, *range(SLOT0, COLUMN0))]
    crossed = [(a["name"], b["name"]) for a in columns for b in others if not apart(a, b)]
    first = {round(one["x"]): one for one in columns}
    crossed += [
        (a["name"], b["name"]) for a in first.values() for b in first.values() if a is not b and not apart(a, b)
    ]
    return faults + [f"{a} lies on {b}" for a, b in crossed]


async def faults_of_tools(person: Person) -> list[str]:
    tools = await boxes(person, ".page-table", "nav button, header a")
    return [f"{one['name']} is {one['w']:.0f} × {one['h']:.0f} px" for one in tools if min(one["w"], one["h"]) < TARGET]


async def faults_of_page(person: Person) -> list[str]:
    """What is wrong with a page of text and buttons on this screen."""
    page = await person.page.evaluate(PAGE)
    faults = [f"the page scrolls sideways by {page['wide']} px"] if page["wide"] > 0 else []
    controls = await boxes(person, "body", "button.btn, a.btn, select, input.input")
    return faults + [f"{one['name']} is {one['h']:.0f} px high" for one in controls if one["h"] < TARGET]


async def lasting(person: Person, find: Callable[[Person], Awaitable[list[str]]]) -> list[str]:
    """The faults that are still there when the page has had time to arrange itself."""
    for _ in range(20):
        if not (faults := await find(person)):
            break
        await person.page.wait_for_timeout(100)
    return faults


async def test_no_screen_cuts_anything_off_or_scrolls_sideways_and_a_column_of_twenty_cards_is_seen(meet: Meet) -> None:
    ann = await meet("Ann", size=PHONE, has_touch=True)
    faults: dict[str, list[str]] = {}

    async def look(what: str, find: Callable[[Person], Awaitable[list[str]]] = faults_of_page) -> None:
        for width, height in SIZES:
            await ann.page.set_viewport_size({"width": width, "height": height})
            if found := await lasting(ann, find):
                faults[f"{what} at {width} × {height}"] = found

    await deal_a_long_column(ann.page)
    await ann.open()
    await look("home")
    await ann.create_room()
    await look("room")
    await ann.press("Add a bot")
    await ann.press("I’m ready")
    await ann.table().dealt()
    await look("table", faults_of_table)
    await ann.resign()
    await expect(ann.page).to_have_title("Result · Kupa")
    await look("result")
    assert faults == {}


async def test_on_a_phone_a_finger_plays_a_race_and_never_scrolls_the_page(meet: Meet) -> None:
    ann = await meet("Ann", size=PHONE, has_touch=True, is_mobile=True, device_scale_factor=3)
    table = await ann.play_now()
    moves = drags = 0
    while drags < 2:
        seen = await table.read()
        move = await table.think(seen)
        assert move is not None
        await table.play(move, "finger", seen)
        moves, drags = moves + 1, drags + (move.kind == Kind.TRANSFER)
        await table.still()
    assert int(await ann.stat("Moves")) == moves
    await swipe(ann.page, (195, 700), (195, 200))
    await swipe(ann.page, (350, 500), (40, 500))
    where = await ann.page.evaluate("[scrollX, scrollY, visualViewport.pageLeft, visualViewport.pageTop]")
    assert where == [0, 0, 0, 0]
    await ann.resign()
    await expect(ann.page).to_have_title("Result · Kupa")
