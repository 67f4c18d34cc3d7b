"""Which frames of an animation came to the screen, read from a trace of Chromium.

What lives here: what is to be traced, and counting in what was traced. What does not: driving a page (measure).

For each refresh of the screen Chromium notes what became of it (`PipelineReporter`): presented with all that the
page wanted, presented with what the compositor alone has moved on, dropped, or nothing to show. An animation that
runs on the compositor is presented while the page's own thread is still at work; one that needs that thread is not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

CATEGORIES = ["-*", "cc", "benchmark"]
"""As few as tell it: to trace takes time of the threads that are measured."""
PARTIAL = "STATE_PRESENTED_PARTIAL"
Event = dict[str, Any]
NO_MATTER = 1 << 2 | 1 << 17
"""Reasons not to run on the compositor that cost nothing: it has ended, or nothing can be seen of it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a screen showed of an animation."""

    came: int
    """Refreshes that showed the next picture."""
    wanted: int
    """Refreshes from the first of the animation to its last in which there was a next picture."""
    longest: int
    """Most refreshes from one picture to the next; 1 is best, 0: there was no picture."""
    by_page: int
    """Parts of the animation that needed the page's own thread for every picture."""
    first_ms: float
    """From the animation's start by the page to its first picture."""

    @property
    def share(self) -> float:
        return self.came / self.wanted if self.wanted else 0.0


def shown(events: Iterable[Event], of: str) -> Shown:
    """Counts while anything moves whose node is called like `of`, for example `DIV class='card`."""
    found = sorted((event for event in events if event["ph"] in "bne"), key=lambda event: event["ts"])
    begun, ended, by_page = moved([event for event in found if event["name"] == "Animation"], of)
    refreshes: dict[int, list[Event]] = defaultdict(list)
    first = 0.0
    for event in found:
        report = event["args"].get("frame_reporter") if event["name"] == "PipelineReporter" else None
        if report and begun <= event["ts"] <= ended and is_animated(report):
            refreshes[report["frame_sequence"]].append(report)
            first = first or event["ts"]
    return Shown(*count(refreshes), by_page, max(0.0, first - begun) / 1000)


def moved(animations: Iterable[Event], of: str) -> tuple[float, float, int]:
    """When the first began and the last ended, in µs, and how many the compositor did not run."""
    running: set[str] = set()
    begun, ended, by_page = 0.0, 0.0, set()
    for event in animations:
        name, data = event["id2"]["local"], event["args"].get("data", {})
        if event["ph"] == "b" and data.get("nodeName", "").startswith(of):
            running.add(name)
            begun = begun or event["ts"]
        elif name in running and data.get("compositeFailed", 0) & ~NO_MATTER:
            by_page.add(name)
        elif name in running and event["ph"] == "e":
            running.remove(name)
            ended = event["ts"]
    return begun, ended, len(by_page)


def is_animated(report: Event) -> bool:
    return bool(report["has_compositor_animation"] or report["has_main_animation"])


def is_presented(report: Event) -> bool:
    """With what the compositor alone has moved on only if the compositor moves something."""
    state = report["state"]
    return bool(state == "STATE_PRESENTED_ALL" or (state == PARTIAL and report["has_compositor_animation"]))


def count(refreshes: dict[int, list[Event]]) -> tuple[int, int, int]:
    """How many came, how many were wanted, the longest wait; a refresh that is missing in between was wanted too."""
    came = wanted = waited = longest = 0
    for number in range(min(refreshes, default=0), max(refreshes, default=-1) + 1):
        reports = refreshes.get(number, [])
        if reports and all(report["state"] == "STATE_NO_UPDATE_DESIRED" for report in reports):
            continue
        wanted += 1
        waited += 1
        if any(map(is_presented, reports)):
            came += 1
            longest, waited = max(longest, waited), 0
    return came, wanted, max(longest, waited)
