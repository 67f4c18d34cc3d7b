"""Settings of docker-compose.yml: `.env.example` is the source, HOSTING.md shows it as a table.

`python -m tests.compose.variables` prints the table; `--check` compares it and what the compose files read,
`--write` renews it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / ".env.example"
HOSTING = ROOT / "HOSTING.md"
COMPOSE = (ROOT / "docker-compose.yml", ROOT / "deploy/several.yml")
MARKERS = ("<!-- variables: python -m tests.compose.variables --write -->", "<!-- /variables -->")
_LINE = re.compile(r"#([A-Z_]+)=(.*)")
_READ = re.compile(r"(?<!\$)\$\{([A-Z_]+):-([^}]*)\}")


def variables() -> dict[str, tuple[str, str]]:
    """Name → (default, meaning), in the order of the file."""
    found: dict[str, tuple[str, str]] = {}
    meaning: list[str] = []
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        setting = _LINE.fullmatch(line)
        if setting:
            found[setting[1]] = (setting[2], " ".join(meaning))
        meaning = [*meaning, line[2:]] if line.startswith("# ") else []
    return found


def table() -> str:
    """The settings as a Markdown table."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for name, (default, meaning) in variables().items():
        rows.append(f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |")
    return "\n".join(rows)


def renewed(page: str) -> str:
    """HOSTING.md with its table renewed."""
    before, _, rest = page.partition(MARKERS[0])
    return f"{before}{MARKERS[0]}\n{table()}\n{MARKERS[1]}{rest.partition(MARKERS[1])[2]}"


def faults() -> list[str]:
    """What does not agree, one line each."""
    known = {name: default for name, (default, _) in variables().items()}
    read = {pair for file in COMPOSE for pair in _READ.findall(file.read_text(encoding="utf-8"))}
    found = [f"{name}={default}: .env.example says {known.get(name)!r}" for name, default in read - known.items()]
    found += [f"{name}: no compose file reads it" for name in known.keys() - {name for name, _ in read}]
    page = HOSTING.read_text(encoding="utf-8")
    if not all(marker in page for marker in MARKERS):
        found.append(f"HOSTING.md has no place for the table: {MARKERS[0]} … {MARKERS[1]}")
    elif page != renewed(page):
        found.append("HOSTING.md: the table of variables is out of date; run `make generate`")
    return found


def main(arguments: list[str]) -> int:
    """1: something does not agree."""
    if arguments == ["--write"]:
        HOSTING.write_text(renewed(HOSTING.read_text(encoding="utf-8")), encoding="utf-8")
    elif arguments == ["--check"]:
        for fault in faults():
            print(fault, file=sys.stderr)
        return 1 if faults() else 0
    else:
        print(table())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
