"""Commands as the store reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hiredis import pack_command


def pack(commands: Iterable[tuple[Any, ...]]) -> bytes:
    """One buffer with all commands; their words are str, bytes, int or float."""
    return b"".join(map(pack_command, commands))
