"""The events of a tournament's log, and their bytes.

What lives here: one frozen struct per event, `encode` and `decode`. What an event does is in `fold`. As in a
room's log, an event is `[tag, at_ms, field, …]`, fields are only ever appended, with a default, and tags are
never used again. Tags begin at 101, so that the first entry of a log tells a tournament from a room.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from server.core.events import LogError
from server.core.ids import EntrantId, HeatId, PlayerId, RoomCode, RoomId, TournamentId
from server.core.tournament.record import Row
from server.wire.messages import TournamentOptions

Value: TypeAlias = int | str


class DrawnHeat(msgspec.Struct, array_like=True, frozen=True):
    """One heat of a round as it was drawn; the entrant at index i has seat i of the room."""

    room: RoomId
    code: RoomCode
    entrants: list[EntrantId]


class _Event(msgspec.Struct, array_like=True, frozen=True):
    at_ms: int


class Created(_Event, frozen=True, tag=101):
    """First event of every log."""

    tournament: TournamentId
    code: str
    options: TournamentOptions
    maker: PlayerId
    seed: int
    """What the order of entrants before the first round follows from; no deal does."""


class Entered(_Event, frozen=True, tag=102):
    """Somebody takes part, or is on the waiting list."""

    entrant: EntrantId
    name: str
    tag: str
    bot: int
    """Level of a bot, 0 for a person."""
    waits: bool
    checked: bool
    """The check-in is on or over, or is not asked for: coming in is checking in."""


class CheckedIn(_Event, frozen=True, tag=103):
    """An entrant is there: for the start, or again after an absence."""

    entrant: EntrantId


class Withdrawn(_Event, frozen=True, tag=104):
    """An entrant drops out by themselves; results stay."""

    entrant: EntrantId


class Returned(_Event, frozen=True, tag=105):
    """Who had withdrawn takes part again."""

    entrant: EntrantId
    waits: bool


class Renamed(_Event, frozen=True, tag=106):
    """An entrant bears another name from now on."""

    entrant: EntrantId
    name: str


class MovedUp(_Event, frozen=True, tag=107):
    """From the waiting list to the places that are free."""

    entrants: list[EntrantId]


class Edited(_Event, frozen=True, tag=108):
    """A host has set `what` (of `key`) from `before` to `after`: its inverse is the event with these two
    exchanged, so every edit can be undone exactly."""

    by: str
    """Name of the host token that was used."""
    what: str
    key: str
    before: Value
    after: Value
    undoes: int = 0
    """Number of the edit that this one takes back, 0 for none."""


class Announced(_Event, frozen=True, tag=109):
    """A host says one of the fixed sentences to everybody."""

    by: str
    sentence: int


class Started(_Event, frozen=True, tag=110):
    """No more check-in: who has not is out, and the waiting list has moved up."""

    unchecked: list[EntrantId]
    moved_up: list[EntrantId]


class RoundDrawn(_Event, frozen=True, tag=111):
    """A round is fixed: its heats, its byes and its gun. Its deal lies in the store, sealed."""

    round: int
    gun_ms: int
    heats: list[DrawnHeat]
    byes: list[EntrantId]


class HeatReported(_Event, frozen=True, tag=112):
    """The places of a heat whose room has judged it. No rows: it was given up and counts for nobody."""

    round: int
    room: RoomId
    heat: HeatId
    rows: list[Row]


class RoundStopped(_Event, frozen=True, tag=113):
    """A host closes a round before its time: boards count as they stand."""

    by: str
    round: int


class RoundClosed(_Event, frozen=True, tag=114):
    """Every heat of a round is reported: its deal is open (ruling 9)."""

    round: int
    code: str
    nonce: str


class Ended(_Event, frozen=True, tag=115):
    """Nothing is raced any more."""


TournamentEvent: TypeAlias = (
    Created | Entered | CheckedIn | Withdrawn | Returned | Renamed | MovedUp | Edited | Announced | Started
    | RoundDrawn | HeatReported | RoundStopped | RoundClosed | Ended
)  # fmt: skip

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(TournamentEvent)


def encode(event: TournamentEvent) -> bytes:
    """One entry of a tournament's log."""
    return _encoder.encode(event)


def decode(entry: bytes) -> TournamentEvent:
    """The event of one entry. Raises `LogError` when it is none that is known here."""
    try:
        event: TournamentEvent = _decoder.decode(entry)
    except (msgspec.DecodeError, ValueError) as error:
        raise LogError(f"not a tournament event: {error}") from error
    return event


def is_tournament(entries: list[bytes]) -> bool:
    """Whether these entries are a tournament's log and not a room's: the first one tells."""
    try:
        return bool(entries) and isinstance(decode(entries[0]), Created)
    except LogError:
        return False


def decode_log(entries: list[bytes]) -> list[TournamentEvent]:
    """All events of a log, in order. Raises `LogError` with the index of the first entry that is none."""
    log: list[TournamentEvent] = []
    for index, entry in enumerate(entries):
        try:
            log.append(decode(entry))
        except LogError as error:
            raise LogError(f"entry {index}: {error}") from error
    return log
