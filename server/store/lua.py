"""The scripts that run inside the store, read from the package's `scripts` folder."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Script:
    """A server-side script: its text, and the SHA-1 under which EVALSHA finds it."""

    name: str
    text: str
    sha: str


def _read(name: str) -> Script:
    text = (files("server.store") / "scripts" / f"{name}.lua").read_text(encoding="utf-8")
    return Script(name, text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


APPEND = _read("append")
CLAIM = _read("claim")
CLOSE = _read("close")
DUE_TAKE = _read("due_take")
SEAL = _read("seal")
BOARD_PUT = _read("board_put")
BOARD_MOVE = _read("board_move")
BOARD_PAGE = _read("board_page")
BOARD_COUNTS = _read("board_counts")
HISTORY = _read("history")
RATE = _read("rate")
RATING_SWAP = _read("rating_swap")
KEEP = _read("keep")
LOBBY = _read("lobby")
DROP_IF = _read("drop_if")
OFFER = _read("offer")
POOL_PUT = _read("pool_put")
POOL_TAKE = _read("pool_take")
WRITER_SCRIPTS = (APPEND, CLAIM, CLOSE)
"""What a writer connection loads before it is used."""
