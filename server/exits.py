"""How a child process ended, in words for who reads a log.

What lives here: one function. What does not: children (store.embedded, supervisor, services.certifier_process).
"""

from __future__ import annotations

import signal


def how_it_ended(status: int) -> str:
    """From what `subprocess` and `asyncio` call the return code: `killed by SIGKILL` (below 0), `exit status 3`."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:  # one of those for real time has no name
        return f"killed by signal {-status}"
