"""Certified deals: kept ahead, made by processes that stand back, each given to one asker only (ruling 24)."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from signal import SIGKILL
from types import SimpleNamespace

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from engine import deal_code, solver
from engine.board import Termination
from engine.deal_code import DealCode
from engine.solver import CERTIFIABLE
from server.services import certifier_worker
from server.services.certifier import FAILURES, Certifier
from server.services.certifier_process import WORKER, Worker, WorkerLost
from server.services.certifier_worker import NICE, Answer, Job
from server.store.connect import Store
from server.store.deals import Deals, PooledDeal
from server.store.errors import StoreAway
from tests.store_fixture import until

RULESET = "SS1-D1N"
SILENT = (sys.executable, "-c", "import sys; sys.stdin.read()")
DEAD = (sys.executable, "-c", "pass")
SLOW_S = 20.0
"""For what takes a second on a machine with nothing else to do."""


def made_up(number: int) -> PooledDeal:
    return PooledDeal(f"{RULESET}-AAAAAAA-AAAAAA{'ABCDEFGHIJ'[number]}", b"\1\0\0\0", "easy")


@pytest_asyncio.fixture
async def certifier(store: Store) -> AsyncIterator[Certifier]:
    made = Certifier(store.deals, target=3, refill=2, idle_s=0.05)
    yield made
    await made.stop()


async def quiet(certifier: Certifier) -> None:
    await until(lambda: certifier.running == [], SLOW_S)


def assert_proved(deal: PooledDeal | None, ruleset: str = RULESET) -> None:
    """It is a secret code of the ruleset, and the referee accepts the solution to the win."""
    assert deal is not None
    code = DealCode.parse(deal.code)
    assert (code.ruleset.id, code.is_secret) == (ruleset, True)
    board = solver.replay(code.ruleset, deal_code.deal(code), solver.unpack(deal.solution))
    assert board.ended is Termination.WON
    assert deal.difficulty in tuple(solver.Difficulty)


# ---------------------------------------------------------------- asking


async def test_nothing_runs_until_somebody_asks(certifier: Certifier, store: Store) -> None:
    await asyncio.sleep(0)
    assert certifier.running == []
    assert await store.deals.count(RULESET) == 0


async def test_with_an_empty_pool_a_deal_is_made_and_the_pool_is_filled(certifier: Certifier, store: Store) -> None:
    assert_proved(await certifier.certified(RULESET, SLOW_S))
    assert len(certifier.running) == 1
    await quiet(certifier)
    assert await store.deals.count(RULESET) == 3
    assert_proved(await store.deals.take(RULESET))


async def test_a_deal_of_the_pool_costs_nothing(certifier: Certifier, store: Store) -> None:
    for number in range(3):
        await store.deals.put(RULESET, made_up(number), 10)
    assert await certifier.certified(RULESET) == made_up(0)
    assert certifier.running == []
    assert await store.deals.count(RULESET) == 2


async def test_a_pool_that_runs_low_is_filled_again(certifier: Certifier, store: Store) -> None:
    for number in range(2):
        await store.deals.put(RULESET, made_up(number), 10)
    assert await certifier.certified(RULESET) == made_up(0)
    await until(lambda: certifier.running != [], SLOW_S)
    await quiet(certifier)
    assert await store.deals.count(RULESET) == 3


async def test_everybody_who_waits_gets_a_deal_of_their_own(certifier: Certifier) -> None:
    deals = await asyncio.gather(*(certifier.certified(RULESET, SLOW_S) for _ in range(4)))
    assert len({deal.code for deal in deals if deal is not None}) == 4


async def test_no_pool_is_filled_while_somebody_waits_for_another_deal(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a fresh server all dailies are asked for at once."""
    made = Certifier(store.deals, target=3, refill=2, idle_s=0.05)
    rulesets, waited = ("SS1-D1N", "DS1-D3N"), []

    async def put(ruleset: str, deal: PooledDeal, most: int) -> bool:
        waited.append([each for each in rulesets if made._wanted(each)])
        return await Deals.put(store.deals, ruleset, deal, most)

    monkeypatch.setattr(made, "_deals", SimpleNamespace(put=put, take=store.deals.take, count=store.deals.count))
    try:
        deals = await asyncio.gather(*(made.certified(each, SLOW_S) for each in rulesets))
        for ruleset, found in zip(rulesets, deals, strict=True):
            assert_proved(found, ruleset)
        await quiet(made)
        assert len(waited) >= 6
        assert not any(waited)
    finally:
        await made.stop()


