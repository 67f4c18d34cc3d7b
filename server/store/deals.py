"""The pool of certified deals: secret codes with their solutions, made ahead, each used once (ruling 24).

What lives here: putting a deal in, taking one out, counting. What does not: certifying (engine.solver,
services.certifier), and what becomes of a deal that was taken: it is its heat's or day's secret then.
Nothing of the pool goes into a backup, as a deal may have been played since.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from server.store import keys
from server.store.guard import guarded, run_script
from server.store.lua import POOL_PUT, POOL_TAKE
from server.store.topology import Client


@dataclass(frozen=True, slots=True, repr=False)
class PooledDeal:
    """A deal that nobody has seen, and the proof that it can be won. It has no text form, so that no log has it."""

    code: str
    """In canonical form, fourteen letters."""
    solution: bytes
    """Four bytes a move (`engine.solver.pack`)."""
    difficulty: str
    """`easy`, `medium` or `hard` (`engine.solver.Difficulty`)."""


class Deals:
    """The pools of all rulesets. Every method raises StoreAway when the store does not answer, BadKey for what
    has not the form of a ruleset's id."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @guarded
    async def put(self, ruleset: str, deal: PooledDeal, most: int) -> bool:
        """Add a deal to the pool; False when the pool holds `most` already, or this very deal."""
        value = msgspec.msgpack.encode((deal.difficulty, deal.solution))
        return await run_script(self._client, POOL_PUT, _keys(ruleset), deal.code, value, most) == 1

    @guarded
    async def take(self, ruleset: str) -> PooledDeal | None:
        """Take the deal out that lies there longest; nobody else gets it. None: the pool is empty."""
        answer = await run_script(self._client, POOL_TAKE, _keys(ruleset))
        assert isinstance(answer, list)
        if not answer:
            return None
        code, value = answer
        difficulty, solution = msgspec.msgpack.decode(value, type=tuple[str, bytes])
        return PooledDeal(code.decode(), solution, difficulty)

    @guarded
    async def count(self, ruleset: str) -> int:
        """How many deals the pool of this ruleset holds."""
        return int(await self._client.execute_command("LLEN", keys.pool(ruleset)))


def _keys(ruleset: str) -> list[str]:
    return [keys.pool(ruleset), keys.pool_solutions(ruleset)]
