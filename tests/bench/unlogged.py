"""`python -m tests.bench.unlogged serve`: the server without its log, to see what the log costs (P6).

Moves are answered in the next turn of the loop as if the store had taken them; everything else is as it is.
"""

from __future__ import annotations

import asyncio
from typing import Any

from server.cli import main
from server.store import connect
from server.store.lane import Append, Carried, Verdict
from server.store.logs import LogWriter


class Unlogged:
    """A log writer that writes everything but the moves of boards."""

    def __init__(self, *values: Any, **named: Any) -> None:
        self._writer = LogWriter(*values, **named)
        self._loop = asyncio.get_running_loop()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            super().__setattr__(name, value)
        else:
            setattr(self._writer, name, value)

    @property
    def full(self) -> bool:
        """Never."""
        return False

    def push(self, append: Carried) -> bool:
        """Settle the moves of boards, which alone are no `Append`, without the store."""
        if isinstance(append, Append):
            return self._writer.push(append)
        self._loop.call_soon(append.settle, Verdict.OK, append.at + append.count)
        return True


vars(connect)["LogWriter"] = Unlogged

if __name__ == "__main__":
    main()
