"""The events of a room's log, and their bytes.

What lives here: one frozen struct per event, its tag and its fields, `encode` and `decode`. What an event
does to a room is in `fold`; which event follows from which command is in `decide` and `upkeep`.

An event is a MessagePack array `[tag, at_ms, field, …]`. Logs live for years: fields are only ever
appended, with a default; tags are never used again. A reader skips fields that it does not know.
`at_ms` is the store's clock in milliseconds.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from server.core.ids import HeatId, NodeId, PlayerId, RoomCode, RoomId
from server.wire.messages import ResultRow, RoomOptions

LeftReason = Literal["left", "kicked", "closed", "away"]
"""Went; was taken out by the host; the room was closed; was absent for too long between heats."""


class LogError(Exception):
    """Bytes of a log that are no event: a damaged store or one of a newer server."""


GHOST = 4
"""Level of a board that was recorded and is played again."""


class SeatTaken(msgspec.Struct, array_like=True, frozen=True):
    """One seat that races in a heat, as it was at the draw."""

    seat: int
    player: PlayerId
    """Empty for a bot."""
    name: str
    bot_level: int
    """1–3, `GHOST` for a recorded board, or 0 for a person."""
    bot_seed: int
    """What the bot's play follows from; of a ghost, its seat in the heat that is chased; 0 for a person. Never
    leaves the server."""

    @property
    def has_own_time(self) -> bool:
        """Its entries bear the time on the heat's clock themselves: they are recorded ones (`credits`)."""
        return self.bot_level == GHOST


class SeatGiven(msgspec.Struct, array_like=True, frozen=True):
    """One seat of a tournament's room, given before its holder comes."""

    player: PlayerId
    """Empty for a bot."""
    name: str
    tag: str
    bot: int
    """Level of a bot, 0 for a person."""


class SeriesSlot(msgspec.Struct, array_like=True, frozen=True):
    """Where a room stands in its tournament: it has one heat, with the deal of its round (ruling 9)."""

    round: int
    gun_ms: int
    """When all heats of the round begin."""
    absent_ms: int
    """Who was not there so long after the gun has missed the heat; 0: may come as late as they like."""


class _Event(msgspec.Struct, array_like=True, frozen=True):
    at_ms: int


class RoomCreated(_Event, frozen=True, tag=1):
    """First event of every log."""

    room: RoomId
    code: RoomCode
    options: RoomOptions
    host: PlayerId
    series: str
    """Id of the tournament that the room belongs to; empty for a room of its own."""
    slot: SeriesSlot | None = None
    """In a tournament's room."""
    challenge: bool = False
    """One person races alone, for others to race against the recording; the deal stays sealed until then."""
    chase: str = ""
    """Id of the heat whose recorded boards are raced against; empty for none."""


class Joined(_Event, frozen=True, tag=2):
    """A person came into the room and is connected there."""

    player: PlayerId
    name: str
    tag: str
    node: NodeId
    waits: bool = False
    """Wants a seat as soon as there is one between two heats."""


class Left(_Event, frozen=True, tag=3):
    """A person is in the room no more. A board that they still play counts as resigned."""

    player: PlayerId
    reason: LeftReason


class Present(_Event, frozen=True, tag=4):
    """A person in the room is connected, through this process and no other."""

    player: PlayerId
    node: NodeId


class Away(_Event, frozen=True, tag=5):
    """A person's connection is gone. Counts only if it is that of the process recorded last."""

    player: PlayerId
    node: NodeId


class SatDown(_Event, frozen=True, tag=6):
    """A watcher took a free seat."""

    player: PlayerId
    seat: int


class StoodUp(_Event, frozen=True, tag=7):
    """A seated person became a watcher."""

    player: PlayerId


class Renamed(_Event, frozen=True, tag=8):
    """A person bears another name from now on."""

    player: PlayerId
    name: str


class ReadySet(_Event, frozen=True, tag=9):
    """A seated person is ready for the next heat, or not any more."""

    player: PlayerId
    ready: bool


class BotSeated(_Event, frozen=True, tag=10):
    """A bot took a free seat."""

    seat: int
    level: int


class BotRemoved(_Event, frozen=True, tag=11):
    """A bot's seat is free again."""

    seat: int


class Locked(_Event, frozen=True, tag=12):
    """Nobody new comes in, or people may again (those who were kicked included)."""

    locked: bool


class HostGiven(_Event, frozen=True, tag=13):
    """Another person is the host."""

    player: PlayerId


