"""Deals that are known to be winnable, before anybody has seen them (product P2, ruling 24).

Lives here: taking a deal from the pool, filling it, and when workers run. Lives elsewhere: the pool (store.deals),
the processes (certifier_process, certifier_worker), solving (engine.solver), what a deal is then used for. Nothing
runs until somebody asks for a deal, and workers with nothing to do for a while are ended.

    certified(ruleset)      a deal of the pool, else the next one that a worker finds, within a time limit
    ahead(ruleset)          somebody will want a deal soon
    fill(ruleset, count)    makes deals ahead by hand
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Sequence

import structlog

from engine.solver import CERTIFIABLE
from server.services.certifier_process import WORKER, Worker, WorkerLost
from server.services.certifier_worker import Answer, Job
from server.store.deals import Deals, PooledDeal
from server.store.errors import StoreError
from server.tasks import ended

TARGET = 64
"""Deals of a ruleset that are kept ahead."""
REFILL = 32
"""With fewer than this the pool is filled up again."""
MOST = 10_000
"""Deals of a ruleset that `fill` may put into the pool."""
DEMAND_S = 3.0
"""How long somebody waits for a deal that is not in the pool, unless told otherwise."""
IDLE_S = 30.0
"""A worker that had nothing to do for so long is ended."""
FAILURES = 3
"""After so many workers in a row that died, filling is given up until somebody asks again."""
BEHIND_S = 0.05
"""A pool that stood back for somebody who waits for another deal asks again after this."""
AGAIN_S = 0.2
"""While stopping, workers that started meanwhile are ended as well, so often."""

_log = structlog.get_logger(__name__)


class Certifier:
    """The certified deals of one server process. `workers`: processes that may look for solutions at once."""

    def __init__(
        self,
        deals: Deals,
        *,
        workers: int = 1,
        target: int = TARGET,
        refill: int = REFILL,
        idle_s: float = IDLE_S,
        command: Sequence[str] = WORKER,
    ) -> None:
        self._deals = deals
        self._target = target
        self._refill = refill
        self._idle_s = idle_s
        self._workers = [Worker(command) for _ in range(workers)]
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._waiting: dict[str, deque[asyncio.Future[PooledDeal]]] = defaultdict(deque)
        self._filling: dict[str, asyncio.Task[None]] = {}
        self._idling: asyncio.Task[None] | None = None
        self._stopped = False

    @property
    def running(self) -> list[int]:
        """Process ids of the workers that run now."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    async def certified(self, ruleset: str, limit_s: float = DEMAND_S) -> PooledDeal | None:
        """A certified deal that nobody has seen and nobody else gets.

        None: this ruleset has none (see `CERTIFIABLE`), or none was found within `limit_s` seconds; it is
        looked for on, so asking again later will do. Raises StoreAway.
        """
        if ruleset not in CERTIFIABLE or self._stopped:
            return None
        found = await self._deals.take(ruleset)
        if found is None:
            return await self._next(ruleset, limit_s)
        if await self._deals.count(ruleset) < self._refill:
            self._wake(ruleset)
        return found

    async def ahead(self, ruleset: str) -> None:
        """Have the pool filled if it holds few deals, since one will be wanted soon. Raises StoreAway."""
        if ruleset in CERTIFIABLE and not self._stopped and await self._deals.count(ruleset) < self._refill:
            self._wake(ruleset)

    async def fill(self, ruleset: str, count: int, tell: Callable[[Answer], None] = lambda answer: None) -> int:
        """Put `count` new deals into the pool, all workers at work; how many were put.

        `tell` hears of every deal that was tried. Fewer than `count`: the pool is full (`MOST`). Raises
        StoreAway, WorkerLost; KeyError for a ruleset that is not certifiable.
        """
        budget = CERTIFIABLE[ruleset]
        made = 0

        async def one_after_another() -> None:
            nonlocal made, count
            while count > 0:
                answer = await self._tried(ruleset, budget)
                tell(answer)
                if answer.code and count > 0:
                    count -= 1
                    if not await self._deals.put(ruleset, _deal(answer), MOST):
                        count = 0
                        return
                    made += 1

        try:
            async with asyncio.TaskGroup() as group:
                for _ in self._workers:
                    group.create_task(one_after_another())
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None
        return made

    async def stop(self) -> None:
        """End all work and all workers for good; who waits for a deal gets none."""
        self._stopped = True
        for waiting in self._waiting.values():
            for waiter in waiting:
                waiter.cancel()
        # Without their workers the tasks end by themselves.
        while self._filling:
            for worker in self._workers:
                worker.kill()
            await asyncio.wait(self._filling.values(), timeout=AGAIN_S)
        await ended(self._idling)
        for worker in self._workers:
            await worker.end()

    # ------------------------------------------------------------ filling

    async def _next(self, ruleset: str, limit_s: float) -> PooledDeal | None:
        """The next deal that is found."""
        waiter: asyncio.Future[PooledDeal] = asyncio.get_running_loop().create_future()
        self._waiting[ruleset].append(waiter)
        self._wake(ruleset)
        try:
            await asyncio.wait([waiter], timeout=limit_s)
        finally:
            waiter.cancel()  # it is nobody's any more, if it has no deal by now
        return None if waiter.cancelled() else waiter.result()

    def _wake(self, ruleset: str) -> None:
        """Have the pool filled, unless that is being done."""
        if ruleset not in self._filling and not self._stopped:
            task = asyncio.create_task(self._fill_up(ruleset), name=f"kupa-certify-{ruleset}")
            self._filling[ruleset] = task
            task.add_done_callback(lambda _: self._filled(ruleset))

    def _filled(self, ruleset: str) -> None:
        del self._filling[ruleset]
        if not self._filling and self._idling is None and not self._stopped:
            self._idling = asyncio.create_task(self._rest(), name="kupa-certify-rest")

    async def _fill_up(self, ruleset: str) -> None:
        """Make deals until the pool is full; whoever waits comes first."""
        failures = 0
        while failures < FAILURES and not self._stopped:
            try:
                if not self._wanted(ruleset) and await self._deals.count(ruleset) >= self._target:
                    return
                answer = await self._in_turn(ruleset)
                failures = 0
                if answer is None:
                    await asyncio.sleep(BEHIND_S)
                elif answer.code and not await self._given(ruleset, _deal(answer)):
                    return
            except WorkerLost as error:
                failures += 1
                if not self._stopped:
                    _log.warning("certifier.worker_lost", ruleset=ruleset, why=str(error))
            except StoreError as error:
                _log.warning("certifier.pool_away", ruleset=ruleset, why=str(error))
                return

    def _wanted(self, ruleset: str) -> bool:
        """Whether somebody waits for a deal at this moment."""
        waiting = self._waiting[ruleset]
        while waiting and waiting[0].done():
            waiting.popleft()
        return bool(waiting)

    async def _given(self, ruleset: str, deal: PooledDeal) -> bool:
        """Give the deal to who waits longest, else put it into the pool; False when that is full."""
        if self._wanted(ruleset):
            self._waiting[ruleset].popleft().set_result(deal)
            return True
        return await self._deals.put(ruleset, deal, self._target)

    async def _tried(self, ruleset: str, budget: int) -> Answer:
        async with self._worker() as worker:
            return await worker.ask(Job(ruleset, budget))

    async def _in_turn(self, ruleset: str) -> Answer | None:
        """What came of one deal; None if another ruleset comes first."""
        async with self._worker() as worker:
            return None if self._behind(ruleset) else await worker.ask(Job(ruleset, CERTIFIABLE[ruleset]))

    def _behind(self, ruleset: str) -> bool:
        """Nobody waits for one of these deals, and somebody for another."""
        return not self._wanted(ruleset) and any(self._wanted(one) for one in self._filling)

    @contextlib.asynccontextmanager
    async def _worker(self) -> AsyncIterator[Worker]:
        """A worker of one's own, as soon as one is free; whoever asked first gets it first."""
        worker = await self._free.get()
        try:
            yield worker
        finally:
            self._free.put_nowait(worker)

    async def _rest(self) -> None:
        """End the workers that have nothing to do after a while."""
        try:
            await asyncio.sleep(self._idle_s)
            idle = [] if self._filling else [self._free.get_nowait() for _ in range(self._free.qsize())]
            for worker in idle:
                await worker.end()
                self._free.put_nowait(worker)
        finally:
            self._idling = None


def _deal(answer: Answer) -> PooledDeal:
    return PooledDeal(answer.code, answer.solution, answer.difficulty)
