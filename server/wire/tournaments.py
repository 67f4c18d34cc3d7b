"""Frames about tournaments: what they are made of, what is asked (tags 27–36) and told (90–94).

What lives here: parts, commands and events. `messages` has the rules of the protocol.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from server.wire import bounds
from server.wire.parts import Command, Event, Instant, Number, Part, Short, Token

TournamentCode = Annotated[str, msgspec.Meta(max_length=16)]
"""As typed: case, spaces and dashes do not matter."""


class TournamentOptions(Part, frozen=True):
    """What a host chooses for a tournament (product P7). Times in seconds unless named otherwise."""

    name: Short
    """2–40 visible characters."""
    format: Annotated[str, msgspec.Meta(max_length=16)] = "league"
    """league, cup, swiss or arena."""
    ruleset: Annotated[str, msgspec.Meta(max_length=8)] = "DS1-D1N"
    """Id of a ruleset."""
    goal: Annotated[str, msgspec.Meta(max_length=8)] = "first"
    """As in `RoomOptions`."""
    minutes: Annotated[int, msgspec.Meta(ge=bounds.MINUTES[0], le=bounds.MINUTES[1])] = 10
    """Time limit of a heat, as in `RoomOptions`."""
    undo: Annotated[str, msgspec.Meta(max_length=8)] = "all"
    """As in `RoomOptions`."""
    hints: bool = True
    """As in `RoomOptions`."""
    rounds: Annotated[int, msgspec.Meta(ge=bounds.ROUNDS[0], le=bounds.ROUNDS[1])] = 3
    """League, Swiss: how many rounds."""
    heat: Annotated[int, msgspec.Meta(ge=bounds.HEAT[0], le=bounds.HEAT[1])] = 2
    """Cup, Swiss (2), Arena: entrants in a heat at most."""
    advance: Annotated[int, msgspec.Meta(ge=bounds.ADVANCE[0], le=bounds.ADVANCE[1])] = 1
    """Cup: how many of a heat go on."""
    points: Annotated[str, msgspec.Meta(max_length=8)] = "place"
    """League: `place` or `score`."""
    arena_minutes: Annotated[int, msgspec.Meta(ge=bounds.ARENA_MINUTES[0], le=bounds.ARENA_MINUTES[1])] = 60
    """Arena: how long heats are drawn."""
    late_counts: bool = True
    """Arena: a heat that is still raced at the end counts."""
    places: Annotated[int, msgspec.Meta(ge=bounds.PLACES[0], le=bounds.PLACES[1])] = 500
    """Entrants at most; who comes later is on the waiting list."""
    start_ms: Instant = 0
    """When it starts by itself; 0: when the host says so."""
    check_in_s: Annotated[int, msgspec.Meta(ge=bounds.CHECK_IN_S[0], le=bounds.CHECK_IN_S[1])] = 0
    """For so long before the start entrants have to check in; 0: nobody has to."""
    late_round: Annotated[int, msgspec.Meta(ge=bounds.LATE_ROUND[0], le=bounds.LATE_ROUND[1])] = 0
    """Up to which round somebody may still come in after the start; 0: nobody. (Not in a Cup.)"""
    break_s: Annotated[int, msgspec.Meta(ge=bounds.BREAK_S[0], le=bounds.BREAK_S[1])] = 60
    """Pause between two rounds."""
    absent_s: Annotated[int, msgspec.Meta(ge=bounds.ABSENT_S[0], le=bounds.ABSENT_S[1])] = 60
    """Who is not there so long after the gun has missed the heat; 0: comes as late as they like. Until
    then a late race counts like any other, with the clock running from the gun."""
    public: bool = False
    """Listed for everybody."""


class StandingRow(Part, frozen=True):
    """An entrant's place in a tournament."""

    entrant: str
    """Public id of the player, or `bot-1`, …"""
    name: str
    """As others see it."""
    tag: str
    """Tells people of one name apart."""
    bot: int
    """Level of a bot, 0 for a person."""
    place: int
    """From 1; equals share a place: 1, 2, 2, 4. 0 for everybody before anything has counted."""
    points: int
    """As the format counts, with what hosts have given or taken."""
    values: list[int]
    """Of the tie-breaks that were needed, in the format's order (see GET /api/tournament)."""
    decided_by: str
    """Why behind the row before: first, points, the id of a tie-break, or tie."""
    status: str
    """in, waiting, absent, out, dropped or unchecked."""
    played: int
    """Heats with a result."""


class CreateTournament(Command, frozen=True, tag=27):
    """Make a tournament. Answer: `TournamentMade`, with the token that hosts it."""

    n: Number
    options: TournamentOptions
    """What is played, and how."""


class OpenTournament(Command, frozen=True, tag=28):
    """Be told of a tournament from now on, over this connection (one at a time), and take part in it if
    asked. Answer: `Done`, after `TournamentInfo` and `TournamentYou`. Who had withdrawn or was absent and
    takes part again is back. Refused: `noroom`, `locked`."""

    n: Number
    code: TournamentCode
    """Code of the tournament."""
    enter: bool
    """Take part; false: only look."""


class CloseTournament(Command, frozen=True, tag=29):
    """Be told no more of the tournament; one takes part as before. Answer: `Done`."""

    n: Number


