"""The kernel tells a thread that could not run from one that did not want to."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from server.scheduled import Scheduled

ACCOUNT = Path("/proc/thread-self/schedstat")
BURNS = "import time; until = time.monotonic() + 20\nwhile time.monotonic() < until: pass"


kept = pytest.mark.skipif(not ACCOUNT.exists(), reason="the system keeps no such account")


@kept
def test_time_in_which_others_had_the_processor_is_denied_and_time_asleep_is_not() -> None:
    """With another process on the one processor that is left to both."""
    before, mine = os.sched_getaffinity(0), Scheduled(threading.get_native_id())
    os.sched_setaffinity(0, {min(before)})
    other = subprocess.Popen([sys.executable, "-c", BURNS])
    began, denied_s, until = time.monotonic(), mine.denied_s(), time.monotonic() + 15
    try:
        while mine.denied_s() - denied_s < 0.02 and time.monotonic() < until:
            pass
        assert 0.02 <= mine.denied_s() - denied_s <= time.monotonic() - began
    finally:
        other.kill()
        other.wait()
        os.sched_setaffinity(0, before)
        mine.close()


def test_of_a_thread_that_is_not_there_nothing_is_told() -> None:
    none = Scheduled(2**22 + 1)
    assert none.denied_s() == 0
    none.close()


@kept
def test_who_asks_no_more_holds_no_file() -> None:
    def held() -> int:
        return len(os.listdir("/proc/self/fd"))

    before = held()
    mine = Scheduled(threading.get_native_id())
    assert held() == before + 1
    mine.close()
    assert held() == before
    assert mine.denied_s() == 0
