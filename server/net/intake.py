"""From the payload of a frame to a session: decoding, manners and speed.

What lives here: what a connection answers by itself, before a service hears of a command: malformed
frames, unknown commands, the first `Hello`, commands that come too fast. What does not: sockets and
timers; `Intake` asks for both through its connection.
"""

from __future__ import annotations

import logging
from collections import deque

from server.net.handler import Peer, Session
from server.net.settings import ACCEPTED_PROTOCOLS, HELD, STRIKES, ConnectionLimits
from server.net.throttle import Throttle, Verdict
from server.wire.codec import PLAY_TAG, Malformed, UnknownCommand, decode, frame
from server.wire.errors import CloseCode, RefusalCode
from server.wire.messages import Command, Denied, Hello, Play, Refused

log = logging.getLogger("kupa.net")


class Intake:
    """The way in of one connection. `at_ms` is always the clock's time of receipt, or of release."""

    __slots__ = ("_peer", "_session", "_strikes", "greeted", "held", "throttle")

    def __init__(self, peer: Peer, session: Session, limits: ConnectionLimits) -> None:
        self._peer = peer
        self._session = session
        self._strikes = 0
        self.held: deque[Command] = deque()
        """What is kept back; while there is something, nothing more should be read."""
        self.throttle = Throttle(limits)
        self.greeted = False

    def payload(self, data: bytes, at_ms: int) -> None:
        """A data frame came in."""
        try:
            command = decode(data)
        except Malformed as error:
            self._peer.close(CloseCode.MALFORMED, str(error))
        except UnknownCommand as unknown:
            self._unknown(unknown)
        else:
            if type(command) is Play:
                self.move(command, at_ms)
            else:
                self._command(command, at_ms)

    def move(self, command: Play, at_ms: int) -> None:
        """A move came in; it has the shortest way, as nearly all that comes is moves."""
        if not self.greeted or self.held:
            self._command(command, at_ms)
        elif self.throttle.lets_move(at_ms):
            self._deliver(command, at_ms)
        else:
            self._hold(command, at_ms)

    def release(self, at_ms: int) -> int | None:
        """Let through what has waited long enough; milliseconds until the next, None when all is through."""
        while self.held and self._peer.is_open:
            verdict = self.throttle.judge(self.held[0], at_ms)
            if verdict is Verdict.WAIT:
                return self.throttle.wait_ms(at_ms)
            self._act(verdict, self.held.popleft(), at_ms)
        return None

    def forget(self) -> None:
        """Drop what is kept back: the connection closes, and the client will send it again."""
        self.held.clear()

    def _unknown(self, error: UnknownCommand) -> None:
        self._strikes += 1
        if self._strikes == STRIKES:
            self._peer.close(CloseCode.MALFORMED, "too many unknown commands")
        elif not self.greeted:
            self._peer.close(CloseCode.UNAUTHENTICATED, "Hello comes first")
        elif error.tag == PLAY_TAG:
            self._peer.send(frame(Denied(error.n, RefusalCode.TYPE)))
        else:
            self._peer.send(frame(Refused(error.n, RefusalCode.TYPE)))

    def _command(self, command: Command, at_ms: int) -> None:
        if not self.greeted:
            self._hello(command, at_ms)
        elif self.held:
            self._hold(command, at_ms)
        else:
            self._act(self.throttle.judge(command, at_ms), command, at_ms)

    def _act(self, verdict: Verdict, command: Command, at_ms: int) -> None:
        if verdict is Verdict.WAIT:
            self._hold(command, at_ms)
        elif verdict is Verdict.SLOW:
            self._slow(command, at_ms)
        elif type(command) is Hello:
            self._refuse(command, RefusalCode.STATE)
        else:
            self._deliver(command, at_ms)

    def _hello(self, command: Command, at_ms: int) -> None:
        """The first command is Hello, in a version we speak."""
        if type(command) is not Hello:
            self._peer.close(CloseCode.UNAUTHENTICATED, "Hello comes first")
        elif command.proto not in ACCEPTED_PROTOCOLS:
            self._peer.close(CloseCode.OLD_PROTOCOL, "reload the page")
        else:
            self.greeted = True
            self._deliver(command, at_ms)

    def _hold(self, command: Command, at_ms: int) -> None:
        if len(self.held) < HELD:
            self.held.append(command)
        else:
            self._slow(command, at_ms)

    def _slow(self, command: Command, at_ms: int) -> None:
        if self.throttle.may_refuse(at_ms):
            self._refuse(command, RefusalCode.SLOW)
        else:
            self._peer.close(CloseCode.FLOOD, "too much at once")

    def _deliver(self, command: Command, at_ms: int) -> None:
        try:
            self._session.received(command, at_ms)
        except Exception:
            # The command's fields stay out of the log: a Hello bears a secret.
            log.exception("a %s failed", type(command).__name__)
            self._refuse(command, RefusalCode.INTERNAL)

    def _refuse(self, command: Command, code: RefusalCode) -> None:
        if type(command) is Play:
            self._peer.send(frame(Denied(command.ply, code)))
        else:
            self._peer.send(frame(Refused(getattr(command, "n", 0), code)))
