"""One connection: bytes however they are cut, one write a turn, nothing after the close frame."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.limits import Rate
from server.net import settings as const
from server.net.settings import ConnectionLimits
from server.wire.codec import encode, frame
from server.wire.errors import CloseCode
from server.wire.messages import Command, Denied, Done, Goodbye, Moved, Ping, Play, Ready, Refused, Rename
from tests.server.net.conftest import Stage, Stages
from tests.server.net.fakes import OpenGate, connected, turn
from tests.server.net.raw import HELLO, Heard, Raw, Service, client_frame, command

FREE = ConnectionLimits(*[Rate(1_000_000, 1_000_000)] * 5)
"""Limits that limit nothing."""
CLOSE = client_frame((1000).to_bytes(2, "big"), 8)


def silent(session: Heard, command: Command, at_ms: int) -> None:
    """No answer."""


# ---------------------------------------------------------------- bytes in


def fragmented(message: Command, at: int) -> bytes:
    payload = encode(message)
    return client_frame(payload[:at], fin=False) + client_frame(b"", 9) + client_frame(payload[at:], 0)


SPOKEN = st.one_of(
    st.integers(0, 20_000).map(lambda ply: (Play(ply, 3, 20, 28, 1), command(Play(ply, 3, 20, 28, 1)))),
    st.integers(1, 64).map(lambda size: (Rename(1, "\U0001f0a1" * size), command(Rename(1, "\U0001f0a1" * size)))),
    st.integers(0, 4).map(lambda at: (Ping(5), fragmented(Ping(5), at))),
    st.just((None, client_frame(b"x", 10))),
    st.just((None, client_frame(b"", 9))),
)


@given(st.lists(SPOKEN, max_size=12), st.lists(st.integers(1, 40), max_size=40))
def test_however_the_bytes_are_cut_the_same_commands_are_heard(
    spoken: list[tuple[Command | None, bytes]], cuts: Sequence[int]
) -> None:
    async def scenario() -> None:
        gate = OpenGate(Service(silent), FREE)
        connection, _ = connected(gate)
        stream = b"".join(sent for _, sent in spoken)
        for cut in cuts:
            if stream:
                connection.data_received(stream[:cut])
                stream = stream[cut:]
        if stream:
            connection.data_received(stream)
        heard = [heard for heard, _ in gate.service.sessions[0].commands[1:]]
        assert heard == [message for message, _ in spoken if message is not None]
        assert connection.is_open

    asyncio.run(scenario())


@given(st.binary(min_size=1, max_size=300), st.integers(1, 40))
def test_any_bytes_leave_a_connection_that_is_open_or_on_its_way_out(garbage: bytes, cut: int) -> None:
    async def scenario() -> None:
        gate = OpenGate(Service(silent))
        connection, _ = connected(gate)
        for at in range(0, len(garbage), cut):
            connection.data_received(garbage[at : at + cut])
        assert connection.is_open != (connection.closed_with > 0)
        gate.clock.advance(60_000)
        connection.visit(gate.clock.now_ms())
        gate.clock.advance(60_000)
        connection.visit(gate.clock.now_ms())
        assert connection.is_open is False
        connection.connection_lost(None)
        assert gate.service.sessions[0].closings == 1

    asyncio.run(scenario())


async def test_a_command_is_stamped_when_it_is_received() -> None:
    gate = OpenGate()
    connection, _ = connected(gate)
    gate.clock.advance(123)
    connection.data_received(command(Ready(2, True)))
    assert gate.service.sessions[0].commands[-1] == (Ready(2, True), gate.clock.now_ms())


async def test_a_move_in_the_same_bytes_as_a_close_frame_still_counts() -> None:
    gate = OpenGate()
    connection, transport = connected(gate)
    connection.data_received(client_frame(b"", 9) + client_frame(encode(Play(0, 1, 0, 0, 0)), fin=True) + CLOSE)
    assert gate.service.sessions[0].commands[-1][0] == Play(0, 1, 0, 0, 0)
    assert not connection.is_open
    connection.data_received(b"")
    assert b"".join(transport.writes).endswith(b"\x88\x02\x03\xe8")


async def test_nothing_is_heard_after_the_server_closed() -> None:
    gate = OpenGate()
    connection, _ = connected(gate)
    connection.close(CloseCode.DONE)
    connection.data_received(command(Ready(2, True)))
    assert len(gate.service.sessions[0].commands) == 1


# ---------------------------------------------------------------- bytes out


async def test_what_is_sent_in_one_turn_is_one_write() -> None:
    connection, transport = connected(OpenGate())
    for ply in range(3):
        connection.send(frame(Moved(ply, 0, b"")))
    assert transport.writes == []
    await turn()
    assert transport.writes == [b"".join(frame(Moved(ply, 0, b"")) for ply in range(3))]
    await turn()
    assert len(transport.writes) == 1


async def test_what_was_sent_goes_out_before_the_close_frame_and_nothing_after_it() -> None:
    connection, transport = connected(OpenGate())
    connection.send(frame(Done(1)))
    connection.close(CloseCode.ELSEWHERE, "elsewhere")
    connection.send(frame(Done(2)))
    connection.close(CloseCode.DONE)
    await turn()
    assert b"".join(transport.writes) == frame(Done(1)) + b"\x88\x0b" + (4409).to_bytes(2, "big") + b"elsewhere"
    assert connection.closed_with == 4409


async def test_a_pong_goes_out_after_what_was_sent_before() -> None:
    connection, transport = connected(OpenGate())
    connection.send(frame(Done(1)))
    connection.data_received(client_frame(b"hi", 9))
    assert transport.writes == [frame(Done(1)), b"\x8a\x02hi"]


async def test_a_long_reason_is_cut_to_what_a_close_frame_holds() -> None:
    connection, transport = connected(OpenGate())
    connection.close(CloseCode.DONE, "ö" * 200)
    assert transport.writes == [b"\x88\x7c" + (1000).to_bytes(2, "big") + ("ö" * 61).encode()]


async def test_progress_is_left_out_for_who_is_behind_and_everything_else_is_not() -> None:
    connection, transport = connected(OpenGate())
    transport.unread = const.PROGRESS_BYTES
    assert connection.send_progress(frame(Done(1)))
    transport.unread += 1
    assert not connection.send_progress(frame(Done(2)))
    connection.send(frame(Done(3)))
    assert connection.buffered == transport.unread + 2 * len(frame(Done(1)))
    await turn()
    assert transport.writes == [frame(Done(1)) + frame(Done(3))]


async def test_who_reads_too_slowly_is_closed_with_4013_and_cut_a_second_later() -> None:
    gate = OpenGate()
    connection, transport = connected(gate)
    transport.unread = const.SLOW_BYTES + 1
    connection.send(frame(Done(1)))
    await turn()
    assert connection.closed_with == CloseCode.TOO_SLOW
    assert not connection.send_progress(frame(Done(2)))
    connection.visit(gate.clock.now_ms() + 999)
    assert not transport.aborted
    connection.visit(gate.clock.now_ms() + 1000)
    assert transport.aborted


async def test_a_close_that_is_not_answered_ends_after_two_seconds() -> None:
    gate = OpenGate()
    connection, transport = connected(gate)
    connection.close(CloseCode.DONE)
    connection.visit(gate.clock.now_ms() + 1999)
    assert not transport.aborted
    connection.visit(gate.clock.now_ms() + 2000)
    assert transport.aborted


# ---------------------------------------------------------------- silence


async def test_silence_brings_one_ping_then_the_end() -> None:
    gate = OpenGate()
    connection, transport = connected(gate)
    for half_seconds in range(1, 39):
        gate.clock.advance(500)
        connection.visit(gate.clock.now_ms())
        assert connection.is_open
        assert transport.writes == ([b"\x89\x00"] if half_seconds >= 19 else [])
    gate.clock.advance(500)
    connection.visit(gate.clock.now_ms())
    assert connection.closed_with == CloseCode.INTERNAL


@pytest.mark.parametrize("sign", [client_frame(b"", 10), client_frame(b"", 9), command(Ping(1)), b"\x82"])
async def test_any_byte_is_a_sign_of_life(sign: bytes) -> None:
    gate = OpenGate(Service(silent))
    connection, transport = connected(gate)
    for _ in range(5):
        gate.clock.advance(const.PING_AFTER_MS)
        connection.visit(gate.clock.now_ms())
        assert transport.writes[-1] == b"\x89\x00"
        gate.clock.advance(const.PING_AFTER_MS)
        connection.visit(gate.clock.now_ms())
        if sign == b"\x82":  # the first byte of a frame, its others later
            connection.data_received(command(Ping(1))[:1])
            connection.data_received(command(Ping(1))[1:])
        else:
            connection.data_received(sign)
    assert connection.is_open


# ---------------------------------------------------------------- speed


async def test_moves_too_fast_are_read_later_in_order_and_each_is_answered(stages: Stages) -> None:
    stage = await stages(const.NetSettings(connection=ConnectionLimits(moves=Rate(1000, 2), commands=FREE.commands)))
    raw = await stage.socket()
    raw.write(b"".join(command(Play(ply, 1, 0, 0, 0)) for ply in range(40)) + command(Ready(2, True)))
    answers = []
    for _ in range(41):
        answers.append(await raw.event())
        stage.clock.advance(1)
    assert answers == [*(Moved(ply, 0, b"") for ply in range(40)), Done(2)]
    stamps = [at_ms for _, at_ms in stage.service.sessions[0].commands[1:]]
    assert stamps == sorted(stamps)
    assert stamps[-1] - stamps[0] >= 38


async def test_while_moves_are_kept_back_nothing_is_read_and_silence_is_ours() -> None:
    gate = OpenGate(Service(silent))
    connection, transport = connected(gate)
    connection.data_received(b"".join(command(Play(ply, 1, 0, 0, 0)) for ply in range(31)))
    assert not transport.reading
    for _ in range(10):
        connection.visit(gate.clock.now_ms())
        gate.clock.advance(9_000)
    assert connection.is_open
    connection.close(CloseCode.DONE)
    assert transport.reading  # the answer to the close frame is awaited


async def test_other_commands_do_not_overtake_moves_that_are_kept_back() -> None:
    gate = OpenGate(Service(silent))
    connection, _ = connected(gate)
    connection.data_received(b"".join(command(Play(ply, 1, 0, 0, 0)) for ply in range(31)) + command(Ready(2, True)))
    assert gate.service.sessions[0].commands[-1][0] == Play(29, 1, 0, 0, 0)


# ---------------------------------------------------------------- faults


async def test_a_session_that_fails_answers_internal_and_lives_on(caplog: pytest.LogCaptureFixture) -> None:
    def failing(session: Heard, command: Command, at_ms: int) -> None:
        if not isinstance(command, type(HELLO)):
            raise RuntimeError("a bug")

    gate = OpenGate(Service(failing))
    connection, transport = connected(gate)
    connection.data_received(command(Ready(7, True)) + command(Play(3, 1, 0, 0, 0)))
    await turn()
    assert transport.writes == [frame(Refused(7, "internal")) + frame(Denied(3, "internal"))]
    assert connection.is_open
    assert [record.message for record in caplog.records] == ["a Ready failed", "a Play failed"]


async def test_what_a_client_said_is_not_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def failing(session: Heard, command: Command, at_ms: int) -> None:
        raise RuntimeError("a bug")

    gate = OpenGate(Service(failing))
    connection, _ = connected(gate, greet=False)
    connection.data_received(command(type(HELLO)(1, 1, "secret-token", "Ada", "en")))
    assert caplog.records
    assert "secret-token" not in caplog.text


async def test_a_service_that_cannot_open_a_session_closes_with_1011(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Service):
        def open(self, peer: object) -> Heard:
            raise RuntimeError("a bug")

    gate = OpenGate(Broken())
    connection, _ = connected(gate, greet=False)
    assert connection.closed_with == CloseCode.INTERNAL
    connection.data_received(command(HELLO))
    connection.connection_lost(None)
    assert "a session could not be opened" in caplog.text


# ---------------------------------------------------------------- on a real network


async def test_a_client_that_does_not_read_is_closed_and_its_neighbour_notices_nothing(stage: Stage) -> None:
    lazy, reader = await stage.socket(), await stage.socket()
    lazy.writer.transport.pause_reading()  # type: ignore[attr-defined]
    peers = [session.peer for session in stage.service.sessions]
    chunk = frame(Moved(1, 1, bytes(2000)))
    sent = 0
    while peers[0].is_open:
        for _ in range(20):
            peers[0].send(chunk)
        peers[1].send(chunk)
        sent += 1
        assert await reader.event() == Moved(1, 1, bytes(2000))
        assert sent < 2000
    assert peers[0].buffered < const.SLOW_BYTES + 64 * 1024
    stage.sweep(1_000)
    await stage.until(lambda: stage.service.sessions[0].closings == 1)
    assert stage.listener.counts.closed == {4013: 1}
    reader.say(Ready(2, True))
    assert await reader.event() == Done(2)


async def test_a_session_is_closed_once_whoever_ends_it(stage: Stage) -> None:
    async def leaves(raw: Raw) -> None:
        raw.write(CLOSE)
        assert await raw.close_code() == 1000
        raw.cut()

    async def vanishes(raw: Raw) -> None:
        raw.cut()

    async def is_sent_away(raw: Raw) -> None:
        stage.service.sessions[-1].peer.close(CloseCode.ELSEWHERE)
        assert await raw.close_code() == 4409
        raw.write(client_frame((4409).to_bytes(2, "big"), 8))
        await raw.ended()
        raw.cut()

    async def hangs_up(raw: Raw) -> None:
        raw.writer.write_eof()

    for way in (leaves, vanishes, is_sent_away, hangs_up):
        raw = await stage.socket()
        session = stage.service.sessions[-1]
        await way(raw)
        await stage.until(lambda session=session: session.closings > 0)  # type: ignore[misc]
        assert session.closings == 1
        assert not session.peer.is_open
        session.peer.send(frame(Done(1)))
        session.peer.close(CloseCode.DONE)
    assert stage.listener.counts.sockets == 0
    assert stage.listener.counts.closed == {1000: 1, 1006: 2, 4409: 1}


async def test_goodbye_comes_last_and_nothing_more_is_read() -> None:
    gate = OpenGate()
    connection, transport = connected(gate)
    connection.farewell(2500)
    await turn()
    assert transport.writes == [frame(Goodbye(2500))]
    assert not transport.reading
    connection.close(CloseCode.RESTART, "restart")
    assert transport.writes[-1] == b"\x88\x09" + (1012).to_bytes(2, "big") + b"restart"
    assert transport.reading
