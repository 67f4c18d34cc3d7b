"""The process that looks for solutions, so that the server's event loop never does: `python -m` this module.

Lives here: drawing a secret code, solving its deal, and the two messages between server and worker, a line of
JSON each. Lives elsewhere: when deals are wanted and where they are kept (certifier). The worker gives way to
everything else on the machine, and ends when its standard input does: when the server is done with it, and
when the server was killed.
"""

from __future__ import annotations

import os
import queue
import secrets
import sys
import threading
from io import FileIO

import msgspec

from engine import deal_code, solver
from engine.ruleset import RULESETS

NICE = 10
"""How far it stands back behind other processes."""
SECRET_BYTES = 9
"""Fourteen base-32 letters are 70 bits."""
BROKEN = 1
"""Exit status after a line that is no job."""


class Job(msgspec.Struct, frozen=True):
    """Draw one deal of a ruleset and look for its solution."""

    ruleset: str
    budget: int
    """Positions looked at, at most."""


class Answer(msgspec.Struct, frozen=True):
    """What became of a job; without a code no solution was found, and the deal is forgotten."""

    looked: int
    """Positions looked at."""
    code: str = ""
    solution: bytes = b""
    difficulty: str = ""

    def __repr__(self) -> str:
        return f"<Answer looked={self.looked}>"


def work(job: Job) -> Answer:
    """Draw a deal that nobody has seen from the system's random source, and try to certify it."""
    ruleset = RULESETS[job.ruleset]
    code = deal_code.secret(ruleset, secrets.token_bytes(SECRET_BYTES))
    verdict = solver.solve(ruleset, deal_code.deal(code), budget=job.budget)
    if isinstance(verdict, solver.NotFound):
        return Answer(verdict.looked)
    return Answer(verdict.looked, str(code), solver.pack(verdict.moves), verdict.difficulty)


def main() -> int:
    """Answer jobs until standard input ends."""
    os.nice(NICE)
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    # Without a buffer: one that another thread reads cannot be taken down at the end of the process.
    source = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115 - open as long as the process lives
    threading.Thread(target=_listen, args=(source, jobs), daemon=True).start()
    while True:
        try:
            job = msgspec.json.decode(jobs.get(), type=Job)
        except msgspec.MsgspecError:
            return BROKEN
        answer = msgspec.json.encode(work(job)) + b"\n"
        try:
            os.write(1, answer)
        except BrokenPipeError:
            return 0  # the server was killed while this deal was looked at: nobody is left to tell


def _listen(source: FileIO, jobs: queue.SimpleQueue[bytes]) -> None:
    """Hand on line by line; at the end of the input, end the process in the middle of whatever it does."""
    for line in source:
        jobs.put(line)
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
