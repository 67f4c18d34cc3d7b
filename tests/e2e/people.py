"""People with a browser: a context of their own, a page, and all that went wrong in it.

What lives here: opening pages, pressing what has a name, what was said aloud, what the browser complained
about. What does not: the table (tables), servers.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, WebSocket, expect

from server.core.heat import COUNTDOWN_MS
from server.wire.messages import COMMANDS, EVENTS
from tests.e2e.tables import Table
from tests.e2e.words import Words, words

LISTEN = """(() => {
  const said = [];
  const last = new WeakMap();
  Object.defineProperty(window, 'saidForTests', { value: said });
  const table = '[role=application]';
  let [pressed, took] = [0, null];
  Object.defineProperty(window, 'tookForTests', { get: () => took });
  for (const name of ['click', 'keydown']) addEventListener(name, () => { pressed = performance.now(); }, true);
  const live = '[role=status],[role=alert],[aria-live]';
  const region = (node) => (node instanceof Element ? node : node.parentElement)?.closest(live);
  const hear = (node) => {
    const text = node?.textContent.replace(/\\u00a0/g, ' ').trim();
    if (!text || last.get(node) === node.textContent) return;
    last.set(node, node.textContent);
    said.push(text);
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      hear(region(target));
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        hear(region(node));
        node.querySelectorAll(live).forEach(hear);
        if (took === null && (node.matches(table) || node.querySelector(table))) took = performance.now() - pressed;
      }
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
})();"""
FOCUS = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node);
  const ring = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  return { ring, name: node.getAttribute('aria-label') ?? node.textContent, tag: node.tagName };
}"""
NAMES = {kind.__struct_config__.tag: kind.__name__ for kind in (*COMMANDS, *EVENTS)}
PATIENCE_MS = 15_000
SLACK_S = 0.5
"""By so much the page's idea of the server's time may be wrong while everything is slow."""
LOST_LINE = (
    r"WebSocket connection to '[^']+' failed|Failed to load resource: net::ERR_|Failed to fetch dynamically imported"
    r"|An unknown error occurred when fetching the script"
)
"""What a browser says when the line breaks, under a socket or a part that is fetched; it is no fault of the page's."""
Size = tuple[int, int]
DESKTOP: Size = (1280, 800)
PHONE: Size = (390, 844)


