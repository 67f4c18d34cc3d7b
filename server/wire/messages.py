"""Every frame that crosses the socket: the single source of the protocol.

What lives here: one frozen struct per message, its tag and its fields, nothing else. `codec` turns
frames into these structs and back, `generate` writes PROTOCOL.md and client_web/js/wire.gen.js from
them. A frame is a MessagePack array `[tag, field, …]` of ints, strings, bytes, booleans, nil and
arrays. Commands (client to server) bear tags 1–63, events (server to client) 64–127. Fields are
only ever appended, tags are never used again, clients ignore event tags they do not know.

Every command gets exactly one answer. A command that carries `n` (the client's own running number)
is answered by an event that carries the same `n`: `Done`, `Refused` or the typed answer named in
its docstring. `Play` is answered under its ply by `Moved`, `Restored` or `Denied`; `Ping` by `Pong`.

Times are integer milliseconds of the store's clock (Unix epoch) where named `*_ms`, unless a
docstring says that they count from the gun. Cards are one byte each: suit × 13 + rank − 1, suits
spades, hearts, diamonds, clubs (rules R1.1). Seats count from 0.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

PROTOCOL_VERSION = 1

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""A client's running number of its commands."""
Byte = Annotated[int, msgspec.Meta(ge=0, le=255)]
Ply = Annotated[int, msgspec.Meta(ge=0, le=20_000)]
Instant = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
SeatNo = Annotated[int, msgspec.Meta(ge=0, le=999)]
Short = Annotated[str, msgspec.Meta(max_length=64)]
"""Bounded text; what it may hold is checked by the machine that reads it."""
Token = Annotated[str, msgspec.Meta(max_length=64)]


