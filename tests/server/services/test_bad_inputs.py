"""Sixty bad inputs: each gets its documented answer, and the server lives on, serves others and logs no error."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest

from server.wire.messages import Ready, Refused
from tests.server.services.bad_inputs import ROWS, Row, Scene
from tests.server.services.kit import Servers, _later

CANARY_S = 2.0
"""Somebody else is served within this, on a machine that is busy too."""


def test_the_table_has_every_number_once() -> None:
    assert [row.number for row in ROWS] == list(range(1, 61))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.number:02}-{row.what.replace(' ', '-')[:40]}")
async def test_a_bad_input_gets_its_answer_and_harms_nobody(
    servers: Servers, caplog: pytest.LogCaptureFixture, row: Row
) -> None:
    app = await servers.start(address_rooms=5)

    async def later(ms: int) -> None:
        app.store.clock._monotonic = _later(app.store.clock._monotonic, ms)
        await asyncio.sleep(0.3)

    scene = Scene(app.port, later)
    async with asyncio.timeout(20):
        assert await row.play(scene) == row.answer
    began = time.monotonic()
    canary, _ = await scene.greeted()
    canary.say(Ready(2, True))
    assert await canary.event() == Refused(2, "noroom")
    assert time.monotonic() - began < CANARY_S
    await scene.leave()
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []
