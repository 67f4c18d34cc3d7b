"""The room machine: its verbs in one place (`machine.Machine`), and what its shell has to ask.

What lives here: names only. `state` has the values, `fold` what events do, `decide` (with `players`,
`hosting`, `settling`) what follows from inputs, `ready`, `endings`, `heat` and `upkeep` what follows
from time, `judging` the result, `projection` what may be shown.
"""

from __future__ import annotations

from server.core.decide import decide
from server.core.endings import Ending, wants_endings
from server.core.fold import apply, fold
from server.core.heat import Heat, Phase, close_due, judge_due
from server.core.hosting import create
from server.core.ready import wants_deal
from server.core.series import create_for
from server.core.settling import bots_racing
from server.core.state import WATCHES, Member, RoomState, Seat
from server.core.upkeep import decide_due, due


def wants_close(state: RoomState, at_ms: int) -> bool:
    """The shell is to run the closing script now: every board has ended, or deadline + 2 s is over."""
    since = close_due(state.heat)
    return since is not None and at_ms >= since


def wants_judging(state: RoomState, at_ms: int) -> bool:
    """The heat is closed: the shell is to replay its boards and to hand in `Judged`."""
    since = judge_due(state.heat)
    return since is not None and at_ms >= since


__all__ = [
    "WATCHES", "Ending", "Heat", "Member", "Phase", "RoomState", "Seat", "apply", "bots_racing", "create", "create_for",
    "decide", "decide_due", "due", "fold", "wants_close", "wants_deal", "wants_endings", "wants_judging",
]  # fmt: skip
