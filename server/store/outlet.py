"""One connection to one primary, and the loop that sends the lanes over it until the outcome is known.

What lives here: sending, timeouts, reconnecting, resending (reliability 2.4, F3–F9). What does not:
what an append is (lane), which node a slot lives on (topology).

A round is one write: what is due (ruling 18), one script call for each lane that has something, and
WAIT at level `replica`; then all answers are read. Whatever is not answered in time has an unknown
outcome: the connection is dropped and the very same calls are sent again, until the store says what
became of them. The scripts recognise repetitions.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redis.exceptions import NoScriptError, ResponseError

from server.clock import Clock
from server.store.guard import LOST, error_code, passes, translated
from server.store.lane import Lane, Outage
from server.store.lua import WRITER_SCRIPTS
from server.store.pipe import Pipe
from server.store.resp import pack
from server.store.topology import Client, Topology
from server.tasks import ended

PROBE_S = 1.0
"""An idle connection is tried after this, so that an outage shows even when nobody moves."""
BACKOFF_S = (0.02, 0.5)
"""First and longest pause between tries."""
WAIT_MS = 300
REPLICAS = 1

_log = logging.getLogger(__name__)
_MOVED_ON = ("READONLY", "MOVED", "ASK", "MASTERDOWN", "CLUSTERDOWN")
"""Answers that say: the primary is elsewhere."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the outlets of one writer share."""

    topology: Topology
    client: Client
    clock: Clock
    replica: bool
    timeout_s: float
    took: Callable[[float], None]
    """Told how long each round took that went well, in ms."""
    route: Callable[[Lane], None]
    done: Callable[[int], None]
    back: Callable[[Outage], None]
    retire: Callable[[str], None]
    """This address is no primary any more; nothing is routed to it after."""


