"""Addresses of sites: what a browser would call the same host, or why it is none.

What lives here: reading hosts and origins. What does not: which origins are let in (net.origin), addresses that players
type (reaching).
"""

from __future__ import annotations

import ipaddress
import re
from typing import Final
from urllib.parse import urlsplit

_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
LONGEST: Final = 253
EXPECTED: Final = "an address such as https://play.example.org"
_DEFAULT_PORT: Final = {"http": 80, "https": 443}


def host_of(text: str) -> str:
    """A host as browsers write it: lower case, letters beyond a to z as punycode, IPv6 in brackets.

    Raises ValueError for what is no host.
    """
    if text.startswith("[") and text.endswith("]"):
        return f"[{ipaddress.IPv6Address(text[1:-1]).compressed}]"
    host = _punycode(text.lower())
    labels = host.removesuffix(".").split(".")
    if len(host) > LONGEST or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError(EXPECTED)
    if _NUMBER.fullmatch(labels[-1]):
        ipaddress.IPv4Address(host)
    return host


def _punycode(host: str) -> str:
    if host.isascii():
        return host
    found = host.encode("idna").decode()
    if found.encode().decode("idna") != host:  # e.g. of a sharp s, which browsers take for another letter than we would
        raise ValueError(EXPECTED)
    return found


def origin_of(text: str) -> str:
    """Scheme, host and perhaps a port, as the browser names a page's origin; a `/` at the end is dropped.

    Raises ValueError with what was expected.
    """
    match = re.fullmatch(r"(https?)://(\[[^\]]*\]|[^:/?#@\[\]]+)(?::([0-9]{1,5}))?/?", text, re.IGNORECASE)
    if match is None:
        raise ValueError(EXPECTED)
    scheme, host, port = match[1].lower(), match[2], int(match[3]) if match[3] else None
    try:
        host = host_of(host)
    except ValueError:
        raise ValueError(EXPECTED) from None
    if port is not None and not 1 <= port <= 65535:
        raise ValueError(EXPECTED)
    return f"{scheme}://{host}" if port in (None, _DEFAULT_PORT[scheme]) else f"{scheme}://{host}:{port}"


def path_of(text: str) -> str:
    """The path of an address, without the `/` at its end. Raises ValueError for an address that cannot be read."""
    return urlsplit(text).path.rstrip("/")
