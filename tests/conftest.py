"""What every test gets: how long properties are searched, and which browser is driven.

`KUPA_TEST_PROFILE=long` searches properties for minutes, with new examples each time; without it
they are the same few hundred on every run.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from tests.browser import chromium

settings.register_profile("gate", derandomize=True, max_examples=200, deadline=None, database=None)
settings.register_profile("long", max_examples=5000, deadline=None)
settings.load_profile(os.environ.get("KUPA_TEST_PROFILE", "gate"))


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser of the end-to-end tests; without one they fail, they are not skipped."""
    path = chromium()
    if path is None:
        pytest.fail("no Chromium: `make test` installs one, or says why it cannot")
    return path
