"""What a client can ask: tags 1–63. `messages` has the rules of the protocol."""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.wire.parts import Byte, Command, Instant, Number, Ply, RoomOptions, SeatNo, Short, Token


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


class OpenSolo(Command, frozen=True, tag=24):
    """Play alone: go on with the saved game of `ruleset`, or deal a new one. Answer: `SoloGame`; `Play` is
    then for this board. Scoring is to the letter (rules R6.3), undo as R7 says."""

    n: Number
    ruleset: Annotated[str, msgspec.Meta(max_length=8)]
    """Id of the ruleset; with a fresh code, that of the code counts."""
    code: Annotated[str, msgspec.Meta(max_length=40)]
    """With `fresh`: the deal to play. Without: the game one is in, which is then resumed even if it has
    ended. Empty: none."""
    fresh: bool
    """Deal anew, in place of the saved game."""
    certified: bool = False
    """With `fresh` and without a code: a deal that is known to be winnable. Refused: `bad_options` (deals of this
    ruleset are not certified), `no_deal`."""


class ListSolo(Command, frozen=True, tag=25):
    """The saved games. Answer: `SoloGames`."""

    n: Number


class OpenDaily(Command, frozen=True, tag=26):
    """Play a daily deal (ruling 25). Answer: `DailyGame`; `Play` is then for this board, and `DailyResult`
    follows once it has ended, or at once if it had. The first time starts the one ranked attempt: its clock
    runs from the answer on and does not stop; later it is resumed, on any device. Refused: `bad_options` (no
    such daily), `no_deal`, `not_now` (its day is over, or is not yet; practice before the own attempt has ended)."""

    n: Number
    ruleset: Annotated[str, msgspec.Meta(max_length=8)]
    """Id of the ruleset."""
    date: Annotated[str, msgspec.Meta(max_length=10)]
    """UTC date of the deal, e.g. 2026-07-29; empty: today."""
    practice: bool
    """Play the deal again after the own attempt: it counts for nothing and the clock rests while away."""
    fresh: bool
    """With `practice`: begin anew instead of going on."""


class Challenge(Command, frozen=True, tag=37):
    """Open a room to race alone, for others to race against the recording later: its deal stays sealed until
    somebody has, or for seven days, and nothing of it ranks. Of the options, who may come, the code and the number
    of deals are not asked for. Answer: `Entered`."""

    n: Number
    options: RoomOptions
    """What is played, and how."""


class RaceGhosts(Command, frozen=True, tag=38):
    """Open a room to race against recorded boards of a closed heat, on its deal and under its rules; it ranks
    nowhere. Answer: `Entered`; `noroom` when there is no such heat or its deal is still sealed, `not_now` for who
    raced in it, `bad_options` for seats that were none."""

    n: Number
    heat: Annotated[str, msgspec.Meta(max_length=16)]
    """Id of the heat."""
    seats: Annotated[list[SeatNo], msgspec.Meta(max_length=7)]
    """Its seats whose boards are raced against."""