class Person:
    """Somebody with a browser context of their own."""

    def __init__(self, name: str, url: str, context: BrowserContext) -> None:
        self.name = name
        self.url = url
        self.context = context
        self.problems: list[str] = []
        """What the browser complained about."""
        self.clicks = 0
        self.frames: list[str] = []
        """Names of the frames of all sockets, with seconds, for somebody who looks into a failure."""
        self._expected: list[re.Pattern[str]] = []
        self.pages: list[Page] = []

    @classmethod
    async def arrive(cls, browser: Browser, name: str, url: str, **options: Any) -> Person:
        """Open a context; `options` are those of `Browser.new_context`."""
        given: dict[str, Any] = {"locale": "en-US", "reduced_motion": "reduce"} | options
        context = await browser.new_context(**given)
        context.set_default_timeout(PATIENCE_MS)
        await context.add_init_script(LISTEN)
        person = cls(name, url, context)
        await person.tab()
        return person

    @property
    def page(self) -> Page:
        """The page looked at: the last one opened."""
        return self.pages[-1]

    async def tab(self) -> Page:
        """One more page."""
        page = await self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(f"error on the page: {error}"))
        page.on("websocket", self._follow)
        page.on("crash", lambda _: self.problems.append("the page crashed"))
        self.pages.append(page)
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text} {message.location.get('url', '')}")

    def _follow(self, socket: WebSocket) -> None:
        def note(sign: str) -> Callable[[bytes | str], None]:
            def heard(frame: bytes | str) -> None:
                name = NAMES.get(msgpack.unpackb(frame)[0], "?") if isinstance(frame, bytes) else "text"
                self.frames.append(f"{time.monotonic():.2f} {sign} {name}")

            return heard

        self.frames.append(f"{time.monotonic():.2f} opens {socket.url}")
        socket.on("framereceived", note("<"))
        socket.on("framesent", note(">"))
        socket.on("close", lambda _: self.frames.append(f"{time.monotonic():.2f} closed"))

    def expects(self, pattern: str) -> None:
        """This complaint belongs to what is tested."""
        self._expected.append(re.compile(pattern))

    def complaints(self) -> list[str]:
        """What went wrong and was not expected."""
        return [one for one in self.problems if not any(each.search(one) for each in self._expected)]

    # ------------------------------------------------------------ pages

    async def open(self, path: str = "/") -> None:
        """Type an address."""
        await self.page.goto(self.url + path)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    async def press(self, name: str | re.Pattern[str], role: Any = "button") -> None:
        """One click on what has this name."""
        self.clicks += 1
        await self.page.get_by_role(role, name=name, exact=True).click()

    def heading(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("heading", name=name, level=1)

    def table(self, ruleset: str = "DS1-D1N", lang: str = "en") -> Table:
        return Table(self.page, ruleset, words(lang))

    async def said(self) -> list[str]:
        """Everything that the page had read out since it was loaded."""
        return list(await self.page.evaluate("window.saidForTests"))

    async def hears(self, pattern: str | re.Pattern[str], within_s: float = 10.0) -> str:
        """Wait until something like this is read out; returns it."""
        wanted = re.compile(pattern) if isinstance(pattern, str) else pattern
        until = time.monotonic() + within_s
        while True:
            said = await self.said()
            for text in said:
                if wanted.search(text):
                    return text
            assert time.monotonic() < until, f"{self.name} does not hear {wanted.pattern!r}, only {said}"
            await self.page.wait_for_timeout(50)

    async def hears_countdown(self, players: int) -> float:
        """What is read out before the gun, once the cards lie there; returns seconds from the press to the table.

        Which second is the first depends on how long the table took, and after the gun there is none left to count:
        only then the page may have been silent. Each word in its turn: tests/js/countdown.test.js.
        """
        took = float(await self.page.evaluate("window.tookForTests")) / 1000
        if took < COUNTDOWN_MS / 1000 - SLACK_S:
            await self.hears(rf"^Same cards for all {players}\. Get ready\. [123]$")
            await self.hears(r"^Go!$")
        return took

    async def lanes(self) -> list[str]:
        """The race as a screen reader reads it: one text for each seat, in order of the race."""
        lanes = self.page.get_by_role("list", name=words()("table.race")).locator("li > :not([aria-hidden])")
        return await lanes.all_text_contents()

    async def stat(self, name: str) -> str:
        """A number of the bar, by what stands above it."""
        term = self.page.locator("dl.stats > div", has=self.page.locator("dt", has_text=name))
        return await term.locator("dd").inner_text()

    async def standings(self) -> list[list[str]]:
        """The table of the result: place, player, why, moves."""
        rows = self.page.get_by_role("row").filter(has=self.page.get_by_role("cell"))
        return [await row.get_by_role("cell").all_inner_texts() for row in await rows.all()]

    # ------------------------------------------------------------ ways into a race

    async def rename(self, name: str) -> None:
        """Take another name, by the button that shows the present one."""
        await self.page.get_by_role("banner").locator("button.me").click()
        dialog = self.page.get_by_role("dialog", name="Your name")
        await dialog.get_by_label("Name").fill(name)
        await dialog.get_by_role("button", name="Save").click()
        await expect(dialog).to_be_hidden()
        self.name = name

    async def play_now(self) -> Table:
        """From the first page into a race with bots; returns the table with its cards."""
        await self.open()
        await self.press("Play now")
        table = self.table()
        await table.dealt()
        return table

    async def create_room(self, code: str = "", **choices: str) -> str:
        """Make a room in the form; returns its code.

        `choices`: legend of a field (with _ for a blank) to the label chosen; `code`: a given deal.
        """
        await self.open("/new")
        for legend, label in choices.items():
            group = self.page.get_by_role("group", name=legend.replace("_", " "), exact=True)
            await group.locator("label", has=self.page.get_by_role("radio", name=label, exact=True)).click()
        if code:
            await self.page.get_by_label("A given deal code (optional)").fill(code)
        await self.press("Create the room")
        await expect(self.page).to_have_url(re.compile(r"/r/[A-Z]{5}$"))
        return self.page.url.rpartition("/")[2]

    async def resign(self, say: Words | None = None) -> None:
        """Through the question, to the result."""
        say = say or words()
        await self.press(say("tool.resign"))
        await self.page.get_by_role("alertdialog").get_by_role("button", name=say("resign.yes"), exact=True).click()

    # ------------------------------------------------------------ keyboard

    async def focus(self) -> dict[str, Any] | None:
        """What has the focus: its name, and whether a ring shows it."""
        found: dict[str, Any] | None = await self.page.evaluate(FOCUS)
        return found

    async def tab_to(self, target: Locator, most: int = 60) -> None:
        """Press Tab until `target` has the focus; every stop on the way shows a ring."""
        for _ in range(most):
            await self.page.keyboard.press("Tab")
            at = await self.focus()
            assert at is None or at["ring"], f"no visible focus on {at}"
            if await target.evaluate("(node) => node === document.activeElement"):
                return
        raise AssertionError(f"{target} is not reached with {most} tabs")

    # ------------------------------------------------------------ the end

    def story(self) -> str:
        """What the browser complained about, and what went over its sockets."""
        return "\n".join([self.name, *self.problems, *self.frames[-400:], ""])

    async def picture(self, folder: Path, name: str) -> None:
        """Screenshots of all pages."""
        for number, page in enumerate(self.pages):
            if not page.is_closed():
                await page.screenshot(path=folder / f"{name}-{self.name}-{number}.png", timeout=5000)
