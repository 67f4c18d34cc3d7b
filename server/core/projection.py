"""What of a room may be shown: the wire events that are built from its state.

What lives here: pure functions from `RoomState` to frames. The bots' seeds never pass here, and a deal's
code and nonce only once its heat is judged. Boards and progress are not part of a room's state.
"""

from __future__ import annotations

from server.core.heat import Phase
from server.core.ids import PlayerId
from server.core.judging import provisional_place, provisional_places
from server.core.ready import startable_ms
from server.core.state import WATCHES, RoomState
from server.wire import messages as wire


def room_info(state: RoomState, at_ms: int) -> wire.RoomInfo:
    """The room as a whole; the same for everybody in it. The phase is that of the instant. A quick-match
    room shows no host: nobody may do there what a host may."""
    host = None if state.options.match else state.members.get(state.host)
    return wire.RoomInfo(
        code=state.code,
        options=state.options,
        phase=state.phase(at_ms).value,
        host=WATCHES if host is None else host.seat,
        locked=state.locked,
        watchers=sum(member.present and member.seat == WATCHES for member in state.members.values()),
        deal=state.deal_number(),
        decided=state.decided(),
        startable_ms=startable_ms(state),
        kind="challenge" if state.challenge else "chase" if state.chase else "",
    )


def seat_rows(state: RoomState, viewer: PlayerId) -> list[wire.SeatRow]:
    """The seats that are taken, in their order; `viewer` finds the own one marked."""
    wins = state.points()
    rows = []
    for no, seat in sorted(state.seats.items()):
        member = state.members.get(seat.player)
        rows.append(
            wire.SeatRow(
                seat=no,
                player=seat.player,
                name=seat.name if member is None else member.name,
                tag="" if member is None else member.tag,
                bot=seat.bot,
                ready=seat.bot > 0 or seat.ready_ms is not None,
                present=member is None or member.present,
                you=member is not None and seat.player == viewer,
                wins=wins.get(state.racer(no), 0),
            )
        )
    return rows


def entered(state: RoomState, player: PlayerId, n: int) -> wire.Entered:
    """The answer to the command `n` of a person who came into the room."""
    member = state.members.get(player)
    return wire.Entered(n, state.code, WATCHES if member is None else member.seat)


def heat_info(state: RoomState) -> wire.HeatInfo | None:
    """The heat that is drawn and not yet judged."""
    heat = state.heat
    if heat is None:
        return None
    return wire.HeatInfo(
        heat=heat.id,
        number=heat.number,
        commitment=heat.commitment,
        gun_ms=heat.gun_ms,
        deadline_ms=heat.deadline_ms,
        seats=[one.seat for one in heat.seats],
        certified=heat.certified,
        gone=[wire.SeatLeft(one.seat, one.name) for one in heat.seats if one.seat in heat.gone] if heat.gone else [],
    )


def boards_ended(state: RoomState) -> list[wire.BoardEnded]:
    """The news of all boards that have ended in the heat that is on, in the order in which they came."""
    heat = state.heat
    if heat is None:
        return []
    places = provisional_places(state)
    return [wire.BoardEnded(seat, one.ended, heat.ended_ms(one), places[seat]) for seat, one in heat.ended.items()]


def boards_credited(state: RoomState) -> list[wire.BoardEnded]:
    """The news of those that ended while the store was away last, which was told before that was given back."""
    heat = state.heat
    if heat is None or not heat.credits:
        return []
    from_ms = heat.credits[-1][0]
    return [news for news in boards_ended(state) if heat.ended[news.seat].elapsed_ms > from_ms]


def board_ended(state: RoomState, seat: int) -> wire.BoardEnded | None:
    """The news that this seat has ended its board in the heat that is on."""
    place = provisional_place(state, seat)
    if state.heat is None or place is None:
        return None
    news = state.heat.ended[seat]
    return wire.BoardEnded(seat, news.ended, state.heat.ended_ms(news), place)


def heat_result(state: RoomState) -> wire.HeatResult | None:
    """The result of the room's last heat, while no new one is drawn."""
    if state.last is None or state.heat is not None:
        return None
    drawn, judged = state.last.drawn, state.last.judged
    return wire.HeatResult(
        heat=drawn.heat,
        number=drawn.number,
        rows=judged.rows,
        code=judged.code,
        nonce=judged.nonce,
        commitment=drawn.commitment,
        difficulty=drawn.difficulty if judged.code else "",
    )


def room_row(state: RoomState, at_ms: int) -> wire.RoomRow | None:
    """The room's line in the lobby, or None when it is not to be listed: private, closed, locked, or nobody
    is connected (nothing stays listed that is dead, N2, N3)."""
    options = state.options
    if not options.public or state.closed or state.locked or not state.anybody_present():
        return None
    host = state.members.get(state.host)
    return wire.RoomRow(
        code=state.code,
        host="" if host is None else host.name,
        ruleset=options.ruleset,
        goal=options.goal,
        minutes=options.minutes,
        seats=options.seats,
        taken=len(state.seats),
        best_of=options.best_of,
        running=state.phase(at_ms) is not Phase.OPEN,
    )
