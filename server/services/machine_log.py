"""A machine's log and its fold, kept together: append on top of what was folded, or fold what others wrote.

Lives here: versions, verdicts and catching up, for rooms and tournaments alike. Lives elsewhere: what to append
(core), and what the events make this process do (room_host, tournament_host).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from server.core import events as room_events
from server.core import room
from server.core.room import RoomState
from server.core.tournament import events as tournament_events
from server.core.tournament import machine as tournament
from server.core.tournament.state import TournamentState
from server.services.weakly import weakly
from server.store import keys
from server.store.logs import LogWriter, Verdict


class Folded(Protocol):
    """A state that knows how many events it was folded from."""

    version: int


State = TypeVar("State", bound=Folded)
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Place(Generic[State, Event]):
    """Where a machine's log is, and how it is read."""

    key: str
    channel: str
    owner: str
    """In `kupa:due`."""
    fold: Callable[[list[Event]], State]
    apply: Callable[[State, Event], None]
    encode: Callable[[Event], bytes]
    decode: Callable[[bytes], Event]
    decode_log: Callable[[list[bytes]], list[Event]]


def place_of_room(room_id: str) -> Place[RoomState, room_events.RoomEvent]:
    """The log of a room."""
    return Place(
        keys.room_log(room_id), keys.bell(room_id), room_id, room.fold, room.apply, room_events.encode,
        room_events.decode, room_events.decode_log,
    )  # fmt: skip


def place_of_tournament(tournament_id: str) -> Place[TournamentState, tournament_events.TournamentEvent]:
    """The log of a tournament."""
    return Place(
        keys.tournament_log(tournament_id), keys.tournament_bell(tournament_id), keys.due_tournament(tournament_id),
        tournament.fold, tournament.apply, tournament_events.encode, tournament_events.decode,
        tournament_events.decode_log,
    )  # fmt: skip


class MachineLog(Generic[State, Event]):
    """One machine's state as folded here, and its log in the store.

    `applied(event)` is called after each event, own or foreign; `reloaded()` after the whole log was
    folded anew, since the store had lost its tail; `lost()` when it has lost all of it, as in a failover just after
    the log was begun. All are methods of its host, which it does not hold. One caller at a time: its host takes turns.
    """

    def __init__(
        self,
        logs: LogWriter,
        place: Place[State, Event],
        state: State,
        applied: Callable[[Event], None],
        reloaded: Callable[[], None],
        lost: Callable[[], None],
    ) -> None:
        self.state = state
        self.channel = place.channel
        self._logs = logs
        self._place = place
        self._applied = weakly(applied)
        self._reloaded = weakly(reloaded)
        self._lost = weakly(lost)

    async def append(self, events: list[Event], due_ms: int | None = None) -> bool:
        """Append and apply; False when the log was not what we thought: it is now folded anew.

        `due_ms`: somebody is to look then; noted before the events (ruling 18). Raises StoreAway, StoreBusy;
        RuntimeError for a key that holds no log.
        """
        place = self._place
        verdict, _ = await self._logs.append(
            place.key,
            self.state.version,
            [place.encode(event) for event in events],
            bell=(self.channel, b"log"),
            due=None if due_ms is None else (place.owner, due_ms),
        )
        if verdict in (Verdict.OK, Verdict.DUP):
            for event in events:
                self.apply(event)
            return True
        if verdict is Verdict.BROKEN:
            raise RuntimeError(f"{place.key} is not a log")
        await self.catch_up()
        return False

    async def catch_up(self) -> bool:
        """Fold what others have written; whether there was anything. Raises StoreAway, LogError."""
        place = self._place
        length = await self._logs.length(place.key)
        if length == self.state.version:
            return False
        if length < self.state.version:
            self._fold_anew(place.decode_log(await self._logs.load(place.key)))
            return True
        for entry in await self._logs.load(place.key, self.state.version):
            self.apply(place.decode(entry))
        return True

    async def check(self) -> bool:
        """Catch up from the first event on; whether there was anything.

        A store that was away may have lost a tail, and others may have written since: the length alone does
        not tell. Raises StoreAway, LogError.
        """
        place, version = self._place, self.state.version
        events = place.decode_log(await self._logs.load(place.key))
        if len(events) < version or place.fold(events[:version]) != self.state:
            self._fold_anew(events)
            return True
        for event in events[version:]:
            self.apply(event)
        return len(events) > version

    def _fold_anew(self, events: list[Event]) -> None:
        if events:
            self.state = self._place.fold(events)
            self._reloaded()
        else:
            self._lost()

    def apply(self, event: Event) -> None:
        """Fold one event that stands in the log next."""
        self._place.apply(self.state, event)
        self._applied(event)