class OptionsSet(_Event, frozen=True, tag=14):
    """The room has other options: everybody is unready and a new match begins."""

    options: RoomOptions


class StartAsked(_Event, frozen=True, tag=15):
    """The host starts without the unready."""

    player: PlayerId


class HeatDrawn(_Event, frozen=True, tag=16):
    """A heat is fixed: its deal, its times and who races. The countdown runs."""

    heat: HeatId
    number: int
    """Number of the deal in its match, from 1."""
    ruleset: str
    commitment: str
    """Hex SHA-256 that binds the deal; empty when the deal is open."""
    gun_ms: int
    deadline_ms: int
    seats: list[SeatTaken]
    """In the order of seats."""
    open: bool
    """The deal was known before (a given code)."""
    rules: int = 1
    """Number of the rules by which it is played (`engine.terms.RULES`)."""
    difficulty: str = ""
    """Of a deal that is certified to be winnable (`engine.solver.Difficulty`), to be told when it is open; empty:
    it is not certified."""
    as_drawn: bool = False
    """Times of entries count from the gun as it stands here, and are read by `credits`. Heats of versions before that:
    from where the gun had been moved to when the entry was written."""


class BoardEnded(_Event, frozen=True, tag=17):
    """News: a seat has ended its board. The truth is the board's own log (ruling 1)."""

    heat: HeatId
    seat: int
    ended: str
    out: int
    score: int
    elapsed_ms: int
    """As the entry bears it that ended the board, see `HeatDrawn.as_drawn`."""


class Credited(_Event, frozen=True, tag=18):
    """The store was away from `from_ms` to `to_ms`: gun and deadline shift by as much (ruling 21)."""

    heat: HeatId
    from_ms: int
    to_ms: int


class HeatClosed(_Event, frozen=True, tag=19):
    """All boards are sealed, each at this length. Written by the closing script, see `HEAT_CLOSED_TAG`."""

    heat: HeatId
    lengths: list[int]
    """Entries of each board, in the order of `HeatDrawn.seats`."""


class HeatJudged(_Event, frozen=True, tag=20):
    """The places of a closed heat, and what was sealed."""

    heat: HeatId
    rows: list[ResultRow]
    code: str
    nonce: str


class RoomClosed(_Event, frozen=True, tag=21):
    """Last event of a log."""


class Placed(_Event, frozen=True, tag=22):
    """The seats of a tournament's room are given, seat i to entry i; nobody is connected yet."""

    seats: list[SeatGiven]


class Extended(_Event, frozen=True, tag=23):
    """A tournament's host has moved the deadline: it is `extra_ms` (below 0: earlier) from what it was at
    the draw, beside what was credited."""

    heat: HeatId
    extra_ms: int


class Revealed(_Event, frozen=True, tag=24):
    """The deal of a tournament's round is open: its last heat is closed (ruling 9)."""

    heat: HeatId
    code: str
    nonce: str


class GhostSeated(_Event, frozen=True, tag=25):
    """A recorded board took a seat, to be played again."""

    seat: int
    name: str
    """Who played it."""
    source: int
    """Its seat in the heat that is chased."""


RoomEvent: TypeAlias = (
    RoomCreated | Joined | Left | Present | Away | SatDown | StoodUp | Renamed | ReadySet | BotSeated | BotRemoved
    | Locked | HostGiven | OptionsSet | StartAsked | HeatDrawn | BoardEnded | Credited | HeatClosed | HeatJudged
    | RoomClosed | Placed | Extended | Revealed | GhostSeated
)  # fmt: skip

HEAT_CLOSED_TAG = 19
"""The closing script writes `[HEAT_CLOSED_TAG, at_ms, heat, lengths]` itself."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(RoomEvent)


def encode(event: RoomEvent) -> bytes:
    """One entry of a room's log."""
    return _encoder.encode(event)


def decode(entry: bytes) -> RoomEvent:
    """The event of one entry. Raises `LogError` when it is none that is known here."""
    try:
        event: RoomEvent = _decoder.decode(entry)
    except (msgspec.DecodeError, ValueError) as error:
        raise LogError(f"not a room event: {error}") from error
    return event


def decode_log(entries: list[bytes]) -> list[RoomEvent]:
    """All events of a log, in order. Raises `LogError` with the index of the first entry that is none."""
    log: list[RoomEvent] = []
    for index, entry in enumerate(entries):
        try:
            log.append(decode(entry))
        except LogError as error:
            raise LogError(f"entry {index}: {error}") from error
    return log
