"""A room's log and its fold, kept together: append on top of what was folded, or fold what others wrote.

Lives here: versions, verdicts and catching up. Lives elsewhere: what to append (core.room), and what the
events of a room make this process do (room_host).
"""

from __future__ import annotations

from collections.abc import Callable

from server.core import events as log
from server.core import room
from server.core.room import RoomState
from server.store import keys
from server.store.logs import LogWriter, Verdict


class RoomLog:
    """One room's state as folded here, and its log in the store.

    `applied(event)` is called after each event, own or foreign; `reloaded()` after the whole log was
    folded anew, since the store had lost its tail. One caller at a time: the room takes turns.
    """

    def __init__(
        self,
        logs: LogWriter,
        state: RoomState,
        applied: Callable[[log.RoomEvent], None],
        reloaded: Callable[[], None],
    ) -> None:
        self.state = state
        self.channel = keys.bell(state.room)
        self._logs = logs
        self._key = keys.room_log(state.room)
        self._applied = applied
        self._reloaded = reloaded

    async def append(self, events: list[log.RoomEvent], due_ms: int | None = None) -> bool:
        """Append and apply; False when the log was not what we thought: it is now folded anew.

        `due_ms`: somebody is to look at the room then; noted before the events (ruling 18). Raises
        StoreAway, StoreBusy; RuntimeError for a key that holds no log.
        """
        state = self.state
        verdict, _ = await self._logs.append(
            self._key,
            state.version,
            [log.encode(event) for event in events],
            bell=(self.channel, b"log"),
            due=None if due_ms is None else (state.room, due_ms),
        )
        if verdict in (Verdict.OK, Verdict.DUP):
            for event in events:
                self.apply(event)
            return True
        if verdict is Verdict.BROKEN:
            raise RuntimeError(f"the log of room {state.room} is not a log")
        await self.catch_up()
        return False

    async def catch_up(self) -> bool:
        """Fold what others have written; whether there was anything. Raises StoreAway, LogError."""
        length = await self._logs.length(self._key)
        if length == self.state.version:
            return False
        if length < self.state.version:
            self.state = room.fold(log.decode_log(await self._logs.load(self._key)))
            self._reloaded()
            return True
        for entry in await self._logs.load(self._key, self.state.version):
            self.apply(log.decode(entry))
        return True

    def apply(self, event: log.RoomEvent) -> None:
        """Fold one event that stands in the log next."""
        room.apply(self.state, event)
        self._applied(event)
