"""What the host may do, and how a room begins.

What lives here: the rules of the host's commands, and `create`. Who may ask them and in which phase stands
in `decide.RULES`. How the role is passed on by time or by leaving is in `upkeep`.
"""

from __future__ import annotations

from collections.abc import Sequence

from server.core import events as log
from server.core.ids import NodeId, PlayerId, RoomCode, RoomId
from server.core.machine import Refusal, RefusalCode
from server.core.options import checked
from server.core.ready import startable_ms
from server.core.state import RoomState
from server.core.upkeep import leaving
from server.wire import messages as wire

BOT_LEVELS = (1, 2, 3)


def create(
    at_ms: int, room: RoomId, code: RoomCode, options: wire.RoomOptions, *,
    player: PlayerId, name: str, tag: str, node: NodeId,
    bots: Sequence[int] = (), ready: bool = False,
) -> list[log.RoomEvent] | Refusal:  # fmt: skip
    """The first events of a room: its creator sits on seat 0 and is the host, bots on the next seats.

    `room` and `code` are ids that nobody else has; `name` and `tag` are the identity's. `options.match` is
    for rooms that the server makes for a quick match: a client's `CreateRoom` with it is to be refused.
    Refused: `bad_options` (also for more bots than seats), `bad_code`.
    """
    sound = checked(options)
    if isinstance(sound, Refusal):
        return sound
    if len(bots) >= sound.seats or any(level not in BOT_LEVELS for level in bots):
        return Refusal(RefusalCode.BAD_OPTIONS)
    events: list[log.RoomEvent] = [
        log.RoomCreated(at_ms, room, code, sound, player, ""),
        log.Joined(at_ms, player, name, tag, node),
        log.SatDown(at_ms, player, 0),
    ]
    events.extend(log.BotSeated(at_ms, no, level) for no, level in enumerate(bots, start=1))
    if ready:
        events.append(log.ReadySet(at_ms, player, True))
    return events


def start_heat(state: RoomState, at_ms: int, actor: PlayerId, _: wire.StartHeat) -> list[log.RoomEvent] | Refusal:
    """Start without the unready, from 20 s after the first was ready. A seated host who asks is ready
    with that. `not_ready` while nobody is; `too_early`."""
    startable = startable_ms(state)
    if startable == 0:
        return Refusal(RefusalCode.NOT_READY)
    if at_ms < startable:
        return Refusal(RefusalCode.TOO_EARLY)
    if state.start_asked_ms is not None:
        return []
    seat = state.seat_of(actor)
    events: list[log.RoomEvent] = [log.StartAsked(at_ms, actor)]
    if seat is not None and seat.ready_ms is None:
        events.insert(0, log.ReadySet(at_ms, actor, True))
    return events


def add_bot(state: RoomState, at_ms: int, _: PlayerId, command: wire.AddBot) -> list[log.RoomEvent] | Refusal:
    """Seat a bot on the lowest free seat; `no_seat`."""
    if command.level not in BOT_LEVELS:
        return Refusal(RefusalCode.BAD_OPTIONS)
    free = state.free_seats()
    return [log.BotSeated(at_ms, free[0], command.level)] if free else Refusal(RefusalCode.NO_SEAT)


def remove_seat(
    state: RoomState, at_ms: int, actor: PlayerId, command: wire.RemoveSeat
) -> list[log.RoomEvent] | Refusal:  # fmt: skip
    """Take a bot out of its seat, or a person out of the room. `no_seat` when nobody else is in it, or a ghost."""
    seat = state.seats.get(command.seat)
    if seat is None or seat.player == actor or seat.bot == log.GHOST:
        return Refusal(RefusalCode.NO_SEAT)
    if seat.bot:
        return [log.BotRemoved(at_ms, command.seat)]
    return leaving(state, at_ms, seat.player, "kicked")


def lock(state: RoomState, at_ms: int, _: PlayerId, command: wire.LockRoom) -> list[log.RoomEvent]:
    """Let nobody new in, or open again, also to those who were kicked."""
    pardons = not command.locked and bool(state.kicked)
    return [log.Locked(at_ms, command.locked)] if state.locked != command.locked or pardons else []


def hand_over(state: RoomState, at_ms: int, actor: PlayerId, command: wire.HandOver) -> list[log.RoomEvent] | Refusal:
    """Make the person in this seat the host; `no_seat` when no person is in it."""
    seat = state.seats.get(command.seat)
    if seat is None or seat.bot:
        return Refusal(RefusalCode.NO_SEAT)
    return [] if seat.player == actor else [log.HostGiven(at_ms, seat.player)]


def set_options(state: RoomState, at_ms: int, _: PlayerId, command: wire.SetOptions) -> list[log.RoomEvent] | Refusal:
    """Change the options; everybody becomes unready and a new match begins. `bad_options`, also when a
    seat that is taken would go or the kind of room would change; `bad_code`. `not_now` in ghost races."""
    if state.ghostly:
        return Refusal(RefusalCode.NOT_NOW)
    sound = checked(command.options)
    if isinstance(sound, Refusal):
        return sound
    if sound.match != state.options.match or any(no >= sound.seats for no in state.seats):
        return Refusal(RefusalCode.BAD_OPTIONS)
    return [] if sound == state.options else [log.OptionsSet(at_ms, sound)]
