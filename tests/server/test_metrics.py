"""An operator reads the numbers with the secret, and nobody without it."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import yaml  # type: ignore[import-untyped]
from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from structlog.testing import capture_logs

from server import metrics
from server.app import App, CannotStart, running
from server.config import Config, ConfigError, read_config
from server.store.connect import Store
from server.watchdog import Watchdog
from tests.store_fixture import free_port, store, store_url
from tests.wire_client import WireClient

__all__ = ["store", "store_url"]

SECRET = "s" * 32
ROOT = Path(__file__).resolve().parents[2]
OBSERVE = ROOT / "deploy/observe"
OPEN_METRICS = "application/openmetrics-text; version=1.0.0"
"""What Prometheus asks for first; its parser takes nothing that is only nearly right."""
ASKED = re.compile(r"\b((?:kupa|process)_[a-z_]+)(?:\{([a-z]+)=\"([a-z]+)\"\})?")
BY = re.compile(r"by \(([a-z, ]+)\) \(rate\(((?:kupa|process)_[a-z_]+)")


@pytest_asyncio.fixture
async def app(store: Store, store_url: str) -> AsyncIterator[App]:
    config = Config(redis_url=store_url, durability="second", host="127.0.0.1", port=0)
    config = replace(config, admin=("127.0.0.1", 0), admin_secret=SECRET)
    async with running(config) as app:
        yield app


def get(port: int, path: str = "/metrics", secret: str = SECRET, accept: str = "*/*") -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {secret}", "Accept": accept}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


async def test_the_numbers_tell_sockets_rooms_and_appends(app: App) -> None:
    listener = metrics.listen(app, Watchdog())
    assert listener is not None
    person = WireClient(f"ws://127.0.0.1:{app.port}")
    await person.come()
    await person.create()
    try:
        status, text = await asyncio.to_thread(get, listener.port)
    finally:
        listener.close()
        await person.go()
    assert status == 200
    assert "kupa_sockets 1.0" in text
    assert "kupa_rooms 1.0" in text
    assert 'kupa_loop_lag_seconds_bucket{le="+Inf"}' in text
    appends = next(line for line in text.splitlines() if line.startswith("kupa_appends_total"))
    assert float(appends.split()[1]) >= 1
    assert 'kupa_append_seconds_bucket{le="+Inf"}' in text
    assert "process_resident_memory_bytes" in text


async def test_what_dashboard_and_alerts_ask_for_is_told_by_these_names_and_labels(app: App) -> None:
    """And by a server to which nothing has happened yet: what appears at one has not increased for Prometheus."""
    listener = metrics.listen(app, Watchdog())
    assert listener is not None
    try:
        status, text = await asyncio.to_thread(get, listener.port, accept=OPEN_METRICS)
    finally:
        listener.close()
    assert status == 200
    told: dict[str, set[str]] = {}
    values: set[tuple[str, str, str]] = set()
    for family in text_string_to_metric_families(text):  # type: ignore[no-untyped-call]
        for sample in family.samples:
            told.setdefault(sample.name, {"instance", "job"}).update(sample.labels)
            values.update((sample.name, label, value) for label, value in sample.labels.items())
    asked = expressions()
    assert len(asked) > 15
    for words in asked:
        for name, label, value in ASKED.findall(words):
            assert name in told, f"{words} asks for {name}, which nobody tells"
            assert label in {"", "job"} or (name, label, value) in values, f"{words}: {name} has no {label} {value}"
        for labels, name in BY.findall(words):
            assert set(labels.split(", ")) <= told[name], f"{words}: {name} has {told[name]}"


def expressions() -> list[str]:
    """All that the dashboard and the alerts ask Prometheus for."""
    dashboard = json.loads((OBSERVE / "kupa.json").read_text())
    targets = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    return targets + [rule["expr"] for rule in alerts()]


def alerts() -> list[dict[str, Any]]:
    """The rules, as Prometheus reads them."""
    [group] = yaml.safe_load((OBSERVE / "alerts.yml").read_text())["groups"]
    return list(group["rules"])


def test_every_alert_says_one_thing_in_words() -> None:
    rules = alerts()
    assert len({rule["alert"] for rule in rules}) == len(rules) >= 6
    for rule in rules:
        assert set(rule) <= {"alert", "expr", "for", "annotations"}
        assert set(rule["annotations"]) == {"summary"}
        assert isinstance(rule["annotations"]["summary"], str)


@pytest.mark.parametrize("file", [*OBSERVE.glob("*.yml"), *ROOT.glob("*.yml"), *ROOT.glob("deploy/*.yml")], ids=str)
def test_no_words_in_a_yaml_file_are_taken_for_a_key(file: Path) -> None:
    """As a comma in braces makes of them, where they stand without quotes."""

    def keys(node: object) -> Iterator[str]:
        if isinstance(node, dict):
            yield from map(str, node)
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from keys(child)

    found = list(keys(yaml.safe_load(file.read_text())))
    assert found
    assert [key for key in found if " " in key] == []


async def test_without_the_secret_there_is_nothing_to_see(app: App) -> None:
    listener = metrics.listen(app, Watchdog())
    assert listener is not None
    try:
        assert (await asyncio.to_thread(get, listener.port, "/metrics", "wrong"))[0] == 401
        assert (await asyncio.to_thread(get, listener.port, "/", SECRET))[0] == 404
    finally:
        listener.close()


async def test_an_address_in_use_keeps_the_server_from_starting(app: App) -> None:
    listener = metrics.listen(app, Watchdog())
    assert listener is not None
    app.config = replace(app.config, admin=("127.0.0.1", listener.port))
    try:
        with pytest.raises(CannotStart, match="for admin"):
            metrics.listen(app, Watchdog())
    finally:
        listener.close()


async def test_an_address_that_is_none_is_refused_in_one_line(app: App) -> None:
    for host in ("x" * 300, "a b", "203.0.113.7", "2001:db8::7"):
        app.config = replace(app.config, admin=(host, 0))
        with pytest.raises(CannotStart, match=r"for admin .*; set KUPA_ADMIN to another address") as refused:
            metrics.listen(app, Watchdog())
        assert "\n" not in str(refused.value)


def listening(*collectors: Collector) -> metrics.AdminListener:
    """A listener that tells these numbers only."""
    registry = CollectorRegistry()
    for collector in collectors:
        registry.register(collector)
    return metrics.AdminListener("127.0.0.1", 0, SECRET, registry)


def test_numbers_can_be_read_over_ipv6() -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    listener = metrics.AdminListener("::1", 0, SECRET, CollectorRegistry())
    listener.close()
    assert listener.port > 0


@pytest.mark.parametrize("half", [b"", b"GET /me", b"GET /metrics HTTP/1.1\r\nHost: x\r\n"])
def test_who_says_nothing_more_or_goes_away_is_no_news(
    half: bytes, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(metrics._Quiet, "timeout", 0.05)
    listener = listening()
    with capture_logs() as logs:
        with socket.create_connection(("127.0.0.1", listener.port), timeout=10) as half_way:
            half_way.sendall(half)
            assert half_way.recv(1) == b"", "it is not waited for"
        with socket.create_connection(("127.0.0.1", listener.port)) as gone:
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            gone.sendall(half)
        assert get(listener.port)[0] == 200
        listener.close()
    assert logs == []
    assert capfd.readouterr() == ("", "")


def test_a_failure_of_ours_is_one_event_of_the_log_without_the_address(capfd: pytest.CaptureFixture[str]) -> None:
    class Broken(Collector):
        broken = False

        def collect(self) -> Iterator[Metric]:
            if self.broken:
                raise LookupError("a number is gone")
            yield from ()

    numbers = Broken()
    listener = listening(numbers)
    numbers.broken = True
    with capture_logs() as logs:
        assert get(listener.port)[0] == 500
        listener.close()
    assert logs == [{"event": "admin.failed", "log_level": "error", "exc_info": True}]
    assert capfd.readouterr() == ("", "")


def test_the_listener_is_refused_without_a_secret_that_is_long_enough() -> None:
    port = free_port()
    with pytest.raises(ConfigError, match="32 bytes"):
        read_config({"KUPA_ADMIN": f"127.0.0.1:{port}"})
    with pytest.raises(ConfigError, match="32 bytes"):
        read_config({"KUPA_ADMIN": f"127.0.0.1:{port}", "KUPA_ADMIN_SECRET": "short"})
    with pytest.raises(ConfigError, match="too short"):
        read_config({"KUPA_ADMIN_SECRET": "short"})
    config = read_config({"KUPA_ADMIN": f"[::1]:{port}", "KUPA_ADMIN_SECRET": SECRET})
    assert config.admin == ("::1", port)
    assert SECRET not in repr(config)


def test_ports_of_workers_are_refused_before_any_worker_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        config = Config(host="127.0.0.1", workers=2, admin=("127.0.0.1", port - 1))
        with pytest.raises(CannotStart, match=f"port {port} for admin"):
            metrics.refuse_unusable(config, 1)
    first = free_port()
    config = replace(config, admin=("127.0.0.1", first), workers=1)
    metrics.refuse_unusable(config, first + 1)
    for host in ("127.0.0.1", "0.0.0.0"):
        with pytest.raises(CannotStart, match="which is the game's"):
            metrics.refuse_unusable(replace(config, host=host), first)
    metrics.refuse_unusable(replace(config, host="127.0.0.2"), first)
    with pytest.raises(CannotStart, match="for admin"):
        metrics.refuse_unusable(replace(config, admin=("a b", first)), 1)
    metrics.refuse_unusable(replace(config, admin=("", 0)), 1)


async def test_no_listener_is_there_unless_asked_for(app: App) -> None:
    app.config = replace(app.config, admin=("", 0))
    assert metrics.listen(app, Watchdog()) is None
