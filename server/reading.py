"""Files of strangers, read no further than they make sense.

What lives here: bounds. What does not: what is in a file (core.replay, core.tournament.archive, store.archive).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

MOST_BYTES: Final = 512 * 1024 * 1024
HEAD: Final = 4_096
"""So much of a file tells whether it may be what it should be."""


class NotJson(ValueError):
    """The file is no JSON object, or larger than any that is read; the text is one line."""


def json_object(file: Path) -> bytes:
    """The bytes of a file that begins as a JSON object does. Raises NotJson, OSError.

    Also what has no size beforehand, such as a pipe, is read, to the same bound.
    """
    with file.open("rb") as stream:
        head = stream.read(HEAD)
        if not head.lstrip().startswith(b"{"):
            raise NotJson("it does not begin as a JSON object does")
        rest = stream.read(MOST_BYTES + 1 - len(head))
    if len(head) + len(rest) > MOST_BYTES:
        raise NotJson(f"it is larger than {MOST_BYTES // 1024**2} MiB")
    return head + rest
