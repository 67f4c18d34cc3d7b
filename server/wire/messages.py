"""Every frame that crosses the socket: the single source of the protocol.

What lives here: the rules, and every message by name; each is one frozen struct with its tag and its
fields, in `commands`, `events`, and the `parts` inside them. `codec` turns frames into these structs and
back, `generate` writes PROTOCOL.md and client_web/js/wire.gen.js from them.

A frame is a MessagePack array `[tag, field, …]` of ints, strings, bytes, booleans, nil and arrays.
Commands (client to server) bear tags 1–63, events (server to client) 64–127. Fields are only ever
appended, tags are never used again, clients ignore event tags they do not know.

Every command gets exactly one answer. A command that carries `n` (the client's own running number)
is answered by an event that carries the same `n`: `Done`, `Refused` or the typed answer named in
its docstring. `Play` is answered under its ply by `Moved`, `Restored` or `Denied`; `Ping` by `Pong`.

Times are integer milliseconds of the store's clock (Unix epoch) where named `*_ms`, unless a
docstring says that they count from the gun. Cards are one byte each: suit × 13 + rank − 1, suits
spades, hearts, diamonds, clubs (rules R1.1). Seats count from 0.
"""

from __future__ import annotations

from server.wire.commands import (
    AddBot,
    CreateRoom,
    EnterRoom,
    HandOver,
    Hello,
    LeaveRoom,
    LinkDevice,
    ListRooms,
    ListSolo,
    LockRoom,
    OpenDaily,
    OpenSolo,
    Ping,
    Play,
    QuickMatch,
    React,
    Ready,
    RemoveSeat,
    Rename,
    Resync,
    RevokeDevices,
    SetOptions,
    SitDown,
    StandUp,
    StartHeat,
    UseDeviceCode,
)
from server.wire.events import (
    BoardEnded,
    DailyGame,
    DailyResult,
    Dealt,
    Denied,
    DeviceCode,
    Done,
    Entered,
    Goodbye,
    HeatInfo,
    HeatResult,
    LeftRoom,
    Moved,
    Pong,
    Progress,
    RatingChanged,
    Reacted,
    Refused,
    Restored,
    RoomInfo,
    Rooms,
    SeatFreed,
    SeatRow,
    SoloGame,
    SoloGames,
    Superseded,
    Welcome,
)
from server.wire.parts import (
    BoardView,
    Byte,
    Command,
    Event,
    Instant,
    Number,
    Part,
    Ply,
    RatingRow,
    ResultRow,
    RoomOptions,
    RoomRow,
    SeatNo,
    Short,
    SoloRow,
    Token,
    TournamentOptions,
)

PROTOCOL_VERSION = 1

COMMANDS: tuple[type[Command], ...] = (
    Hello, Ping, Play, Rename, LinkDevice, UseDeviceCode, RevokeDevices, CreateRoom, EnterRoom, LeaveRoom,
    Ready, StartHeat, AddBot, RemoveSeat, LockRoom, HandOver, SetOptions, React, SitDown, StandUp,
    ListRooms, QuickMatch, Resync, OpenSolo, ListSolo,
    OpenDaily,
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = (
    Welcome, Pong, Done, Refused, Moved, Denied, Restored, Dealt, Progress, Entered, RoomInfo, SeatRow,
    SeatFreed, HeatInfo, BoardEnded, HeatResult, Reacted, Superseded, Rooms, DeviceCode, LeftRoom, Goodbye,
    SoloGame, SoloGames, DailyGame, DailyResult, RatingChanged,
)  # fmt: skip

__all__ = [
    "COMMANDS",
    "EVENTS",
    "PROTOCOL_VERSION",
    "AddBot",
    "BoardEnded",
    "BoardView",
    "Byte",
    "Command",
    "CreateRoom",
    "DailyGame",
    "DailyResult",
    "Dealt",
    "Denied",
    "DeviceCode",
    "Done",
    "EnterRoom",
    "Entered",
    "Event",
    "Goodbye",
    "HandOver",
    "HeatInfo",
    "HeatResult",
    "Hello",
    "Instant",
    "LeaveRoom",
    "LeftRoom",
    "LinkDevice",
    "ListRooms",
    "ListSolo",
    "LockRoom",
    "Moved",
    "Number",
    "OpenDaily",
    "OpenSolo",
    "Part",
    "Ping",
    "Play",
    "Ply",
    "Pong",
    "Progress",
    "QuickMatch",
    "RatingChanged",
    "RatingRow",
    "React",
    "Reacted",
    "Ready",
    "Refused",
    "RemoveSeat",
    "Rename",
    "Restored",
    "ResultRow",
    "Resync",
    "RevokeDevices",
    "RoomInfo",
    "RoomOptions",
    "RoomRow",
    "Rooms",
    "SeatFreed",
    "SeatNo",
    "SeatRow",
    "SetOptions",
    "Short",
    "SitDown",
    "SoloGame",
    "SoloGames",
    "SoloRow",
    "StandUp",
    "StartHeat",
    "Superseded",
    "Token",
    "TournamentOptions",
    "UseDeviceCode",
    "Welcome",
]
