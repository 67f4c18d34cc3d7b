"""What the fault suite tells at its end: a table of what was promised and what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

HEAD = ("row", "moment", "what", "promised", "measured", "ok")


def lines(reporter: Any) -> Iterator[tuple[str, ...]]:
    """One line for each cell that was played, passed or not."""
    for outcome in ("passed", "failed"):
        for report in reporter.stats.get(outcome, ()):
            told = dict(getattr(report, "user_properties", ()))
            if getattr(report, "when", "") == "call" and "cell" in told:
                yield (*told["cell"], "ok" if report.passed else "FAILED")


def order(line: tuple[str, ...]) -> tuple[int, str, str]:
    number = "".join(letter for letter in line[0] if letter.isdigit())
    return int(number or 0), line[0], line[1]


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """Print the table."""
    rows = sorted(lines(terminalreporter), key=order)
    if not rows:
        return
    widths = [max(len(line[at]) for line in (HEAD, *rows)) for at in range(len(HEAD))]
    terminalreporter.section("faults: promised and measured")
    for line in (HEAD, *rows):
        terminalreporter.write_line("  ".join(f"{word:{width}}" for word, width in zip(line, widths, strict=True)))
