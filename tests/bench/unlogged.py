"""`python -m tests.bench.unlogged serve`: the server without its log, to see what the log costs (P6).

Moves are answered in the next turn of the loop as if the store had taken them; everything else is as it is.
"""

from __future__ import annotations

import asyncio

from server.cli import main
from server.store.lane import Append, Ask, Lane, Verdict
from server.store.logs import LogWriter

_push = LogWriter._push


def _unlogged(self: LogWriter, item: Append | Ask, lane: Lane) -> bool:
    if isinstance(item, Ask) or not item.epoch:
        return _push(self, item, lane)
    asyncio.get_running_loop().call_soon(item.settled, item, Verdict.OK, item.at + len(item.entries))
    return True


LogWriter._push = _unlogged  # type: ignore[method-assign]

if __name__ == "__main__":
    main()
