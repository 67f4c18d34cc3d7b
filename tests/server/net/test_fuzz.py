"""Damaged sessions on a live server: a documented answer each, a canary that is served, a quiet log."""

from __future__ import annotations

import logging
import random

import pytest

from server.wire.codec import encode
from server.wire.errors import CloseCode
from server.wire.examples import COMMAND_EXAMPLES
from server.wire.messages import Done, Hello, Ready
from tests.server.net.conftest import Stage
from tests.server.net.raw import client_frame

DOCUMENTED = {int(code) for code in CloseCode}
FRAMES = [client_frame(encode(command)) for command in COMMAND_EXAMPLES if not isinstance(command, Hello)]


def damaged(chance: random.Random) -> bytes:
    """A few frames of a session, swapped, repeated, cut, or with bits flipped."""
    frames = chance.choices(FRAMES, k=chance.randint(1, 6))
    data = bytearray(b"".join(frames))
    for _ in range(chance.randint(0, 4)):
        way, at = chance.randrange(4), chance.randrange(len(data))
        if way == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif way == 1:
            data = data[: at + 1]
        elif way == 2:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 9)))
        else:
            data[at:at] = data[: chance.randint(1, 20)]
    return bytes(data)


@pytest.mark.parametrize("seed", range(4))
async def test_a_damaged_session_harms_nobody(stage: Stage, caplog: pytest.LogCaptureFixture, seed: int) -> None:
    chance = random.Random(seed)
    canary = await stage.socket()
    codes = set()
    for _ in range(50):
        raw = await stage.socket()
        stage.clock.advance(1000)
        raw.write(damaged(chance))
        raw.write(client_frame((1000).to_bytes(2, "big"), 8))
        raw.writer.write_eof()
        codes.add(await raw.close_code())
        canary.say(Ready(2, True))
        assert await canary.event() == Done(2)
        await raw.leave()
    assert codes - {1006} <= DOCUMENTED
    assert {1000, 4400} <= codes
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert [session.closings for session in stage.service.sessions[1:]] == [1] * 50