class Part(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A value inside a message: an array without a tag."""


class Command(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """What a client asks."""


class Event(msgspec.Struct, array_like=True, frozen=True):
    """What a client is told."""


# ---------------------------------------------------------------- parts


class RoomOptions(Part, frozen=True):
    """What a host chooses for a room (product P2)."""

    ruleset: Annotated[str, msgspec.Meta(max_length=8)] = "DS1-D1N"
    """Id of a ruleset, e.g. DS1-D1N."""
    goal: Annotated[str, msgspec.Meta(max_length=8)] = "first"
    """`first`: first to finish; `score`: best score."""
    minutes: Annotated[int, msgspec.Meta(ge=0, le=60)] = 10
    """Time limit: 3, 5, 10, 15, 20, 30 or 60; 0 means no limit (a hard cap of 60 min holds)."""
    seats: Annotated[int, msgspec.Meta(ge=1, le=999)] = 4
    """Playing places, 1–8 (organisers more)."""
    undo: Annotated[str, msgspec.Meta(max_length=8)] = "all"
    """`all`, `hidden` (until a card is revealed, ruling 6) or `none`."""
    hints: bool = True
    """The client may show hints."""
    public: bool = False
    """Listed in the lobby."""
    best_of: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    """1, 3 or 5 deals (ruling 3)."""
    code: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """A given deal code: the deal is open and the race unrated. Empty: a secret deal."""
    match: bool = False
    """A quick-match room: starts by itself when two people are seated."""


class BoardView(Part, frozen=True):
    """All that the player of a board may see of it (engine.view; rules R2–R5)."""

    ply: int
    """Entries of the log so far."""
    score: int
    """By the rules of the ruleset."""
    moves: int
    """Counted moves, undone ones left out."""
    stock: int
    """Cards left in the stock."""
    waste: bytes
    """The waste from bottom to top."""
    foundations: bytes
    """One byte a slot: height 0–13, slots suit by suit (R4.1)."""
    columns: list[tuple[int, bytes]]
    """For each column: number of face-down cards, face-up cards from deepest to last."""
    undoable: int
    """How many undos would be accepted now in a row."""
    ended: str
    """Empty while it is played, else how it ended: won, resigned, abandoned, time_up."""


class RoomRow(Part, frozen=True):
    """A public room in the lobby."""

    code: str
    """Code of the room."""
    host: str
    """Name of the host."""
    ruleset: str
    """Id of its ruleset."""
    goal: str
    """As in `RoomOptions`."""
    minutes: int
    """As in `RoomOptions`."""
    seats: int
    """Playing places."""
    taken: int
    """Seats that are taken."""
    best_of: int
    """As in `RoomOptions`."""
    running: bool
    """A heat runs: who enters now watches."""


class ResultRow(Part, frozen=True):
    """One board of a closed heat, in order of places (product P3)."""

    seat: int
    """Whose board."""
    place: int
    """From 1; equals share a place: 1, 2, 2, 4."""
    ended: str
    """won, resigned, abandoned or time_up."""
    out: int
    """Cards on the foundations."""
    score: int
    """Final score."""
    moves: int
    """Counted moves."""
    at_ms: int
    """From the gun: when it was won, else when the board last came to what ranks it."""
    reason: str
    """Why it stands behind the row before: first, time, out, score, earlier, tie, ended."""
    tally: int
    """Points in the match so far, this heat included (ruling 3)."""
    name: str = ""
    """Who played it, as shown at the end of the heat."""


# ---------------------------------------------------------------- commands 1–63


class Hello(Command, frozen=True, tag=1):
    """First frame of every connection. Answer: `Welcome`, or a close code (4401, 4426)."""

    n: Number
    proto: Number
    """Version of this protocol the client speaks."""
    token: Token
    """The device's secret, or empty: a new player is made."""
    name: Short
    """Wanted name for a new player; empty: one is proposed."""
    lang: Annotated[str, msgspec.Meta(max_length=16)]
    """Language tag of the client, for proposed names."""


class Ping(Command, frozen=True, tag=2):
    """Sign of life and clock probe. Answer: `Pong`."""

    sent_ms: Instant
    """Any number of the client's; it comes back."""


class Play(Command, frozen=True, tag=3):
    """A move on the own board: entry number `ply` of its log (rules R3–R7). Answer under the same ply:
    `Moved`, or `Restored` for an undo, or `Denied`. A ply already taken by the same four bytes is
    answered again; by others, `Restored`; beyond the log, `Denied` with `seq`."""

    ply: Ply
    """The number of the entry this move wants to be, from 0."""
    kind: Byte
    """1 draw, 2 recycle, 3 transfer, 4 undo, 5 auto-complete (the server's own), 6 resign."""
    source: Byte
    """0 stock, 1 waste, 10–17 a foundation slot, 20–28 a column; 0 where it means nothing."""
    target: Byte
    """2 the foundations (the slot follows, R4.2), 20–28 a column; 0 where it means nothing."""
    count: Byte
    """Cards moved as one run; 0 where it means nothing."""


class Rename(Command, frozen=True, tag=4):
    """Change the own name. Answer: `Done`."""

    n: Number
    name: Short
    """Wanted name."""


class LinkDevice(Command, frozen=True, tag=5):
    """Ask for a one-time code that brings this identity to another device. Answer: `DeviceCode`."""

    n: Number


class UseDeviceCode(Command, frozen=True, tag=6):
    """Take over the identity behind a one-time code. Answer: `Welcome` with a token of this device."""

    n: Number
    code: Annotated[str, msgspec.Meta(max_length=16)]
    """As shown on the other device."""


class RevokeDevices(Command, frozen=True, tag=7):
    """Make the tokens of all other devices of this player worthless. Answer: `Done`."""

    n: Number


class CreateRoom(Command, frozen=True, tag=8):
    """Open a room, sit down in it, and seat bots. Answer: `Entered`."""

    n: Number
    options: RoomOptions
    """What is played, and how."""
    bots: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=3)]], msgspec.Meta(max_length=7)]
    """Level of each bot to seat."""
    ready: bool
    """Be ready at once: with bots alone the countdown starts."""


class EnterRoom(Command, frozen=True, tag=9):
    """Go into a room by its code: to a free seat, or to watch where none is free, a heat runs or
    `watch` is asked. Who is in already comes back to the same place. Answer: `Entered`."""

    n: Number
    code: Annotated[str, msgspec.Meta(max_length=16)]
    """Code of the room."""
    watch: bool
    """Only watch, even where a seat is free."""


class LeaveRoom(Command, frozen=True, tag=10):
    """Leave the room for good; a running board counts as resigned. Answer: `Done`."""

    n: Number


class Ready(Command, frozen=True, tag=11):
    """Say whether one is ready for the next heat (rematch is the same). Answer: `Done`."""

    n: Number
    ready: bool
    """False takes it back."""


class StartHeat(Command, frozen=True, tag=12):
    """Host: start without those who are not ready, from 20 s after the first was. Answer: `Done`."""

    n: Number


