"""What a round asks of the store and of rooms: its deal, its rooms, their results, the opening of its deal.

Lives here: drawing a round, making its rooms, reading results back, and moving deadlines. Lives elsewhere: when
these are wanted (core.tournament), and appending what follows (tournament_host). Every step may be repeated by
another process after this one died half-way: rooms are made of the same bytes whoever makes them, a deal is
stored once, and a round is closed only after its deal was told to all its rooms.
"""

from __future__ import annotations

import asyncio

from server.core import events as room_log
from server.core import inputs as room_inputs
from server.core import room
from server.core.formats import Draw
from server.core.ids import SERVER, PlayerId, RoomCode, RoomId
from server.core.room import RoomState
from server.core.tournament import inputs
from server.core.tournament.options import room_options
from server.core.tournament.record import Round, TournamentHeat
from server.core.tournament.results import rows_of
from server.core.tournament.state import TournamentState
from server.core.tournament.table import field
from server.services.fresh_deals import ROUND_WAIT_S, fresh_deal
from server.services.hub import Hub
from server.store import keys
from server.store.ids import new_id
from server.store.logs import Verdict
from server.store.rooms import StoredDeal


async def draw(state: TournamentState, now_ms: int, hub: Hub) -> inputs.RoundDealt | None:
    """A round: who races whom, its deal (in the store before anything else), and ids and codes of its rooms.
    None when no heat can be made. Raises StoreAway."""
    store, ready = hub.shared.store, field(state, now_ms)
    # A matching of hundreds takes a while; the event loop goes on meanwhile.
    drawn: Draw = await asyncio.to_thread(state.format.draw, ready)
    if not drawn.heats:
        return None
    deal = await fresh_deal(state.options.ruleset, hub.shared, certified=True, limit_s=ROUND_WAIT_S)
    await store.tournaments.put_deal(state.tournament, len(state.rounds) + 1, deal)
    rooms = []
    for _ in drawn.heats:
        made = RoomId(new_id())
        rooms.append((made, RoomCode(await store.rooms.new_code(made))))
    return inputs.RoundDealt(state.version, drawn, tuple(rooms))


async def make_room(state: TournamentState, number: Round, heat: TournamentHeat, hub: Hub) -> None:
    """The room of a heat is there, made by this process or another. Raises StoreAway, StoreBusy."""
    entrants = [state.entrants[one] for one in heat.entrants]
    seats = [
        room_log.SeatGiven(SERVER if one.bot else PlayerId(one.id), one.name, one.tag, one.bot) for one in entrants
    ]  # fmt: skip
    slot = room_log.SeriesSlot(number.number, number.gun_ms, state.options.absent_s * 1000)
    events = room.create_for(
        number.drawn_ms, heat.room, heat.code, room_options(state.options, len(seats)), state.tournament, slot, seats
    )
    verdict, _ = await hub.shared.store.logs.append(
        keys.room_log(heat.room), 0, [room_log.encode(event) for event in events], due=(heat.room, number.drawn_ms)
    )
    if verdict is Verdict.BROKEN:
        raise RuntimeError(f"the log of room {heat.room} is not a log")
    if verdict is Verdict.OK:
        await hub.host(heat.room)


def result(heat: TournamentHeat, state: RoomState) -> inputs.HeatDone | None:
    """What a heat's room says of it; None while it has not judged."""
    if state.last is None:
        return None
    return inputs.HeatDone(heat.room, state.last.drawn.heat, rows_of(heat.entrants, state.last.judged.rows))


async def move_deadline(number: Round, heat: TournamentHeat, hub: Hub) -> None:
    """The room's heat ends when the round's host wants. Raises StoreAway, StoreBusy."""
    host = await hub.host(heat.room)
    if host is not None:
        await host.submit(SERVER, room_inputs.Extend(number.extra_ms, number.stopped_ms))


def is_moved(number: Round, state: RoomState) -> bool:
    """The room's heat has the deadline that the round's host wants."""
    heat = state.heat
    if heat is None or heat.closed:
        return True
    if number.stopped_ms is not None:
        return heat.deadline_ms <= max(number.stopped_ms, heat.gun_ms)
    return heat.extra_ms == number.extra_ms


async def open_deal(state: TournamentState, number: Round, hub: Hub) -> inputs.DealOpened:
    """Tell every room of the round what its deal was; then the round may be closed. Raises StoreAway,
    StoreBusy; LookupError when the deal is gone."""
    stored = await hub.shared.store.tournaments.get_deal(state.tournament, number.number)
    if stored is None:
        raise LookupError(f"the deal of round {number.number} of {state.tournament} is not in the store")
    for heat in number.heats:
        await reveal(heat.room, stored, hub)
    return inputs.DealOpened(number.number, stored.code, stored.nonce)


async def reveal(room_id: RoomId, deal: StoredDeal, hub: Hub) -> None:
    """Tell a room of a closed round its deal. Raises StoreAway, StoreBusy."""
    host = await hub.host(room_id)
    if host is not None:
        await host.submit(SERVER, room_inputs.Reveal(deal.code, deal.nonce))
