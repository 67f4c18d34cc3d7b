"""Which browser the end-to-end tests drive.

What lives here: the one place that looks for a Chromium, asked by the tests and by scripts/setup
(`python -m tests.browser` exits 0 when one starts). What does not: how pages are driven.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def installed_chromium() -> str | None:
    """Path of the machine's own Chromium (`KUPA_TEST_CHROMIUM` names another one), or None."""
    named = os.environ.get("KUPA_TEST_CHROMIUM")
    if named:
        return named
    return next((path for path in map(shutil.which, NAMES) if path), None)


def downloaded_chromium() -> str | None:
    """Path of the Chromium that `playwright install chromium` left, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def chromium() -> str | None:
    """Path of the Chromium to drive: the machine's own, else Playwright's, else None."""
    return installed_chromium() or downloaded_chromium()


def main() -> int:
    """0 when a Chromium is there and starts, else 1 with one line that says why."""
    path = chromium()
    if path is None:
        print("no Chromium found", file=sys.stderr)
        return 1
    try:
        subprocess.run([path, "--version"], check=True, timeout=30, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"{path} does not start: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
