"""What was promised of speed and size, and what is measured: `python -m tests.bench` (or `make bench`).

Everything is started here and on this machine alone: our server on one core, its store and the load generator on the
other. `--peers DIR` also runs the servers of other projects in the same rounds, so that ratios can be told
(`peers.py`). `--quick` does less, `--only WORD` measures one group, `--plain` leaves the modules every move goes
through as Python. Exit status 0 whatever the figures are: a busy machine is no fault; the table says which goals were
reached.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.bench import figures
from tests.bench.figures import Effort, Row
from tests.bench.peers import Folder
from tests.bench.place import LIMITS, OTHER_CORE, SERVER_CORE, ahead, compiled


def _groups(folder: Folder | None) -> dict[str, Callable[[Effort], Iterator[Row]]]:
    return {
        "rules": figures.rules,
        "kept": figures.kept,
        "race": partial(figures.race, folder=folder),
        "paced": partial(figures.paced, folder=folder),
        "answers": figures.answers,
        "arrivals": figures.arrivals,
        "workers": figures.workers,
        "rooms": partial(figures.rooms, folder=folder),
        "event": figures.big_heat,
    }


def table(rows: list[Row]) -> str:
    """As text with aligned columns, in the order of the promises."""
    head = ("", "what was promised", "measured", "goal", "ok")
    marks = {True: "yes", False: "NO", None: "–"}
    ordered = sorted(rows, key=lambda row: int(row.name[1:] or 0) if row.name else 99)
    cells = [head, *((row.name, row.what, row.measured, row.goal, marks[row.ok]) for row in ordered)]
    widths = [max(len(line[at]) for line in cells) for at in range(5)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells)


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--peers", type=Path, help="folder of the peers")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--only", nargs="*", default=(), help="groups: " + ", ".join(_groups(None)))
    parser.add_argument("--plain", action="store_true", help="the server as Python, nothing compiled")
    arguments = parser.parse_args()
    effort = figures.QUICK if arguments.quick else figures.FULL
    first = "in front of other work" if ahead() else "beside other work"
    print(f"Python {platform.python_version()}, server on core {SERVER_CORE}, store and load on core {OTHER_CORE},")
    print(f"{first}; load of the machine {os.getloadavg()[0]:.1f}; {effort.rounds} rounds of {effort.seconds:g} s")
    print("the modules every move goes through: " + ("Python" if arguments.plain else "compiled"))
    print("limits: " + " ".join(f"{name}={value}" for name, value in LIMITS.items()))
    rows: list[Row] = []
    try:
        if not arguments.plain:
            compiled()
        groups = _groups(Folder(arguments.peers) if arguments.peers else None)
        for name, measure in groups.items():
            if arguments.only and name not in arguments.only:
                continue
            began = time.monotonic()
            rows += measure(effort)
            print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
