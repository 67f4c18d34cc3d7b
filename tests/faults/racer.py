"""People who race on whatever happens to servers and store, and the check that nothing of it was lost or doubled.

Lives here: playing on over broken connections, as a browser would, and invariants I1–I4 over what was sent,
what was answered and what the log holds.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from engine.board import Board
from engine.deal_code import DealCode, commitment, deal
from engine.moves import unpack_entry
from tests.wire_client import BROKEN, RESIGN, Frame, WireClient

PAUSE_S = 0.06
"""Between two moves: a game lasts longer than the faults that happen to it."""


class Racer:
    """One person in a race, who may be connected to any of several servers."""

    def __init__(self, person: WireClient, urls: Callable[[], list[str]]) -> None:
        """`urls()`: the servers that are there, best first."""
        self.person = person
        self.cuts: list[float] = []
        """Seconds from each broken connection to the own board on the next one."""
        self.slowest_s = 0.0
        """Longest wait for an answer, cuts left out."""
        self._urls = urls

    async def play(self, until: Callable[[], bool]) -> None:
        """Play sensible moves until told to stop."""
        while not until():
            began = time.monotonic()
            try:
                made = await self.person.think(1)
            except BROKEN:
                await self._back(began)
                continue
            self.slowest_s = max(self.slowest_s, time.monotonic() - began)
            if not made:
                return
            await asyncio.sleep(PAUSE_S)

    async def _back(self, broken: float) -> None:
        """Read what came before the end, then try one server after the other."""
        with contextlib.suppress(*BROKEN):
            await self.person.closed(1)
        await self.person.go()
        for _ in range(200):
            for url in self._urls():
                self.person.url = url
                try:
                    await self.person.back(0)
                except (*BROKEN, AssertionError):
                    await asyncio.sleep(0.02)
                    continue
                self.cuts.append(time.monotonic() - broken)
                return
        raise AssertionError(f"{self.person.name} did not get back")

    async def ends(self) -> Frame:
        """Resign, over however many sockets it takes; returns the `HeatResult`."""
        person = self.person
        while "HeatResult" not in person.seen:
            try:
                if person.board is not None and not person.board.ended:
                    await person.play(person.board.ply, RESIGN)
                return await person.latest("HeatResult", 20)
            except BROKEN:
                await self._back(time.monotonic())
        return person.seen["HeatResult"]


def check_log(person: WireClient, entries: list[bytes]) -> None:
    """I1, I3: every answered move stands where it was acknowledged, each entry is a move that was sent under
    this very ply, and nothing stands there twice."""
    acknowledged = {ply: move for ply, move, answer in person.played if answer != "Denied"}
    assert len(acknowledged) == len([1 for _, _, answer in person.played if answer != "Denied"])
    for ply, move in acknowledged.items():
        assert ply < len(entries), f"{person.name}: move {ply} was acknowledged and is lost"
        assert unpack_entry(entries[ply])[0] == move, f"{person.name}: another move stands at {ply}"
    sent = set(person.sent)
    for ply, entry in enumerate(entries):
        assert (ply, unpack_entry(entry)[0]) in sent, f"{person.name}: entry {ply} was never sent"
    times = [unpack_entry(entry)[1] for entry in entries]
    assert times == sorted(times)


def check_result(result: Frame, boards: dict[str, list[bytes]]) -> None:
    """I2, I4: the result is the fold of the logs, and opens its commitment."""
    code = DealCode.parse(result["code"])
    assert result["commitment"] == commitment(result["heat"], result["code"], result["nonce"])
    for row in result["rows"]:
        board = Board.replay(code.ruleset, deal(code), boards[row[9]], ranked=True)
        assert (row[2], row[3], row[4], row[5]) == (board.ended, board.out, board.score, board.moves)
