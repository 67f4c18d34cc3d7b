"""Where a server is, and what it means when it says no: for the commands that are its clients (bot, load, tournament).

What lives here: the address that was typed, and words for refusals, close codes and refused handshakes. Their meanings
are those of `wire.errors`, which PROTOCOL.md has too. What does not: connections (the clients').
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, get_type_hints
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.unusable import Unusable, no_address, no_server
from server.wire.described import members
from server.wire.errors import CloseCode, RefusalCode

SOCKET_PATH: Final = "/ws"
_LIMITS: Final = {
    CloseCode.FLOOD: "KUPA_ADDRESS_IDENTITIES (new players a minute)",
    RefusalCode.QUOTA: "KUPA_ADDRESS_ROOMS (new rooms an hour)",
    503: "KUPA_MAX_CONNECTIONS, KUPA_ADDRESS_CONNECTIONS and KUPA_ADDRESS_HANDSHAKES (per second)",
}
"""What is to be raised where somebody ran into a limit."""
_ROOMS: Final = ("CreateRoom", "QuickMatch")
"""Only of these the setting counts."""
_STATUS: Final = {
    403: "it lets no page of this address in; KUPA_PUBLIC_URL or KUPA_ORIGINS of the server names it",
    503: "it has no room for further connections now",
}
"""Of a handshake; any other says that no Kupa is there."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server is."""

    scheme: str
    """http or https."""
    host: str
    """With its port, where one was typed."""
    path: str
    """Where it does not lie at the top: `/kupa`; else empty."""

    @property
    def origin(self) -> str:
        """As a page of it would name itself."""
        return f"{self.scheme}://{self.host}"

    @property
    def socket(self) -> str:
        """The address of its socket."""
        return f"{'wss' if self.scheme == 'https' else 'ws'}://{self.host}{self.path}{SOCKET_PATH}"


def place_of(address: str) -> Place:
    """The server at an address as typed. Raises Unusable."""
    try:
        parts = urlsplit(address.strip())
        sound = parts.scheme in ("http", "https") and "@" not in parts.netloc and parts.port != 0
        sound = sound and bool((parts.hostname or "").encode("idna"))
    except ValueError:  # brackets without an end, a port beyond all ports, or no name of a host
        sound = False
    if not sound:
        raise Unusable(no_address(address))
    if parts.query or parts.fragment:
        raise Unusable(f"{address!r} is the address of a page; the server's ends before the ? or #")
    return Place(parts.scheme, parts.netloc, parts.path.rstrip("/"))


@lru_cache
def _meanings() -> dict[str | int, str]:
    """What each code means: the first sentence of its text, without what it advises a program to do."""
    texts = [(value, text) for kind in (RefusalCode, CloseCode) for _, value, text in members(kind)]
    return {value: " ".join(text.split()).partition(". ")[0].rstrip(".") for value, text in texts}


def refusal(code: str, command: str = "") -> str:
    """What it means that `command` was refused: `every seat is taken (full)`."""
    known = _meanings().get(code)
    text = f"{_small(known)} ({code})" if known else f"it says {code!r}"
    return text + (_limit(code) if command in _ROOMS else "")


def ending(code: int, reason: str = "") -> str:
    """What it means that a connection was closed with `code`, or that its handshake was answered with that status."""
    if code < 1000:
        text = f"{_STATUS.get(code, 'no Kupa answers there')} (status {code})"
    else:
        meaning = _small(_meanings().get(code, "it does not say why").partition(":")[0])
        text = f"{meaning} ({code}{f', {reason}' if reason else ''})"
    return text + _limit(code)


def _limit(code: str | int) -> str:
    return f"; if the server is yours, raise its {_LIMITS[code]}" if code in _LIMITS else ""


def unreached(address: str, error: Exception) -> str:
    """Why there is no connection, or no longer, as far as the server itself has said it."""
    if isinstance(error, ConnectionClosed) and error.rcvd is not None:
        return f"the server at {address} has closed the connection: {ending(error.rcvd.code, error.rcvd.reason)}"
    if isinstance(error, InvalidStatus):
        return f"the server at {address} opens no connection: {ending(error.response.status_code)}"
    return no_server(address, error)


def refuse_unfit(kind: type[msgspec.Struct], typed: Mapping[str, tuple[str, object]]) -> None:
    """Raise Unusable for what the wire does not take, which a server would close the connection for.

    `typed`: of fields of `kind`, the option as it is called, and its value.
    """
    types = get_type_hints(kind, include_extras=True)
    for field, (option, value) in typed.items():
        try:
            msgspec.convert(value, types[field])
            str(value).encode()
        except msgspec.ValidationError as error:
            raise Unusable(f"{option} {value} cannot be used: {_small(str(error)).replace('`', '')}") from error
        except UnicodeEncodeError as error:
            raise Unusable(f"{option} cannot be used: it is no text in UTF-8") from error


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
