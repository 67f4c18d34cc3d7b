"""One flush a turn for each, and a broken connection keeps nobody back."""

from __future__ import annotations

import asyncio

import pytest

from server.net.gather import Gather
from tests.server.net.fakes import turn


class Writer:
    def __init__(self, broken: bool = False) -> None:
        self.flushes = 0
        self.aborted = False
        self.broken = broken

    def flush(self) -> None:
        self.flushes += 1
        if self.broken:
            raise OSError("broken")

    def abort(self) -> None:
        self.aborted = True


async def test_each_is_flushed_at_the_end_of_the_turn() -> None:
    gather, writers = Gather(asyncio.get_running_loop()), [Writer(), Writer()]
    for writer in writers:
        gather.add(writer)
    assert [writer.flushes for writer in writers] == [0, 0]
    await turn()
    assert [writer.flushes for writer in writers] == [1, 1]
    await turn()
    assert [writer.flushes for writer in writers] == [1, 1]
    gather.add(writers[0])
    await turn()
    assert [writer.flushes for writer in writers] == [2, 1]


async def test_a_broken_one_is_cut_and_the_others_are_flushed(caplog: pytest.LogCaptureFixture) -> None:
    gather, writers = Gather(asyncio.get_running_loop()), [Writer(broken=True), Writer()]
    for writer in writers:
        gather.add(writer)
    await turn()
    assert writers[0].aborted
    assert writers[1].flushes == 1
    assert "could not be written to" in caplog.text
