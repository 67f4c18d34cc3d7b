"""How fast one connection may speak: pass, wait, refuse, close.

What lives here: the judgement, as arithmetic over rates (ruling 27, reliability S7). What does not:
sockets and timers; the connection acts on the verdict.
"""

from __future__ import annotations

from enum import Enum

from server.core.limits import Bucket, take_both
from server.net.settings import ConnectionLimits
from server.wire.messages import Command, Play, React


class Verdict(Enum):
    """What to do with a command."""

    PASS = "pass"
    WAIT = "wait"
    """Keep it back, and read nothing further, for `wait_ms`."""
    SLOW = "slow"
    """Answer `slow`."""


class Throttle:
    """The rates of one connection. Times are the clock's milliseconds."""

    __slots__ = ("_commands", "_moves", "_reactions", "_refusals", "bytes")

    def __init__(self, limits: ConnectionLimits) -> None:
        self._moves = Bucket(limits.moves)
        self._commands = Bucket(limits.commands)
        self._reactions = Bucket(limits.reactions)
        self.bytes = Bucket(limits.bytes)
        """A token for each byte that comes in."""
        self._refusals = Bucket(limits.refusals)

    def judge(self, command: Command, at_ms: int) -> Verdict:
        """A move too many waits; another command too many is refused."""
        if type(command) is Play:
            return Verdict.PASS if self.lets_move(at_ms) else Verdict.WAIT
        if not self._commands.take(at_ms):
            return Verdict.SLOW
        if type(command) is React and not self._reactions.take(at_ms):
            return Verdict.SLOW
        return Verdict.PASS

    def lets_move(self, at_ms: int) -> bool:
        """Whether a move passes; in this order one that waits for its own rate costs nothing."""
        return take_both(self._moves, self._commands, at_ms)

    def wait_ms(self, at_ms: int) -> int:
        """How long until a move passes."""
        return max(self._moves.wait_ms(at_ms), self._commands.wait_ms(at_ms))

    def may_refuse(self, at_ms: int) -> bool:
        """Whether one more `slow` is answered; False: this is a flood."""
        return self._refusals.take(at_ms)
