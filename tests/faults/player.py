"""A person who plays on whatever happens, and the tape of everything that they sent and were sent.

Lives here: playing over broken, silent and slow connections as a browser does, and recording it with times. Lives
elsewhere: what must be true of it (invariants).
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgpack

from engine.moves import Move
from engine.ruleset import RULESETS
from server.core import bots
from server.wire.errors import CloseCode
from tests.wire_client import ANSWERS, BROKEN, RESIGN, TAGS, Frame, WireClient, parsed

SIGN_S = 2.0
"""Silence after which a sign of life is asked for."""
DEAD_S = 9.0
"""Silence after which the connection is given up (rulings, constants)."""
FOR_NOW = ("busy", "slow", "early")
"""Refusals of moves that pass."""


@dataclass(slots=True)
class Line:
    """One frame on the tape."""

    at: float
    """Monotonic seconds."""
    wall_ms: int
    """The machine's clock, which is the store's."""
    socket: int
    """Number of the connection, from 1."""
    out: bool
    data: bytes

    @property
    def frame(self) -> Frame:
        """As an event; of a command only `event`, `ply` and `move` of a `Play` are told."""
        if not self.out:
            return parsed(self.data)
        tag, *values = msgpack.unpackb(self.data)
        if tag == TAGS["Play"]:
            return {"event": "Play", "ply": values[0], "move": Move(*values[1:])}
        return {"event": f"command {tag}"}


@dataclass(slots=True)
class Tape:
    """All frames of one person."""

    name: str
    lines: list[Line] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    """With which sockets were closed."""

    def note(self, socket: int, out: bool, data: bytes) -> None:
        self.lines.append(Line(time.monotonic(), time.time_ns() // 1_000_000, socket, out, data))


class Player(WireClient):
    """Plays sensible moves, or those of a known win, until told to stop."""

    def __init__(self, name: str, urls: Callable[[], list[str]], seed: int = 0) -> None:
        """`urls()`: the servers that are there, best first."""
        super().__init__(urls()[0], name)
        self.tape = Tape(name)
        self.tape.codes = self.codes
        self.script: Sequence[Move] = ()
        """Moves of a win by ply; empty: the next move is thought of."""
        self.busy = 0
        """Refusals that passed."""
        self.sockets = 0
        self._urls = urls
        self._chance = random.Random(seed)

    # ------------------------------------------------------------ recording

    async def open(self) -> None:
        await super().open()
        self.sockets += 1

    async def send(self, command: str, *values: object) -> None:
        self.tape.note(self.sockets, True, msgpack.packb([TAGS[command], *values]))
        await super().send(command, *values)

    async def next(self, within_s: float = 10.0) -> Frame:
        event = await super().next(within_s)
        self.tape.note(self.sockets, False, self.raw[-1])
        return event

    # ------------------------------------------------------------ the line

    def cut(self) -> None:
        """This end gives the connection up."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def alive(self) -> Frame:
        """The next event; asks for signs of life, and gives up a line that is dead."""
        silent = time.monotonic()
        while True:
            try:
                return await self.next(SIGN_S)
            except TimeoutError:
                if time.monotonic() - silent > DEAD_S:
                    self.cut()
                    raise
                await self.send("Ping", 0)

    @property
    def superseded(self) -> bool:
        """The same person came elsewhere: this window stays out (4409 is not retried)."""
        return CloseCode.ELSEWHERE in self.codes

    async def back(self, within_s: float = 30.0) -> Frame:
        """After a broken connection: try one server after the other until the room is there again."""
        if self._socket is not None:
            with contextlib.suppress(*BROKEN):
                await self.closed(0.05)
        if self.superseded:
            return {}
        self.cut()
        until = time.monotonic() + within_s
        while time.monotonic() < until:
            for url in self._urls():
                if self.superseded:  # told so while it was coming back: a browser does not try elsewhere either
                    return {}
                self.url = url
                with contextlib.suppress(*BROKEN, AssertionError):
                    await self.come()
                    await self.enter()
                    return self.seen["Entered"]
            await asyncio.sleep(self._chance.uniform(0.02, 0.1))
        raise AssertionError(f"{self.name} did not get back within {within_s} s")

    # ------------------------------------------------------------ playing

    async def surely(self, command: str, *values: object) -> None:
        """A command, sent over however many connections until it is done."""
        while not self.superseded:
            try:
                await self.ask(command, *values)
                return
            except AssertionError as error:
                if "'busy'" not in str(error):
                    raise
                self.busy += 1
                await asyncio.sleep(0.1)
            except BROKEN:
                await self.back()
                if command == "Ready" and "HeatInfo" in self.seen:
                    return  # it was heard, only the answer was lost

    async def play_until(self, over: Callable[[], bool], pause_s: float = 0.03) -> None:
        """Play on, over however many connections, until told to stop or the board has ended."""
        while not over() and not self.superseded and not (self.board is not None and self.board.ended):
            try:
                await self.until_dealt()
                if "HeatResult" in self.seen:
                    return
                move = self.wanted()
                if move is None or self.board is None:
                    return
                await self.made(self.board.ply, move)
                await asyncio.sleep(pause_s)
            except BROKEN:
                await self.back()

    async def until_dealt(self) -> None:
        """Wait for the cards, or the result if all is over, over however many connections."""
        while not {"Dealt", "HeatResult"} & self.seen.keys() and not self.superseded:
            try:
                await self.alive()
            except BROKEN:
                await self.back()

    def wanted(self) -> Move | None:
        """The next move."""
        assert self.board is not None
        if self.script:
            return self.script[self.board.ply] if self.board.ply < len(self.script) else None
        turn = bots.next_move(self.board.seen(), RULESETS[self._ruleset], 3, self._memory)
        self._memory = turn.memory
        return turn.move

    async def made(self, ply: int, move: Move) -> Frame:
        """Send a move and wait for what becomes of it; a refusal that passes is sent again."""
        while True:
            await self.push(ply, *move)
            while True:
                event = await self.alive()
                if event["event"] in ANSWERS and event["ply"] == ply:
                    break
                if event["event"] == "Dealt":
                    return event
            if event["event"] != "Denied" or event["code"] not in FOR_NOW:
                return event
            self.busy += 1
            await asyncio.sleep(0.05)

    async def result(self, within_s: float = 30.0) -> Frame:
        """Resign if there is something left to play, and wait for the `HeatResult`."""
        async with asyncio.timeout(within_s):
            while "HeatResult" not in self.seen and not self.superseded:
                try:
                    if self.board is not None and not self.board.ended:
                        await self.made(self.board.ply, Move(RESIGN, 0, 0, 0))
                    while "HeatResult" not in self.seen:
                        await self.alive()
                except BROKEN:
                    await self.back()
        return self.seen.get("HeatResult", {})
