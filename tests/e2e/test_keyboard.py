"""A whole race without a pointer and without eyes: every stop shows a ring, and all that matters is read out."""

from __future__ import annotations

from playwright.async_api import expect

from engine import rules, view
from engine.moves import COLUMN0, FOUNDATIONS, SLOT0, WASTE, Kind, Move
from engine.view import View
from tests.e2e.conftest import Meet
from tests.e2e.people import Person
from tests.e2e.tables import Table


async def create_room_with_a_bot(ann: Person) -> None:
    """From the first page to the waiting room."""
    page = ann.page
    await ann.open()
    await ann.tab_to(page.get_by_role("link", name="Create", exact=True))
    await page.keyboard.press("Enter")
    await expect(ann.heading("New room")).to_be_focused()
    bots = page.get_by_role("group", name="Bots to begin with")
    await ann.tab_to(bots.get_by_role("radio", checked=True))
    await page.keyboard.press("ArrowRight")
    await expect(bots.get_by_role("radio", name="1")).to_be_checked()
    await ann.tab_to(ann.button("Create the room"))
    await page.keyboard.press("Enter")


async def at_a_place_with_a_ring(ann: Person, name: str) -> None:
    """The focus is on the place of this name, and is seen."""
    focus = await ann.focus()
    assert focus is not None
    assert (focus["name"], focus["ring"]) == (name, True)


async def play(ann: Person, table: Table, seen: View, move: Move) -> None:
    """One move by keys: Space for the stock; Shift and Enter on a card, Enter on its target."""
    keyboard = ann.page.keyboard
    if move.kind != Kind.TRANSFER:
        await keyboard.press("Space")
        return
    index = -1 if move.source == WASTE else len(seen.columns[move.source - COLUMN0][1]) - move.count
    await table.walk_to(seen, move.source, index)
    await at_a_place_with_a_ring(ann, table.name(seen, move.source, index))
    await keyboard.press("Shift+Enter")
    await ann.hears(r"^picked: ")
    card = seen.waste[-1] if move.source == WASTE else seen.columns[move.source - COLUMN0][1][-1]
    target = SLOT0 + 2 * (card // 13) if move.target == FOUNDATIONS else move.target
    await table.walk_to(seen, target)
    await at_a_place_with_a_ring(ann, table.name(seen, target))
    await keyboard.press("Enter")


async def a_refusal_is_read_out(ann: Person, table: Table) -> None:
    """Enter on a card that has no place says why nothing happens."""
    seen = await table.read()
    position = view.table(seen, table.ruleset)
    held = [COLUMN0 + at for at, (_, up) in enumerate(seen.columns) if up]
    stuck = next(pile for pile in held if not isinstance(rules.double_tap(position, pile), Move))
    await table.walk_to(seen, stuck)
    await ann.page.keyboard.press("Enter")
    await ann.hears(r"^There is no place for this card now\.")
    await table.shows(seen)


async def test_a_whole_race_is_played_by_keyboard_and_by_ear(meet: Meet) -> None:
    ann = await meet("Ann")
    page = ann.page
    await create_room_with_a_bot(ann)
    await expect(page.get_by_role("heading", level=1)).to_be_focused()
    await ann.tab_to(ann.button("I’m ready"))
    await page.keyboard.press("Enter")
    table = ann.table()
    seen = await table.dealt()
    await ann.hears_countdown(2)

    transfers = presses = 0
    while transfers < 2:
        move = await table.think(seen)
        assert move is not None
        await play(ann, table, seen, move)
        transfers, presses = transfers + (move.kind == Kind.TRANSFER), presses + (move.kind != Kind.TRANSFER)
        before, seen = seen, await table.read()
    await page.keyboard.press("u")
    await ann.hears("^undone")
    await table.shows(before)
    await page.keyboard.press("h")
    await ann.hears("^hint: ")
    await a_refusal_is_read_out(ann, table)
    await ann.hears(r"^(You are first of 2|Place \d of 2), \d+ cards? out\.", within_s=15)

    await ann.tab_to(ann.button("Resign"))
    await page.keyboard.press("Enter")
    await expect(ann.button("Keep playing")).to_be_focused()
    await ann.tab_to(page.get_by_role("alertdialog").get_by_role("button", name="Resign"))
    await page.keyboard.press("Enter")
    await ann.hears(r"^You have resigned\.")
    await expect(page).to_have_title("Result · Kupa")
    await expect(page.get_by_role("heading", level=1)).to_be_focused()
    await ann.tab_to(ann.button("Rematch"))
