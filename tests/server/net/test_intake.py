"""The way in: manners first, then speed, then the session."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from server.core.limits import Rate
from server.net.intake import Intake
from server.net.settings import HELD, ConnectionLimits
from server.wire.codec import ServerFrame, decode_event, encode
from server.wire.errors import CloseCode
from server.wire.messages import Command, Denied, Done, Event, Moved, Play, React, Ready, Refused
from tests.server.net.raw import HELLO, Heard, polite

AT = 1_700_000_000_000


@dataclass
class FakePeer:
    """Remembers what went out."""

    address: str = ""
    address_key: str = ""
    buffered: int = 0
    is_open: bool = True
    sent: list[Event] = field(default_factory=list)
    closed: list[CloseCode] = field(default_factory=list)

    def send(self, frame: ServerFrame) -> None:
        self.sent.append(decode_event(frame[2:]))

    def send_progress(self, frame: ServerFrame) -> bool:
        self.send(frame)
        return True

    def close(self, code: CloseCode, reason: str = "") -> None:
        self.closed.append(code)
        self.is_open = False


def made(limits: ConnectionLimits | None = None, *, greet: bool = True) -> tuple[Intake, FakePeer, Heard]:
    peer = FakePeer()
    session = Heard(peer, polite, asyncio.Event())
    intake = Intake(peer, session, limits if limits is not None else ConnectionLimits())
    if greet:
        say(intake, HELLO)
        peer.sent.clear()
        session.commands.clear()
    return intake, peer, session


def say(intake: Intake, *commands: Command, at_ms: int = AT) -> None:
    for command in commands:
        intake.payload(encode(command), at_ms)


def move(ply: int) -> Play:
    return Play(ply, 1, 0, 0, 0)


def test_hello_opens_the_way() -> None:
    intake, peer, session = made(greet=False)
    assert not intake.greeted
    say(intake, HELLO, Ready(2, True))
    assert intake.greeted
    assert [type(heard).__name__ for heard, _ in session.commands] == ["Hello", "Ready"]
    assert peer.sent == [Done(1), Done(2)]


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (encode(Ready(1, True)), CloseCode.UNAUTHENTICATED),
        (b"\x92\x3f\x07", CloseCode.UNAUTHENTICATED),
        (b"\x92\x01\x07", CloseCode.UNAUTHENTICATED),
        (b"", CloseCode.MALFORMED),
        (encode(type(HELLO)(1, 2, "", "", "")), CloseCode.OLD_PROTOCOL),
    ],
)
def test_nothing_else_does(payload: bytes, code: CloseCode) -> None:
    intake, peer, session = made(greet=False)
    intake.payload(payload, AT)
    assert (peer.closed, peer.sent, session.commands) == ([code], [], [])


def test_a_burst_passes_the_next_moves_wait_and_come_one_by_one() -> None:
    intake, peer, session = made(ConnectionLimits(moves=Rate(10, 3)))
    say(intake, *(move(ply) for ply in range(6)))
    assert intake.held
    assert peer.sent == [Moved(ply, 0, b"") for ply in range(3)]
    assert intake.release(AT + 99) == 1
    assert intake.release(AT + 100) == 100
    assert intake.release(AT + 300) is None
    assert not intake.held
    assert [at_ms - AT for _, at_ms in session.commands] == [0, 0, 0, 100, 300, 300]
    assert peer.sent == [Moved(ply, 0, b"") for ply in range(6)]


def test_what_comes_behind_waiting_moves_keeps_its_place_and_its_own_limits() -> None:
    intake, peer, _ = made(ConnectionLimits(moves=Rate(10, 1)))
    say(intake, move(0), move(1), *(React(n, 1) for n in range(4)), HELLO)
    assert peer.sent == [Moved(0, 0, b"")]
    assert intake.release(AT + 100) is None
    assert peer.sent[1:] == [Moved(1, 0, b""), Done(0), Done(1), Done(2), Refused(3, "slow"), Refused(1, "state")]


def test_beyond_what_is_kept_back_each_is_refused_and_the_kept_ones_still_come() -> None:
    intake, peer, _ = made(ConnectionLimits(moves=Rate(1000, 1), commands=Rate(1000, 1000)))
    say(intake, *(move(ply) for ply in range(1 + HELD + 2)))
    assert peer.sent == [Moved(0, 0, b""), Denied(HELD + 1, "slow"), Denied(HELD + 2, "slow")]
    assert [intake.release(AT + later_ms) for later_ms in range(1, HELD + 1)] == [1] * (HELD - 1) + [None]
    assert [event.ply for event in peer.sent[3:] if isinstance(event, Moved)] == list(range(1, HELD + 1))


def test_a_flood_of_refusals_ends_the_connection() -> None:
    intake, peer, _ = made(ConnectionLimits(commands=Rate(1, 1), refusals=Rate(1, 2)))
    say(intake, *(Ready(n, True) for n in range(4)))
    assert peer.sent == [Done(0), Refused(1, "slow"), Refused(2, "slow")]
    assert peer.closed == [CloseCode.FLOOD]


def test_what_is_kept_back_is_forgotten_when_the_connection_closes() -> None:
    intake, peer, session = made(ConnectionLimits(moves=Rate(10, 1)))
    say(intake, move(0), move(1))
    intake.forget()
    assert intake.release(AT + 10_000) is None
    assert [heard for heard, _ in session.commands] == [move(0)]
    say(intake, move(1), at_ms=AT + 10_000)
    say(intake, move(2), at_ms=AT + 10_000)
    peer.is_open = False
    assert intake.release(AT + 20_000) is None
    assert [heard for heard, _ in session.commands] == [move(0), move(1)]
