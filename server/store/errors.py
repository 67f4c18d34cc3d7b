"""What the store layer raises; nothing of redis-py leaves server.store."""

from __future__ import annotations


class StoreError(Exception):
    """Something about the store; the text is one line and holds no credentials."""


class StoreUnusable(StoreError):
    """At start: this store cannot be used. The text says what is wrong and how to mend it (exit status 2)."""


class StoreAway(StoreError):
    """The store did not answer in time or refuses for now; the outcome is unknown. Asking again is safe:
    every operation of this package may be repeated."""


class StoreFull(StoreAway):
    """The store answers but takes no writes: out of memory or disk (reliability F8, F22)."""


class StoreBusy(StoreError):
    """Too much waits for the store; what was asked was not sent."""
