"""The table that the fault suite ends with: what was promised and what was measured, a line for each cell.

Lives here: its lines, from one run of tests or several. Lives elsewhere: what is in them (`record_property("cell", …)`
of each test).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

Line = tuple[str, ...]
HEAD = ("row", "moment", "what", "promised", "measured", "ok")
KEPT = "KUPA_TEST_FAULTS_TABLE"
"""A file for the lines, where they are printed by somebody else (__main__)."""


def of_run(reporter: Any) -> Iterator[Line]:
    """One line for each cell that was played, passed or not."""
    for outcome in ("passed", "failed"):
        for report in reporter.stats.get(outcome, ()):
            told = dict(getattr(report, "user_properties", ()))
            if getattr(report, "when", "") == "call" and "cell" in told:
                yield (*told["cell"], "ok" if report.passed else "FAILED")


def keep(lines: Iterable[Line], file: Path) -> None:
    """Add these to the file."""
    with file.open("a", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)


def kept(file: Path) -> list[Line]:
    """What the file holds; nothing if it is not there."""
    if not file.exists():
        return []
    return [tuple(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def told(lines: Iterable[Line], say: Callable[[str], object]) -> None:
    """Say the table; nothing where there is no line."""
    rows = sorted(lines, key=_order)
    if not rows:
        return
    widths = [max(len(line[at]) for line in (HEAD, *rows)) for at in range(len(HEAD))]
    for line in (HEAD, *rows):
        say("  ".join(f"{word:{width}}" for word, width in zip(line, widths, strict=True)))


def where_kept() -> Path | None:
    """The file for the lines of this run, if somebody else prints them."""
    name = os.environ.get(KEPT)
    return Path(name) if name else None


def _order(line: Line) -> tuple[int, str, str]:
    number = "".join(letter for letter in line[0] if letter.isdigit())
    return int(number or 0), line[0], line[1]
