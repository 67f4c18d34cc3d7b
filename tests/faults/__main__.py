"""The fault suite in one piece: `python -m tests.faults [--gate] [words for pytest]` (`make faults`).

Most of its tests wait far longer than they work, so several run beside each other. Those that measure what the whole
machine does (`alone`) come after them, one by one. It ends with one table and the time that it took. Exit status 1 when
a promise was broken. `--gate`: the part that `make test` plays.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.faults import table

TOGETHER = ("-n", "4", "--dist", "worksteal")
NOTHING = 5
"""Pytest's status when no test was chosen."""


def main(words: Sequence[str]) -> int:
    """Play it; the exit status."""
    gate = "--gate" in words
    promised_s = 120 if gate else 600
    phases = (("not long", TOGETHER),) if gate else (("not alone", TOGETHER), ("alone", ()))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kupa") as folder:
        file = Path(folder) / "table"
        ends = [play(marks, options, words, file) for marks, options in phases]
        table.told(table.kept(file), print)
    took_s = time.monotonic() - began
    print(f"faults: {minutes(took_s)} minutes; promised on two cores with nothing else to do: {minutes(promised_s)}")
    return 0 if set(ends) <= {0, NOTHING} and 0 in ends else 1


def play(marks: str, options: Sequence[str], words: Sequence[str], file: Path) -> int:
    """One run of tests, its table left to us; its status."""
    command = [sys.executable, "-m", "pytest", "-q", *options, "-m", marks, str(Path(__file__).parent)]
    chosen = [word for word in words if word != "--gate"]
    return subprocess.run([*command, *chosen], env={**os.environ, table.KEPT: str(file)}, check=False).returncode


def minutes(seconds: float) -> str:
    """`9:41`"""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
