"""What the system tells of one thread's time.

What lives here: one figure of the kernel's accounts. What does not: what follows from it (watchdog).
"""

from __future__ import annotations

import os


class Scheduled:
    """A thread of this process, by its number in the system. Only Linux tells; elsewhere nothing is ever denied."""

    def __init__(self, thread: int) -> None:
        try:
            self._account: int | None = os.open(f"/proc/self/task/{thread}/schedstat", os.O_RDONLY)
        except OSError:
            self._account = None

    def denied_s(self) -> float:
        """Seconds so far in which the thread could have run while others did; a wait that goes on is not yet in it."""
        if self._account is None:
            return 0.0
        try:
            return int(os.pread(self._account, 80, 0).split()[1]) / 1e9
        except OSError:  # it has ended
            return 0.0

    def close(self) -> None:
        """Ask no more."""
        account, self._account = self._account, None
        if account is not None:
            os.close(account)
