"""What pyproject.toml cannot say: with KUPA_COMPILED=1 the modules every move goes through become machine code.

They stay Python: mypyc reads the very same files, and without a compiler they run as they are. Nobody needs
it to play; a move costs a quarter less of the processor (`make bench`). The image of `docker compose` has it,
`make compiled` builds it beside the checkout.
"""

from __future__ import annotations

import os
from typing import Any

from setuptools import setup

HOT = (
    "engine/board.py", "engine/cards.py", "engine/errors.py", "engine/moves.py", "engine/position.py",
    "engine/rules.py", "engine/ruleset.py", "engine/terms.py", "engine/undo.py",
    "server/clock.py", "server/core/heat.py", "server/core/limits.py", "server/load/player.py",
    "server/net/bytes_in.py", "server/net/connection.py", "server/net/gather.py", "server/net/intake.py",
    "server/net/throttle.py",
    "server/services/counts.py", "server/services/played_board.py", "server/services/session.py",
    "server/services/wheel.py",
    "server/store/lane.py", "server/store/logs.py", "server/store/outlet.py", "server/store/pipe.py",
    "server/wire/codec.py",
)  # fmt: skip
"""One group: calls between them are calls of C. What they call elsewhere is called as ever."""


def _compiled() -> list[Any]:
    if not os.environ.get("KUPA_COMPILED"):
        return []
    from mypyc.build import mypycify

    level = os.environ.get("KUPA_COMPILED_LEVEL", "3")
    return list(mypycify(list(HOT), opt_level=level, debug_level="0", group_name="kupa"))


setup(ext_modules=_compiled())
