"""Alone at the table: whole games by every gesture, saved games, links to deals, and the end."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from playwright.async_api import expect

from engine import view
from engine.board import Board
from engine.deal_code import DealCode, deal
from engine.moves import FOUNDATIONS, STOCK, Move, parse_move
from engine.solver import CERTIFIABLE
from engine.view import View
from tests.e2e.conftest import Meet
from tests.e2e.people import LOST_LINE, Person
from tests.e2e.servers import Served, Way
from tests.e2e.solved import DOUBLE, SINGLE, solution
from tests.e2e.tables import How, Table

TWO_STEPS = {"oneTap": False, "doubleTap": False}


def points(code: str) -> int:
    """What the stored win of a deal is worth to the letter of R6."""
    parsed = DealCode.parse(code)
    board = Board(parsed.ruleset, deal(parsed), ranked=False)
    for move, _ in solution(code):
        board.apply(move, 0)
    left = parsed.ruleset.cards - board.out
    return board.score + left * parsed.ruleset.to_foundation


def start(code: str) -> View:
    """The deal as it lies at first."""
    parsed = DealCode.parse(code)
    return view.own(Board(parsed.ruleset, deal(parsed), ranked=False))


async def settle(person: Person, **settings: object) -> None:
    """Settings of this browser from the next page on."""
    await person.context.add_init_script(f"localStorage.setItem('kupa:settings', {json.dumps(json.dumps(settings))})")


async def sit_down(person: Person, code: str) -> Table:
    """Open a deal by its link; returns the table with its cards."""
    await person.open(f"/d/{code}")
    table = person.table(code[:7])
    await table.dealt()
    await table.shows(start(code))
    return table


async def play(table: Table, code: str, how: How | None) -> None:
    """The whole stored win; `None`: tap the card, then the target (two-step selection)."""
    seen = start(code)
    for move, after in solution(code):
        if how is not None or move.target == 0:
            await table.play(move, how or "tap", seen)
        else:
            await table.tap(table.source(seen, move))
            await table.tap(table.target(seen, move))
        await table.shows(after)
        seen = after


async def reads(person: Person, **stats: str) -> None:
    """Wait until the bar shows these numbers."""
    for name, value in stats.items():
        term = person.page.locator("dl.stats > div", has=person.page.locator("dt", has_text=name))
        await expect(term.locator("dd")).to_have_text(value)


async def won(person: Person, code: str, title: str = "All cards are out!") -> None:
    """The panel of the win, with the points of the stored one."""
    panel = person.page.get_by_role("dialog", name=title)
    await expect(panel).to_be_visible()
    await expect(panel.locator("dt", has_text="Score").locator("xpath=../dd")).to_have_text(f"{points(code):,}")


@pytest.mark.parametrize("how", ["two-step taps", "drag", "keys"])
async def test_a_whole_double_game_is_won(meet: Meet, how: str, figure: Callable[[str, object], None]) -> None:
    ann = await meet("Ann")
    await settle(ann, **TWO_STEPS)
    table = await sit_down(ann, DOUBLE)
    began = time.monotonic()
    gestures: dict[str, How | None] = {"two-step taps": None, "drag": "drag", "keys": "keys"}
    await play(table, DOUBLE, gestures[how])
    figure(f"seconds for {len(solution(DOUBLE))} moves by {how}", f"{time.monotonic() - began:.0f}")
    await won(ann, DOUBLE)
    await reads(ann, Moves=str(len(solution(DOUBLE))))
    await ann.press("Close")
    assert await ann.button("Undo").get_attribute("aria-disabled") == "true"


async def test_a_single_game_completes_itself_card_by_card(meet: Meet) -> None:
    ann = await meet("Ann", reduced_motion="no-preference")
    table = await sit_down(ann, SINGLE)
    await table.board.evaluate(
        """(board) => {
          window.goingOut = 0;
          const look = () => {
            const going = board.getAnimations({ subtree: true }).map((one) => one.effect.getKeyframes())
              .filter(([first]) => 'translate' in first).map(([, leaving]) => leaving.computedOffset);
            window.goingOut = Math.max(window.goingOut, new Set(going).size);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    await play(table, SINGLE, "keys")
    await won(ann, SINGLE)
    assert await ann.page.evaluate("window.goingOut") > 8, "one after another"
    await table.shows(solution(SINGLE)[-1][1])
    await ann.press("Same deal again")
    await table.shows(start(SINGLE))
    await reads(ann, Score="0", Moves="0")


# ---------------------------------------------------------------- moves


async def test_undo_turns_a_card_back_and_takes_its_points(meet: Meet) -> None:
    ann = await meet("Ann")
    code = "DS1-D1N-UNDOABQ"
    table = await sit_down(ann, code)
    await table.play(parse_move("c3>c6"), "drag")
    await reads(ann, Score="5", Moves="1")
    assert (await table.read()).columns[2][0] == 1
    await ann.page.keyboard.press("u")
    await table.shows(start(code))
    await reads(ann, Score="0", Moves="1")


async def test_a_refused_drop_flies_back_and_says_why(meet: Meet) -> None:
    ann = await meet("Ann", locale="tr-TR")
    await ann.open("/d/DS1-D1N-SEVENOD")
    table = ann.table("DS1-D1N", "tr")
    await table.dealt()
    await table.play(parse_move("c1>c2"), "drag")
    seen = await table.read()
    await table.play(parse_move("c4>c1"), "drag", seen)
    await ann.hears("Boş sütuna yalnız papaz konur")
    await table.shows(seen)
    await table.play(parse_move("c2>c8"), "drag", seen)
    await ann.hears("Zıt renkte ve bir büyük kartın üstüne konur")


async def test_vegas_counts_dollars_and_its_stock_comes_once(meet: Meet) -> None:
    ann = await meet("Ann")
    table = await sit_down(ann, "DS1-D3V-VEGASAB")
    await reads(ann, Score="-$104")
    for _ in range(21):
        await ann.page.keyboard.press("Space")
    await ann.hears("The stock is used up: in Vegas it comes only once")
    assert (await table.read()).stock == 0


# ---------------------------------------------------------------- saved games


async def test_a_game_is_there_after_a_reload_and_on_the_first_page(meet: Meet) -> None:
    ann = await meet("Ann")
    table = await sit_down(ann, DOUBLE)
    seen = start(DOUBLE)
    for move, after in solution(DOUBLE)[:4]:
        await table.play(move, "keys", seen)
        seen = after
    await reads(ann, Moves="4")
    score = await ann.stat("Score")
    await ann.page.reload()
    await table.shows(seen)
    await reads(ann, Score=score, Moves="4")
    await ann.open()
    await ann.press("Resume Double · Draw 1", "link")
    await table.shows(seen)


@pytest_asyncio.fixture(loop_scope="session")
async def way(served: Served) -> AsyncIterator[Way]:
    """A way to the session's server that can be cut."""
    one = Way(served.port)
    await one.start()
    yield one
    await one.close()


async def test_a_game_goes_on_when_the_line_comes_back(meet: Meet, way: Way) -> None:
    ann = await meet("Ann", url=way.address)
    ann.expects(LOST_LINE)
    table = await sit_down(ann, DOUBLE)
    (first, after), (second, last) = solution(DOUBLE)[:2]
    await table.play(first, "drag")
    await table.shows(after)
    way.cut()
    await ann.hears("Connection lost. Your game is saved")
    await table.play(second, "drag", after)
    way.lead(way.port)
    await expect(ann.page.get_by_role("main").get_by_text("Connection lost")).to_be_hidden()
    await table.shows(last)
    await ann.page.reload()
    await table.shows(last)


async def test_a_lost_connection_is_said_before_the_line_is_given_up_and_goes_with_the_answer(
    meet: Meet, way: Way
) -> None:
    ann = await meet("Ann", url=way.address)
    ann.expects(LOST_LINE)
    await sit_down(ann, DOUBLE)
    lost = ann.page.get_by_role("main").get_by_text("Connection lost")
    way.hold()
    await ann.page.keyboard.press("Space")
    await expect(lost).to_be_visible(timeout=6000)
    await expect(ann.page.get_by_text("saving…")).to_be_hidden()
    way.go_on()
    await expect(lost).to_be_hidden()
    await ann.hears("Connected again")
    await expect(ann.page.get_by_role("alert")).to_have_text("")


async def test_a_device_without_network_says_so_at_once(meet: Meet, way: Way) -> None:
    ann = await meet("Ann", url=way.address)
    ann.expects(LOST_LINE)
    ann.expects("ERR_INTERNET_DISCONNECTED")
    await sit_down(ann, DOUBLE)
    lost = ann.page.get_by_role("main").get_by_text("Connection lost")
    await ann.context.set_offline(True)
    await expect(lost).to_be_visible(timeout=6000)
    await ann.context.set_offline(False)
    await expect(lost).to_be_hidden()


async def test_the_newer_tab_takes_over_and_the_older_one_says_so_at_once(meet: Meet) -> None:
    ann = await meet("Ann")
    await sit_down(ann, DOUBLE)
    older = ann.page
    await ann.tab()
    await ann.open(f"/solo/{DOUBLE[:7]}")
    table = ann.table()
    move, after = solution(DOUBLE)[0]
    await table.shows(start(DOUBLE))
    await expect(older.get_by_role("heading", name="Opened elsewhere")).to_be_visible()
    await table.play(move, "drag")
    await table.shows(after)
    behind = Table(older, DOUBLE[:7])
    await older.get_by_role("button", name="Take back here").click()
    await behind.shows(after)


async def test_each_way_of_drawing_has_its_own_saved_game(meet: Meet) -> None:
    ann = await meet("Ann")
    table = await sit_down(ann, SINGLE)
    move, after = solution(SINGLE)[0]
    await table.play(move, "keys")
    await table.shows(after)
    await ann.open("/solo")
    await ann.page.locator("label", has_text="Single").first.click()
    await expect(ann.page.get_by_text(re.compile(r"You have a saved game here: .*1 move\."))).to_be_visible()
    await ann.page.locator("label", has_text="Three (hard)").click()
    await expect(ann.page.get_by_text("You have a saved game here")).to_be_hidden()
    await ann.press("Deal")
    three = ann.table("SS1-D3N")
    await three.dealt()
    await ann.open("/solo/SS1-D1N")
    await table.shows(after)


# ---------------------------------------------------------------- codes


async def test_a_code_is_forgiven_its_form_and_an_error_names_what_is_wrong(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/solo")
    field = ann.page.get_by_label("Or a deal code")
    await field.fill("ds1-d1n-rqp!arr")
    await ann.hears("“!” cannot be in a deal code")
    await expect(ann.button("Deal")).to_be_disabled()
    await field.fill(" ds1 dın  rqp-rarr ")
    await ann.hears("Given code: whether it can be won")
    await field.press("Enter")
    await ann.table().shows(start(DOUBLE))
    await expect(ann.button(DOUBLE)).to_be_visible()


async def test_a_link_asks_before_it_replaces_a_saved_game(meet: Meet) -> None:
    ann = await meet("Ann")
    table = await sit_down(ann, DOUBLE)
    move, after = solution(DOUBLE)[0]
    await table.play(move, "drag")
    await table.shows(after)
    other = "DS1-D1N-UNDOABQ"
    await ann.open(f"/d/{other}")
    await expect(ann.heading("Open this deal?")).to_be_visible()
    await ann.press("Keep my game", "link")
    await table.shows(after)
    await ann.open(f"/d/{other.lower()}")
    await ann.press("Open the deal")
    await table.shows(start(other))
    await expect(ann.page).to_have_url(re.compile(r"/solo/DS1-D1N$"))


async def test_another_deal_and_the_same_one_from_the_start(meet: Meet) -> None:
    ann = await meet("Ann", permissions=["clipboard-read", "clipboard-write"])
    table = await sit_down(ann, SINGLE)
    move, after = solution(SINGLE)[0]
    await table.play(move, "keys")
    await table.shows(after)
    await ann.press("New")
    await ann.press("This deal from the start")
    await table.shows(start(SINGLE))
    await ann.press("New")
    await ann.press("Another deal")
    await expect(ann.button(SINGLE)).to_be_hidden()
    await ann.press("Share")
    await ann.press("Copy link")
    link = await ann.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{re.escape(ann.url)}/d/SS1-D1N-[A-Z2-7]{{7}}", link)


def test_the_stored_wins_are_made_of_moves_that_gestures_can_make() -> None:
    """What these tests play has runs, waste cards and foundations in it."""
    moves: list[Move] = [move for move, _ in solution(DOUBLE)]
    assert any(move.count > 1 for move in moves)
    assert sum(move.target == FOUNDATIONS for move in moves) == 104


# ---------------------------------------------------------------- deals that can be won


async def test_a_deal_that_can_be_won_is_dealt_where_there_are_such_and_says_so(meet: Meet) -> None:
    ann = await meet("Ann")
    await ann.open("/solo")
    switch = ann.page.get_by_role("switch", name="Only deals that can be won")

    async def choose(group: str, label: str) -> None:
        choices = ann.page.get_by_role("group", name=group, exact=True)
        await choices.locator("label", has=ann.page.get_by_role("radio", name=label)).click()

    for draw, letter in (("One (easy)", "1"), ("Three (hard)", "3")):
        for scoring, mark in (("Normal", "N"), ("Vegas", "V")):
            await choose("Cards per draw", draw)
            await choose("Scoring", scoring)
            await expect(switch).to_be_enabled(enabled=f"DS1-D{letter}{mark}" in CERTIFIABLE)
    await expect(ann.page.get_by_text("Not for this game: too few of its deals")).to_be_visible()

    await choose("Cards per draw", "One (easy)")
    await choose("Scoring", "Normal")
    await switch.check(force=True)
    await ann.press("Deal")
    table = ann.table()
    await table.dealt(within_s=90)
    await ann.press("Share")
    sheet = ann.page.get_by_role("dialog")
    await expect(sheet.get_by_text("Certified: it can be won")).to_be_visible()
    await expect(sheet.get_by_text(re.compile(r"^DS1-D1N-[A-Z2-7]{7}-[A-Z2-7]{7}$"))).to_be_visible()


# ---------------------------------------------------------------- in a hurry


async def test_twenty_clicks_in_a_third_of_a_second_are_twenty_moves(
    meet: Meet, figure: Callable[[str, object], None]
) -> None:
    ann = await meet("Ann")
    await ann.open("/d/DS1-D1N-AAAAAAB")
    table = ann.table()
    seen = await table.dealt()
    [(x, y)] = await table.spots(table.name(seen, STOCK))
    begun = time.monotonic()
    await ann.page.mouse.click(x, y, click_count=20)
    figure("ms for twenty clicks", round(1000 * (time.monotonic() - begun)))
    assert (await table.read()).stock == seen.stock - 20
    await expect(ann.page.locator("dl.stats > div", has_text="Moves").locator("dd")).to_have_text("20")
    await ann.page.reload()
    assert (await table.dealt()).stock == seen.stock - 20