async def test_two_servers_on_one_store_do_not_overfill_it(certifier: Certifier, store: Store) -> None:
    other = Certifier(store.deals, target=3, refill=2, idle_s=0.05)
    deals = await asyncio.gather(certifier.certified(RULESET, SLOW_S), other.certified(RULESET, SLOW_S))
    await quiet(certifier)
    await quiet(other)
    await other.stop()
    assert len({deal.code for deal in deals if deal is not None}) == 2
    assert await store.deals.count(RULESET) == 3


async def test_a_ruleset_that_is_not_certifiable_has_no_deal(certifier: Certifier) -> None:
    assert "DS1-D3V" not in CERTIFIABLE
    assert await certifier.certified("DS1-D3V") is None
    assert await certifier.certified("nonsense") is None
    assert certifier.running == []


async def test_the_secret_is_in_no_log(certifier: Certifier) -> None:
    with capture_logs() as logs:
        deal = await certifier.certified(RULESET, SLOW_S)
        await quiet(certifier)
    assert deal is not None
    assert deal.code[8:] not in repr(logs)
    assert deal.code not in repr(deal) + repr(Answer(1, deal.code, deal.solution, "easy"))


# ---------------------------------------------------------------- limits and losses


async def test_nobody_waits_longer_than_they_said(store: Store) -> None:
    certifier = Certifier(store.deals, command=SILENT)
    assert await certifier.certified(RULESET, 0.05) is None
    assert len(certifier.running) <= 1
    await certifier.stop()


async def test_workers_that_die_are_given_up_and_tried_again_when_asked(store: Store) -> None:
    certifier = Certifier(store.deals, command=DEAD, idle_s=0.01)
    for _ in range(2):
        with capture_logs() as logs:
            asked = asyncio.create_task(certifier.certified(RULESET, SLOW_S))
            await until(lambda logs=logs: len(logs) >= FAILURES, SLOW_S)  # type: ignore[misc]
            await quiet(certifier)
            asked.cancel()
        assert [entry["event"] for entry in logs] == ["certifier.worker_lost"] * FAILURES
    await certifier.stop()


async def test_a_lost_worker_is_replaced(certifier: Certifier, store: Store) -> None:
    assert_proved(await certifier.certified(RULESET, SLOW_S))
    for pid in certifier.running:
        os.kill(pid, SIGKILL)
    await until(lambda: certifier._filling == {}, SLOW_S)
    assert await store.deals.count(RULESET) == 3


async def test_stopping_ends_the_workers_and_who_waits_gets_none(store: Store) -> None:
    certifier = Certifier(store.deals, command=SILENT)
    asked = asyncio.create_task(certifier.certified(RULESET, SLOW_S))
    await until(lambda: certifier.running != [], SLOW_S)
    (pid,) = certifier.running
    await certifier.stop()
    assert await asked is None
    assert certifier.running == []
    assert not alive(pid)


async def test_a_store_that_goes_away_ends_the_filling_and_says_so(store: Store) -> None:
    class Away(Deals):
        async def put(self, ruleset: str, deal: PooledDeal, most: int) -> bool:
            raise StoreAway("the store does not answer")

    certifier = Certifier(Away(store.client), target=3, idle_s=0.01)
    with capture_logs() as logs:
        assert_proved(await certifier.certified(RULESET, SLOW_S))
        await quiet(certifier)
    assert [entry["event"] for entry in logs] == ["certifier.pool_away"]
    await certifier.stop()


# ---------------------------------------------------------------- filling by hand


