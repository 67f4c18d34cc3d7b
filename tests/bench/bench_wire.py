"""What a frame costs: `python tests/bench/bench_wire.py`, a few seconds, one line each.

Decoding and encoding alone, then the whole way of a move through a connection without a network: bytes
in, limits, session, answer, one write. Best of five rounds, since other work on the machine only adds.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from server.core.limits import Rate
from server.net.bytes_in import small_frames
from server.net.settings import ConnectionLimits
from server.wire.codec import decode, encode, frame
from server.wire.examples import COMMAND_EXAMPLES, EVENT_EXAMPLES
from server.wire.messages import Dealt, Moved, Play, Progress
from tests.server.net.fakes import OpenGate, connected
from tests.server.net.raw import Service, command

ROUNDS = 5
SECONDS = 0.1
FREE = ConnectionLimits(*[Rate(10_000_000, 10_000_000)] * 5)
"""The limits are on, as in production; only their rates are raised."""


def microseconds(run: Callable[[], object]) -> float:
    """Time of one call, best of `ROUNDS`."""
    calls = 1
    while True:
        began = time.perf_counter()
        for _ in range(calls):
            run()
        if time.perf_counter() - began > SECONDS / 5:
            break
        calls *= 4
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(calls):
            run()
        best = min(best, (time.perf_counter() - began) / calls)
    return best * 1e6


def show(name: str, micros: float, per: int = 1) -> None:
    print(f"{name:<58} {micros / per:8.2f} µs")


def codec() -> None:
    play, hello = encode(Play(300, 3, 20, 28, 2)), encode(COMMAND_EXAMPLES[0])
    dealt = next(event for event in EVENT_EXAMPLES if isinstance(event, Dealt))
    sent = command(Play(300, 3, 20, 28, 2)) * 4
    show("decode Play", microseconds(lambda: decode(play)))
    show("decode Hello", microseconds(lambda: decode(hello)))
    show("make and frame Moved", microseconds(lambda: frame(Moved(300, 545, b"\x11"))))
    show("make and frame Progress of 3 rows", microseconds(lambda: frame(Progress([1, 12, 145, 40, 0] * 3))))
    show("frame Dealt", microseconds(lambda: frame(dealt)))
    show("take a small frame out of the bytes", microseconds(lambda: list(small_frames(sent))), 4)


async def connection() -> None:
    """A gate with the limits on; every move is answered by Moved."""
    service = Service(lambda session, command, at_ms: session.peer.send(frame(Moved(1, 5, b"\x11"))))
    gate = OpenGate(service, FREE)
    link, transport = connected(gate)
    one, many = command(Play(1, 3, 20, 28, 2)), command(Play(1, 3, 20, 28, 2)) * 4
    heard = service.sessions[0].commands

    def turn(data: bytes) -> None:
        link.data_received(data)
        link.flush()
        heard.clear()
        transport.writes.clear()

    gate.clock.advance(1)
    show("a move through a connection, one a turn", microseconds(lambda: turn(one)))
    show("a move through a connection, four a turn", microseconds(lambda: turn(many)), 4)


if __name__ == "__main__":
    codec()
    asyncio.run(connection())
