"""`kupa bot` in a tournament: its server is killed in the middle of a heat and started again, and it plays on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.moves import Kind, unpack_entry
from server.core.tournament import events as log
from server.core.tournament import machine
from server.core.tournament.state import TournamentState
from server.store import keys
from server.store.connect import Store
from tests.faults.process import ServerProcess, environ, kupa
from tests.server.services.kit import eventually
from tests.store_fixture import free_port, store, store_url
from tests.wire_client import WireClient

__all__ = ["store", "store_url"]

pytestmark = pytest.mark.long
SOON_S = 60.0
"""Whatever this machine does beside it."""


async def held(store: Store, code: str) -> TournamentState:
    """The tournament as its log has it."""
    found = await store.tournaments.by_code(code)
    assert found is not None
    return machine.fold(log.decode_log(await store.logs.load(keys.tournament_log(found))))


async def made(store: Store, board: str, at_least: int) -> list[bytes]:
    """Wait until a board has so many entries; what they are."""

    async def there() -> bool:
        return await store.logs.length(board) >= at_least

    await eventually(there, SOON_S)
    return await store.logs.load(board)


@contextlib.asynccontextmanager
async def playing(server: ServerProcess, code: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A bot that knows only this server."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server.cli", "bot", f"http://127.0.0.1:{server.port}", "--tournament", code,
        "--level", "1", "--speed", "10", env=environ(), stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


async def drawn(other: ServerProcess, ann: WireClient) -> tuple[str, str, str]:
    """A tournament of one heat: its code, its host's token, its address."""
    address = other.url.replace("ws", "http")
    words = ("--name", "Two of them", "--format", "league", "--rounds", "1", "--pause", "1", "--json")
    told = await kupa("tournament", "create", address, *words)
    assert told.status == 0, told.err
    code, token = (str(json.loads(told.out)[what]) for what in ("code", "token"))
    ann.url = other.url
    await ann.come()
    await ann.ask("OpenTournament", code, True)
    return code, token, address


async def heat(store: Store, code: str, token: str, address: str, ann: WireClient) -> str:
    """Both are in, the tournament is started, Ann has her cards; the key of the bot's board."""

    async def both_are_in() -> bool:
        return len((await held(store, code)).entrants) == 2

    await eventually(both_are_in, SOON_S)
    started = await kupa("tournament", "host", address, code, "start", "--token", token)
    assert started.status == 0, started.err
    you = await ann.hear(lambda e: e["event"] == "TournamentYou" and e["room"] != "", SOON_S)
    await ann.enter(you["room"])
    dealt = await ann.latest("Dealt", SOON_S)
    room = await store.rooms.room_of_code(ann.room)
    assert room is not None
    return keys.board_log(room, dealt["heat"], 1 - dealt["seat"])


async def test_a_bot_whose_server_is_killed_comes_again_as_the_same_entrant_and_plays_its_board_on(
    tmp_path: Path, store: Store, store_url: str
) -> None:
    settings = {"REDIS_URL": store_url, "KUPA_DURABILITY": "second"}
    killed = ServerProcess(tmp_path / "log0.txt", **{**settings, "KUPA_PORT": str(free_port())})
    other = ServerProcess(tmp_path / "log1.txt", **settings)
    ann = WireClient("", "Ann")
    try:
        await asyncio.gather(killed.start(), other.start())
        code, token, address = await drawn(other, ann)
        async with playing(killed, code) as bot:
            board = await heat(store, code, token, address, ann)
            await made(store, board, 4)
            await killed.kill()
            before = await store.logs.length(board)
            await killed.start()
            entries = await made(store, board, before + 4)
            assert bot.returncode is None
        assert Kind.RESIGN not in {unpack_entry(entry)[0].kind for entry in entries}
        assert len((await held(store, code)).entrants) == 2
        assert killed.errors() == other.errors() == []
    finally:
        await ann.go()
        for server in (killed, other):
            await server.kill()