class AddBot(Command, frozen=True, tag=13):
    """Host: seat a bot of level 1–3. Answer: `Done`."""

    n: Number
    level: Annotated[int, msgspec.Meta(ge=1, le=3)]
    """1 easy, 2 middling, 3 strong."""


class RemoveSeat(Command, frozen=True, tag=14):
    """Host: take a bot or a person out of a seat (a person is kicked from the room). Answer: `Done`."""

    n: Number
    seat: SeatNo
    """Whose."""


class LockRoom(Command, frozen=True, tag=15):
    """Host: let nobody new in, or open again. Answer: `Done`."""

    n: Number
    locked: bool
    """False opens it again."""


class HandOver(Command, frozen=True, tag=16):
    """Host: make the person in this seat the host. Answer: `Done`."""

    n: Number
    seat: SeatNo
    """Whose."""


class SetOptions(Command, frozen=True, tag=17):
    """Host: change the options between heats; everybody becomes unready. Answer: `Done`."""

    n: Number
    options: RoomOptions
    """All of them, changed or not."""


class React(Command, frozen=True, tag=18):
    """A quick reaction from the fixed set 0–5. Answer: `Done`."""

    n: Number
    reaction: Annotated[int, msgspec.Meta(ge=0, le=5)]
    """Number in the fixed set."""


class SitDown(Command, frozen=True, tag=19):
    """Watcher: take a free seat between heats. Answer: `Done`."""

    n: Number


class StandUp(Command, frozen=True, tag=20):
    """Seated: become a watcher between heats. Answer: `Done`."""

    n: Number


class ListRooms(Command, frozen=True, tag=21):
    """The public rooms. Answer: `Rooms`."""

    n: Number


class QuickMatch(Command, frozen=True, tag=22):
    """Be put together with people who wait for the same ruleset. Answer: `Entered`."""

    n: Number
    ruleset: Annotated[str, msgspec.Meta(max_length=8)]
    """Id of the ruleset."""


class Resync(Command, frozen=True, tag=23):
    """Ask for everything about the own room again. Answer: `Done`, after the snapshots."""

    n: Number


# ---------------------------------------------------------------- events 64–127


class Welcome(Event, frozen=True, tag=64):
    """Answer to `Hello` and `UseDeviceCode`: who you are."""

    n: int
    player: str
    """Public id of the player."""
    tag: str
    """Short tag that tells people of one name apart, e.g. 4F2A."""
    name: str
    """As others see it."""
    token: str
    """A new secret for this device, or empty when the one sent is still good."""
    server_ms: int
    """Now."""
    room: str
    """Code of the room this player is in, or empty: enter it to resume."""


class Pong(Event, frozen=True, tag=65):
    """Answer to `Ping`."""

    sent_ms: int
    """As sent."""
    server_ms: int
    """Now."""


class Done(Event, frozen=True, tag=66):
    """The command was carried out."""

    n: int


class Refused(Event, frozen=True, tag=67):
    """The command was refused; nothing changed."""

    n: int
    code: str
    """An `ErrorCode`, stable; the words are the client's."""


class Moved(Event, frozen=True, tag=68):
    """The move is in the log."""

    ply: int
    """The ply that is answered."""
    score: int
    """After the move."""
    turned: bytes
    """Cards newly seen: the drawn ones in order, or the one turned up in the source column."""
    auto: bool = False
    """The game then completed itself (R11.6): one more entry was written, and `score` includes it."""


class Denied(Event, frozen=True, tag=69):
    """The move was refused; nothing changed and the ply may be used again."""

    ply: int
    """The ply that is answered."""
    code: str
    """Why: see refusals of moves."""


class Restored(Event, frozen=True, tag=70):
    """The board as it stands, in answer to an undo or to a ply that did not fit."""

    ply: int
    """The ply that is answered."""
    view: BoardView
    """The board now."""


class Dealt(Event, frozen=True, tag=71):
    """Your board: at the gun, and at every return to a running heat."""

    heat: str
    """Id of the heat."""
    seat: int
    """Your seat."""
    view: BoardView
    """The board now."""


class Progress(Event, frozen=True, tag=72):
    """How far the others are: five ints a row: seat, cards out, score, moves, state
    (0 playing, 1 won, 2 resigned, 3 abandoned, 4 time up). Only counts, never cards (A6)."""

    rows: list[int]
    """Five ints for each row that changed."""


