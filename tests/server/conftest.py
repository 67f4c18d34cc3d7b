"""What the tests of whole processes share: a real store."""

from __future__ import annotations

from tests.store_fixture import store, store_url

__all__ = ["store", "store_url"]
