"""Who is ready, and from when on a deal is wanted.

What lives here: the ready check. It is about one heat: `HeatDrawn` clears it (N29), and who is absent is
never counted as ready (N28). What does not: drawing the deal (the shell) and the countdown (`heat`).
"""

from __future__ import annotations

from server.core.state import RoomState

AWAY_GRACE_MS = 10_000
"""For so long the others' readiness waits for a seated person whose connection is gone (N28)."""
START_AFTER_MS = 20_000
"""From the first ready on, until the host may start without the unready (P2)."""
MATCH_AFTER_MS = 10_000
"""A quick-match room starts so long after its second person."""
_MATCH_PEOPLE = 2


def racers(state: RoomState) -> list[int]:
    """The seats that would race if the deal were drawn now: present people who are counted in, and bots; in
    a tournament's room all, whether they are there or not: the clock runs for everybody."""
    if state.series:
        return sorted(state.seats)
    people = {no for no, seat, member in state.people() if member.present and seat.willing_ms is not None}
    return sorted(people | {no for no, seat in state.seats.items() if seat.bot})


def wants_deal(state: RoomState, at_ms: int) -> bool:
    """The shell is to draw a deal now and to hand in `DealDrawn`."""
    due = deal_due(state)
    return due is not None and at_ms >= due


def deal_due(state: RoomState) -> int | None:
    """From when on a deal is wanted if nothing else happens, or None."""
    if state.heat is not None or state.closed:
        return None
    if state.series:
        return None if state.heats else state.at_ms
    if state.ghostly and state.heats:
        return None
    ways = (_all_ready_ms(state), _asked_ms(state), _matched_ms(state))
    return min((way for way in ways if way is not None), default=None)


def startable_ms(state: RoomState) -> int:
    """From when on the host may start without the unready; in a quick-match room: when it starts by
    itself. 0: not yet known."""
    if state.heat is not None or state.closed or state.series or (state.ghostly and state.heats):
        return 0
    if state.options.match:
        return _matched_ms(state) or 0
    first = min((seat.ready_ms for seat in state.seats.values() if seat.ready_ms is not None), default=None)
    return 0 if first is None else first + START_AFTER_MS


def _all_ready_ms(state: RoomState) -> int | None:
    """Everybody seated and present is ready, and who is absent has been so for long enough."""
    since = []
    present = 0
    for _, seat, member in state.people():
        if not member.present:
            since.append(member.since_ms + AWAY_GRACE_MS)
        elif seat.ready_ms is None:
            return None
        else:
            present += 1
            since.append(seat.ready_ms)
    return max(since) if present >= (_MATCH_PEOPLE if state.options.match else 1) else None


def _asked_ms(state: RoomState) -> int | None:
    """The host asked, and somebody is there to race."""
    anybody = any(member.present and seat.ready_ms is not None for _, seat, member in state.people())
    return state.start_asked_ms if anybody else None


def _matched_ms(state: RoomState) -> int | None:
    """Two people are counted in in a quick-match room."""
    if not state.options.match:
        return None
    since = sorted(s.willing_ms for _, s, member in state.people() if member.present and s.willing_ms is not None)
    return since[_MATCH_PEOPLE - 1] + MATCH_AFTER_MS if len(since) >= _MATCH_PEOPLE else None
