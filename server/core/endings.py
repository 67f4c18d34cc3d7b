"""Boards that the server itself has to end: those of people who left, and of people who are absent.

What lives here: which boards and as of when. What does not: writing the entry (the shell appends a RESIGN
to the board's log and hands in `BoardDone`), and boards that run into the deadline (the closing script).
"""

from __future__ import annotations

from dataclasses import dataclass

from server.core.state import RoomState

ABSENT_MS = 300_000
"""Absent for so long when everybody else has ended: abandoned (ruling 2)."""
BY_LEAVING = 0
"""Count byte of a RESIGN of somebody who left the room."""
ABANDONED = 1
"""Count byte of a RESIGN of somebody who stayed away."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A RESIGN entry that the shell is to write."""

    seat: int
    count: int
    """`BY_LEAVING` or `ABANDONED`."""
    at_ms: int
    """When it took effect: between the gun and the deadline, the same for whoever writes it. The entry's
    time is this, or that of the board's last entry where that is later."""


def wants_endings(state: RoomState, at_ms: int) -> list[Ending]:
    """The boards that are to be ended by the server now."""
    return [ending for ending in _endings(state) if at_ms >= ending.at_ms]


def endings_due(state: RoomState) -> int | None:
    """From when on there is a board to end, or None."""
    return min((ending.at_ms for ending in _endings(state)), default=None)


def _endings(state: RoomState) -> list[Ending]:
    heat = state.heat
    if heat is None or heat.closed:
        return []
    found = [
        Ending(one.seat, BY_LEAVING, max(heat.gone[one.seat], heat.gun_ms))
        for one in heat.playing()
        if one.seat in heat.gone
    ]
    return [ending for ending in found + _missed(state) + _abandoned(state) if ending.at_ms < heat.deadline_ms]


def _missed(state: RoomState) -> list[Ending]:
    """In a tournament who has not come by a minute or so after the gun has missed the heat."""
    heat, slot = state.heat, state.slot
    if heat is None or slot is None or not slot.absent_ms:
        return []
    never = {player for player, member in state.members.items() if not member.seen}
    return [
        Ending(one.seat, ABANDONED, heat.gun_ms + slot.absent_ms) for one in heat.playing() if one.player in never
    ]  # fmt: skip


def _abandoned(state: RoomState) -> list[Ending]:
    """Once everybody else has ended, a player absent for 5 minutes has resigned. Several absent players
    do not wait for each other, else none of them would ever end."""
    heat = state.heat
    assert heat is not None
    left = [one for one in heat.playing() if one.seat not in heat.gone]
    if any(not one.player or state.members[one.player].present for one in left):
        return []
    others_ms = max([heat.gun_ms, *heat.gone.values(), *(news.at_ms for news in heat.ended.values())])
    return [Ending(one.seat, ABANDONED, max(state.members[one.player].since_ms + ABSENT_MS, others_ms)) for one in left]
