"""Whose address a connection has when proxies stand between.

What lives here: reading X-Forwarded-For, and the key under which an address is counted. What does not:
any limit.
"""

from __future__ import annotations

from asyncio import BaseTransport
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
KNOWN = 4_096
"""Addresses that are remembered as read: each connection's is asked for twice, and many come from one."""


def peer_of(transport: BaseTransport) -> str:
    """The other end of a TCP connection; empty for a local socket."""
    name = transport.get_extra_info("peername")
    return str(name[0]) if isinstance(name, tuple) else ""


@lru_cache(KNOWN)
def parse(text: str) -> Address | None:
    """An address as proxies write it: `1.2.3.4`, `1.2.3.4:567`, `::1`, `[::1]:567`; None for anything else."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def client_address(peer: str, forwarded: Sequence[str], trusted: Iterable[Network]) -> str:
    """The client's address: the right-most one that no trusted proxy vouches for.

    `peer` is the other end of the socket (empty: a local socket, which only a proxy has), `forwarded`
    the values of every X-Forwarded-For header in order. A peer that is not trusted speaks for itself
    whatever it says. A value that is no address ends the walk at the last address that was one.
    """
    networks = tuple(trusted)
    address = parse(peer)
    if peer and (address is None or not _is_in(address, networks)):
        return peer if address is None else str(address)
    for value in reversed([part for header in forwarded for part in header.split(",")]):
        hop = parse(value)
        if hop is None:
            break
        address = hop
        if not _is_in(hop, networks):
            break
    return "" if address is None else str(address)


def address_key(address: str) -> str:
    """What is counted: an IPv4 address itself, the /64 of an IPv6 address; other texts as they are."""
    parsed = parse(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((int(parsed) >> 64 << 64, 64)))
    return address if parsed is None else str(parsed)


def _is_in(address: Address, networks: Iterable[Network]) -> bool:
    return any(address in network for network in networks)
