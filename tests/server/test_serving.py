"""What `kupa serve` says about where it is."""

from __future__ import annotations

import ipaddress
import subprocess
import sys

import pytest

from server import serving
from server.config import Config


def said(capsys: pytest.CaptureFixture[str], config: Config, near: str | None = "192.0.2.7") -> list[str]:
    """The lines on stdout."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "lan_address", lambda: near)
        serving.announce(config, 8123)
    return capsys.readouterr().out.splitlines()


def test_a_server_for_everybody_near_names_both_addresses(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, Config()) == [
        "Kupa is open at http://localhost:8123/",
        "On the same network: http://192.0.2.7:8123/",
    ]


def test_a_server_without_a_network_names_its_own_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, Config(), None) == ["Kupa is open at http://localhost:8123/"]


def test_a_server_for_this_machine_names_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, Config(host="127.0.0.1")) == ["Kupa is open at http://localhost:8123/"]


def test_a_server_behind_a_proxy_names_the_public_address(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, Config(public_url="https://play.example.org")) == ["Kupa is open at https://play.example.org/"]


def test_the_address_on_the_network_is_one_that_others_reach() -> None:
    found = serving.lan_address()
    assert found is None or not ipaddress.ip_address(found).is_loopback


def test_a_server_loads_at_its_start_what_most_servers_need() -> None:
    """Pairing by networkx, and what comes with the embedded store, are loaded when somebody needs them."""
    program = "import sys; from server import serving; print(*{'networkx', 'valkey', 'redis'} & sys.modules.keys())"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.split() == ["redis"]


def test_what_was_found_alive_is_not_looked_at_again_until_a_thaw() -> None:
    """In a process of its own: the collector is everybody's."""
    program = (
        "import gc; from server import serving; serving.calm_collector(); before = gc.get_freeze_count();"
        "kept = [[] for _ in range(1000)]; gc.collect(); later = gc.get_freeze_count();"
        "gc.unfreeze(); print(later - before >= 1000, gc.get_freeze_count())"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.split() == ["True", "0"]
