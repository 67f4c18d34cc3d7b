"""New ids, codes and secrets, from the system's random source."""

from __future__ import annotations

import secrets

from server.store.keys import ALPHABET, CODE_LETTERS, ID_LETTERS

LINK_LETTERS = 8
"""A one-time device code: 24⁸ = 10¹¹ values, valid for 10 minutes, behind a rate limit."""
TOKEN_BYTES = 24


def _letters(count: int) -> str:
    """All of them from one number: each is as likely as the others, and the system is asked once."""
    number, letters = secrets.randbelow(len(ALPHABET) ** count), ""
    for _ in range(count):
        number, at = divmod(number, len(ALPHABET))
        letters += ALPHABET[at]
    return letters


def new_id() -> str:
    """A room, heat or player id: ten letters, 6 · 10¹³ values, never used again."""
    return _letters(ID_LETTERS)


def new_code() -> str:
    """A five-letter room code; whether it is free is for the store to say (`Rooms.new_code`)."""
    return _letters(CODE_LETTERS)


def new_link_code() -> str:
    """A one-time device code of eight letters."""
    return _letters(LINK_LETTERS)


def new_token() -> str:
    """A device's secret: 192 bits as 32 URL-safe characters."""
    return secrets.token_urlsafe(TOKEN_BYTES)
