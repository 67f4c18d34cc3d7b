"""What a heat asks of the store once: a deal, its closing, its places.

Lives here: binding a deal by its commitment, the closing script's call, and judging. Lives elsewhere: fresh deals
(fresh_deals), when these are wanted (core.room), and appending what follows (room_host).
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from engine import deal_code
from engine.deal_code import DealCode
from server.core import events as log
from server.core import inputs, judging, room
from server.core.events import HEAT_CLOSED_TAG
from server.core.ids import SERVER, HeatId
from server.core.machine import Refusal
from server.core.room import RoomState
from server.services.fresh_deals import ROOM_WAIT_S, fresh_deal
from server.services.judge import Sealed, replayed
from server.store import keys
from server.store.ids import new_id
from server.store.logs import Verdict
from server.store.rooms import StoredDeal

if TYPE_CHECKING:
    from server.services.shared import Shared

JUDGED_MS = 1_000
"""A closed heat is judged within this, as a rule: then leaderboards and histories take it in."""


async def draw(state: RoomState, shared: Shared) -> list[log.RoomEvent]:
    """A deal for the heat that is wanted: kept in the store first, then the event that binds it.

    The deal was never used or shown before; a given code is open and not bound; in a tournament it is that of the
    round, in a chase that of the heat that is chased. Raises StoreAway; LookupError when such a deal is gone.
    """
    heat, options = HeatId(new_id()), state.options
    stored = StoredDeal(options.code, "") if options.code else await _secret(state, shared)
    commitment = "" if options.code else deal_code.commitment(heat, stored.code, stored.nonce)
    seeds = tuple(secrets.randbelow(2**53) for _ in range(room.bots_racing(state)))
    drawn = inputs.DealDrawn(heat, options.ruleset, options.code, commitment, seeds, stored.difficulty, shared.as_drawn)
    answer = room.decide(state, shared.clock.now_ms(), SERVER, drawn)
    if isinstance(answer, Refusal) or not answer:
        return []
    await shared.store.rooms.clear_progress(state.room)
    await shared.store.rooms.put_deal(state.room, heat, stored, keep_s=_keep_s(state, shared))
    return answer


async def _secret(state: RoomState, shared: Shared) -> StoredDeal:
    if state.chase:
        return await _chased(state.chase, shared)
    if state.slot is None:
        options = state.options
        return await fresh_deal(options.ruleset, shared, certified=options.certified, limit_s=ROOM_WAIT_S)
    stored = await shared.store.tournaments.get_deal(state.series, state.slot.round)
    if stored is None:
        raise LookupError(f"the deal of round {state.slot.round} of {state.series} is not in the store")
    return stored


async def _chased(heat: str, shared: Shared) -> StoredDeal:
    """The deal of the heat whose recorded boards are raced against."""
    room_id = await shared.store.rooms.room_of_heat(heat)
    stored = None if room_id is None else await shared.store.rooms.get_deal(room_id, heat)
    if stored is None:
        raise LookupError(f"the deal of heat {heat} is not in the store")
    return stored


def _keep_s(state: RoomState, shared: Shared) -> int:
    """How long boards and deal are kept; what a tournament is made of, for ever (ruling 22)."""
    return 0 if state.series else shared.keep_s


async def close(state: RoomState, now_ms: int, shared: Shared, channel: str) -> bytes:
    """Seal all boards and write HeatClosed (ruling 1): the entry if it stands where our log ends, else
    empty: catch up. What follows from the heat is noted first, so that it is never lost (ruling 18). Raises
    StoreAway, StoreBusy."""
    heat = state.heat
    assert heat is not None
    await shared.store.unprojected.put(keys.heat_member(state.room, heat.id), now_ms + JUDGED_MS)
    closed = await shared.store.logs.close_heat(
        keys.room_log(state.room),
        state.version,
        [keys.board_log(state.room, heat.id, one.seat) for one in heat.seats],
        tag=HEAT_CLOSED_TAG,
        at_ms=max(now_ms, state.at_ms),
        heat=heat.id,
        keep_ms=_keep_s(state, shared) * 1000,
        bell=(channel, b"log"),
    )
    return closed.entry if closed.verdict is Verdict.OK else b""


async def judge(state: RoomState, now_ms: int, shared: Shared) -> list[log.RoomEvent]:
    """The places of the closed heat from its sealed logs, and what was sealed; in a tournament that stays
    so until the last heat of the round is closed, in a challenge until it is answered (ruling 9).

    Raises StoreAway; LookupError when the deal is gone; ReplayError for a log that cannot be.
    """
    heat = state.heat
    assert heat is not None
    assert heat.lengths is not None
    stored = await shared.store.rooms.get_deal(state.room, heat.id)
    if stored is None:
        raise LookupError(f"the deal of heat {heat.id} is not in the store")
    sealed = Sealed(
        room=state.room,
        heat=heat.id,
        ruleset=heat.ruleset,
        undo=state.options.undo,
        seats=tuple(one.seat for one in heat.seats),
        lengths=tuple(heat.lengths),
        deal=deal_code.deal(DealCode.parse(stored.code)),
        length_ms=heat.deadline_ms - heat.gun_ms,
        credits=tuple(tuple(heat.credits_of(one)) for one in heat.seats),
    )
    rows = judging.judge(state, await replayed(shared.store.logs, sealed))
    opened = StoredDeal("", "") if state.series or state.challenge else stored
    answer = room.decide(state, now_ms, SERVER, inputs.Judged(heat.id, rows, opened.code, opened.nonce))
    if isinstance(answer, Refusal):
        raise ValueError(f"the room refuses its result: {answer.code}")
    return answer