async def test_filling_by_hand_tells_of_every_deal_tried(store: Store) -> None:
    certifier = Certifier(store.deals, workers=2)
    told: list[Answer] = []
    assert await certifier.fill(RULESET, 4, told.append) == 4
    assert await store.deals.count(RULESET) == 4
    assert len([answer for answer in told if answer.code]) >= 4
    assert all(answer.looked > 0 for answer in told)
    await certifier.stop()
    for _ in range(4):
        assert_proved(await store.deals.take(RULESET))


async def test_filling_by_hand_says_when_workers_are_lost(store: Store) -> None:
    certifier = Certifier(store.deals, command=DEAD)
    with pytest.raises(WorkerLost):
        await certifier.fill(RULESET, 1)
    with pytest.raises(KeyError):
        await certifier.fill("DS1-D3V", 1)
    await certifier.stop()


# ---------------------------------------------------------------- the worker


@pytest.mark.parametrize("ruleset", ["DS1-D1N", "DS1-D3N", RULESET])
def test_a_worker_draws_a_secret_deal_and_proves_it(ruleset: str) -> None:
    for _ in range(30):
        answer = certifier_worker.work(Job(ruleset, CERTIFIABLE[ruleset]))
        if answer.code:
            break
    assert_proved(PooledDeal(answer.code, answer.solution, answer.difficulty), ruleset)


def test_a_deal_that_is_not_certified_is_forgotten() -> None:
    assert certifier_worker.work(Job("DS1-D1V", 3)) == Answer(3)


async def test_a_worker_stands_back_behind_other_processes() -> None:
    worker = Worker(WORKER)
    await worker.ask(Job(RULESET, 10))
    assert worker.pid is not None
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, worker.pid) == min(19, mine + NICE)
    await worker.end()


async def test_a_worker_does_one_job_after_the_other() -> None:
    worker = Worker(WORKER)
    assert await worker.ask(Job("DS1-D1V", 5)) == Answer(5)
    pid = worker.pid
    assert await worker.ask(Job("DS1-D1V", 6)) == Answer(6)
    assert worker.pid == pid
    await worker.end()
    assert worker.pid is None


async def test_a_cancelled_job_ends_the_process_so_that_no_answer_comes_late() -> None:
    worker = Worker(WORKER)
    job = asyncio.create_task(worker.ask(Job("DS1-D3V", 10**9)))
    await until(lambda: worker.pid is not None, SLOW_S)
    pid = worker.pid
    assert pid is not None
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert worker.pid is None
    assert not alive(pid)


@pytest.mark.parametrize(
    ("program", "how"),
    [
        ("raise SystemExit(3)", "exit status 3"),
        ("import os; input(); os.write(1, b'{'); os.kill(os.getpid(), 9)", "killed by SIGKILL"),
        ("input(); print('nonsense', flush=True)", "JSON is malformed"),
    ],
)
async def test_a_worker_that_is_lost_is_told_with_how(program: str, how: str) -> None:
    worker = Worker((sys.executable, "-c", program))
    with pytest.raises(WorkerLost, match=how):
        await worker.ask(Job(RULESET, 10))
    assert worker.pid is None


async def test_a_worker_that_does_not_answer_is_told_with_its_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.services.certifier_process.JOB_S", 0.1)
    worker = Worker((sys.executable, "-c", "import time; time.sleep(600)"))
    with pytest.raises(WorkerLost, match=r"no answer within 0\.1 s"):
        await worker.ask(Job(RULESET, 10))
    assert worker.pid is None


def test_a_line_that_is_no_job_ends_the_worker() -> None:
    child = subprocess.run(WORKER, input=b"{}\n", capture_output=True, timeout=SLOW_S, check=False)
    assert (child.returncode, child.stdout) in ((certifier_worker.BROKEN, b""), (0, b""))


PARENT = """
import subprocess, sys, time
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
child.stdin.write(b'{"ruleset": "DS1-D3V", "budget": 1000000000}\\n')
child.stdin.flush()
print(child.pid, flush=True)
time.sleep(600)
"""


def test_a_worker_does_not_outlive_a_killed_server() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, *WORKER], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert alive(pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + SLOW_S
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(pid)


def alive(pid: int) -> bool:
    """Whether a process runs; one that waits to be buried does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"