class Entered(Event, frozen=True, tag=73):
    """You are in a room; its `RoomInfo`, `SeatRow`s and `HeatInfo` came before this."""

    n: int
    code: str
    """Code of the room."""
    seat: int
    """Your seat, or −1 when you watch."""


class RoomInfo(Event, frozen=True, tag=74):
    """The room as a whole; sent on entering and whenever one of the fields changes."""

    code: str
    """Code of the room."""
    options: RoomOptions
    """What is played, and how."""
    phase: str
    """open, countdown, running or closing."""
    host: int
    """Seat of the host, or −1 while the host watches."""
    locked: bool
    """Nobody new gets in."""
    watchers: int
    """How many watch."""
    deal: int
    """Number of the next or running deal of the match, from 1."""
    decided: bool
    """The match is over; a rematch begins a new one."""
    startable_ms: int
    """From when on the host may start without the unready; 0: not yet known."""


class SeatRow(Event, frozen=True, tag=75):
    """One seat that is taken."""

    seat: int
    """Number of the seat."""
    player: str
    """Public id; empty for a bot."""
    name: str
    """As others see it."""
    tag: str
    """Tells people of one name apart."""
    bot: int
    """Level of the bot, 0 for a person."""
    ready: bool
    """For the next heat."""
    present: bool
    """Connected now."""
    you: bool
    """It is your seat."""
    wins: int
    """Points in the match so far."""


class SeatFreed(Event, frozen=True, tag=76):
    """The seat is free again."""

    seat: int
    """Number of the seat."""


class HeatInfo(Event, frozen=True, tag=77):
    """A heat is fixed: the countdown runs, or the heat does. Sent again when its times shift."""

    heat: str
    """Id of the heat."""
    number: int
    """Number of the deal in the match, from 1."""
    commitment: str
    """Hex SHA-256 that binds the deal (deal-code.md); empty when the deal is open."""
    gun_ms: int
    """When play begins."""
    deadline_ms: int
    """When time is up."""
    seats: list[int]
    """The seats that race."""


class BoardEnded(Event, frozen=True, tag=78):
    """A seat has ended its board; the place is provisional until `HeatResult`."""

    seat: int
    """Whose board."""
    ended: str
    """won, resigned, abandoned or time_up."""
    elapsed_ms: int
    """From the gun."""
    place: int
    """From 1."""


class HeatResult(Event, frozen=True, tag=79):
    """The heat is closed: places for good, and what was sealed."""

    heat: str
    """Id of the heat."""
    number: int
    """Number of the deal in the match, from 1."""
    rows: list[ResultRow]
    """Every board, in order of places."""
    code: str
    """The deal code."""
    nonce: str
    """Hex nonce of the commitment; empty when the deal was open from the start."""
    commitment: str
    """As given in `HeatInfo`."""


class Reacted(Event, frozen=True, tag=80):
    """Somebody reacted."""

    seat: int
    """−1: a watcher."""
    reaction: int
    """Number in the fixed set."""


class Superseded(Event, frozen=True, tag=81):
    """This connection was replaced by a newer one of the same player; close code 4409 follows."""


class Rooms(Event, frozen=True, tag=82):
    """The public rooms, newest first."""

    n: int
    rows: list[RoomRow]
    """At most as many as the server lists."""


class DeviceCode(Event, frozen=True, tag=83):
    """A one-time code for another device."""

    n: int
    code: str
    """To be typed on the other device."""
    expires_ms: int
    """Until when it works."""


class LeftRoom(Event, frozen=True, tag=84):
    """You are no longer in the room."""

    reason: str
    """left, kicked or closed."""


class Goodbye(Event, frozen=True, tag=85):
    """The server is about to close this connection; come back after `retry_ms`."""

    retry_ms: int
    """How long to wait, so that not everybody comes at once."""


COMMANDS: tuple[type[Command], ...] = (
    Hello, Ping, Play, Rename, LinkDevice, UseDeviceCode, RevokeDevices, CreateRoom, EnterRoom, LeaveRoom,
    Ready, StartHeat, AddBot, RemoveSeat, LockRoom, HandOver, SetOptions, React, SitDown, StandUp,
    ListRooms, QuickMatch, Resync,
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = (
    Welcome, Pong, Done, Refused, Moved, Denied, Restored, Dealt, Progress, Entered, RoomInfo, SeatRow,
    SeatFreed, HeatInfo, BoardEnded, HeatResult, Reacted, Superseded, Rooms, DeviceCode, LeftRoom, Goodbye,
)  # fmt: skip
