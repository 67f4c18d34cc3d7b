"""A server with a fault of its own, so that the suite can show that it would see one.

`python -m tests.faults.mutants NAME` serves with that fault. Lives here: each fault as a patch of the running process,
made before the server is started. The product knows nothing of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit


def ack_before_append() -> None:
    """A move is confirmed when the rules allow it, not when the log has it."""
    from engine.moves import Move
    from server.services.played_board import PlayedBoard
    from server.wire.commands import Play

    advance, settled = PlayedBoard._advance, PlayedBoard._on_settled

    def early(self: PlayedBoard, command: Play, move: Move, *when: int) -> None:
        advance(self, command, move, *when)
        self._send(self._flight[-1].answer)

    def silent(self: PlayedBoard, *told: Any) -> None:
        peer, self.peer = self.peer, None
        settled(self, *told)
        self.peer = peer

    PlayedBoard._advance = early  # type: ignore[method-assign, assignment]
    PlayedBoard._on_settled = silent  # type: ignore[method-assign, assignment]


def no_length_check() -> None:
    """The script appends wherever the log ends."""
    from server.store import lua

    text, found = re.subn(r"if length == at \+ count then", "if true then", lua.APPEND.text)
    assert found == 1
    lua.APPEND = lua.Script("append", text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())
    lua.WRITER_SCRIPTS = (lua.APPEND, lua.CLAIM, lua.CLOSE)


def default_retries() -> None:
    """Boards are written by a plain RPUSH of a client that repeats what was not answered in time."""
    import msgpack
    from redis.asyncio import Redis

    from server.store.lane import Carried
    from server.store.logs import LogWriter, Verdict

    push = LogWriter.push
    where = urlsplit(os.environ["REDIS_URL"])
    clients: dict[int, Redis] = {}
    tails: dict[str, asyncio.Task[None]] = {}

    async def write(item: Carried, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await before
        client = clients.setdefault(0, Redis(host=where.hostname or "", port=where.port or 0, socket_timeout=0.3))
        _, key, field, _, entries, row, bell = msgpack.unpackb(item.packed, raw=True)
        length = int(await client.rpush(item.log, *entries))
        await client.hset(key, field, row)
        if bell is not None:
            await client.publish(bell[0], b"%d %s" % (length, bell[1]))
        item.settle(Verdict.OK, length)

    def plain(self: LogWriter, item: Carried) -> bool:
        if ":b:" not in item.log:
            return push(self, item)
        tails[item.log] = asyncio.create_task(write(item, tails.get(item.log)))
        return True

    LogWriter.push = plain  # type: ignore[method-assign, assignment]


def lost_last_event() -> None:
    """Who misses a ring hears of it at the next one: of the last, never, as nobody looks whether there is anything."""
    from server.services.hub import Hub
    from server.services.room_host import RoomHost

    rung = RoomHost._rung

    def deaf(self: RoomHost, payload: bytes, number: int) -> None:
        if self.state.heat is None or len(self.state.heat.ended) + 1 < len(self.state.heat.seats):
            rung(self, payload, number)

    async def blind(self: Hub) -> None:
        await self.shared.store.nodes.beat(self.shared.node)

    async def asleep(self: Hub) -> None:
        """What is due is done by the timer of whoever has heard of it."""

    RoomHost._rung = deaf  # type: ignore[method-assign]
    RoomHost.look = lambda self: None  # type: ignore[method-assign]
    Hub._mind = blind  # type: ignore[method-assign]
    Hub._wake_due = asleep  # type: ignore[method-assign]


def order_of_appends() -> None:
    """Places follow from the order in which the ends came to the room's log."""
    import msgspec

    from server.core import judging

    judge = judging.judge

    def hasty(state: Any, boards: Any) -> Any:
        rows = {row.seat: row for row in judge(state, boards)}
        order = [*state.heat.ended, *(seat for seat in rows if seat not in state.heat.ended)]
        return tuple(msgspec.structs.replace(rows[seat], place=at + 1) for at, seat in enumerate(order))

    judging.judge = hasty


def hidden_card() -> None:
    """A view shows the next card of the stock."""
    import msgspec

    from server.services import played_board

    shown = played_board.board_view

    def leaky(board: Any) -> Any:
        seen = shown(board)
        return msgspec.structs.replace(seen, known=bytes(board.stock[-1:])) if board.stock else seen

    played_board.board_view = leaky


def rules_raise() -> None:
    """A fault in the rules (F24): asking for an undo raises."""
    from engine.board import Board
    from engine.moves import Kind

    check = Board.check

    def broken(self: Board, move: Any) -> Any:
        if move[0] == Kind.UNDO:
            raise RuntimeError("a fault in the rules")
        return check(self, move)

    Board.check = broken  # type: ignore[method-assign]


def clocks_differ() -> None:
    """Not the server's fault: each store of a cluster has a clock of its own (`CLOCKS`: port=ms too much, by comma)."""
    from redis.asyncio import RedisCluster

    off_ms = {int(port): int(ms) for port, _, ms in (one.partition("=") for one in os.environ["CLOCKS"].split(","))}
    execute = RedisCluster.execute_command

    async def told(self: RedisCluster, *words: Any, **how: Any) -> Any:
        answer = await execute(self, *words, **how)
        if words[0] != "TIME":
            return answer
        seconds, micros = next(iter(answer.values())) if isinstance(answer, dict) else answer
        return int(seconds) + off_ms[how["target_nodes"].port] // 1000, micros

    RedisCluster.execute_command = told  # type: ignore[method-assign]


MUTANTS: dict[str, Callable[[], None]] = {
    made.__name__: made
    for made in (
        ack_before_append, no_length_check, default_retries, lost_last_event, order_of_appends, hidden_card,
        rules_raise, clocks_differ,
    )
}  # fmt: skip


def main() -> None:
    """Serve with the fault that is named."""
    MUTANTS[sys.argv[1]]()
    from server.cli import main as serve

    sys.argv = ["kupa", "serve"]
    serve()


if __name__ == "__main__":
    main()
