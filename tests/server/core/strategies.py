"""Hypothesis strategies of rooms and heats; those of cards and moves are in `tests.strategies`."""

from __future__ import annotations

import typing
from typing import Any

from hypothesis import strategies as st

from engine.ruleset import RULESETS
from server.core import options
from server.core.events import RoomEvent, SeatGiven, SeatTaken
from server.core.standings import BoardSummary
from server.wire.messages import ResultRow, RoomOptions

instants_ms = st.integers(0, 2**53 - 1)
small = st.integers(0, 3)
"""Few different values, so that there are ties."""

board_summaries = st.builds(
    BoardSummary,
    seat=st.integers(0, 7), ended=st.sampled_from(["won", "resigned", "abandoned", "time_up"]),
    out=small, score=st.integers(-2, 2), moves=small, elapsed_ms=small, out_at_ms=small, score_at_ms=small,
)  # fmt: skip
"""Sealed boards, of which many are equal in something."""

room_options = st.builds(
    RoomOptions,
    ruleset=st.sampled_from(sorted(RULESETS)), goal=st.sampled_from(options.GOALS),
    minutes=st.sampled_from(options.MINUTES), seats=st.integers(1, 8), undo=st.sampled_from(options.UNDO),
    hints=st.booleans(), public=st.booleans(), best_of=st.sampled_from(options.BEST_OF), code=st.just(""),
    match=st.booleans(),
)  # fmt: skip
"""Options that a host may choose, without a given code."""

_TAKEN = st.builds(SeatTaken, *[small, st.text(), st.text(), small, instants_ms])
_ROWS = st.builds(ResultRow, *[small, small, st.text(), small, small, small, instants_ms, st.text(), small])
_FIELDS: dict[Any, st.SearchStrategy[Any]] = {
    int: instants_ms,
    bool: st.booleans(),
    RoomOptions: room_options,
    list[int]: st.lists(instants_ms),
    list[SeatTaken]: st.lists(_TAKEN),
    list[SeatGiven]: st.lists(st.builds(SeatGiven, *[st.text(), st.text(), st.text(), small])),
    list[ResultRow]: st.lists(_ROWS),
}


def _built(kind: type[RoomEvent]) -> st.SearchStrategy[RoomEvent]:
    hints = typing.get_type_hints(kind)
    texts = {name: st.text() for name, hint in hints.items() if getattr(hint, "__supertype__", hint) is str}
    return st.builds(kind, **{name: _FIELDS[hint] for name, hint in hints.items() if hint in _FIELDS}, **texts)


room_events = st.one_of([_built(kind) for kind in typing.get_args(RoomEvent)])
"""Every event of a room's log, with any values that its fields take."""
