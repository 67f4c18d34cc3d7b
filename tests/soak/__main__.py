"""A soak: `python -m tests.soak --minutes 30` (or `make soak MINUTES=30`).

Two servers on one store, 200 people who come, race, lose their connection and go, and one harm a minute. At the end
everybody leaves; then what the server that lived through it all holds is compared with what it held at its start.
Exit status 1 when a promise was broken. Figures go to stdout, samples to `--out`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from server.store.connect import open_store
from tests.faults.process import kupa
from tests.soak.figures import Found, rows, table
from tests.soak.people import Crowd
from tests.soak.place import Place, left_over

SAMPLE_S = 5.0
EMPTY_S = 690.0
"""A room that nobody is in closes after ten minutes; then nothing of it is in memory."""
AUDIT_S = 300.0


async def soak(folder: Path, arguments: argparse.Namespace) -> Found:
    """Carry it out."""
    place = Place(folder, lambda here: Crowd(here.urls, arguments.players, arguments.rate, arguments.seed))
    try:
        await place.start()
        await asyncio.sleep(3)
        found = Found(await place.held(0), {})
        seconds = arguments.minutes * 60
        ends = time.monotonic() + seconds
        watching = asyncio.create_task(_watch(place, found, time.monotonic()))
        harming = asyncio.create_task(_harm(place, seconds, arguments.every))
        await place.crowd.play(lambda: time.monotonic() > ends)
        harming.cancel()
        watching.cancel()
        await asyncio.gather(harming, watching, return_exceptions=True)
        _tell(f"over: {place.crowd.moves} moves, {place.crowd.heats} races, {place.crowd.solos} games alone")
        await _after(place, found, arguments.empty)
        return found
    finally:
        await place.stop()


async def _watch(place: Place, found: Found, began: float) -> None:
    """Note the memory, and say how it goes once a minute."""
    told = 0
    while True:
        await asyncio.sleep(SAMPLE_S)
        now = await place.held(0)
        at = time.monotonic() - began
        found.samples.append((at, now["memory_kib"]))
        if at // 60 > told:
            told = int(at // 60)
            crowd = place.crowd
            _tell(
                f"{told:3} min  {now['memory_kib'] / 1024:6.1f} MiB  {now['tasks']:.0f} tasks  "
                f"{now['sockets']:.0f} sockets  {now['rooms']:.0f} rooms  {crowd.moves} moves  {crowd.heats} races  "
                f"{len(crowd.faults)} faults"
            )


async def _harm(place: Place, seconds: float, every_s: float) -> None:
    """One harm after the other; none in the last seconds."""
    for number in range(int(seconds / every_s)):
        await asyncio.sleep(every_s)
        name, work = place.harms[number % len(place.harms)]
        _tell(name)
        await work()


async def _after(place: Place, found: Found, empty_s: float) -> None:
    """Everybody has gone: wait until the servers have let go, then look at what is left."""
    found.faults = place.crowd.faults
    store = await open_store(place.store.url)
    try:
        until = time.monotonic() + empty_s
        while True:
            found.end = await place.held(0)
            found.left = dict(await left_over(store))
            if time.monotonic() > until or all(ok for _, _, _, ok in rows(found)):
                break
            await asyncio.sleep(5)
    finally:
        await store.close()
    found.audit = await _audit(place.store.url)
    found.errors = [line for server in place.servers for line in server.errors()]


async def _audit(url: str) -> str:
    ended = await kupa("audit", "--json", within_s=AUDIT_S, REDIS_URL=url, KUPA_DURABILITY="second")
    if ended.status == 0:
        return ""
    return f"status {ended.status}: {ended.err.strip() or json.loads(ended.out or '{}')}"[:300]


_tell: Callable[[str], None] = lambda text: print(text, flush=True)  # noqa: E731


def main() -> int:
    """Read the arguments, soak, print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rate", type=float, default=0.3, help="moves a second of each player")
    parser.add_argument("--every", type=float, default=60, help="seconds from one harm to the next")
    parser.add_argument("--empty", type=float, default=EMPTY_S, help="seconds to wait for rooms to close at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a file for all samples, as JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kupa-soak") as folder:
        found = asyncio.run(soak(Path(folder), arguments))
    for line in (*found.faults[:20], *found.errors[:20]):
        print(line)
    lines = rows(found)
    print(table(lines))
    if arguments.out is not None:
        arguments.out.write_text(json.dumps({"samples": found.samples, "start": found.start, "end": found.end}))
    return 0 if all(ok for _, _, _, ok in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
