"""`python -m tests.icon`: draws client_web/icon-180.png from icon-maskable.svg, for home screens that take no SVG.

What lives here: having the browser of the tests paint it, with the digest of the drawing as a comment, by which
tests/server/net/test_static.py sees whether it is the present one. What does not: the drawing.
"""

from __future__ import annotations

import hashlib
import zlib

from playwright.sync_api import sync_playwright

from server.config import CLIENT_DIR
from tests.browser import ARGUMENTS, chromium

SIDE = 180
AFTER_HEAD = 8 + 25
"""The signature of a PNG and its first chunk."""


def chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk of a PNG."""
    return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)


def painted(svg: str) -> bytes:
    """The drawing as a PNG."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": SIDE, "height": SIDE})
        page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:{SIDE}px}}</style>{svg}")
        found = page.screenshot()
        browser.close()
    return found


def main() -> None:
    """Write the picture."""
    svg = (CLIENT_DIR / "icon-maskable.svg").read_bytes()
    png = painted(svg.decode())
    note = chunk(b"tEXt", b"Source\0" + hashlib.sha256(svg).hexdigest().encode())
    (CLIENT_DIR / "icon-180.png").write_bytes(png[:AFTER_HEAD] + note + png[AFTER_HEAD:])


if __name__ == "__main__":
    main()
