"""What a client is told: tags 64–127. `messages` has the rules of the protocol."""

from __future__ import annotations

import msgspec

from server.wire.parts import BoardView, Event, RatingRow, ResultRow, RoomOptions, RoomRow, SeatLeft, SoloRow


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
    place: int = 0
    """In heats of more than 16 seats, where only some rows are sent: your place as it stands; else 0."""


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
    kind: str = ""
    """`challenge` or `chase`: a ghost race, of one heat only."""


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
    certified: bool = False
    """The deal is known to be winnable."""
    gone: list[SeatLeft] = msgspec.field(default_factory=list)
    """Seats of the heat whose players have left by now, in the order of `seats`. Who was there is told by `SeatFreed`
    alone, and knows the name."""


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
    difficulty: str = ""
    """How much work the deal was for who certified it, once it is open: easy, medium or hard; empty: not certified."""


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


class SoloGame(Event, frozen=True, tag=86):
    """Your board of a game alone."""

    n: int
    """0 when the server had to read it again by itself."""
    ruleset: str
    """Id of the ruleset."""
    code: str
    """The deal's code."""
    elapsed_ms: int
    """Time played so far; it stands still while the game is not open."""
    view: BoardView
    """The board."""
    certified: bool = False
    """The deal is known to be winnable."""


class SoloGames(Event, frozen=True, tag=87):
    """The saved games."""

    n: int
    rows: list[SoloRow]
    """By ruleset."""


class DailyGame(Event, frozen=True, tag=88):
    """Your board of a daily deal."""

    n: int
    """0 when the server had to read it again by itself."""
    date: str
    """UTC date of the deal."""
    ruleset: str
    """Id of the ruleset."""
    practice: bool
    """It counts for nothing."""
    id: str
    """Stands for the heat in the commitment (deal-code.md)."""
    commitment: str
    """Hex SHA-256 that binds the deal."""
    certified: bool
    """The deal is known to be winnable."""
    gun_ms: int
    """From when on the clock runs; of practice, as if it had not rested."""
    elapsed_ms: int
    """Time of play so far; of a board that has ended, its whole time."""
    final_ms: int
    """Until when the attempt may be played; then code and replays are shown."""
    view: BoardView
    """The board."""


class DailyResult(Event, frozen=True, tag=89):
    """Your ranked attempt has ended and stands on the leaderboards."""

    date: str
    """UTC date of the deal."""
    ruleset: str
    """Id of the ruleset."""
    ended: str
    """won, resigned or time_up."""
    out: int
    """Cards on the foundations."""
    score: int
    """Final score."""
    moves: int
    """Counted moves."""
    elapsed_ms: int
    """From the first sight of the cards to the end."""
    at_ms: int
    """When the board last came to its score: what separates equal scores."""
    score_place: int
    """Place by score, from 1; equals share a place."""
    score_players: int
    """How many stand on that board."""
    time_place: int
    """Place by time; 0: not won."""
    time_players: int
    """How many stand on that board."""
    percentile: int
    """Of all others with a result, how many in a hundred have a lower one (by score, then time); −1: nobody else."""
    streak: int
    """Days in a row with a daily result, this one included."""
    best_streak: int
    """The most days in a row so far."""


class RatingChanged(Event, frozen=True, tag=95):
    """What a rated heat did to the ratings of who raced: a moment after its `HeatResult`, and after it on entering."""

    heat: str
    """Id of the heat."""
    rows: list[RatingRow]
    """By seat; people only."""
