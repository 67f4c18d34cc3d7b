"""Deals for heats that nobody has seen: certified where that is wanted and one is there in time, else by chance.

Lives here: drawing from the system's random source, or from what is certified ahead. Lives elsewhere: making certified
deals (certifier), which heat asks (heat_chores, tournament_rounds). A deal without a difficulty is not certified, and
the heat says so; no gun waits for a proof (ruling 24).
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from engine import deal_code
from engine.ruleset import RULESETS
from server.store.rooms import StoredDeal

if TYPE_CHECKING:
    from server.services.shared import Shared

NONCE_BYTES = 32
SECRET_BYTES = 9
"""Fourteen base-32 letters are 70 bits."""
ROOM_WAIT_S = 1.5
"""People who are ready wait at most so long for a certified deal: a worker starts and solves one in less, as a rule."""
ROUND_WAIT_S = 3.0
"""A tournament's round at most so long."""


async def fresh_deal(ruleset: str, shared: Shared, *, certified: bool, limit_s: float) -> StoredDeal:
    """A deal that nobody has seen and nobody else gets. Raises StoreAway."""
    found = await shared.certifier.certified(ruleset, limit_s) if certified else None
    if found is None:
        return by_chance(ruleset)
    return StoredDeal(found.code, _nonce(), found.solution, found.difficulty)


def by_chance(ruleset: str) -> StoredDeal:
    """One of all deals, of which nobody knows whether it can be won."""
    return StoredDeal(str(deal_code.secret(RULESETS[ruleset], secrets.token_bytes(SECRET_BYTES))), _nonce())


def _nonce() -> str:
    return secrets.token_hex(NONCE_BYTES)
