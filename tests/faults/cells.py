"""One cell of the fault suite: a fault in a moment, and what came of it.

Lives here: the moments, and how long people were out of play. Lives elsewhere: faults (rows), the place (site).
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

from tests.faults.invariants import violations
from tests.faults.player import Player
from tests.faults.rows import Row
from tests.faults.site import Site

MOMENTS = ("idle", "mid-race", "finish", "claim", "projection")
IN_PLAY = ("Moved", "Restored", "Dealt", "Done", "Entered", "HeatResult", "BoardEnded", "RatingChanged")
"""Events that say: the server serves this player."""


@dataclass(slots=True)
class Outcome:
    """What was measured, and what was wrong."""

    back_s: float = 0.0
    """The longest that anybody waited from when they could be served until they were."""
    moves: int = 0
    """Confirmed."""
    busy: int = 0
    """Refusals that passed."""
    violations: list[str] = field(default_factory=list)


async def run(site: Site, row: Row, moment: str, seed: int) -> Outcome:
    """Play one cell at a site that is ready."""
    chance = random.Random(f"{row.id} {moment} {seed}")
    try:
        async with asyncio.timeout(2 * site.patience_s):  # a moment that lasts longer has gone wrong
            since = await _MOMENTS[moment](site, row, chance)
        said = await site.verdict()
    except TimeoutError:
        await site.halt()
        since = time.monotonic()
        said = [
            f"I6 somebody waits in vain after {2 * site.patience_s:g} s",
            *violations(await site.evidence(projected=False)),
        ]
    players = site.players
    moves = sum(1 for player in players for _, _, answer in player.played if answer == "Moved")
    back_s = max(back(player, since) for player in players)
    return Outcome(back_s, moves, sum(player.busy for player in players), said)


def back(player: Player, since: float) -> float:
    """Seconds from `since` until the player was served; 0 for who was served to the end before."""
    for line in player.tape.lines:
        if line.at > since and not line.out and line.frame["event"] in IN_PLAY:
            return line.at - since
    return 0.0


async def _idle(site: Site, row: Row, chance: random.Random) -> float:
    """People are in a room and nothing runs."""
    await site.room()
    since = await row.fault(site, chance)
    await site.race()
    await _play_a_little(site)
    return since


async def _mid_race(site: Site, row: Row, chance: random.Random) -> float:
    await site.room()
    await site.race()
    for player in site.players:
        site.play(player)
    await asyncio.sleep(chance.uniform(0.1, 0.5))
    since = await row.fault(site, chance)
    await _served(site, since, row.back_s + 2)
    await asyncio.sleep(0.3)
    await site.played()
    return since


async def _finish(site: Site, row: Row, chance: random.Random) -> float:
    """Both know how to win and are about to; Ann's last move is on its way, Bob's follows."""
    ann, bob = await site.room(known=True)
    await site.race()
    last = len(ann.script) - 1
    for player in (ann, bob):
        await player.play_until(lambda p=player: p.board is not None and p.board.ply >= last, 0)  # type: ignore[misc]
    fault = asyncio.create_task(row.fault(site, chance))
    await asyncio.sleep(chance.uniform(0.0, 0.08))
    site.play(ann)
    await asyncio.sleep(chance.uniform(0.05, 0.15))
    site.play(bob)
    since = await fault
    await _served(site, since, row.back_s + 2)
    await site.played_out()
    return since


async def _claim(site: Site, row: Row, chance: random.Random) -> float:
    """Ann's connection has just broken, and she is coming back."""
    ann, bob = await site.room()
    await site.race()
    site.play(bob)
    await ann.play_until(lambda: len(ann.played) >= 5)
    site.ways[0].reset()
    site.play(ann)
    await asyncio.sleep(chance.uniform(0.0, 0.06))
    since = await row.fault(site, chance)
    await _served(site, since, row.back_s + 2)
    await asyncio.sleep(0.3)
    await site.played()
    return since


async def _projection(site: Site, row: Row, chance: random.Random) -> float:
    """Both have just ended; result, ratings and histories are being made."""
    ann, bob = await site.room()
    await site.race()
    await asyncio.gather(*(p.play_until(lambda p=p: len(p.played) >= 8) for p in (ann, bob)))  # type: ignore[misc]
    ends = [asyncio.create_task(player.result(2 * site.patience_s)) for player in (ann, bob)]
    await asyncio.sleep(chance.uniform(0.0, 0.15))
    since = await row.fault(site, chance)
    await asyncio.gather(*ends)
    return since


async def _play_a_little(site: Site) -> None:
    for player in site.players:
        site.play(player)
    await asyncio.sleep(0.5)
    await site.played()


async def _served(site: Site, since: float, within_s: float) -> None:
    """Wait until everybody who still plays has been served after `since`."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        playing = [p for p in site.players if not p.superseded and not (p.board is not None and p.board.ended)]
        if all(back(player, since) for player in playing):
            return
        await asyncio.sleep(0.05)


_MOMENTS = {"idle": _idle, "mid-race": _mid_race, "finish": _finish, "claim": _claim, "projection": _projection}
