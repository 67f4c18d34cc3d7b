"""A double click is one press."""

from __future__ import annotations

from playwright.async_api import expect

from tests.e2e.conftest import Meet
from tests.e2e.people import Person


def sent(person: Person, name: str) -> int:
    """How often the page sent this command."""
    return sum(one.endswith(f"> {name}") for one in person.frames)


async def test_a_double_click_on_play_now_makes_one_race(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open()
    await ann.button("Play now").dblclick()
    await ann.table().dealt()
    assert sent(ann, "CreateRoom") == 1


async def test_a_double_click_on_create_makes_one_room_and_one_tournament(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/new")
    await ann.button("Create the room").dblclick()
    await expect(ann.page.get_by_text("1 of 4 seats")).to_be_visible()
    assert sent(ann, "CreateRoom") == 1
    await ann.open("/t/new")
    await ann.page.get_by_label("Name", exact=True).fill("Club evening")
    await ann.button("Create the tournament").dblclick()
    await expect(ann.heading("Club evening")).to_be_visible()
    assert sent(ann, "CreateTournament") == 1
