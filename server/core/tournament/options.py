"""What a host may choose for a tournament (product P7).

What lives here: the check of `TournamentOptions` beyond their types, and the room options of its heats. What
does not: what a format asks of them (`server.core.formats`).
"""

from __future__ import annotations

import msgspec

from engine.ruleset import RULESETS
from engine.solver import CERTIFIABLE
from server.core.formats import FORMATS
from server.core.machine import Refusal, RefusalCode
from server.core.names import checked_name
from server.core.options import GOALS, MINUTES, UNDO
from server.wire.messages import RoomOptions, TournamentOptions

NAME_LETTERS = 40
POINTS = ("place", "score")


def checked(options: TournamentOptions) -> TournamentOptions | Refusal:
    """The options with their name as it is shown; `name` for one that may not be, `bad_options`."""
    name = checked_name(options.name, NAME_LETTERS)
    if name is None:
        return Refusal(RefusalCode.NAME)
    form = FORMATS.get(options.format)
    sound = (
        form is not None
        and options.ruleset in RULESETS
        and options.goal in GOALS
        and options.minutes in MINUTES
        and options.undo in UNDO
        and options.points in POINTS
        and form.sound(options)
        and (form.late_entry or options.late_round == 0)
    )
    return msgspec.structs.replace(options, name=name) if sound else Refusal(RefusalCode.BAD_OPTIONS)


def room_options(options: TournamentOptions, seats: int) -> RoomOptions:
    """The room of one heat; its deals are certified where there are such."""
    return RoomOptions(
        ruleset=options.ruleset, goal=options.goal, minutes=options.minutes, seats=seats, undo=options.undo,
        hints=options.hints, public=False, best_of=1, certified=options.ruleset in CERTIFIABLE,
    )  # fmt: skip
