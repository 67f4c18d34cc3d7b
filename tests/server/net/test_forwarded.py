"""X-Forwarded-For: walked from the right, believed only as far as trusted proxies vouch for it."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.net.forwarded import address_key, client_address

TRUSTED = (ip_network("10.0.0.0/8"), ip_network("2001:db8::/32"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["1.1.1.1"], "203.0.113.9"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["1.1.1.1, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["1.1.1.1, 203.0.113.9, 10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["1.1.1.1", "203.0.113.9", "10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9, unknown, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9:5123"], "203.0.113.9"),
        ("10.0.0.1", ["[2001:db9::7]:5123"], "2001:db9::7"),
        ("10.0.0.1", ["::ffff:203.0.113.9"], "203.0.113.9"),
        ("::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("2001:db8::1", ["203.0.113.9"], "203.0.113.9"),
        ("", ["203.0.113.9"], "203.0.113.9"),
        ("", [], ""),
        ("", ["<script>"], ""),
    ],
)
def test_the_client_is_the_right_most_address_nobody_trusted_vouches_for(
    peer: str, forwarded: list[str], address: str
) -> None:
    assert client_address(peer, forwarded, TRUSTED) == address


@given(st.lists(st.text(max_size=40), max_size=4))
def test_whatever_a_stranger_claims_it_is_itself(claims: list[str]) -> None:
    assert client_address("203.0.113.9", claims, TRUSTED) == "203.0.113.9"


@given(st.lists(st.text(max_size=40), max_size=4))
def test_whatever_comes_through_a_proxy_is_read_without_an_error(claims: list[str]) -> None:
    assert client_address("10.0.0.1", claims, TRUSTED)


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("", ""),
    ],
)
def test_what_is_counted_is_an_address_or_a_household(address: str, key: str) -> None:
    assert address_key(address) == key
