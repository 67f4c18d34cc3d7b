"""The log script against a model of twenty lines: claims, appends, repetitions, zombies, lost answers."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from server.store import keys
from server.store.connect import Store, open_store
from server.store.lane import Verdict

ROOM, HEAT = "ABCDEFGHJK", "KJHGFEDCBA"
LOG, BOARD = keys.room_log(ROOM), keys.board_log(ROOM, HEAT, 0)
T = TypeVar("T")
process = st.integers(0, 1)
some_entry = st.integers(0, 3).map(lambda n: n.to_bytes(8, "big"))


class Model:
    """What a board's log should do."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.epoch = 0
        self.sealed = False

    def append(self, at: int, entries: list[bytes], epoch: int) -> tuple[Verdict, int]:
        verdict = self._verdict(at, entries, epoch)
        if verdict is Verdict.OK:
            self.entries += entries
        return verdict, len(self.entries)

    def _verdict(self, at: int, entries: list[bytes], epoch: int) -> Verdict:
        if self.entries[at : at + len(entries)] == entries:
            return Verdict.DUP
        if self.sealed:
            return Verdict.SEALED
        if epoch and epoch != self.epoch:
            return Verdict.FENCED if epoch < self.epoch else Verdict.SHORT
        if at != len(self.entries):
            return Verdict.CONFLICT if at < len(self.entries) else Verdict.SHORT
        return Verdict.OK


class TwoProcesses(RuleBasedStateMachine):
    """Two processes that write one board, each with what it believes."""

    runner: asyncio.Runner
    stores: list[Store]

    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.epochs = [0, 0]
        self.lengths = [0, 0]
        self.last: list[tuple[int, list[bytes], int] | None] = [None, None]
        self.room_length = 0

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(asyncio.wait_for(what, 10))

    @initialize()
    def begin(self) -> None:
        self.run(self.stores[0].client.execute_command("FLUSHALL"))

    # ------------------------------------------------------------ what may happen

    @rule(p=process)
    def claim(self, p: int) -> None:
        claim = self.run(self.stores[p].logs.claim(BOARD, f"n{p}"))
        self.model.epoch += 1
        assert (claim.epoch, claim.length, claim.sealed) == (
            self.model.epoch,
            len(self.model.entries),
            self.model.sealed,
        )
        self.epochs[p], self.lengths[p] = claim.epoch, claim.length

    def _append(self, p: int, at: int, entries: list[bytes], epoch: int) -> None:
        expected = self.model.append(at, entries, epoch)
        assert self.run(self.stores[p].logs.append(BOARD, at, entries, epoch=epoch)) == expected
        if expected[0] in (Verdict.OK, Verdict.DUP):
            self.lengths[p] = at + len(entries)
        self.last[p] = (at, entries, epoch)

    @precondition(lambda self: any(self.epochs))
    @rule(p=process, entries=st.lists(some_entry, min_size=1, max_size=3))
    def append(self, p: int, entries: list[bytes]) -> None:
        """By what the process believes: it may be a zombie by now, or behind."""
        self._append(p, self.lengths[p], entries, self.epochs[p])

    @rule(p=process)
    def repeat(self, p: int) -> None:
        if (last := self.last[p]) is not None:
            self._append(p, *last)

    @rule(p=process, entry=some_entry, back=st.integers(1, 4))
    def stale(self, p: int, entry: bytes, back: int) -> None:
        self._append(p, max(0, self.lengths[p] - back), [entry], self.epochs[p])

    @rule(p=process, entry=some_entry, beyond=st.integers(1, 3))
    def gap(self, p: int, entry: bytes, beyond: int) -> None:
        self._append(p, len(self.model.entries) + beyond, [entry], self.epochs[p])

    @rule(p=process, entry=some_entry)
    def lose_the_answer(self, p: int, entry: bytes) -> None:
        """The connection is cut when the request is out: sent again, it is there exactly once."""
        at, epoch = self.lengths[p], self.epochs[p]
        verdict, length = self.model.append(at, [entry], epoch)
        answer = self.run(self._cut(p, at, entry, epoch))
        either = {Verdict.OK, Verdict.DUP} if verdict is Verdict.OK else {verdict}
        assert answer[0] in either
        assert answer[1] == length
        if verdict in (Verdict.OK, Verdict.DUP):
            self.lengths[p] = at + 1
        self.last[p] = (at, [entry], epoch)

    async def _cut(self, p: int, at: int, entry: bytes, epoch: int) -> tuple[Verdict, int]:
        logs = self.stores[p].logs
        answer = asyncio.create_task(logs.append(BOARD, at, [entry], epoch=epoch))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for outlet in logs._outlets.values():
            if outlet._pipe is not None:
                outlet._pipe._transport.abort()
        return await answer

    @rule(p=process)
    def catch_up(self, p: int) -> None:
        assert self.run(self.stores[p].logs.load(BOARD)) == self.model.entries
        self.lengths[p] = len(self.model.entries)

    @rule(p=process, behind=st.integers(0, 1))
    def close(self, p: int, behind: int) -> None:
        at = max(0, self.room_length - behind)
        closing = self.stores[p].logs.close_heat(LOG, at, [BOARD], tag=19, at_ms=1000 + p, heat=HEAT)
        closed = self.run(closing)
        if at < self.room_length:
            assert closed.verdict is Verdict.DUP
        else:
            assert closed.verdict is Verdict.OK
            self.room_length += 1
            self.model.sealed = True
        assert closed.length == self.room_length
        assert closed.lengths == (len(self.model.entries),)

    # ------------------------------------------------------------ what must hold

    @invariant()
    def the_log_is_the_model(self) -> None:
        assert self.run(self.stores[0].logs.load(BOARD)) == self.model.entries


@pytest.mark.filterwarnings("default::ResourceWarning")
def test_two_processes_and_the_model_agree(store_url: str) -> None:
    with asyncio.Runner() as runner:
        TwoProcesses.runner = runner
        TwoProcesses.stores = [runner.run(open_store(store_url)) for _ in range(2)]
        run_state_machine_as_test(
            TwoProcesses,
            settings=settings(settings(), max_examples=max(60, settings().max_examples // 4), stateful_step_count=30),
        )
        for store in TwoProcesses.stores:
            runner.run(store.close())
