"""What time alone makes happen in a room.

What lives here: seating who waits, passing on the host's role, letting go of who stays away between
heats, closing a room that nobody is in; and `due`, which also covers what the shell has to do by
itself (draw, end boards, close, judge).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from server.core import events as log
from server.core.endings import endings_due
from server.core.heat import close_due, judge_due
from server.core.ids import SERVER, PlayerId
from server.core.ready import deal_due
from server.core.state import Member, RoomState

HOST_AWAY_MS = 30_000
"""A host who is away for so long loses the role."""
IDLE_MS = 300_000
"""Who is away for so long between two heats, while others are there, leaves the room."""
CLOSE_ROOM_MS = 600_000
"""A room with no heat and nobody connected closes after so long (ruling 2)."""

_Chore: TypeAlias = tuple[int, Callable[[int], list[log.RoomEvent]]]
"""From when on, and which events at an instant."""


def due(state: RoomState) -> int | None:
    """From when on the shell has something to do if nothing else happens, or None: never.

    Exact from the last event on: `at_ms >= due(state)` if and only if `decide_due` answers events or
    `wants_deal`, `wants_endings`, `wants_close` or `wants_judging` says so. The gun is not among these:
    it needs no event (`heat.gun_ms`).
    """
    heat = state.heat
    times = [deal_due(state), endings_due(state), close_due(heat), judge_due(heat)]
    times.extend(since for since, _ in _chores(state))
    return min((time for time in times if time is not None), default=None)


def decide_due(state: RoomState, at_ms: int) -> list[log.RoomEvent]:
    """What time alone makes happen now: the events of one chore. Ask again after applying them."""
    at_ms = max(at_ms, state.at_ms)
    for since, events in _chores(state):
        if at_ms >= since:
            return events(at_ms)
    return []


def leaving(state: RoomState, at_ms: int, player: PlayerId, reason: log.LeftReason) -> list[log.RoomEvent]:
    """A person leaves, and the host's role goes on if it was theirs."""
    gone: list[log.RoomEvent] = [log.Left(at_ms, player, reason)]
    heir = _heir(state, player) if state.host == player else SERVER
    return gone if heir == SERVER else [*gone, log.HostGiven(at_ms, heir)]


def _heir(state: RoomState, leaver: PlayerId) -> PlayerId:
    """Who is the host after this one: the longest-present seated person; a watcher only where nobody else
    is seated (N33)."""
    others = [(player, member) for player, member in state.members.items() if player != leaver]

    def rank(one: tuple[PlayerId, Member]) -> tuple[bool, bool, int]:
        _, member = one
        return member.seat < 0, not member.present, member.since_ms

    return min(others, key=rank)[0] if others else SERVER


def _chores(state: RoomState) -> Iterator[_Chore]:
    if state.closed:
        return
    for chore in (_close_room(state), _seat_waiting(state), _pass_host(state), _let_go(state)):
        if chore is not None:
            yield chore


def _close_room(state: RoomState) -> _Chore | None:
    if state.heat is not None or state.quiet_ms is None or _sealed(state):
        return None
    return state.quiet_ms + CLOSE_ROOM_MS, lambda at_ms: [log.RoomClosed(at_ms)]


def _sealed(state: RoomState) -> bool:
    """A tournament's room stays until its deal is open, which is part of its log."""
    return bool(state.series) and (state.last is None or not state.last.judged.code)


def _seat_waiting(state: RoomState) -> _Chore | None:
    """A latecomer watches and is seated in the next deal (P2)."""
    if state.heat is not None:
        return None
    waiting = [player for player, member in state.members.items() if member.waits and member.present]
    pairs = list(zip(waiting, state.free_seats(), strict=False))
    if not pairs:
        return None
    return state.at_ms, lambda at_ms: [log.SatDown(at_ms, player, no) for player, no in pairs]


def _pass_host(state: RoomState) -> _Chore | None:
    host = state.members.get(state.host)
    if host is None or host.present:
        return None
    heir = _heir(state, state.host)
    member = state.members.get(heir)
    seated = any(other.seat >= 0 for other in state.members.values())
    if member is None or not member.present or (member.seat < 0 and seated):
        return None
    return host.since_ms + HOST_AWAY_MS, lambda at_ms: [log.HostGiven(at_ms, heir)]


def _let_go(state: RoomState) -> _Chore | None:
    """Nobody's seat stays blocked by somebody who went without a word. In a tournament seats are kept."""
    if state.heat is not None or state.series or not state.anybody_present():
        return None
    absent = [(member.since_ms, player) for player, member in state.members.items() if not member.present]
    if not absent:
        return None
    since, player = min(absent)
    between_ms = state.last.judged.at_ms if state.last is not None else since
    return max(since, between_ms) + IDLE_MS, lambda at_ms: leaving(state, at_ms, player, "away")
