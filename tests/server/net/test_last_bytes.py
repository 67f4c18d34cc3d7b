"""Behind the server's close frame no rate holds what comes: a few bytes are looked at, then the socket is cut."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from websockets.protocol import Protocol

from server.net import settings as const
from server.net.requests import FRAMES
from server.wire.errors import CloseCode
from server.wire.messages import Done, Ping, Ready
from tests.server.net.conftest import Stage
from tests.server.net.fakes import OpenGate, connected, turn
from tests.server.net.raw import Service, client_frame, command

CLOSE = client_frame((1000).to_bytes(2, "big"), 8)
MOST = const.BYTES.burst + const.LAST_BYTES
"""Bytes of one connection that may be looked at in one moment: those of the open socket, and those behind its end."""
SMALL = {
    "command": command(Ping(1)),
    "empty": client_frame(b""),
    "ping": client_frame(b"", 9),
    "pong": client_frame(b"", 10),
    "continuation": client_frame(b"", 0, fin=False),
    "fragment": client_frame(b"", 2, fin=False) + client_frame(b"", 0),
    "text": client_frame(b"", 1),
}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of what the library was given to parse."""
    sizes: list[int] = []
    receive: Callable[[Protocol, bytes], None] = Protocol.receive_data

    def counted(protocol: Protocol, data: bytes) -> None:
        sizes.append(len(data))
        receive(protocol, data)

    monkeypatch.setattr(Protocol, "receive_data", counted)
    return sizes


@pytest.mark.parametrize("greet", [False, True], ids=["before-Hello", "after-it"])
@pytest.mark.parametrize("kind", SMALL)
async def test_a_stream_of_small_frames_is_cut_and_others_are_served(
    stage: Stage, parsed: list[int], kind: str, greet: bool
) -> None:
    other, flood = await stage.socket(), await stage.socket(greet=greet)
    parsed.clear()
    chunk = SMALL[kind] * 1000
    sent = 0
    while not flood.writer.transport.is_closing() and stage.listener.counts.sockets > 1:
        flood.write(chunk)
        sent += len(chunk)
        await asyncio.sleep(0)
        assert sent < 1024 * 1024, "it is still being read"
    other.say(Ready(2, True))
    assert await other.event() == Done(2)
    await stage.until(lambda: stage.service.sessions[1].closings == 1)
    assert sum(parsed) <= MOST
    assert max(parsed, default=0) <= const.BYTES.burst


async def test_one_huge_piece_behind_the_close_frame_is_not_parsed_at_all(parsed: list[int]) -> None:
    connection, transport = connected(OpenGate(), greet=False)
    connection.close(CloseCode.UNAUTHENTICATED, "Hello comes first")
    parsed.clear()
    connection.data_received(command(Ping(1)) * 20_000)
    assert parsed == []
    assert not transport.reading
    await turn()
    assert transport.aborted


async def test_what_is_behind_the_first_wrong_frame_counts_too(parsed: list[int]) -> None:
    connection, transport = connected(OpenGate(), greet=False)
    parsed.clear()
    connection.data_received(client_frame(b"") * (const.BYTES.burst // 6))
    assert connection.closed_with == CloseCode.MALFORMED
    assert parsed == []
    await turn()
    assert transport.aborted


async def test_the_last_byte_that_is_looked_at_may_be_the_end_of_their_close_frame(parsed: list[int]) -> None:
    connection, transport = connected(OpenGate(Service()))
    connection.close(CloseCode.DONE)
    parsed.clear()
    room = const.LAST_BYTES - len(CLOSE)
    on_its_way = client_frame(bytes(1016)) * (room // 1024) + client_frame(bytes(room % 1024 - 8))
    last = on_its_way + CLOSE
    for at in range(0, len(last), 4096):
        connection.data_received(last[at : at + 4096])
    assert sum(parsed) == len(last) <= const.LAST_BYTES
    assert transport.ended
    assert not transport.aborted


async def test_the_close_frame_arrives_although_its_answer_is_a_flood(stage: Stage) -> None:
    raw = await stage.socket(greet=False)
    raw.write(command(Ping(1)))
    raw.write(command(Ping(1)) * 100_000)
    assert await raw.close_code() in (CloseCode.UNAUTHENTICATED, CloseCode.FLOOD), "as it was read, in pieces or whole"


async def test_who_goes_on_slowly_is_cut_two_seconds_after_the_close_frame() -> None:
    gate = OpenGate()
    connection, transport = connected(gate)
    connection.close(CloseCode.DONE)
    for _ in range(4):
        connection.data_received(command(Ping(1)))
        connection.visit(gate.clock.now_ms())
        assert not transport.aborted
        gate.clock.advance(const.CLOSE_MS // 4)
    connection.visit(gate.clock.now_ms())
    assert transport.aborted


@pytest.mark.parametrize("opcode", [9, 10], ids=["pings", "pongs"])
async def test_frames_that_only_the_library_reads_are_few_between_two_visits(opcode: int) -> None:
    """A burst of bytes may be thousands of them, each as dear as ten moves."""
    gate = OpenGate(Service())
    connection, transport = connected(gate)
    for _ in range(3):
        connection.data_received(client_frame(b"", opcode) * FRAMES)
        assert connection.is_open
        connection.visit(gate.clock.now_ms())
    connection.data_received(client_frame(b"", opcode) * 2_000)
    assert connection.closed_with == CloseCode.FLOOD
    assert connection.protocol.frames == FRAMES + 1, "nothing behind it is parsed"
    assert transport.ended


async def test_parts_of_a_message_are_counted_too() -> None:
    connection, _ = connected(OpenGate(Service()))
    connection.data_received(client_frame(b"", 2, fin=False) + client_frame(b"", 0, fin=False) * 2_000)
    assert connection.closed_with == CloseCode.FLOOD
