"""The values of the log writer, and a lane: what waits for one slot and what is on its way.

What lives here: values and packing into script calls. What does not: connections (outlet).
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import msgpack

from server.store import keys
from server.store.errors import StoreAway, StoreError
from server.store.lua import APPEND, Script
from server.store.resp import pack

BATCH = 256
"""Appends in one script call at most."""


class Verdict(Enum):
    """What the store said about an append."""

    OK = 0
    """Written now."""
    DUP = 1
    """The same bytes stood there already: written by an earlier try. As good as OK."""
    CONFLICT = 2
    """The log is longer than expected: somebody else wrote. Catch up and decide again."""
    FENCED = 3
    """The board was claimed by somebody else after us."""
    SEALED = 4
    """The board's heat is closed."""
    SHORT = 5
    """The log is shorter than expected, or our claim is unknown: the store lost its tail. Load again."""
    BROKEN = 6
    """The key holds something that is no log, or the script failed: a fault, not to be repeated."""


VERDICTS = tuple(Verdict)
_log = logging.getLogger(__name__)


class Carried:
    """What a lane carries to one log: bytes that are made once, when they are known, and sent as often as it takes.

    `log`: key of the list, and `word`, the same as a word of the call. `at`: its expected length. `count`: how many
    entries, written all or not at all. `packed`: see `packed_append`. `due`: (owner, at_ms), put into `kupa:due` before
    it (ruling 18). `unprojected`: (member, at_ms), put into `kupa:unprojected` before it: this entry ends the board.
    """

    __slots__ = ("at", "count", "due", "log", "packed", "unprojected", "word")

    def __init__(self, log: str, word: bytes, at: int, count: int, packed: bytes) -> None:
        self.log = log
        self.word = word
        self.at = at
        self.count = count
        self.packed = packed
        self.due: tuple[str, int] | None = None
        self.unprojected: tuple[str, int] | None = None

    def settle(self, verdict: Verdict, length: int) -> None:
        """Called once, in the event loop, with the length of the log after the call; it must not raise."""
        raise NotImplementedError


class Append(Carried):
    """Entries for one log, and what goes with them if they are written.

    `entries`: 1 to 1000 byte strings. `settled(append, verdict, length)`: as `Carried.settle`. `epoch`: of the claim;
    0 for room logs: no check of the epoch. `progress`: (hash key, field, row) written with it (ruling 8). `bell`:
    (channel, payload), rung with the new length.
    """

    __slots__ = ("settled",)

    def __init__(
        self,
        log: str,
        at: int,
        entries: list[bytes],
        settled: Callable[[Append, Verdict, int], None],
        epoch: int = 0,
        progress: tuple[str, str, bytes] | None = None,
        bell: tuple[str, bytes] | None = None,
        due: tuple[str, int] | None = None,
        unprojected: tuple[str, int] | None = None,
    ) -> None:
        if not entries or at < 0:
            raise ValueError("an append needs entries and an expected length")
        key, field, row = progress or (None, None, None)
        head = packed_head(epoch, key, field)
        super().__init__(log, word_of(log), at, len(entries), packed_append(head, at, entries, row, bell))
        self.settled = settled
        self.due = due
        self.unprojected = unprojected

    def settle(self, verdict: Verdict, length: int) -> None:
        """Call back."""
        self.settled(self, verdict, length)


@dataclass(slots=True, eq=False)
class Ask:
    """One call of another script in the same order as the appends, answered through a future."""

    script: Script
    keys: list[str]
    args: list[Any]
    answer: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class Outage:
    """The store did not confirm between these two instants (store's clock)."""

    from_ms: int
    to_ms: int
    covers: Callable[[str], bool]
    """Whether a key (a room's log) was among what did not get through; always, but in a cluster."""


def _tell(append: Carried, verdict: Verdict, length: int) -> None:
    """Call back; a callback that raises is a fault of its own board and stops nobody else's (A7)."""
    try:
        append.settle(verdict, length)
    except Exception:
        _log.exception("the callback of an append raised")


_PACKER = msgpack.Packer(use_bin_type=False)
"""The store's scripts know no other strings than MessagePack's old raw ones."""
_SEVEN: Final = b"\x97"
"""The head of an array of seven."""


def word_of(key: str) -> bytes:
    """A word of a call to the store (RESP: length, bytes)."""
    word = key.encode()
    return b"$%d\r\n%b\r\n" % (len(word), word)


