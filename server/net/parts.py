"""The parts of the browser client that its first page does without, and the addresses that need them at once.

What lives here: which modules make up a part, and what an address is going to ask for. What does not: joining modules
(joined), requests (pages). The client fetches a part by itself when it is first wanted (`client_web/js/later.js`);
whoever comes to such an address is told of it with the page, so that it sets out with the first page's own modules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

PARTS: Final = {
    "rules": ("rules.js", "table/labels.js"),
    "table": ("views/race.js", "views/solo-table.js"),
    "solo": ("views/solo-new.js", "views/solo-sheets.js"),
    "daily": ("views/daily.js", "views/leaderboards.js"),
    "person": ("views/profile.js",),
    "attempt": ("daily-play.js", "views/daily-table.js", "views/daily-end.js"),
    "book": ("views/book.js",),
    "replay": ("views/replay.js", "replay-file.js", "replay.js", "views/ghost.js"),
    "tournament": (
        "tournament/actions.js",
        "views/tournament/list.js",
        "views/tournament/form.js",
        "views/tournament/player.js",
        "views/tournament/console.js",
    ),
    "signal": ("tournament/signal.js",),
}
"""Modules below `/js/` by the part they begin. What they import comes with the first part that needs it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an address is going to ask for besides the first page."""

    part: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    words: str = ""
    """Beginning of the names of its texts: a language and `.json` follow."""


NOTHING: Final = Wanted()
_BY_ADDRESS: Final = (
    (r"/solo", Wanted(("solo",), ("solo",))),
    (r"/(?:solo|d)/.+", Wanted(("solo", "table"), ("solo",))),
    (r"/daily/[^/]+/.+", Wanted(("attempt",), ("daily",))),
    (r"/daily(?:/.+)?|/leaderboards", Wanted(("daily",), ("daily",))),
    (r"/player/.+", Wanted(("person",), ("daily",))),
    (r"/(?:rules|examples|faq)(?:/.+)?", Wanted(("book",), ("book",), "pages.")),
    (r"/(?:replay|g)(?:/.+)?", Wanted(("replay",), ("replay",))),
    (r"/t(?:/.+)?", Wanted(("tournament",), ("tournament",), "tournament.")),
)
_PATTERNS: Final = tuple((re.compile(pattern), wanted) for pattern, wanted in _BY_ADDRESS)


def wanted(path: str) -> Wanted:
    """What the page at `path` is going to ask for; nothing where the first page has all of it."""
    return next((found for pattern, found in _PATTERNS if pattern.fullmatch(path)), NOTHING)
