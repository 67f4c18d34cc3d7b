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

from engine.moves import Kind
from tests.browser import ARGUMENTS, chromium
from tests.e2e.people import PHONE
from tests.e2e.servers import ROOT, Served, Way
from tests.e2e.solved import SINGLE, solution
from tests.e2e.tables import Table
from tests.e2e.words import words
from tests.wire_client import WireClient

LEAST_SCORE = 95
FIRST_PAINT_MS = 1000
FRAME_MS = 1000 / 60
SHOWN = (5, 13, 31)
"""Moves of the stored game whose frames are counted, its last one besides."""
SLOWER = 4
"""Times: how much the processor is throttled while frames are counted."""
LEAST_SMOOTH = 0.95
"""Share of the frames of an animation that must come in time."""
FOUR_G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
"""The throttled 4G of Lighthouse: 150 ms there and back, 1.6 Mbit/s down, 750 kbit/s up."""
PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') done(startTime);
}).observe({ type: 'paint', buffered: true }))"""
FRAMES = """() => {
  const times = [];
  const tick = (now) => { times.push(now); window.framesRun = requestAnimationFrame(tick); };
  window.framesRun = requestAnimationFrame(tick);
  window.framesStop = () => { cancelAnimationFrame(window.framesRun); return times; };
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
    """When something can first be used, with nothing kept, on a throttled line."""
    rows = []
    for path in ("/", "/solo", "/daily"):
        page = await phone(browser)
        session = await page.context.new_cdp_session(page)
        await session.send("Network.enable")
        await session.send("Network.emulateNetworkConditions", FOUR_G)
        await page.goto(served.url + path)
        first = await page.evaluate(PAINT)
        await page.get_by_role("heading", level=1).wait_for()
        usable = await page.evaluate("performance.now()")
        await page.context.close()
        figure = f"{first:.0f} ms, its heading by {usable:.0f} ms"
        good = path != "/" or first < FIRST_PAINT_MS
        rows.append((f"first paint of {path}", figure, f"of the first page < {FIRST_PAINT_MS} ms", good))
    return rows


# ---------------------------------------------------------------- frames


async def frames(browser: Browser, served: Served) -> list[Row]:
    """Whether dealing, moving and winning keep up with the screen on a slow processor."""
    page = await phone(browser, reduced_motion="no-preference")
    session = await page.context.new_cdp_session(page)
    await page.goto(f"{served.url}/d/{SINGLE}")
    table = Table(page, SINGLE[:7])
    rows = []

    async def counted(name: str, doing: Callable[[], Awaitable[object]]) -> None:
        await page.evaluate(FRAMES)
        await doing()
        await table.still()
        rows.append(smooth(name, await page.evaluate("window.framesStop()"), able))

    await table.dealt()
    await table.still()
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.evaluate(FRAMES)
    await page.wait_for_timeout(1000)
    came, wanted, _ = share(await page.evaluate("window.framesStop()"))
    able = came / wanted
    await page.locator("[data-tool=new]").click()
    again = page.get_by_role("button", name=words()("solo.restart"))
    await again.wait_for()
    await counted("dealing", again.click)
    seen = await table.read()
    for number, (move, after) in enumerate(solution(SINGLE), 1):
        play = partial(table.play, move, "drag" if move.kind == Kind.TRANSFER and number in SHOWN else "keys", seen)
        if number in SHOWN or after.ended:
            await counted("completing and winning" if after.ended else f"move {number}", play)
        else:
            await play()
        if not after.ended:
            await table.shows(after)
        seen = after
    await page.context.close()
    return rows


def share(times: list[float]) -> tuple[int, int, float]:
    """How many frames came, how many a screen of 60 a second would have shown, and the longest gap in ms."""
    gaps = [later - sooner for sooner, later in pairwise(times)]
    return len(gaps), sum(max(1, round(gap / FRAME_MS)) for gap in gaps), max(gaps, default=0.0)


def smooth(name: str, times: list[float], able: float) -> Row:
    """Held against `able`, the share of frames that come on this machine when nothing happens."""
    came, wanted, longest = share(times)
    figure = f"{came} of {wanted} frames, the longest {longest:.0f} ms"
    least = LEAST_SMOOTH * able
    return (f"frames of {name}, processor / {SLOWER}", figure, f"≥ {least:.0%}", came >= least * wanted)


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
