"""Evenings in a club: a tournament made, hosted and played through in browsers, to the podium."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.request
from typing import Any

from playwright.async_api import Locator, expect

from tests.e2e.conftest import Meet
from tests.e2e.people import LOST_LINE, PHONE, Person
from tests.e2e.servers import Served, Way
from tests.e2e.test_axe import BOTH, Examiner
from tests.e2e.test_screens import faults_of_page, lasting

HEAT_MS = 30_000
"""A heat is drawn, its gun fires ten seconds later."""
HEAT = re.compile(r"/r/[A-Z]{5}$")
AWAY = r"net::ERR_|Failed to load resource|Failed to fetch"
"""What a browser prints about a server that is gone."""
SIZES = ((360, 640), (768, 1024), (1280, 800))


def told(url: str, code: str) -> dict[str, Any]:
    """What the server tells everybody of a tournament."""
    with urllib.request.urlopen(f"{url}/api/tournament/{code}", timeout=10) as reply:
        whole: dict[str, Any] = json.loads(reply.read())
    return whole


async def choose(person: Person, group: str, label: str) -> None:
    """One of a few, by its label."""
    field = person.page.get_by_role("group", name=group, exact=True)
    await field.locator("label", has=person.page.get_by_role("radio", name=label, exact=True)).click()


async def make(host: Person, name: str, form: str, **numbers: str) -> str:
    """Make a tournament in the form; returns its code, with the console open."""
    await host.open("/t")
    await host.press("Host a tournament", "link")
    await host.press("Create the tournament")
    await host.hears(r"Give it a name")
    await host.page.get_by_label("Name", exact=True).fill(name)
    await choose(host, "Format", form)
    await choose(host, "Time limit", "3 min")
    await host.page.get_by_text("More options").click()
    for label, value in numbers.items():
        await host.page.get_by_label(re.compile(label.replace("_", " "))).fill(value)
    await host.press("Create the tournament")
    await expect(host.page).to_have_url(re.compile(r"/t/[A-Z]{5}/host$"))
    await expect(host.heading(name)).to_be_visible()
    return host.page.url.split("/")[-2]


async def bots(host: Person, count: int) -> None:
    """Let quick bots in from the console."""
    await host.page.get_by_role("combobox", name="Level of the bots").select_option("3")
    await host.page.get_by_role("spinbutton", name="How many").fill(str(count))
    await host.press("Let them in")
    await host.hears("The bots are in")


async def enter(person: Person, code: str) -> None:
    """By the link, with one tap."""
    await person.open(f"/t/{code}")
    await person.press("Take part")
    await expect(person.page.get_by_role("heading", name="You are in", exact=True)).to_be_visible()


async def called(*people: Person) -> None:
    """Everybody's heat opens by itself, wherever they are, and the cards come."""
    for person in people:
        await expect(person.page).to_have_url(HEAT, timeout=HEAT_MS)
    for person in people:
        await expect(person.page.locator(".board .card").first).to_be_visible(timeout=HEAT_MS)


async def give_up(*people: Person) -> None:
    """Everybody resigns, at the same time."""
    await asyncio.gather(*(person.resign() for person in people))


async def back(*people: Person) -> None:
    """From the result to the tournament, with one tap."""
    for person in people:
        await expect(person.page).to_have_title("Result · Kupa", timeout=HEAT_MS)
        await person.press("Back to the tournament", "link")
        await expect(person.page).to_have_url(re.compile(r"/t/[A-Z]{5}$"))


async def close_round(host: Person) -> None:
    """Time is up: asked once more, since the boards count as they stand."""
    await host.press("End the round early…")
    await host.page.get_by_role("alertdialog").get_by_role("button", name="End the round", exact=True).click()
    await host.hears("The round ends")


def podium(person: Person) -> Locator:
    return person.page.get_by_role("heading", name=re.compile(r"wins$|share the first place"))


async def called_on(rooms: list[str], *people: Person) -> None:
    """Everybody's next heat opens by itself, in another room than the last."""
    for person, room in zip(people, rooms, strict=True):
        await expect(person.page).not_to_have_url(room, timeout=HEAT_MS)
    await called(*people)


