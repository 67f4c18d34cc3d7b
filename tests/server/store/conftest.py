"""The store tests run against a real server program."""

from tests.store_fixture import store, store_url

__all__ = ["store", "store_url"]
