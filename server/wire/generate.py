"""Writes what follows from the messages: `python -m server.wire.generate [--check]`.

PROTOCOL.md is for people, client_web/js/wire.gen.js for the browser. With `--check` nothing is written;
the exit status is 1 when a file is not what it should be, with one line for each.
"""

from __future__ import annotations

import sys
from pathlib import Path

from server.wire import render_js, render_md

ROOT = Path(__file__).resolve().parents[2]


def outputs() -> dict[Path, str]:
    """Each generated file and what belongs in it."""
    return {
        ROOT / "PROTOCOL.md": render_md.render(),
        ROOT / "client_web" / "js" / "wire.gen.js": render_js.render(),
    }


def stale() -> list[Path]:
    """The generated files that are missing or out of date."""
    return [path for path, text in outputs().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


def main(arguments: list[str]) -> int:
    """Exit status: 0 all is well, 1 something is out of date, 2 wrong use."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m server.wire.generate [--check]", file=sys.stderr)
        return 2
    if arguments:
        found = stale()
        for path in found:
            print(f"{path.relative_to(ROOT)} is out of date: run python -m server.wire.generate", file=sys.stderr)
        return 1 if found else 0
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
