"""A soak's table says NO where a promise was broken."""

from __future__ import annotations

import pytest

from tests.soak.figures import Found, rows, slope_mib, table

HELD = {"sockets": 0.0, "sessions": 0.0, "tasks": 13.0, "descriptors": 19.0, "rooms": 0.0, "memory_kib": 90_000.0}


def test_memory_is_measured_by_the_line_through_what_comes_after_the_first_minutes() -> None:
    warming = [(at, 50_000.0 + 100 * at) for at in range(0, 300, 5)]
    steady = [(at, 80_000.0 + at * 2048 / 600) for at in range(300, 1800, 5)]
    assert slope_mib([*warming, *steady]) == pytest.approx(2.0)
    assert slope_mib(warming) is None


def test_a_soak_that_left_nothing_over_holds_everything() -> None:
    assert all(ok for _, _, _, ok in rows(Found(HELD, HELD)))


@pytest.mark.parametrize(
    "found",
    [
        Found(HELD, {**HELD, "tasks": 16.0}),
        Found(HELD, {**HELD, "sockets": 1.0}),
        Found(HELD, {**HELD, "descriptors": 40.0}),
        Found(HELD, {**HELD, "rooms": 1.0}),
        Found(HELD, HELD, samples=[(at, at * 10.0) for at in range(0, 1800, 5)]),
        Found(HELD, HELD, left={"kupa:seat:…": 1}),
        Found(HELD, HELD, audit="one row differs"),
        Found(HELD, HELD, faults=["Guest 1 found no server"]),
        Found(HELD, HELD, errors=["Traceback"]),
    ],
    ids=["task", "connection", "file", "room", "memory", "key", "audit", "person", "error"],
)
def test_each_broken_promise_is_told(found: Found) -> None:
    broken = [line for line in rows(found) if not line[3]]
    assert len(broken) == 1
    assert "NO" in table(rows(found))
