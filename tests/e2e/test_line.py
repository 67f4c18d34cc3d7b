"""The line breaks, the server dies, another window opens: the race goes on without loading the page again."""

from __future__ import annotations

from playwright.async_api import expect

from engine.moves import Kind, Move
from tests.e2e.conftest import Meet
from tests.e2e.people import LOST_LINE, Person
from tests.e2e.servers import Served, Way
from tests.e2e.tables import Table

PRESS = Move(Kind.DRAW, 0, 0, 0)
LOST = "Connection lost. Your clock goes on; we are trying again."


async def draw(person: Person, count: int) -> None:
    """Press the stock, without waiting for the server."""
    for _ in range(count):
        await person.page.keyboard.press("Space")


async def settled_moves(person: Person, count: int) -> None:
    """The bar shows so many moves and nothing is being saved any more."""
    await expect(person.page.locator("dl.stats > div", has_text="Moves").locator("dd")).to_have_text(str(count))
    await expect(person.page.get_by_text("saving…")).to_be_hidden()


async def race_across(ann: Person, bob: Person) -> None:
    """Both are in one race, each through a server of their own."""
    code = await ann.create_room()
    await bob.open(f"/r/{code}")
    await expect(ann.page.get_by_text("2 of 4 seats")).to_be_visible()
    for person in (ann, bob):
        await person.press("I’m ready")
    dealt = [await person.table().dealt() for person in (ann, bob)]
    assert dealt[0] == dealt[1]
    assert [await person.stat("Place") for person in (ann, bob)] == ["1 / 2", "1 / 2"]


async def test_a_race_goes_on_at_another_server_when_its_own_is_killed_and_no_move_is_lost_or_doubled(
    meet: Meet, two_servers: tuple[Served, Served], way: Way
) -> None:
    first, second = two_servers
    way.lead(first.port)
    ann, bob = await meet("Ann", url=way.address), await meet("Bob", url=second.url)
    ann.expects(LOST_LINE)
    await race_across(ann, bob)
    await ann.page.evaluate("window.neverLoadedAgain = true")
    await draw(ann, 3)
    await settled_moves(ann, 3)
    assert [await person.stat("Place") for person in (ann, bob)] == ["1 / 2", "1 / 2"]

    way.hold()
    await draw(ann, 2)
    first.kill()
    way.cut()
    way.go_on()
    await draw(ann, 2)
    await ann.hears(LOST)
    way.lead(second.port)

    await expect(ann.page.get_by_role("main").get_by_text(LOST)).to_be_hidden()
    await settled_moves(ann, 7)
    table = ann.table()
    seen = await table.read()
    assert seen.stock == 59 - 7
    assert await ann.page.evaluate("window.neverLoadedAgain") is True

    await ann.page.reload()
    await table.shows(seen)
    await settled_moves(ann, 7)
    await draw(bob, 1)
    for person in (ann, bob):
        await person.resign()
    for person in (ann, bob):
        await expect(person.page).to_have_title("Result · Kupa")
    assert sorted(row[3] for row in await ann.standings()) == ["1", "7"]
    assert await ann.standings() == await bob.standings()


async def test_a_slow_answer_is_said_and_the_move_counts_before_it_comes(meet: Meet, way: Way) -> None:
    ann = await meet("Ann", url=way.address)
    table = await ann.play_now()
    before = await table.read()
    way.hold()
    await ann.page.keyboard.press("Space")
    await expect(ann.page.get_by_text("saving…")).to_be_visible()
    assert any(name.startswith("stock, 58 cards") for name in await table.names())
    way.go_on()
    await expect(ann.page.get_by_text("saving…")).to_be_hidden()
    assert (await table.read()).stock == before.stock - 1


async def test_a_second_window_takes_the_race_over_and_the_first_one_can_take_it_back(meet: Meet) -> None:
    ann = await meet("Ann")
    first = await ann.play_now()
    await draw(ann, 2)
    await settled_moves(ann, 2)
    here = ann.page
    await ann.tab()
    await ann.page.goto(here.url)
    second = Table(ann.page)
    await second.shows(await second.dealt())
    assert (await second.read()).stock == 57
    await expect(here.get_by_role("heading", name="Opened elsewhere")).to_be_visible()
    await second.play(PRESS, "keys")
    await settled_moves(ann, 3)

    await here.get_by_role("button", name="Take back here").click()
    await expect(ann.page.get_by_role("heading", name="Opened elsewhere")).to_be_visible()
    assert (await first.dealt()).stock == 56
    await first.play(PRESS, "keys")
    assert (await first.read()).stock == 55


async def test_two_in_quick_match_are_brought_together_though_the_line_of_one_broke_as_the_other_came(
    meet: Meet, way: Way
) -> None:
    ann, bob = await meet("Ann", url=way.address), await meet("Bob")
    ann.expects(LOST_LINE)
    for person in (ann, bob):
        await person.open()
    await ann.press("Quick match")
    await expect(ann.page.get_by_text("Waiting for somebody who wants the same game.")).to_be_visible()
    way.cut()
    await ann.hears("Connection lost.")
    await bob.press("Quick match")
    await expect(bob.page.get_by_text("Waiting for somebody who wants the same game.")).to_be_visible()
    assert bob.page.url.rpartition("/")[2] != ann.page.url.rpartition("/")[2]

    way.lead(way.port)
    await ann.page.wait_for_url("**/r/" + bob.page.url.rpartition("/")[2])
    dealt = [await person.table().dealt() for person in (ann, bob)]
    assert dealt[0] == dealt[1]
    await ann.page.go_back()
    await expect(ann.heading("One deal. Everyone at once.")).to_be_visible()


async def test_offline_is_said_and_moves_made_meanwhile_are_played_when_the_network_is_back(
    meet: Meet, way: Way
) -> None:
    ann = await meet("Ann", url=way.address)
    ann.expects(LOST_LINE)
    ann.expects("ERR_INTERNET_DISCONNECTED")
    table = await ann.play_now()
    await ann.context.set_offline(True)
    way.cut()
    await draw(ann, 3)
    await ann.hears(LOST)
    way.lead(way.port)
    await ann.context.set_offline(False)
    await expect(ann.page.get_by_role("main").get_by_text(LOST)).to_be_hidden()
    await settled_moves(ann, 3)
    assert (await table.read()).stock == 56
