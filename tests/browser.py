"""Which browser the end-to-end tests drive.

What lives here: the one place that looks for a Chromium, asked by the tests and by scripts/setup
(`python -m tests.browser` exits 0 when Playwright can drive it). What does not: how pages are driven.
"""

from __future__ import annotations

import os
import shutil
import sys

from playwright.sync_api import Error, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync")
"""The pages under test are our own, the user may be root, and nothing but loopback is spoken to."""


def chromium() -> str | None:
    """Path of the machine's own Chromium (`KUPA_TEST_CHROMIUM` names another); None: Playwright's own."""
    return os.environ.get("KUPA_TEST_CHROMIUM") or next((path for path in map(shutil.which, NAMES) if path), None)


def main() -> int:
    """0 when a page can be opened, else 1 with what was said instead."""
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            browser.new_page().goto("about:blank")
            browser.close()
    except Error as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
