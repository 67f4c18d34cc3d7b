"""The folder in which the workers of one `kupa serve --workers N` find each other (net.handover).

What lives here: making it, and taking away those of servers that were killed. What does not: what is in it. Its server
holds a lock on a file of it, which the system lets go of when the server is gone, however that came.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import structlog

PREFIX = "kupa-workers-"
LOCK = "lock"

_log = structlog.get_logger(__name__)


@contextlib.contextmanager
def meeting_place(parent: str = "") -> Iterator[str]:
    """A new folder, for as long as this lasts. Those of this user's dead servers are taken away before.

    `parent`: where; empty: the folder of temporary files. Raises OSError when nothing can be made there.
    """
    where = Path(parent or tempfile.gettempdir())
    for left in where.glob(f"{PREFIX}*"):
        _take_away_if_dead(left)
    # It is locked before it gets the name under which others look for dead ones.
    made = Path(tempfile.mkdtemp(prefix=".kupa-", dir=where))
    lock = os.open(made / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    folder = made.rename(where / f"{PREFIX}{made.name.removeprefix('.kupa-')}")
    try:
        yield str(folder)
    finally:
        shutil.rmtree(folder)
        os.close(lock)


def _take_away_if_dead(folder: Path) -> None:
    """Only what is ours and nobody's any more: another user's, a link, one that is locked stay."""
    with contextlib.ExitStack() as stack:
        try:
            opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            stack.callback(os.close, opened)
            if os.fstat(opened).st_uid != os.getuid():
                return
            lock = os.open(LOCK, os.O_RDWR | os.O_NOFOLLOW, dir_fd=opened)
            stack.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)
        except OSError as error:  # it lives, or another start takes it away at this moment
            _log.debug("workers.folder_stays", folder=str(folder), why=str(error))
