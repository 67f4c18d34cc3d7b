"""`kupa backup` and `kupa restore`: a store as one file, and back.

What lives here: files and the order of things. What does not: keys (store.archive).
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

from server.app import CannotStart, store_of
from server.config import Config
from server.store import archive
from server.whole_file import whole_file

Step = Callable[[int], None]
"""Called now and then with how many keys are done."""
EVERY = 100


async def backup(config: Config, file: Path, step: Step) -> int:
    """Write everything into `file` (compressed where it ends in .gz); returns how many keys.

    The file appears when it is whole. Raises CannotStart, OSError.
    """
    keys = -2
    async with store_of(config) as store:
        with (
            whole_file(file) as part,
            gzip.open(part, "wt", encoding="utf-8") if file.suffix == ".gz" else part.open("w") as out,
        ):
            async for line in archive.lines(store.client, store.clock.now_ms(), store.schema):
                out.write(line + "\n")
                keys += 1
                if keys % EVERY == 0:
                    step(keys)
    return keys


async def restore(config: Config, file: Path, step: Step, *, new: bool = False) -> int:
    """Write an archive into an empty store; returns how many keys. `new`: also where there is none yet.

    The whole archive is checked before anything is written. Raises CannotStart (also for a store that is
    not empty), NoStore, archive.BadArchive, OSError.
    """
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        rows = archive.checked(lines)
    async with store_of(config, new=new) as store:
        if not await archive.empty(store.client):
            raise CannotStart("the store is not empty; restore into another one (KUPA_DATA and --new, or REDIS_URL)")
        for number, row in enumerate(rows, start=1):
            await archive.put(store.client, row)
            if number % EVERY == 0:
                step(number)
    return len(rows)
