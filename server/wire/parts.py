"""The values messages are made of: bounded numbers and texts, and the parts inside messages.

What lives here: types of fields. What does not: messages (commands, events).
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""A client's running number of its commands."""
Byte = Annotated[int, msgspec.Meta(ge=0, le=255)]
LAST_PLY: Final = 20_000
Ply = Annotated[int, msgspec.Meta(ge=0, le=LAST_PLY)]
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
    certified: bool = False
    """Secret deals that are known to be winnable, where there are such for the ruleset and one is ready in time
    (ruling 24); `HeatInfo` says what a deal is."""


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
    marks: bytes = b""
    """For each suit the most cards that were out: ranked, only a card beyond that scores. Empty: not ranked."""
    known: bytes = b""
    """The cards at the front of the stock that you have seen, next first: a draw of these shows nothing new."""


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


class SeatLeft(Part, frozen=True):
    """A seat of a heat whose player has left the room since the draw."""

    seat: int
    """Whose board."""
    name: str
    """The name at the draw."""


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
    undos: int = 0
    """Actions that were taken back."""
    peeks: int = 0
    """Of these, how many had first shown a card (ruling 6)."""


class RatingRow(Part, frozen=True):
    """A player's rating after a rated heat (product P9)."""

    seat: int
    """Whose rating."""
    rating: int
    """In points."""
    change: int
    """By this heat."""
    deviation: int
    """How sure it is: in two of three cases the strength lies within rating ± deviation."""
    games: int
    """Rated heats so far; below 10 the rating is provisional."""


class SoloRow(Part, frozen=True):
    """A saved game of one's own, one a ruleset (rules R11.9)."""

    ruleset: str
    """Id of the ruleset."""
    code: str
    """The deal's code."""
    out: int
    """Cards on the foundations."""
    score: int
    """Score so far."""
    moves: int
    """Counted moves."""
    ended: str
    """Empty while it can be resumed, else how it ended."""
