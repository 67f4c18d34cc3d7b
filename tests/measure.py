"""`make measure`: how light and how smooth the browser client is, against what is asked of it; 1 when it falls short.

What lives here: four measures, each against a server of its own start, and the table of what was found. What does
not: tests of what the client does (tests/e2e). `python -m tests.measure [lighthouse] [paint] [frames] [tap]` takes
some of them. A busy machine measures worse than the client is: let it rest meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from engine.moves import COLUMN0, WASTE
from tests.browser import ARGUMENTS, chromium
from tests.e2e.people import PHONE
from tests.e2e.servers import ROOT, Served, Way
from tests.e2e.solved import SINGLE, solution
from tests.e2e.tables import Table
from tests.e2e.words import words
from tests.presented import CATEGORIES, Shown, shown
from tests.wire_client import WireClient

LEAST_SCORE = 95
FIRST_PAINT_MS = 1000
VISITS = 5
FRAME_MS = 1000 / 60
SHOWN = {5: "move 5", 13: "move 13", 31: "move 31"}
"""Moves of the stored game whose frames are counted, its last one besides."""
SLOWER = 4
"""Times: how much the processor is throttled while frames are counted."""
SLOWLY = f", processor / {SLOWER}"
LEAST_SMOOTH = 0.95
"""Share of the frames of an animation that must come in time."""
PAUSE_MS = 700
"""Before something is counted, so that nothing of what was before is left."""
LAST_MS = 4000
"""So long what is counted lasts at most, with the server's answer and the panel of a win."""
FOUR_G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
"""The throttled 4G of Lighthouse: 150 ms there and back, 1.6 Mbit/s down, 750 kbit/s up."""
PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') done(startTime);
}).observe({ type: 'paint', buffered: true }))"""
CARD = "DIV class='card"
"""How Chromium calls what moves on the table."""
CATCH = """() => {
  let [begun, ended] = [0, 0];
  const ticks = [];
  const tick = (now) => { ticks.push(now); run = requestAnimationFrame(tick); };
  let run = requestAnimationFrame(tick);
  const watch = new MutationObserver((changes) => {
    if (!changes.some(({ target }) => target.classList.contains('card'))) return;
    ended = performance.now();
    if (!begun && document.querySelector('.card.is-moving')) begun = ended;
  });
  watch.observe(document.querySelector('[role=application]'), { subtree: true, attributeFilter: ['class'] });
  window.caught = () => {
    cancelAnimationFrame(run);
    watch.disconnect();
    return ticks.filter((now) => now >= begun && now <= ended);
  };
}"""
"""Counts the page's own frames from where the first card sets out to where the last one has arrived."""
STILL_PAGE = """() => {
  document.body.innerHTML = '<p>Nothing happens here but this:</p>';
  const card = document.body.appendChild(document.createElement('div'));
  card.className = 'card';
  card.style.cssText = 'position: absolute; width: 40px; height: 56px; border: 1px solid; will-change: translate';
  card.animate({ translate: ['0 0', '300px 500px'] }, { duration: 2000, fill: 'forwards' });
}"""
TAP = """(name) => new Promise((done) => {
  const start = {};
  const board = document.querySelector('[role=application]');
  const stock = () => [...board.querySelectorAll('[role=button]')][0].getAttribute('aria-label');
  const before = stock();
  board.addEventListener('pointerup', () => {
    start.at = performance.now();
    requestAnimationFrame(() => done({ ms: performance.now() - start.at, moved: stock() !== before }));
  }, { once: true, capture: true });
})"""

Row = tuple[str, str, str, bool]
"""What was measured, the figure, what is asked, whether it is met."""


# ---------------------------------------------------------------- Lighthouse


async def lighthouse(browser: Browser, served: Served) -> list[Row]:
    """Scores of the pages that people come to first."""
    host = WireClient(served.url.replace("http", "ws", 1), "Deniz")
    await host.come()
    code = await host.create(seats=8)
    paths = ("/", "/solo", "/daily", "/rules", "/leaderboards", f"/r/{code}")
    program = ["node", "measure.mjs", chromium() or browser.browser_type.executable_path]
    program += [served.url + path for path in paths]
    run = await asyncio.to_thread(
        subprocess.run, program, cwd=ROOT / "tests" / "lighthouse", capture_output=True, text=True, timeout=600
    )
    await host.go()
    assert run.returncode == 0, run.stderr
    rows = []
    for path, line in zip(paths, run.stdout.splitlines(), strict=True):
        found = json.loads(line)
        scores: dict[str, int] = found["scores"]
        text = " ".join(map(str, scores.values())) + "".join(f"\n    {each}" for each in found["lost"])
        good = not found["error"] and min(scores.values()) >= LEAST_SCORE
        rows.append((f"{' '.join(scores)} of {path}", text + found["error"], f"≥ {LEAST_SCORE}", good))
    return rows


