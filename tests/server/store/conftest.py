"""The store tests run against a real server program; some on one of their own, to break it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store_fixture import Server, store, store_url

__all__ = ["server", "store", "store_url"]


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server program for one test alone, to be stopped, killed and reconfigured; its parameter: `appendfsync`."""
    with tempfile.TemporaryDirectory(prefix="kupa") as folder:
        made = Server(Path(folder), "--appendonly", "yes", "--appendfsync", getattr(request, "param", "everysec"))
        made.start()
        yield made
        made.kill()
