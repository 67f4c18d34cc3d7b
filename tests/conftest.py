"""What every test gets: how long properties are searched.

`KUPA_TEST_PROFILE=long` searches properties for minutes, with new examples each time; without it
they are the same few hundred on every run.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("gate", derandomize=True, max_examples=200, deadline=None, database=None)
settings.register_profile("long", max_examples=5000, deadline=None)
settings.load_profile(os.environ.get("KUPA_TEST_PROFILE", "gate"))
