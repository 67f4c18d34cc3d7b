"""The first minute of a server on an empty folder: nothing was made ahead, and there is a daily deal to play (P6)."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

from server.core.daily import HEADLINE
from tests.faults.process import ServerProcess
from tests.server.services.daily_kit import opens
from tests.wire_client import WireClient

IDLE_S = 3.0
"""The promise, on a machine with nothing else to do."""
BUSY = 10
"""So many times slower may a machine with a lot else to do be."""


async def told(server: ServerProcess) -> dict[str, Any]:
    """GET /api/daily: the headline's row."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /api/daily HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = await reader.read()
    writer.close()
    (row,) = (row for row in json.loads(answer.partition(b"\r\n\r\n")[2])["rulesets"] if row["headline"])
    return dict(row)


async def test_a_fresh_server_has_a_certified_daily_deal_to_play_within_seconds(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "log", KUPA_DATA=str(tmp_path / "data"), KUPA_DURABILITY="second")
    ann = WireClient("")
    try:
        began = time.monotonic()
        await server.start()
        row = await told(server)
        while not row["ready"] and time.monotonic() < began + BUSY * IDLE_S:
            await asyncio.sleep(0.05)
            row = await told(server)
        ready_s = time.monotonic() - began
        assert (row["ruleset"], row["ready"], row["certified"]) == (HEADLINE, True, True)
        ann.url = server.url
        await ann.come()
        game = await opens(ann, ruleset=HEADLINE)
        assert game["certified"] is True
        assert await ann.think(3) == 3, "and it can be played"
        assert ready_s < BUSY * IDLE_S, f"ready after {ready_s:.2f} s"
        assert server.errors() == []
    finally:
        if ann.codes or ann.token:
            await ann.go()
        await server.kill()
