"""Figures of a load run: latencies exactly, not in buckets; CPU and memory from the system's own accounts."""

from __future__ import annotations

import json
import os
from array import array
from dataclasses import asdict, dataclass, field
from pathlib import Path

from server.config import FIELDS
from server.plural import number_of

PERCENTILES = (50, 90, 99, 99.9)
OF_PROCESSES = ("server_cpu_us_per_move", "server_cpu_share", "server_memory_kib", "arrival_cpu_us")
"""Figures that only the server's processes tell."""
OF_MOVES = ("server_cpu_us_per_move", "bytes_per_move", "own_bytes_per_move", "rival_bytes_per_move")
"""Figures of one move."""
MOVES_EACH = int(FIELDS["moves"].default)
"""Moves a second that a server lets one connection make, unless it is told otherwise; it does not tell how many."""
NEAR = 0.05
"""So much beside it is still that limit."""
TICKS = os.sysconf("SC_CLK_TCK")


def percentile(sorted_values: array[float], per_cent: float) -> float:
    """The value that `per_cent` of the values do not exceed; 0 when there are none."""
    if not sorted_values:
        return 0.0
    index = min(len(sorted_values) - 1, int(len(sorted_values) * per_cent / 100))
    return sorted_values[index]


def cpu_s(pid: int) -> float:
    """CPU seconds that a process has used, user and system. OSError when it is gone."""
    tasks = list(Path(f"/proc/{pid}/task").glob("*/schedstat"))
    if tasks:  # in nanoseconds; the other account counts in ticks
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_kib(pid: int) -> int:
    """Resident memory of a process. OSError when it is gone."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


@dataclass(slots=True)
class Report:
    """What a run found."""

    mode: str
    players: int
    rooms: int
    seconds: float
    moves: int
    """Answered within the measured time."""
    denied: int
    lost: int
    """Connections that the server closed."""
    offered_per_s: float
    """Open loop: moves that were due; closed loop: 0."""
    bytes_per_move: float = 0.0
    """Bytes to all clients, for each move."""
    latency_ms: dict[str, float] = field(default_factory=dict)
    """From when the move was due (open loop) or sent, to its answer."""
    server_cpu_us_per_move: float = 0.0
    server_cpu_share: float = 0.0
    """Of one core."""
    generator_cpu_share: float = 0.0
    server_memory_kib: int = 0
    own_bytes_per_move: float = 0.0
    """Bytes of the answer to an own move."""
    rival_bytes_per_move: float = 0.0
    """Bytes to one client for each move of one rival."""
    arrivals_per_s: float = 0.0
    """Connections that were opened, said hello, and were seated in a room with its snapshot."""
    arrival_cpu_us: float = 0.0
    """Of the server, for each of them."""
    processes: int = 0
    """Those of the server that were looked at; 0: nothing is known of its CPU and memory."""

    @property
    def moves_per_s(self) -> float:
        """Answered moves a second."""
        return self.moves / self.seconds if self.seconds else 0.0

    @property
    def at_moves_limit(self) -> bool:
        """Each player came to just what a server lets through by default: that was measured, and no peak of it."""
        if not self.moves or self.moves_per_s * (1 + NEAR) > self.offered_per_s > 0:
            return False
        return abs(self.moves_per_s / self.players - MOVES_EACH) <= MOVES_EACH * NEAR

    def as_json(self) -> str:
        """For programs. A figure that was not measured is not there."""
        unknown = {*(OF_PROCESSES if not self.processes else ()), *(OF_MOVES if not self.moves else ())}
        found = {name: value for name, value in asdict(self).items() if name not in unknown}
        told = {"moves_per_s": round(self.moves_per_s, 1), "at_moves_limit": self.at_moves_limit}
        return json.dumps({**found, **told})

    def lines(self) -> list[str]:
        """For people."""
        people = f"{number_of(self.players, 'player')} in {number_of(self.rooms, 'room')}"
        found = [f"{self.mode} loop, {people}, {self.seconds:.1f} s"]
        if self.moves:
            latency = ", ".join(f"p{name} {value:.1f}" for name, value in self.latency_ms.items())
            offered = f" of {self.offered_per_s:,.0f}" if self.offered_per_s else ""
            found += [
                f"moves a second  {self.moves_per_s:,.0f}{offered}",
                f"answer, ms      {latency}",
                f"bytes a move    {self.bytes_per_move:.1f} to all clients together",
            ]
        if self.at_moves_limit:
            found.append(
                f"limit           {MOVES_EACH} moves a second of each player are what KUPA_MOVES lets through unless "
                "it is set: this is no peak of the server; raise it there to find one"
            )
        if self.arrivals_per_s:
            cpu = f", {self.arrival_cpu_us:.0f} µs CPU each" if self.processes else ""
            found.append(f"arrivals        {self.arrivals_per_s:,.0f} a second{cpu}")
        found.append(f"refused, lost   {self.denied}, {self.lost}")
        if self.processes:
            cpu = f"{self.server_cpu_us_per_move:.1f} µs CPU a move, " if self.moves else ""
            found.append(
                f"server          {cpu}{self.server_cpu_share:.0%} of a core, {self.server_memory_kib / 1024:.0f} MiB"
            )
        found.append(f"generator       {self.generator_cpu_share:.0%} of a core")
        return found


def summarised(values: array[float]) -> dict[str, float]:
    """Percentiles by name, in the unit of the values."""
    ordered = array("d", sorted(values))
    return {f"{name:g}": round(percentile(ordered, name), 3) for name in PERCENTILES}
