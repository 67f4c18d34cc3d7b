"""What an operator's Prometheus reads, and the listener it reads it from.

What lives here: numbers that the parts keep as plain integers, given out at each scrape, and the admin
listener (loopback unless set otherwise, behind a secret). What does not: counting (the parts do it where
it costs next to nothing).
"""

from __future__ import annotations

import asyncio
import hmac
import io
import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import structlog
from prometheus_client import CollectorRegistry, ProcessCollector, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from server.app import App, CannotStart
from server.config import Config
from server.log_setup import LEVELS, LINES
from server.net.listener import Refused
from server.net.settings import ABNORMAL
from server.spread import BUCKETS_MS, Spread
from server.watchdog import Watchdog
from server.wire.errors import CloseCode

_log = structlog.get_logger(__name__)

_EVERYWHERE = frozenset(("0.0.0.0", "::"))
"""Hosts that are every address of this machine."""


class Numbers(Collector):
    """Everything that is counted in one process."""

    def __init__(self, app: App, watchdog: Watchdog) -> None:
        self._app = app
        self._watchdog = watchdog
        self._loop_of = asyncio.get_running_loop()

    def collect(self) -> Iterable[Metric]:
        """The numbers as they are now."""
        yield from self._net()
        yield from self._rooms()
        yield from self._store()
        yield from self._loop()
        yield from self._work()

    def _net(self) -> Iterator[Metric]:
        counts = self._app.listener.counts
        yield GaugeMetricFamily("kupa_sockets", "Open sockets.", value=counts.sockets)
        yield CounterMetricFamily("kupa_sockets_opened", "Sockets opened.", value=counts.opened)
        yield _by("kupa_handshakes_refused", "Handshakes refused.", "reason", counts.refused, Refused)
        yield _by("kupa_sockets_closed", "Sockets closed.", "code", counts.closed, (*CloseCode, ABNORMAL))
        yield _by("kupa_pages", "Replies to page requests.", "status", counts.pages)

    def _rooms(self) -> Iterator[Metric]:
        hub = self._app.services.lobby.hub
        rooms = list(hub.rooms.values())
        yield GaugeMetricFamily("kupa_rooms", "Rooms folded by this process.", value=len(rooms))
        heats = [host.heat for host in rooms if host.heat is not None]
        yield GaugeMetricFamily("kupa_heats", "Heats that are on.", value=len(heats))
        boards = sum(len(heat.boards) for heat in heats)
        yield GaugeMetricFamily("kupa_boards", "Boards written by this process.", value=boards)
        tournaments = len(self._app.services.tournaments.hosts)
        yield GaugeMetricFamily("kupa_tournaments", "Tournaments folded by this process.", value=tournaments)

    def _store(self) -> Iterator[Metric]:
        logs, clock = self._app.store.logs, self._app.store.clock
        away = self._app.store.away_since
        away_s = 0.0 if away is None else (clock.now_ms() - away) / 1000
        yield GaugeMetricFamily("kupa_store_away_seconds", "How long the store has been away.", value=away_s)
        yield GaugeMetricFamily("kupa_store_waiting", "Appends taken and not settled yet.", value=logs.waiting)
        yield CounterMetricFamily("kupa_appends", "Appends settled: moves and events.", value=logs.settled)
        yield _histogram("kupa_append_seconds", "How long the store took for a round of appends.", logs.took)
        yield GaugeMetricFamily("kupa_clock_skew_ms", "Distance to the store's time.", value=clock.skew_ms)

    def _work(self) -> Iterator[Metric]:
        sessions, tasks = len(self._app.services.sessions), len(asyncio.all_tasks(self._loop_of))
        yield GaugeMetricFamily("kupa_sessions", "Connections that are being served.", value=sessions)
        yield GaugeMetricFamily("kupa_tasks", "Tasks of the event loop.", value=tasks)

    def _loop(self) -> Iterator[Metric]:
        dog = self._watchdog
        yield _histogram("kupa_loop_lag_seconds", "How late the event loop comes to its timers.", dog.lag)
        yield CounterMetricFamily("kupa_loop_stuck", "Times something held the loop for over 250 ms.", value=dog.stuck)
        words = "Times the machine gave the loop no time for over 250 ms."
        yield CounterMetricFamily("kupa_loop_starved", words, value=dog.starved)
        yield _by("kupa_log_lines", "Lines in the log.", "level", LINES, LEVELS)