# ---------------------------------------------------------------- first paint


async def paint(browser: Browser, served: Served) -> list[Row]:
    """When something can first be used, with nothing kept, on a throttled line.

    The middle of some visits counts, of the best and the worst one is told as well: a single one is as late as what
    else this machine does in that second.
    """
    rows = []
    for path in ("/", "/solo", "/daily"):
        found = sorted([await visit(browser, served.url + path) for _ in range(VISITS)])
        first, usable = found[len(found) // 2]
        figure = f"{first:.0f} ms, its heading by {usable:.0f} ms ({found[0][0]:.0f} to {found[-1][0]:.0f})"
        rows.append((f"first paint of {path}", figure, f"< {FIRST_PAINT_MS} ms", first < FIRST_PAINT_MS))
    return rows


async def visit(browser: Browser, address: str) -> tuple[float, float]:
    """First paint of this page, and by when its heading was found; ms."""
    page = await phone(browser)
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.emulateNetworkConditions", FOUR_G)
    await page.goto(address)
    first = await page.evaluate(PAINT)
    await page.get_by_role("heading", level=1).wait_for()
    usable = await page.evaluate("performance.now()")
    await page.context.close()
    return first, usable


# ---------------------------------------------------------------- frames


async def frames(browser: Browser, served: Served) -> list[Row]:
    """Whether dealing, moving, returning and winning keep up with the screen on a slow processor.

    What somebody sees is the refreshes of the screen that show the next picture, so these are counted, in a trace
    that nobody reads meanwhile; the page is left alone until all is over. Animation frames of the page
    (`requestAnimationFrame`) are something else: they stop while the page's own thread works, though cards that the
    compositor moves go on, and asking for them makes work that is not there without. They are counted in a second
    game and told beside, without a bar. What comes of one card on an empty page is the most that this machine shows;
    the share that is asked for is a share of that.
    """
    able = await baseline(browser)
    rows = [(f"one card on an empty page{SLOWLY}", told(able), "what is asked for is a share of this", True)]
    for way in (Presented(browser, able), Ticks()):
        rows += await played(browser, served, way)
    # Whoever reads a figure that falls short sees whether the machine was busy with something else by then
    after = told(await baseline(browser))
    return [*rows, (f"one card on an empty page{SLOWLY}, afterwards", after, "told beside, nothing asked", True)]


async def baseline(browser: Browser) -> Shown:
    """What comes of the simplest animation there is."""
    page = await phone(browser)
    session = await page.context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    way = Presented(browser, None)
    await way.begin(page)
    await page.evaluate(STILL_PAGE)
    await page.wait_for_timeout(LAST_MS)
    found = await way.end(page)
    await page.context.close()
    return found


class Presented:
    """Counts refreshes of the screen."""

    def __init__(self, browser: Browser, able: Shown | None) -> None:
        self.browser = browser
        self.least = LEAST_SMOOTH * able.share if able else 0.0

    async def begin(self, page: Page) -> None:
        await self.browser.start_tracing(page=page, categories=CATEGORIES)

    async def end(self, page: Page) -> Shown:
        return shown(json.loads(await self.browser.stop_tracing())["traceEvents"], CARD)

    async def row(self, name: str, page: Page) -> Row:
        found = await self.end(page)
        good = found.share >= self.least and not found.by_page
        wanted = f"≥ {self.least:.1%}, all by the compositor"
        return (f"frames of {name}{SLOWLY}", told(found), wanted, good)


class Ticks:
    """Counts the page's own frames."""

    async def begin(self, page: Page) -> None:
        await page.evaluate(CATCH)

    async def row(self, name: str, page: Page) -> Row:
        times = await page.evaluate("window.caught()")
        gaps = [later - sooner for sooner, later in pairwise(times)]
        wanted = sum(max(1, round(gap / FRAME_MS)) for gap in gaps)
        figure = (
            f"{len(gaps)} of {wanted} ({len(gaps) / max(1, wanted):.1%}), the longest {max(gaps, default=0):.0f} ms"
        )
        return (f"the page's own frames meanwhile, {name}{SLOWLY}", figure, "told beside, nothing asked", True)


async def played(browser: Browser, served: Served, way: Presented | Ticks) -> list[Row]:
    """A game dealt, played and won, its animations counted this way."""
    page = await phone(browser, reduced_motion="no-preference")
    session = await page.context.new_cdp_session(page)
    await page.goto(f"{served.url}/d/{SINGLE}")
    table = Table(page, SINGLE[:7])
    rows = []

    async def counted(name: str, doing: Callable[[], Awaitable[object]]) -> None:
        await page.wait_for_timeout(PAUSE_MS)
        await way.begin(page)
        await doing()
        await page.wait_for_timeout(LAST_MS)
        rows.append(await way.row(name, page))

    await table.dealt()
    await table.still()
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.locator("[data-tool=new]").click()
    again = page.get_by_role("button", name=words()("solo.restart"))
    await again.wait_for()
    await counted("dealing", again.click)
    seen = await table.read()
    await counted("returning", partial(table.drag, table.name(seen, COLUMN0), table.name(seen, WASTE)))
    for number, (move, after) in enumerate(solution(SINGLE), 1):
        # By keys: a card that is dropped on its target has no way left to fly
        play = partial(table.play, move, "keys", seen)
        name = "completing and winning" if after.ended else SHOWN.get(number)
        await (counted(name, play) if name else play())
        if not after.ended:
            await table.shows(after)
        seen = after
    await page.context.close()
    return rows


def told(found: Shown) -> str:
    pace = f"at most {found.longest} refreshes to the next, the first after {found.first_ms:.0f} ms"
    late = f", {found.by_page} parts by the page" if found.by_page else ""
    return f"{found.came} of {found.wanted} ({found.share:.1%}), {pace}{late}"


# ---------------------------------------------------------------- tap


async def tap(browser: Browser, served: Served) -> list[Row]:
    """That a tap shows its move with the next frame, while the server's answer is held up."""
    way = Way(served.port)
    await way.start()
    page = await phone(browser)
    await page.goto(f"{way.address}/d/DS1-D1N-AAAAAAB")
    table = Table(page)
    seen = await table.dealt()
    way.hold()
    waiting = page.evaluate(TAP)
    task = asyncio.ensure_future(waiting)
    await page.wait_for_timeout(100)
    await table.tap(table.name(seen, 0))
    found: dict[str, Any] = await task
    way.go_on()
    await page.context.close()
    await way.close()
    figure = f"{found['ms']:.1f} ms" if found["moved"] else "the move is not shown"
    return [("from a tap to its move, no answer yet", figure, "the next frame", bool(found["moved"]))]


# ---------------------------------------------------------------- all


async def phone(browser: Browser, **options: Any) -> Page:
    """A page of a phone that has never been here."""
    view: dict[str, Any] = {"viewport": {"width": PHONE[0], "height": PHONE[1]}}
    context = await browser.new_context(**view, has_touch=True, is_mobile=True, locale="en-US", **options)
    return await context.new_page()


MEASURES: dict[str, Callable[[Browser, Served], Awaitable[list[Row]]]] = {
    "lighthouse": lighthouse, "paint": paint, "frames": frames, "tap": tap,
}  # fmt: skip


async def measured(names: list[str]) -> list[Row]:
    """The rows of these measures, each told as soon as it is known."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="kupa") as folder, Served(Path(folder)).running() as served:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            for name in names:
                for row in await MEASURES[name](browser, served):
                    print(line(row), flush=True)
                    rows.append(row)
            await browser.close()
    return rows


def line(row: Row) -> str:
    what, figure, wanted, good = row
    return f"{'ok ' if good else 'BAD'} {what}: {figure} ({wanted})"


def main(names: list[str]) -> int:
    """Exit status: 0 all is met, 1 something falls short, 2 wrong use."""
    if unknown := [name for name in names if name not in MEASURES]:
        print(f"no such measure: {' '.join(unknown)}; there are {' '.join(MEASURES)}", file=sys.stderr)
        return 2
    rows = asyncio.run(measured(names or list(MEASURES)))
    return 0 if all(good for _, _, _, good in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
