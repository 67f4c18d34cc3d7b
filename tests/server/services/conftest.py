"""The services are tested as they run: real sockets, a real store, one or two servers in the test's loop."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from server.store.connect import Store
from tests.server.services.kit import Servers
from tests.store_fixture import store, store_url

__all__ = ["server", "servers", "store", "store_url"]


@pytest_asyncio.fixture
async def servers(store: Store, store_url: str) -> AsyncIterator[Servers]:
    """No server yet: start as many as the test needs."""
    made = Servers(store, store_url)
    yield made
    await made.close()


@pytest_asyncio.fixture
async def server(servers: Servers) -> Servers:
    """One server."""
    await servers.start()
    return servers
