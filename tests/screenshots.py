"""`make screenshots`: every page in three sizes and both themes, into the ignored folder screenshots/.

What lives here: the way through all pages with a camera. What does not: the table of pages (e2e.places),
judging what is seen; somebody looks at the pictures, beside those of the design. `python -m tests.screenshots
[WORD …]` takes only pages whose name has one of the words in it.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import ARGUMENTS, chromium
from tests.e2e.places import Day, addresses, lived
from tests.e2e.servers import ROOT, Served
from tests.e2e.solved import DOUBLE, SINGLE

FOLDER = ROOT / "screenshots"
SIZES = {"phone": (390, 844), "landscape": (844, 390), "desktop": (1440, 900)}
THEMES = ("light", "dark")
LANGUAGES = {"phone": "tr-TR", "landscape": "id-ID", "desktop": "en-US"}
"""Each size in a language of its own, the longest where it is narrowest."""


class Camera:
    """One browser context with its folder."""

    def __init__(self, browser: Browser, url: str, size: str, theme: str, day: Day, only: list[str]) -> None:
        width, height = SIZES[size]
        phone = size != "desktop"
        self.url = url
        self.day = day
        self.only = only
        self.folder = FOLDER / f"{size}-{theme}"
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, locale=LANGUAGES[size], has_touch=phone, is_mobile=phone,
            color_scheme="dark" if theme == "dark" else "light", device_scale_factor=2 if phone else 1,
            service_workers="block", reduced_motion="reduce",
        )  # fmt: skip
        self.context.add_init_script(
            f"localStorage.setItem('kupa:token', localStorage.getItem('kupa:token') ?? {day.token!r})"
        )
        self.page: Page = self.context.new_page()

    def open(self, path: str) -> None:
        self.page.goto(self.url + path)
        self.page.wait_for_timeout(700)

    def shoot(self, name: str) -> None:
        """Twice: what is seen, and the whole page where it is longer."""
        if self.only and not any(word in name for word in self.only):
            return
        self.page.wait_for_timeout(250)
        self.page.screenshot(path=self.folder / f"{name}.png")
        if self.page.evaluate("document.documentElement.scrollHeight > innerHeight + 8"):
            self.page.screenshot(path=self.folder / f"{name}-whole.png", full_page=True)

    def tool(self, name: str) -> None:
        self.page.locator(f"[data-tool={name}]").click()
        self.page.wait_for_timeout(500)

    def close_sheet(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.wait_for_timeout(200)


def plain_pages(camera: Camera) -> None:
    """Pages that only have to be opened."""
    for name, path in {**addresses(camera.day), "offline": "/offline.html"}.items():
        camera.open(path)
        if name == "example-seven":
            for _ in range(2):
                camera.page.locator(".stepbar .btn").last.click()
        camera.shoot(name)


def alone(camera: Camera) -> None:
    """The table of a game alone, its sheets, the question of a link, and the win."""
    camera.open(f"/solo/{SINGLE[:7]}")
    camera.page.locator("dialog.sheet--won").wait_for()
    camera.shoot("solo-won")
    camera.open(f"/solo/{DOUBLE[:7]}")
    camera.page.locator(".card").first.wait_for()
    camera.shoot("solo-table")
    for tool in ("new", "share", "rules", "settings"):
        camera.tool(tool)
        camera.shoot(f"sheet-{tool}")
        camera.close_sheet()
    camera.tool("hint")
    camera.shoot("solo-hint")
    camera.open("/d/DS1-D1N-AAAAAAB")
    camera.shoot("solo-replace")
    camera.open("/solo")
    camera.shoot("solo-new-saved")


def race(camera: Camera) -> None:
    """From a room through a race against bots to where the others play on."""
    against(camera, 2)
    camera.page.locator(".veil strong").wait_for()
    camera.shoot("countdown")
    camera.page.locator(".card").first.wait_for()
    camera.page.wait_for_timeout(2500)
    camera.shoot("race")
    camera.tool("react")
    camera.shoot("race-react")
    camera.close_sheet()
    camera.tool("resign")
    camera.shoot("race-resign")
    camera.page.locator(".ask .btn--bad").click()
    camera.page.wait_for_timeout(900)
    camera.shoot("race-resigned")


def result(camera: Camera) -> None:
    """A race that is over: against one bot it ends with who resigns."""
    against(camera, 1)
    camera.page.locator(".card").first.wait_for()
    camera.tool("resign")
    camera.page.locator(".ask .btn--bad").click()
    camera.page.locator(".podium").wait_for()
    camera.page.wait_for_timeout(700)
    camera.shoot("result")


def against(camera: Camera, bots: int) -> None:
    """A new room with some bots, and ready."""
    camera.open("/new")
    camera.page.locator("form .go .btn--gold").click()
    camera.page.locator(".seats").wait_for()
    if bots > 1:
        camera.shoot("room")
    for _ in range(bots):
        camera.page.locator(".addbot .btn").click()
        camera.page.wait_for_timeout(300)
    camera.page.locator(".go .btn--gold").click()


@contextmanager
def server() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory(prefix="kupa") as folder,
        Served(Path(folder), KUPA_MOVES="1000").running() as served,
    ):
        yield served.url


def main(only: list[str]) -> int:
    """Take all pictures; returns the exit status."""
    if not only:
        shutil.rmtree(FOLDER, ignore_errors=True)
    views = [(size, theme) for size in SIZES for theme in THEMES]
    with server() as url:
        days = [asyncio.run(lived(url)) for _ in views]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            for (size, theme), day in zip(views, days, strict=True):
                camera = Camera(browser, url, size, theme, day, only)
                for part in (plain_pages, alone, race, result):
                    part(camera)
                camera.context.close()
                print(camera.folder.relative_to(ROOT))
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
