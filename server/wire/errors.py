"""The two lists of words for "no": refusals of commands, and the codes a connection is closed with.

What lives here: names, values and meanings. What does not: refusals of moves, which are the rule
book's (`engine.errors.ErrorCode`); `type`, `busy`, `slow` and `internal` mean the same in both.
`generate` copies the texts into PROTOCOL.md, so each says what the client should make of it.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class RefusalCode(StrEnum):
    """Why a command other than `Play` was refused; value of `Refused.code`. Stable for ever."""

    TYPE = "type"
    """Unknown command or action, or a wrong number of fields. The third one closes the connection (4400)."""
    STATE = "state"
    """The command does not fit the connection: a second `Hello`."""
    NAME = "name"
    """The name is not allowed here, or somebody has it. A player's own name is refused with one of the next six."""
    NAME_SHORT = "name_short"
    """A name has at least two visible characters."""
    NAME_LONG = "name_long"
    """The name has too many characters."""
    NAME_CHARS = "name_chars"
    """The name has a character that cannot be seen, or too many marks on one letter."""
    NAME_MIXED = "name_mixed"
    """The name has letters of two alphabets that look alike."""
    NAME_RESERVED = "name_reserved"
    """The name looks like one that speaks for the server."""
    NAME_OFTEN = "name_often"
    """The name was changed too often: wait."""
    NOROOM = "noroom"
    """There is no such room or tournament, or one is in none."""
    FULL = "full"
    """Every seat is taken."""
    LOCKED = "locked"
    """Nobody new is let in: the host has closed it, or it is over."""
    QUOTA = "quota"
    """Too many rooms or tournaments were opened by this player or from this address."""
    HOST_ONLY = "host_only"
    """Only a host may do this; a host token that is not good is none."""
    NOT_SEATED = "not_seated"
    """This needs a seat."""
    NOT_WATCHING = "not_watching"
    """This needs somebody without a seat."""
    NOT_NOW = "not_now"
    """The room or tournament is in another phase."""
    NOT_READY = "not_ready"
    """Nobody is ready, so there is nothing to start."""
    TOO_EARLY = "too_early"
    """Not yet: others are still waited for. (A start without the unready: `RoomInfo.startable_ms`.)"""
    BAD_OPTIONS = "bad_options"
    """These options do not exist, or do not go together."""
    BAD_CODE = "bad_code"
    """A code of this shape does not exist."""
    CODE_EXPIRED = "code_expired"
    """The one-time code was used or is too old."""
    NO_SEAT = "no_seat"
    """There is no such seat or entrant, or nobody sits in it."""
    SLOW = "slow"
    """Too many at once: wait and send it again."""
    BUSY = "busy"
    """The store is away for the moment: nothing happened, send it again."""
    INTERNAL = "internal"
    """The server failed; nothing happened."""
    HEAT_RUNNING = "heat_running"
    """Not while a heat runs."""
    NO_DEAL = "no_deal"
    """A certified deal is still being looked for: come back in a moment."""


class CloseCode(IntEnum):
    """Why a connection was closed, and what the client does then."""

    DONE = 1000
    """All is said."""
    GOING_AWAY = 1001
    """The server stops: resume."""
    PROTOCOL_ERROR = 1002
    """Not WebSocket: a frame against RFC 6455."""
    UNSUPPORTED_DATA = 1003
    """A text frame; this protocol is binary."""
    INVALID_DATA = 1007
    """Bytes that should have been UTF-8."""
    TOO_BIG = 1009
    """A message above 4 KiB."""
    INTERNAL = 1011
    """The server failed, or a ping was not answered: resume."""
    RESTART = 1012
    """The server restarts: resume after `Goodbye.retry_ms`."""
    OVERLOADED = 1013
    """The server has no room now: back off, then resume."""
    TOO_SLOW = 4013
    """More than 256 KiB waited to be read: resume."""
    MALFORMED = 4400
    """A frame that is no command, or the third with an unknown one: a fault of the client, do not retry."""
    UNAUTHENTICATED = 4401
    """No `Hello` first, or a token that is not good: start without a token."""
    FORBIDDEN = 4403
    """This player may not connect."""
    HELLO_TIMEOUT = 4408
    """No `Hello` within 5 s: resume."""
    ELSEWHERE = 4409
    """The player connected elsewhere: do not reconnect by itself."""
    OLD_PROTOCOL = 4426
    """The client is older than the server understands: reload the page."""
    FLOOD = 4429
    """Far too many frames, or too many new players: back off for at least 30 s."""