def _histogram(name: str, words: str, spread: Spread) -> Metric:
    below, buckets = 0, []
    for most, count in zip(BUCKETS_MS, spread.counts, strict=False):
        below += count
        buckets.append((str(most / 1000), below))
    buckets.append(("+Inf", below + spread.counts[-1]))
    return HistogramMetricFamily(name, words, buckets=buckets, sum_value=spread.total_ms / 1000)


def _by(name: str, words: str, label: str, counts: Counter[Any], known: Iterable[Any] = ()) -> Metric:
    """`known` keys are told from the start: a counter that appears at one has not increased for Prometheus."""
    family = CounterMetricFamily(name, words, labels=[label])
    for key in {**dict.fromkeys(known), **counts}:
        family.add_metric([str(key)], counts[key])
    return family


def _cannot_listen(host: str, port: int, error: OSError | UnicodeError) -> CannotStart:
    why = (error.strerror if isinstance(error, OSError) else None) or "this is no address"
    return CannotStart(f"cannot listen on {host} port {port} for admin ({why}); set KUPA_ADMIN to another address")


def refuse_unusable(config: Config, port: int) -> None:
    """Raise CannotStart for an admin port that one of the workers could not use; `port`: that of the game."""
    host, first = config.admin
    if not host:
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for own in range(first, first + config.workers):
        if own == port and (host == config.host or _EVERYWHERE & {host, config.host}):
            raise CannotStart(
                f"KUPA_ADMIN names port {first}, so a worker would take {port}, which is the game's; choose another"
            )
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, own))
        except (OSError, UnicodeError) as error:
            raise _cannot_listen(host, own, error) from error


class AdminListener:
    """Metrics over HTTP on an address of its own, for whoever knows the secret."""

    def __init__(self, host: str, port: int, secret: str, registry: CollectorRegistry) -> None:
        """Raises CannotStart for an address that cannot be used."""
        kind = _ServerOfSix if ":" in host else _Server
        try:
            self._server = make_server(host, port, _guarded(secret, registry), kind, _Quiet)
        except (OSError, UnicodeError) as error:
            raise _cannot_listen(host, port, error) from error
        self._thread = threading.Thread(target=self._server.serve_forever, name="kupa-admin", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.server_port)

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _tell() -> None:
    """Log the failure that is being handled, if it is one of ours: who went away, or says nothing more, is no news."""
    if not isinstance(sys.exception(), ConnectionError | TimeoutError):
        _log.error("admin.failed", exc_info=True)


class _Server(WSGIServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """One line in the log, without the address."""
        _tell()


class _ServerOfSix(_Server):
    address_family = socket.AF_INET6


class _Quiet(WSGIRequestHandler):
    timeout = 5

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: an operator's scrapes are no news."""

    def get_stderr(self) -> _Failure:
        """Where an answer that fails half-way is told."""
        return _Failure()


class _Failure(io.StringIO):
    """Takes the traceback of an exception, and is flushed while that is being handled."""

    def flush(self) -> None:
        """Log it as everything is logged."""
        _tell()


Answer = Callable[..., Iterable[bytes]]


def _guarded(secret: str, registry: CollectorRegistry) -> Answer:
    metrics = make_wsgi_app(registry)
    expected = f"Bearer {secret}".encode()

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        given = str(environ.get("HTTP_AUTHORIZATION", "")).encode("latin-1", "replace")
        if not hmac.compare_digest(given, expected):
            start("401 Unauthorized", [("WWW-Authenticate", "Bearer"), ("Content-Type", "text/plain")])
            return [b"the admin secret is needed\n"]
        if environ.get("PATH_INFO") != "/metrics":
            start("404 Not Found", [("Content-Type", "text/plain")])
            return [b"only /metrics is here\n"]
        found: Iterable[bytes] = metrics(environ, start)
        return found

    return answer


def listen(app: App, watchdog: Watchdog) -> AdminListener | None:
    """The admin listener of a process, if the settings ask for one. Raises CannotStart."""
    host, port = app.config.admin
    if not host:
        return None
    registry = CollectorRegistry()
    registry.register(Numbers(app, watchdog))
    ProcessCollector(registry=registry)
    return AdminListener(host, port, app.config.admin_secret, registry)
