"""What a host may choose for a room (product P2).

What lives here: the check of `RoomOptions` beyond their types. What does not: who may set them and when.
"""

from __future__ import annotations

import msgspec

from engine.deal_code import DealCode, DealCodeError
from engine.ruleset import RULESETS
from engine.solver import CERTIFIABLE
from server.core.machine import Refusal, RefusalCode
from server.wire.messages import RoomOptions

FIRST = "first"
"""Goal: first to finish."""
SCORE = "score"
"""Goal: best score."""
GOALS = (FIRST, SCORE)
MINUTES = (0, 3, 5, 10, 15, 20, 30, 60)
BEST_OF = (1, 3, 5)
UNDO = ("all", "hidden", "none")
MAX_SEATS = 8


def checked(options: RoomOptions) -> RoomOptions | Refusal:
    """The options with the deal code in its canonical form, and certified deals only where there are such; or
    `bad_options`, or `bad_code` for a code that is none or belongs to another ruleset."""
    sound = (
        options.ruleset in RULESETS
        and options.goal in GOALS
        and options.minutes in MINUTES
        and options.best_of in BEST_OF
        and options.undo in UNDO
        and 1 <= options.seats <= MAX_SEATS
    )
    if not sound:
        return Refusal(RefusalCode.BAD_OPTIONS)
    certified = options.certified and options.ruleset in CERTIFIABLE and not options.code
    options = msgspec.structs.replace(options, certified=certified)
    if not options.code:
        return options
    try:
        code = DealCode.parse(options.code)
    except DealCodeError:
        return Refusal(RefusalCode.BAD_CODE)
    if code.ruleset.id != options.ruleset:
        return Refusal(RefusalCode.BAD_CODE)
    return msgspec.structs.replace(options, code=str(code))
