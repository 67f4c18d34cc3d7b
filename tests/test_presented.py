"""Counting the frames of an animation in a trace: what somebody sees, not what the page was asked for."""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.presented import Event, shown

CARD = "DIV class='card"
ALL, PARTIAL, DROPPED, NONE = "PRESENTED_ALL", "PRESENTED_PARTIAL", "DROPPED", "NO_UPDATE_DESIRED"


def animation(name: str, *, node: str = f"{CARD} is-moving'", failed: int = 0) -> list[Event]:
    """From 1,000 µs to 100,000 µs."""

    def event(ph: str, ts: int, data: dict[str, Any]) -> Event:
        return {"name": "Animation", "ph": ph, "ts": ts, "id2": {"local": name}, "args": {"data": data} if data else {}}

    first = event("b", 1_000, {"nodeName": node, "state": "running"})
    return [first, event("n", 1_500, {"state": "running", "compositeFailed": failed}), event("e", 100_000, {})]


def refreshes(*states: str, compositor: bool = True, main: bool = False) -> list[Event]:
    """One after another from 2,000 µs on; an empty state: the refresh was never begun."""
    found = []
    for number, ts, state in zip(count(7), count(2_000, 1_000), states, strict=False):
        report = {
            "frame_sequence": number, "state": f"STATE_{state}",
            "has_compositor_animation": compositor, "has_main_animation": main,
        }  # fmt: skip
        if state:
            found.append({"name": "PipelineReporter", "ph": "b", "ts": ts, "args": {"frame_reporter": report}})
    return found


def counted(*events: list[Event]) -> tuple[int, int, int]:
    found = shown([one for some in events for one in some], CARD)
    return found.came, found.wanted, found.longest


def test_what_the_compositor_alone_has_moved_on_is_seen_as_well() -> None:
    assert counted(animation("a"), refreshes(ALL, PARTIAL, ALL, PARTIAL)) == (4, 4, 1)


def test_what_only_the_page_moves_on_is_not_seen_until_the_page_has_done_it() -> None:
    assert counted(animation("a"), refreshes(PARTIAL, ALL, compositor=False, main=True)) == (1, 2, 2)


def test_a_dropped_refresh_and_one_that_was_never_begun_are_missed() -> None:
    assert counted(animation("a"), refreshes(ALL, DROPPED, "", ALL)) == (2, 4, 3)


def test_a_refresh_without_a_next_picture_is_not_asked_for() -> None:
    assert counted(animation("a"), refreshes(ALL, NONE, NONE, ALL)) == (2, 2, 1)


def test_two_reports_of_one_refresh_are_one_refresh() -> None:
    both = refreshes(DROPPED, ALL) + refreshes(ALL, ALL)
    assert counted(animation("a"), both) == (2, 2, 1)


def test_only_the_time_counts_in_which_cards_move() -> None:
    late = [event | {"ts": event["ts"] + 200_000} for event in refreshes(DROPPED, DROPPED)]
    assert counted(animation("a"), refreshes(ALL), late) == (1, 1, 1)
    assert counted(animation("b", node="BUTTON class='btn'"), refreshes(DROPPED)) == (0, 0, 0)


def test_refreshes_in_which_nothing_is_animated_are_between_two_animations() -> None:
    assert counted(animation("a"), refreshes(DROPPED, DROPPED, compositor=False)) == (0, 0, 0)


def test_animations_that_need_the_page_are_told_apart_from_those_that_nobody_sees() -> None:
    events = animation("a", failed=8) + animation("b", failed=1 << 17) + animation("c", failed=1 << 13 | 1 << 17)
    assert shown(events, CARD).by_page == 2


def test_how_long_the_first_picture_takes_is_told() -> None:
    assert shown(animation("a") + refreshes("", "", ALL), CARD).first_ms == 3.0
