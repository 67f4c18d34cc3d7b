"""A race and a tournament through the proxy of docker-compose.yml, with servers killed in the middle.

Run while the compose project is up, with the project's Python: `python -m tests.compose.check`.
Ann and Bob race on one deal, one on each server. The server under one of them is killed; that player
comes back through the proxy and goes on, nobody loses a confirmed move, and the heat comes to its
result, which opens the commitment made before the gun. Then the store's container is replaced, and
both are still known. Then the evening: see `evening`. Frames are read by `msgpack`, not by the code under test.
With a path in KUPA_PUBLIC_URL everything goes below that path.
Exit status 0: all of it held; 1: what did not, in one line.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import urllib.request
from urllib.parse import urlsplit

from engine.deal_code import commitment
from server.wire.messages import ResultRow
from tests.compose.evening import evening
from tests.compose.player import DRAW, RESIGN, Failed, Frame, Player, compose, expect, kill_one_server

MOVES = 12
"""Draws of each player, half of them before the kill."""


async def start(ann: Player, bob: Player) -> Frame:
    """Both in one room, ready, and past the gun; returns the `HeatInfo`."""
    await ann.come()
    await bob.come()
    options = ["DS1-D1N", "first", 3, 2, "all", True, False, 1, "", False]
    entered = await ann.ask("CreateRoom", options, [], False, answer="Entered")
    ann.room = bob.room = entered["code"]
    await bob.ask("EnterRoom", bob.room, False, answer="Entered")
    await ann.ask("Ready", True)
    await bob.ask("Ready", True)
    heat = await ann.latest("HeatInfo")
    boards = await asyncio.gather(ann.latest("Dealt", 15.0), bob.latest("Dealt", 15.0))
    expect(boards[0]["view"][1:] == boards[1]["view"][1:], "the two were dealt different cards")
    return heat


def check_result(heat: Frame, results: list[Frame], players: tuple[Player, Player]) -> None:
    """Both heard the same result, it holds every confirmed move, and it opens the commitment."""
    expect(results[0] == results[1], "the two heard different results")
    result = results[0]
    opened = commitment(result["heat"], result["code"], result["nonce"])
    expect(opened == result["commitment"] == heat["commitment"], f"the commitment does not open: {result}")
    rows = [dict(zip(ResultRow.__struct_fields__, row, strict=False)) for row in result["rows"]]
    moves = {row["name"]: row["moves"] for row in rows}
    for player in players:
        expect(moves.get(player.name) == MOVES, f"{player.name} made {MOVES} moves, the result says {moves}")


async def race(address: str) -> str:
    """The whole story; returns what to print."""
    ann, bob = Player(address, "Ann"), Player(address, "Bob")
    heat = await start(ann, bob)
    for _ in range(MOVES // 2):
        await asyncio.gather(ann.play(DRAW), bob.play(DRAW))
    await asyncio.to_thread(kill_one_server)
    for _ in range(MOVES // 2):
        await asyncio.gather(ann.play(DRAW), bob.play(DRAW))
    expect(ann.drops + bob.drops > 0, "nobody noticed: both were on the other server")
    await asyncio.gather(ann.play(RESIGN), bob.play(RESIGN))
    check_result(heat, list(await asyncio.gather(ann.result(), bob.result())), (ann, bob))

    known = (ann.player, bob.player)
    await asyncio.to_thread(compose, "up", "-d", "--wait", "--no-deps", "--force-recreate", "store")
    await ann.come_back()
    await bob.come_back()
    expect((ann.player, bob.player) == known, "after the store's container was replaced, nobody was known")
    return f"a server killed mid-race: back after {max(ann.slowest_ms, bob.slowest_ms)} ms at most, nothing lost"


async def story(public: str) -> None:
    """The race, then the evening with both servers there again."""
    print(await race(public), flush=True)
    await asyncio.to_thread(compose, "up", "-d", "--wait")
    print(await evening(public), flush=True)


def main() -> int:
    """Check the compose project that is up."""
    address = compose("port", "proxy", "80").replace("0.0.0.0", "127.0.0.1")
    public = address + urlsplit(os.environ.get("KUPA_PUBLIC_URL", "")).path
    try:
        for page in ("/", "/readyz", "/t/KMPQR/screen", "/qr/t/KMPQR.svg"):
            with urllib.request.urlopen(f"http://{public}{page}", timeout=5) as answer:
                expect(answer.status == 200, f"{page} was answered {answer.status}")
        asyncio.run(story(public))
    except (Failed, TimeoutError, subprocess.CalledProcessError) as error:
        print(f"compose check: {error!r}", file=sys.stderr)
        return 1
    print("2 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
