"""Games that one person plays, and may open elsewhere at any time: the older connection is told at once.

Lives here: which boards this process has live, the bell of each, and the good-bye. Lives elsewhere: taking a board
over (store.logs.claim), the games (solo, practice). A ring that was lost is made up for by the next move, which the
log then refuses.
"""

from __future__ import annotations

from server.services.played_board import PlayedBoard
from server.store import keys
from server.store.connect import Store
from server.wire.codec import frame
from server.wire.errors import CloseCode
from server.wire.messages import Superseded

SPARE = 16
"""Boards that nobody plays any more and that may lie about until there are twice as many."""


def supersede(played: PlayedBoard) -> None:
    """The player is connected elsewhere: tell who plays this board here, and close that connection."""
    viewer, played.peer = played.peer, None
    if viewer is not None:
        viewer.leave_room()
        viewer.send(frame(Superseded()))
        viewer.close(CloseCode.ELSEWHERE, "opened elsewhere")


class Takeovers:
    """The live boards of one process by game, each of which one connection plays."""

    def __init__(self, store: Store, node: str) -> None:
        self._bells = store.bells
        self._node = node.encode()
        self._live: dict[str, PlayedBoard] = {}
        self._most = SPARE

    def ring(self, game: str) -> tuple[str, bytes]:
        """The bell to ring with the claim of a game's board."""
        return keys.bell(game), self._node

    def sat(self, game: str, played: PlayedBoard) -> None:
        """`played` has just been claimed for its peer: who played here before plays no more."""
        before = self._live.get(game)
        self._live[game] = played
        if before is None:
            self._sweep()
            self._bells.subscribe(keys.bell(game), lambda *ring: self._rung(game, *ring), lambda: None)
        elif before.peer is not played.peer:
            supersede(before)

    def over(self, game: str) -> None:
        """The game was given up for another one: whoever plays it here plays no more."""
        if game in self._live:
            supersede(self._live[game])
            self._let_go(game)

    def _rung(self, game: str, node: bytes, epoch: int) -> None:
        played = self._live.get(game)
        if played is not None and node != self._node and epoch > played.epoch:
            self.over(game)

    def _let_go(self, game: str) -> None:
        del self._live[game]
        self._bells.unsubscribe(keys.bell(game))

    def _sweep(self) -> None:
        """Let go of what nobody plays, each time there are twice as many as were kept the last time."""
        if len(self._live) <= self._most:
            return
        for game, played in list(self._live.items()):
            if played.peer is None:
                self._let_go(game)
        self._most = 2 * len(self._live) + SPARE
