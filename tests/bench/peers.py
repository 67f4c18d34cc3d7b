"""The peers: other servers that play the same scenario, from a folder that is not part of this project.

Lives here: asking the folder's own runner for one round, and reading what it found. The folder has a `bench.py`
whose words are `closed|fixed|slo --rounds 1 --only REGEX --tag TAG`, and which writes one JSON line for each run into
`results/<what><TAG>.jsonl`; its README says how it is set up.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROUND_S = 240


@dataclass(frozen=True, slots=True)
class Peer:
    """One of them."""

    row: str
    """Of the table of what was promised."""
    label: str
    """Its name in the folder."""
    words: str
    goal: float


PEERS = (
    Peer("P1", "colyseus018-msg-node22", "Colyseus 0.18, messages", 2.0),
    Peer("P2", "colyseus018-schema-node22", "Colyseus 0.18, schema patches", 1.1),
    Peer("P3", "node-ws", "node ws, written by hand", 1.5),
    Peer("P4", "ws17-echo-uvloop", "a bare websockets echo on uvloop", 1.2),
    Peer("P5", "c-ceiling", "the C server, one send a frame", 0.6),
)
GROWN = PEERS[-1]
"""Beside P15: what of our growth is the machine's and the kernel's."""
PACED = Peer("P7", "colyseus018-msg-node22-noping", "Colyseus 0.18 without pings", 1.8)


class Folder:
    """The folder of the peers."""

    def __init__(self, folder: Path) -> None:
        """RuntimeError when it is none, or was not set up."""
        self._folder = folder.resolve()
        self._python = self._folder / "ve/bin/python"
        if not (self._folder / "bench.py").exists():
            raise RuntimeError(f"{folder} is no folder of peers: it has no bench.py")
        if not self._python.exists():
            raise RuntimeError(f"the peers in {folder} are not set up; run setup.sh there")

    def closed(self, seconds: float) -> dict[str, float]:
        """One round of the race load: CPU microseconds a move, by label."""
        only = "^(" + "|".join(peer.label for peer in PEERS) + ")$"
        runs = self._run("closed", "--only", only, "--dur", str(seconds))
        return {run["label"]: float(run["srv"]["us_per_move"]) for run in runs if "srv" in run}

    def grown(self, players: int, rate: float, seconds: float) -> float:
        """CPU microseconds a move of GROWN with as many players, at as many moves a second of all together."""
        size = ("--conns", str(players), "--rate", str(rate), "--dur", str(seconds))
        runs = self._run("fixed", "--only", f"^{GROWN.label}$", *size)
        return float(runs[-1]["srv"]["us_per_move"])

    def paced(self) -> float:
        """The highest Poisson rate at which the paced peer answers 99 of 100 moves within 50 ms."""
        runs = self._run("slo", "--only", f"^{PACED.label}$")
        return float(runs[-1]["best50"]) if runs else 0.0

    def _run(self, what: str, *words: str) -> list[dict[str, Any]]:
        tag = f"_kupa{os.getpid()}"
        results = self._folder / f"results/{what}{tag}.jsonl"
        results.unlink(missing_ok=True)
        command = [str(self._python), "bench.py", what, "--rounds", "1", "--tag", tag, *words]
        said = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, timeout=ROUND_S, check=False)
        if said.returncode:
            raise RuntimeError(f"the peers' runner ended with {said.returncode}: {said.stderr[-300:]}")
        lines = results.read_text().splitlines() if results.exists() else []
        results.unlink(missing_ok=True)
        return [json.loads(line) for line in lines]