class Outlet:
    """Sends lanes to the primary at `address`."""

    def __init__(self, address: str, terms: Terms) -> None:
        self.address = address
        self.away_since: int | None = None
        self.trouble = ""
        self._terms = terms
        self._ready: list[Lane] = []
        self._sleeping: asyncio.Future[None] | None = None
        self._probe: asyncio.TimerHandle | None = None
        self._pipe: Pipe | None = None
        self._failures = 0
        self._retired = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin sending."""
        self._task = asyncio.create_task(self._run(), name=f"kupa-store-{self.address}")

    async def close(self) -> None:
        """Stop at once; what is not settled stays so."""
        if self._task is not None:
            await ended(self._task)
        if self._probe is not None:
            self._probe.cancel()
        await self._disconnect()

    def take(self, lane: Lane) -> None:
        """Send this lane in the next round."""
        lane.queued = True
        self._ready.append(lane)
        self._wake()

    def _wake(self) -> None:
        if self._sleeping is not None and not self._sleeping.done():
            self._sleeping.set_result(None)

    # ------------------------------------------------------------ the loop

    async def _run(self) -> None:
        while not self._retired or self._ready:
            if not self._ready and self.away_since is None:
                await self._sleep_until_woken()
            lanes, self._ready = self._ready, []
            for lane in lanes:
                lane.load()
            sent_ms = self._terms.clock.now_ms()
            trouble = await self._round(lanes)
            if trouble is None:
                if lanes:
                    self._terms.took(self._terms.clock.now_ms() - sent_ms)
                self._well()
            else:
                await self._unwell(trouble, sent_ms, lanes)
            for lane in lanes:
                if lane.flying is not None or lane.waiting:
                    self._terms.route(lane)
                else:
                    lane.queued = False

    async def _sleep_until_woken(self) -> None:
        loop = asyncio.get_running_loop()
        self._sleeping = loop.create_future()
        if self._probe is None:
            self._probe = loop.call_later(PROBE_S, self._look)
        try:
            await self._sleeping
        finally:
            self._sleeping = None

    def _look(self) -> None:
        """Try an idle connection. One timer for many sleeps: each is short while people move."""
        self._probe = None
        self._wake()

    async def _round(self, lanes: list[Lane]) -> Exception | None:
        """Send and settle; answers what went wrong. Lanes with something still flying go again."""
        try:
            due, answers, replicas = await self._exchange(lanes)
        except Exception as error:
            if not isinstance(error, (*LOST, ResponseError)):
                _log.exception("the log writer failed; it tries again")
            for lane in lanes:
                lane.resent = True
            await self._disconnect()
            return error
        return await self._judge(lanes, due, answers, replicas)

    async def _judge(self, lanes: list[Lane], due: Any, answers: list[Any], replicas: Any) -> Exception | None:
        trouble: Exception | None = None
        if isinstance(due, Exception):
            trouble = due
        elif isinstance(replicas, Exception) or replicas < REPLICAS:
            trouble = replicas if isinstance(replicas, Exception) else ResponseError("NOREPLICAS none confirmed")
        if trouble is None and not any(isinstance(answer, ResponseError) and passes(answer) for answer in answers):
            self._well()  # said before anything is settled: what is given back comes before what follows from that
        for lane, answer in zip(lanes, answers, strict=True):
            if isinstance(answer, NoScriptError):
                await self._disconnect()
                lane.resent = True
            elif isinstance(answer, ResponseError) and passes(answer):
                trouble = answer
                lane.resent = True
            elif isinstance(answer, ResponseError):
                _log.error("a script failed in the store: %s", answer)
                self._terms.done(lane.fail(translated(answer)))
            elif trouble is not None and (isinstance(due, Exception) or self._terms.replica):
                lane.resent = True
            else:
                self._settle(lane, answer)
        if isinstance(trouble, ResponseError) and error_code(trouble) in _MOVED_ON:
            await self._disconnect()
        return trouble

    def _settle(self, lane: Lane, answer: Any) -> None:
        if lane.away_since is not None:
            if self._terms.topology.cluster:
                slot, topology = lane.slot, self._terms.topology
                self._report(lane.away_since, lambda key: topology.slot(key) == slot)
            lane.away_since = None
        self._terms.done(lane.settle(answer))

    # ------------------------------------------------------------ well and unwell

    def _well(self) -> None:
        self._failures = 0
        if self.away_since is not None:
            if not self._terms.topology.cluster:
                self._report(self.away_since, lambda key: True)
            self.away_since, self.trouble = None, ""

    def _report(self, since_ms: int, covers: Callable[[str], bool]) -> None:
        try:
            self._terms.back(Outage(since_ms, self._terms.clock.now_ms(), covers))
        except Exception:
            _log.exception("the callback of an outage raised")

    async def _unwell(self, trouble: Exception, sent_ms: int, lanes: list[Lane]) -> None:
        if self.away_since is None:
            self.away_since = sent_ms
        for lane in lanes:
            if lane.flying is not None and lane.away_since is None:
                lane.away_since = sent_ms
        self.trouble = str(translated(trouble))
        first, longest = BACKOFF_S
        pause = min(longest, first * 2**self._failures)
        self._failures = min(self._failures + 1, 10)
        await asyncio.sleep(pause * random.uniform(0.5, 1))
        topology = self._terms.topology
        try:
            await topology.refresh()
        except LOST:
            return
        if not topology.lives(self.address) and not self._retired:
            self._retired = True
            self._terms.retire(self.address)

    # ------------------------------------------------------------ the wire

    async def _exchange(self, lanes: list[Lane]) -> tuple[Any, list[Any], Any]:
        """(answer about due, answers of the lanes, replicas that have it); refusals are among the answers."""
        pipe = self._pipe or await self._connect()
        terms = self._terms
        calls: list[bytes] = []
        for command in _due_commands([due for lane in lanes for due in lane.dues()]):
            if terms.topology.node(terms.topology.slot(command[1])) == self.address:
                calls.append(pack([command]))
            else:
                await terms.client.execute_command(*command)
        here = len(calls)
        calls += [lane.call(terms.replica and lane.resent) for lane in lanes]
        if terms.replica and lanes:
            calls.append(pack([("WAIT", REPLICAS, WAIT_MS)]))
        if not calls:
            calls.append(pack([("PING",)]))
        timeout_s = terms.timeout_s + (WAIT_MS / 1000 if terms.replica else 0)
        answers = await pipe.ask(b"".join(calls), len(calls), timeout_s)
        due = next((answer for answer in answers[:here] if isinstance(answer, Exception)), None)
        del answers[:here]
        replicas = answers.pop() if terms.replica and lanes else REPLICAS
        if not lanes and isinstance(answers[0], Exception):
            raise ConnectionError(str(answers[0]))
        return due, answers[: len(lanes)], replicas

    async def _connect(self) -> Pipe:
        pipe = Pipe(await self._terms.topology.connect(self.address))
        words = [("SCRIPT", "LOAD", script.text) for script in WRITER_SCRIPTS]
        try:
            for answer in await pipe.ask(pack(words), len(words), self._terms.timeout_s):
                if isinstance(answer, Exception):
                    raise ConnectionError(str(answer))
        except BaseException:
            await pipe.close()
            raise
        self._pipe = pipe
        return pipe

    async def _disconnect(self) -> None:
        if self._pipe is not None:
            pipe, self._pipe = self._pipe, None
            await pipe.close()


def _due_commands(dues: list[tuple[str, str, int]]) -> list[tuple[Any, ...]]:
    """One ZADD for each sorted set."""
    words: dict[str, list[Any]] = {}
    for key, member, at_ms in dict.fromkeys(dues):
        words.setdefault(key, []).extend((at_ms, member))
    return [("ZADD", key, *members) for key, members in words.items()]
