"""What is made of a soak's figures: how memory grew, what is left over, and the table of what was promised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

SETTLED_S = 300.0
"""Memory counts from here on: caches are warm then."""
MOST_MIB = 1.0
"""In ten minutes."""
SPARE_DESCRIPTORS = 20
"""A server's pool of connections to the store grows up to this, whoever comes and goes."""
SPARE_TASKS = 2
"""One request that is just being answered, and one timer."""

Held = dict[str, float]


@dataclass(slots=True)
class Found:
    """What a soak found."""

    start: Held
    end: Held
    samples: list[tuple[float, float]] = field(default_factory=list)
    """Seconds and KiB."""
    left: dict[str, int] = field(default_factory=dict)
    audit: str = ""
    faults: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def slope_mib(samples: Sequence[tuple[float, float]], settled_s: float = SETTLED_S) -> float | None:
    """MiB in ten minutes, the straight line through all samples after `settled_s`; None when they are too few."""
    late = [(at, kib) for at, kib in samples if at >= settled_s]
    if len(late) < 3:
        return None
    middle_at = sum(at for at, _ in late) / len(late)
    middle_kib = sum(kib for _, kib in late) / len(late)
    spread = sum((at - middle_at) ** 2 for at, _ in late)
    return sum((at - middle_at) * (kib - middle_kib) for at, kib in late) / spread * 600 / 1024


def rows(found: Found) -> list[tuple[str, str, str, bool]]:
    """Promise, measured, goal, held."""
    slope = slope_mib(found.samples)
    start, end = found.start, found.end
    most_open = start["descriptors"] + SPARE_DESCRIPTORS
    return [
        (
            "memory of the server that lives on",
            "too short to tell" if slope is None else f"{slope:+.2f} MiB in ten minutes",
            f"< {MOST_MIB:.0f} MiB in ten minutes, after the first five",
            slope is None or slope < MOST_MIB,
        ),
        ("connections left", f"{end['sockets']:.0f}", "0", end["sockets"] == 0 and end["sessions"] == 0),
        (
            "tasks left", f"{start['tasks']:.0f} → {end['tasks']:.0f}", "as at the start",
            end["tasks"] <= start["tasks"] + SPARE_TASKS,
        ),
        (
            "files and sockets open", f"{start['descriptors']:.0f} → {end['descriptors']:.0f}",
            f"as at the start (+ {SPARE_DESCRIPTORS} spare)", end["descriptors"] <= most_open,
        ),
        ("rooms in memory", f"{end['rooms']:.0f}", "0", end["rooms"] == 0),
        ("keys left over", _listed(found.left), "0", not found.left),
        ("kupa audit", found.audit or "clean", "clean", not found.audit),
        ("what went wrong for people", f"{len(found.faults)}", "0", not found.faults),
        ("errors in logs", f"{len(found.errors)}", "0", not found.errors),
    ]  # fmt: skip


def _listed(left: dict[str, int]) -> str:
    return ", ".join(f"{count} × {kind}" for kind, count in sorted(left.items())) or "0"


def table(lines: Sequence[tuple[str, str, str, bool]]) -> str:
    """As text with aligned columns."""
    head = ("what was promised", "measured", "goal", "ok")
    cells = [head, *((what, got, goal, "yes" if ok else "NO") for what, got, goal, ok in lines)]
    widths = [max(len(row[at]) for row in cells) for at in range(4)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