async def server_dies(way: Way, first: Served, second: Served, *people: Person) -> None:
    """One server is killed; these people's way leads to the other one from now on."""
    for person in people:
        person.expects(LOST_LINE)
        person.expects(AWAY)
    first.kill()
    way.cut()
    way.lead(second.port)


async def over(url: str, code: str, *people: Person) -> dict[str, Any]:
    """Everybody sees the podium, and the standings that the server tells."""
    for person in people:
        await expect(podium(person)).to_be_visible(timeout=HEAT_MS)
    whole = told(url, code)
    assert whole["info"]["phase"] == "ended"
    wanted = [str(row["place"]) for row in whole["standings"]]
    for person in people:
        await expect(person.page.get_by_role("region", name="Standings").locator("td.place")).to_have_text(wanted)
    return whole


async def test_a_league_of_three_rounds_goes_through_to_the_podium_though_a_server_is_killed(
    meet: Meet, two_servers: tuple[Served, Served], way: Way
) -> None:
    first, second = two_servers
    way.lead(first.port)
    olga, ann = await meet("Olga", url=way.address), await meet("Ann", url=way.address, size=PHONE, has_touch=True)
    bob = await meet("Bob", url=second.url)
    code = await make(olga, "Thursday League", "League", Break_between_rounds="1")
    await bots(olga, 2)
    for person in (ann, bob):
        await enter(person, code)
    await expect(olga.page.get_by_role("heading", name="4 players")).to_be_visible()

    # Round 1: one waits on the page of the tournament, the other reads the rules
    await bob.press("Rules", "link")
    await olga.press("Start now")
    await called(ann, bob)
    rooms = [ann.page.url, bob.page.url]
    await give_up(ann, bob)

    # Round 2 calls from the page of the result, too; a server dies in the middle of its heat
    await called_on(rooms, ann, bob)
    await server_dies(way, first, second, olga, ann)
    await ann.page.reload()
    await called(ann)
    rooms = [ann.page.url, bob.page.url]
    await give_up(ann, bob)

    # Round 3: the host, who was told of nothing for a while, ends it early
    await called_on(rooms, ann, bob)
    await close_round(olga)
    for person in (ann, bob):
        await expect(person.page).to_have_title("Result · Kupa", timeout=HEAT_MS)
        await expect(person.page.get_by_role("heading", name="Fair, and checked here")).to_be_visible()
    await back(ann, bob)
    whole = await over(second.url, code, olga, ann, bob)
    assert [len(one["heats"][0]["rows"]) for one in whole["rounds"]] == [4, 4, 4]


async def test_a_cup_of_eight_goes_through_to_the_podium_and_says_who_is_out(meet: Meet) -> None:
    olga, ann, bob = await meet("Olga"), await meet("Ann", size=PHONE), await meet("Bob")
    code = await make(olga, "Friday Cup", "Cup", Break_between_rounds="1")
    await bots(olga, 6)
    for person in (ann, bob):
        await enter(person, code)
    await expect(olga.page.get_by_role("heading", name="8 players")).to_be_visible()
    people = told(olga.url, code)["entrants"]
    await olga.press("Start now")
    await called(ann, bob)
    await give_up(ann, bob)

    # The final opens by itself for whoever has reached it; who has not is told so
    await expect(olga.page.get_by_role("heading", name=re.compile("Final, live"))).to_be_visible(timeout=HEAT_MS)
    final = told(olga.url, code)["rounds"][1]["heats"][0]
    reached = [name["entrant"] in final["entrants"] for name in (people[-2], people[-1])]
    # Who is out first: a final of the other one and bots may be over within seconds
    for person, goes_on in sorted(zip((ann, bob), reached, strict=True), key=lambda each: each[1]):
        if goes_on:
            await expect(person.page).to_have_url(re.compile(rf"/r/{final['room']}$"), timeout=HEAT_MS)
            await called(person)
            await give_up(person)
        else:
            await back(person)
            await expect(person.page.get_by_role("heading", name="You are out of the cup")).to_be_visible()
    for person in (ann, bob):
        if HEAT.search(person.page.url):
            await back(person)
    whole = await over(olga.url, code, olga, ann, bob)
    await expect(ann.page.get_by_role("heading", name="Bracket")).to_be_visible()
    assert [len(one["heats"]) for one in whole["rounds"]] == [2, 1]