def packed_head(epoch: int, hash_key: str | None, field: str | None) -> bytes:
    """What is the same in all appends to one log: the first three of `packed_append`'s seven."""
    return b"".join((_SEVEN, _PACKER.pack(epoch), _PACKER.pack(hash_key), _PACKER.pack(field)))


def packed_append(
    head: bytes, at: int, entries: list[bytes], row: bytes | None, bell: tuple[str, bytes] | None
) -> bytes:
    """An append as append.lua reads it: MessagePack of [epoch (0: none), progress key, field, expected length, entries,
    row, bell]; key, field and row, or the bell, may be nil."""
    return b"".join((head, _PACKER.pack(at), _PACKER.pack(entries), _PACKER.pack(row), _PACKER.pack(bell)))


class Lane:
    """What waits for one slot, in order. At most one call of it is on its way (`flying`)."""

    __slots__ = ("away_since", "flying", "queued", "resent", "slot", "waiting")

    def __init__(self, slot: int) -> None:
        self.slot = slot
        self.waiting: deque[Carried | Ask] = deque()
        self.flying: list[Carried] | Ask | None = None
        self.queued = False
        """An outlet has it, or it is on its way: pushing needs to wake nobody."""
        self.resent = False
        """What flies was sent before and its outcome is unknown."""
        self.away_since: int | None = None
        """Since when (ms) nothing of this lane gets through."""

    def load(self) -> None:
        """Choose what flies next, unless something has to be sent again: a run of appends, or one ask."""
        if self.flying is not None or not self.waiting:
            return
        self.resent = False
        waiting = self.waiting
        first = waiting.popleft()
        if isinstance(first, Ask):
            self.flying = first
            return
        batch = [first]
        while waiting and len(batch) < BATCH and isinstance(waiting[0], Carried):
            batch.append(waiting.popleft())  # type: ignore[arg-type]  # just tested
        self.flying = batch

    def call(self, touch: bool) -> bytes:
        """The EVALSHA of what flies. `touch`: a repetition must count as a write (see append.lua)."""
        flying = self.flying
        if isinstance(flying, Ask):
            return pack([("EVALSHA", flying.script.sha, len(flying.keys), *flying.keys, *flying.args)])
        assert flying
        count = len(flying)
        words = b"".join([append.word for append in flying])
        packed = b"".join([append.packed for append in flying])
        return b"*%d\r\n$7\r\nEVALSHA\r\n%b%b%b$1\r\n%d\r\n$%d\r\n\xdc%b%b\r\n" % (
            5 + count, word_of(APPEND.sha), word_of(str(count)), words, touch,
            len(packed) + 3, count.to_bytes(2, "big"), packed,
        )  # fmt: skip

    def dues(self) -> list[tuple[str, str, int]]:
        """What must stand in a sorted set before this call: key, member, when."""
        if self.flying is None or isinstance(self.flying, Ask):
            return []
        found = []
        for append in self.flying:
            if append.due is not None:
                owner, at_ms = append.due
                found.append((keys.DUE, keys.due_member(owner, at_ms), at_ms))
            if append.unprojected is not None:
                found.append((keys.UNPROJECTED, *append.unprojected))
        return found

    def settle(self, answer: Any) -> int:
        """Hand out the store's answer; returns how many appends and asks it settled."""
        flying, self.flying = self.flying, None
        if isinstance(flying, Ask):
            if not flying.answer.done():
                flying.answer.set_result(answer)
            return 1
        assert flying
        for append, verdict, length in zip(flying, answer[::2], answer[1::2], strict=True):
            _tell(append, VERDICTS[verdict], length)
        return len(flying)

    def fail(self, error: StoreError) -> int:
        """What flies can never succeed: BROKEN for appends, the error for an ask."""
        flying, self.flying = self.flying, None
        if isinstance(flying, Ask):
            if not flying.answer.done():
                flying.answer.set_exception(error)
            return 1
        assert flying
        for append in flying:
            _tell(append, Verdict.BROKEN, 0)
        return len(flying)

    def abandon(self) -> None:
        """At closing: tell those who wait for asks that the outcome stays unknown."""
        asks = [item for item in self.waiting if isinstance(item, Ask)]
        if isinstance(self.flying, Ask):
            asks.append(self.flying)
        for ask in asks:
            if not ask.answer.done():
                ask.answer.set_exception(StoreAway("the store did not answer before closing"))