class CheckIn(Command, frozen=True, tag=30):
    """Entrant: be there, for the start or again after an absence. Answer: `Done`."""

    n: Number


class Withdraw(Command, frozen=True, tag=31):
    """Entrant: drop out of the open tournament; results stay. Answer: `Done`."""

    n: Number


class HostTournament(Command, frozen=True, tag=32):
    """Host: carry out an action. Answer: `Done`. Refused: `host_only` for a token that is not good here, and
    what the action says. Actions, with what `key` and `value` mean there: `start` (value: in so many seconds;
    0: at once, without a check-in), `start_at` (instant; 0: not by itself), `pause`, `resume`, `next` (the next
    round in value seconds), `extend` (value seconds more or less; key: number of the round, empty: the running
    one), `close_round` (again 30 s later: give up heats without a result), `rounds` (value in all), `late` (people
    may come in up to round value), `end`, `drop`, `restore`, `absent` (key: entrant), `points` (key, value),
    `seed` (key, value), `announce` (value 0–7), `bots` (value of level key), `undo` (value: number of the edit;
    0: the last)."""

    n: Number
    code: TournamentCode
    """Code of the tournament."""
    token: Token
    """A host token."""
    action: Annotated[str, msgspec.Meta(max_length=16)]
    """Name of the action."""
    key: Annotated[str, msgspec.Meta(max_length=16)]
    """What it is about, or empty."""
    value: Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]
    """How much, or 0."""


class ShareHost(Command, frozen=True, tag=33):
    """Host: make a token for a co-host. Answer: `TournamentMade` with the new token."""

    n: Number
    code: TournamentCode
    """Code of the tournament."""
    token: Token
    """One's own host token."""
    name: Short
    """Whose it will be: actions are logged under it. 1–20 characters, not one that is in use."""


class RevokeHost(Command, frozen=True, tag=34):
    """Host: make the tokens of a co-host worthless. Answer: `Done`; `no_seat` when there is none of that name,
    or when it is one's own."""

    n: Number
    code: TournamentCode
    """Code of the tournament."""
    token: Token
    """One's own host token."""
    name: Short
    """Whose."""


class ListHosts(Command, frozen=True, tag=35):
    """Host: who may host. Answer: `Hosts`."""

    n: Number
    code: TournamentCode
    """Code of the tournament."""
    token: Token
    """One's own host token."""


class ListStandings(Command, frozen=True, tag=36):
    """A page of the open tournament's standings. Answer: `Standings`."""

    n: Number
    start: Annotated[int, msgspec.Meta(ge=-1, le=999)]
    """Index of the first row, from 0; −1: the page with oneself in the middle."""


class TournamentMade(Event, frozen=True, tag=90):
    """A token with which one hosts a tournament."""

    n: int
    code: str
    """Code of the tournament."""
    token: str
    """The secret; keep it: it is not told again."""


class TournamentInfo(Event, frozen=True, tag=91):
    """The open tournament as a whole; sent on opening it and whenever one of the fields changes."""

    code: str
    """Code of the tournament."""
    options: TournamentOptions
    """As created; fields below say what hosts have changed since."""
    phase: str
    """entry, check_in, break, paused, round or ended."""
    entrants: int
    """How many have one of the places."""
    waiting: int
    """How many are on the waiting list."""
    checked: int
    """How many have checked in."""
    start_ms: int
    """When it starts by itself; 0: not known."""
    check_in_ms: int
    """From when on one can check in; 0: nobody has to."""
    next_ms: int
    """When the next thing happens that people wait for: start or next round; 0: not known."""
    round: int
    """Number of the last round that was drawn, 0: none."""
    rounds: int
    """How many there will be; 0: not known before (Cup, Arena)."""
    heats: int
    """Heats of open rounds."""
    reported: int
    """How many of them have a result."""
    gun_ms: int
    """Of the last round."""
    deadline_ms: int
    """Of the last round; of an arena: when no more heats are drawn."""
    late: bool
    """Somebody may still come in."""
    sentence: int
    """The last announcement of a host, −1: none."""
    sentence_ms: int
    """When it was made."""
    version: int
    """Grows with everything that happens: what was read by GET /api/tournament before is old."""


class TournamentYou(Event, frozen=True, tag=92):
    """How you stand to the open tournament; sent on opening it and whenever one of the fields changes. When
    `room` is not empty, a heat of yours is on: enter the room."""

    status: str
    """Empty: you take no part. Else in, waiting, absent, out, dropped or unchecked."""
    checked: bool
    """You have checked in, or need not."""
    room: str
    """Code of the room of the heat that you are drawn for, while it has no result."""
    round: int
    """Number of its round; without a heat: that of the last round."""
    gun_ms: int
    """When it begins."""
    bye: bool
    """You go on without a race in the last round."""
    place: int
    """0: none yet."""
    points: int
    """So far."""
    queue: int
    """Place on the waiting list, from 1; 0: not on it."""


class Hosts(Event, frozen=True, tag=93):
    """Who may host a tournament."""

    n: int
    names: list[str]
    """Of the token holders."""


class Standings(Event, frozen=True, tag=94):
    """A page of a tournament's standings."""

    n: int
    start: int
    """Index of the first row."""
    total: int
    """How many rows there are."""
    rows: list[StandingRow]
    """At most 20."""
