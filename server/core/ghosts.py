"""Ghost races: somebody races the recorded boards of others on their deal, while those are asleep (product P8).

Lives here: how the two kinds of rooms begin. A *challenge* is raced alone, and its deal stays sealed until somebody
has answered, or for seven days (ruling 9); a *chase* is raced against recorded boards, which sit there as ghosts and
play again what they played, when they played it. Lives elsewhere: playing a ghost (services.ghost_driver), who may
chase what (services.ghosts). Ghost races rank nowhere (rulings 9, 22).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from server.core import events as log
from server.core import hosting
from server.core.closed_heat import ClosedHeat
from server.core.ids import NodeId, PlayerId, RoomCode, RoomId
from server.core.machine import Refusal, RefusalCode
from server.wire.messages import RoomOptions

MOST: Final = 7
"""Ghosts in a room."""
SEALED_MS: Final = 7 * 86_400_000
"""A challenge that nobody has answered is open after this."""


def _alone(options: RoomOptions, seats: int = 1) -> RoomOptions:
    """These options for one heat that nobody else comes to."""
    return msgspec.structs.replace(options, seats=seats, public=False, best_of=1, code="", match=False)


def challenge(
    at_ms: int, room: RoomId, code: RoomCode, options: RoomOptions, *,
    player: PlayerId, name: str, tag: str, node: NodeId,
) -> list[log.RoomEvent] | Refusal:  # fmt: skip
    """The first events of a challenge: as of any room, for one person and one heat. `bad_options`."""
    events = hosting.create(at_ms, room, code, _alone(options), player=player, name=name, tag=tag, node=node)
    if isinstance(events, Refusal):
        return events
    created, *others = events
    assert isinstance(created, log.RoomCreated)
    return [msgspec.structs.replace(created, challenge=True), *others]


def chase(
    at_ms: int, room: RoomId, code: RoomCode, heat: ClosedHeat, ghosts: Sequence[int], *,
    player: PlayerId, name: str, tag: str, node: NodeId,
) -> list[log.RoomEvent] | Refusal:  # fmt: skip
    """The first events of a chase of the boards on these seats of a closed heat, under its own rules.

    `not_now` for who has raced in that heat and knows the deal; `bad_options` for no ghost, too many, or a seat
    that was none.
    """
    names = {row.seat: row.name or heat.taken(row.seat).name for row in heat.rows}
    if not 0 < len(ghosts) <= MOST or len(set(ghosts)) < len(ghosts) or not set(ghosts) <= names.keys():
        return Refusal(RefusalCode.BAD_OPTIONS)
    if any(one.player == player for one in heat.seats):
        return Refusal(RefusalCode.NOT_NOW)
    options = _alone(msgspec.structs.replace(heat.options, ruleset=heat.ruleset), seats=1 + len(ghosts))
    events = hosting.create(at_ms, room, code, options, player=player, name=name, tag=tag, node=node)
    if isinstance(events, Refusal):
        return events
    seated = [log.GhostSeated(at_ms, no, names[source], source) for no, source in enumerate(ghosts, start=1)]
    created, *others = events
    assert isinstance(created, log.RoomCreated)
    return [msgspec.structs.replace(created, chase=heat.heat), *others, *seated]


__all__ = ["MOST", "SEALED_MS", "challenge", "chase"]
