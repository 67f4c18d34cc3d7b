"""Which pages may open a socket here (reliability S5, ruling 29).

What lives here: comparing an Origin with the host that was asked for. What does not: headers.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_ORIGIN = re.compile(r"(https?)://([^/?#@\s]+)")
_DEFAULT_PORT = {"http": ":80", "https": ":443"}


def normal(origin: str) -> str | None:
    """An http(s) origin in lower case without its default port; None for `null` and all else."""
    match = _ORIGIN.fullmatch(origin.lower())
    if match is None:
        return None
    scheme, host = match.groups()
    return f"{scheme}://{host.removesuffix(_DEFAULT_PORT[scheme])}"


def is_allowed(origin: str | None, host: str | None, listed: Collection[str], without: bool) -> bool:
    """Whether a page from `origin` may connect to `host`.

    It may when the origin is that host (any scheme, since a proxy may end TLS), or is `listed` (normal
    forms). Without an origin only where `without` says so.
    """
    if origin is None:
        return without
    wanted = normal(origin)
    if wanted is None:
        return False
    if wanted in listed:
        return True
    scheme = wanted.partition("://")[0]
    return host is not None and wanted == normal(f"{scheme}://{host}")
