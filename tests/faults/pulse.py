"""Somebody who plays while something happens to others, in a process of their own: `python -m tests.faults.pulse URL`.

The crowd is many sockets in the process of the test, and answers that were only read late there would be charged to
the server. Plays until its stdin is closed, then says how long each answer took: a line of JSON, seconds.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from tests.wire_client import DRAW, UNDO, WireClient

PAUSE_S = 0.02


class Pulse:
    """A player in such a process."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self._child = child

    @classmethod
    async def start(cls, url: str) -> Pulse:
        """Plays when this returns."""
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.faults.pulse", url,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert child.stdout is not None
        async with asyncio.timeout(60):
            assert await child.stdout.readline() == b"plays\n"
        return cls(child)

    async def times(self) -> list[tuple[float, float]]:
        """End; when each move went out (monotonic seconds, which all processes share) and how long its answer took."""
        try:
            async with asyncio.timeout(60):
                said, _ = await self._child.communicate(b"")
        finally:
            if self._child.returncode is None:
                self._child.kill()
        assert self._child.returncode == 0
        return [(at, took) for at, took in json.loads(said)]


async def play(url: str, over: asyncio.Event) -> list[tuple[float, float]]:
    """Draw a card and take it back, again and again, in a race against a bot that is left alone."""
    person, times = WireClient(url, "Pulse"), []
    await person.come()
    await person.create(1, minutes=10)
    await person.ask("Ready", True)
    await person.latest("Dealt")
    print("plays", flush=True)
    ply = 0
    while not over.is_set():
        began = time.monotonic()
        answer = await person.play(ply, DRAW if ply % 2 == 0 else UNDO)
        times.append((began, time.monotonic() - began))
        assert answer["event"] in ("Moved", "Restored"), answer
        ply += 1
        await asyncio.sleep(PAUSE_S)
    await person.go()
    return times


async def main() -> None:
    """Play until stdin ends."""
    over = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), over.set)
    print(json.dumps(await play(sys.argv[1], over)))


if __name__ == "__main__":
    asyncio.run(main())
