"""Who reads that a process ended reads how."""

from __future__ import annotations

import pytest

from server.exits import how_it_ended


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "exit status 0"), (3, "exit status 3"), (-9, "killed by SIGKILL"), (-11, "killed by SIGSEGV"),
        (-40, "killed by signal 40"),
    ],
)  # fmt: skip
def test_a_signal_is_named_and_a_status_is_given(status: int, words: str) -> None:
    assert how_it_ended(status) == words