async def test_what_a_host_does_can_be_undone_and_a_co_host_may_do_it_until_revoked(meet: Meet) -> None:
    olga, ann, cem = await meet("Olga"), await meet("Ann"), await meet("Cem")
    code = await make(olga, "Monday Swiss", "Swiss")
    await enter(ann, code)
    await expect(olga.page.get_by_role("heading", name="1 player")).to_be_visible()
    name = (await olga.page.locator(".people b").inner_text()).strip()

    await olga.page.get_by_role("textbox", name="Name of a co-host").fill("Cem")
    await olga.press("Name of a co-host: Make a link")
    await expect(olga.page.get_by_text("The host link for Cem")).to_be_visible()
    await olga.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await olga.page.locator(".alert").get_by_role("button", name="Copy link").click()
    link = await olga.page.evaluate("navigator.clipboard.readText()")
    await cem.page.goto(link)
    await expect(cem.heading("Monday Swiss")).to_be_visible()
    assert "#" not in cem.page.url

    await cem.press(f"Change {name}")
    await cem.press("Take out")
    await expect(ann.page.get_by_role("heading", name="A host has taken you out")).to_be_visible()
    await olga.press(f"Undo: {name} is taken out")
    await expect(ann.page.get_by_role("heading", name="You are in", exact=True)).to_be_visible()

    await olga.press("Revoke Cem")
    await olga.page.get_by_role("alertdialog").get_by_role("button", name="Revoke").click()
    await expect(olga.page.get_by_role("button", name="Revoke Cem")).to_be_hidden()
    await cem.press("Mark absent")
    await cem.hears("does not hold any more")
    await cem.page.reload()
    await expect(cem.heading("This is the hosts’ page")).to_be_visible()

    await ann.press("Withdraw")
    await ann.page.get_by_role("alertdialog").get_by_role("button", name="Withdraw").click()
    await expect(ann.page.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    await ann.press("Come back")
    await expect(ann.page.get_by_role("heading", name="You are in", exact=True)).to_be_visible()


async def test_pages_of_tournaments_have_no_fault_that_axe_finds_and_fit_every_screen(meet: Meet) -> None:
    olga = await meet("Olga", bypass_csp=True)
    examiner, faults = Examiner(olga, BOTH), {}

    async def look(what: str) -> None:
        await olga.page.set_viewport_size({"width": 1280, "height": 800})
        await examiner.look(what)
        for width, height in SIZES:
            await olga.page.set_viewport_size({"width": width, "height": height})
            if found := await lasting(olga, faults_of_page):
                faults[f"{what} at {width} × {height}"] = found

    await olga.open("/t")
    await expect(olga.heading("Tournaments")).to_be_visible()
    await look("list")
    await olga.open("/t/new")
    await expect(olga.heading("Host a tournament")).to_be_visible()
    await olga.page.get_by_text("More options").click()
    await look("form")
    await olga.page.set_viewport_size({"width": 1280, "height": 800})
    code = await make(olga, "Sunday Cup", "Cup", Break_between_rounds="600")
    await bots(olga, 5)
    await olga.press("Change Bot 1 (level 3)")
    await look("console")
    await olga.page.set_viewport_size({"width": 1280, "height": 800})
    await olga.press("Start now")
    await expect(olga.page.get_by_role("heading", name=re.compile("live$"))).to_be_visible(timeout=HEAT_MS)
    await look("console in a round")
    await olga.open(f"/t/{code}")
    await expect(olga.page.get_by_role("heading", name="Bracket")).to_be_visible(timeout=HEAT_MS)
    await look("page of the players")
    assert examiner.found == {}
    assert faults == {}
