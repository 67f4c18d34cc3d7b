"""Files that appear when they are whole.

What lives here: writing one. What does not: whether one may be written over (cli_arguments).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(file: Path) -> Iterator[Path]:
    """Where to write what becomes `file` at the end; when it does not come to that, nothing is left. Raises OSError."""
    part = file.with_name(file.name + ".part")
    try:
        yield part
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)
