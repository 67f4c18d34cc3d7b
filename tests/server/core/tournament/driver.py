"""A tournament without a server: a clock, a log, and heats whose results are drawn by lot.

Lives here: the shell's part of the machine (draw, report, open the deal) as plain calls. Every wait checks that
`due` says exactly whether there is something to do.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from server.core.ids import SERVER, EntrantId, HeatId, PlayerId, RoomCode, RoomId, TournamentId
from server.core.machine import Refusal
from server.core.tournament import events as log
from server.core.tournament import inputs, machine, table
from server.core.tournament.record import Row, TournamentHeat
from server.core.tournament.state import TournamentState
from server.wire.messages import TournamentOptions

START_MS = 1_785_000_000_000
SECOND_MS = 1_000
MINUTE_MS = 60_000


def options(format: str = "league", **changed: Any) -> TournamentOptions:
    """Options of an evening; a cup and an arena have duels."""
    return TournamentOptions(**({"name": "Club evening", "format": format} | changed))


def row(entrant: str, place: int = 1, *, ended: str = "won", out: int = 104, score: int = 0, at_ms: int = 0) -> Row:
    """One board of a heat; `at_ms` 0 follows from the place."""
    moves = 0 if ended == "abandoned" else 50
    return Row(EntrantId(entrant), place, ended, out, score, moves, at_ms or place * MINUTE_MS)


def absent(entrant: str, place: int) -> Row:
    """A no-show."""
    return row(entrant, place, ended="abandoned", out=0, at_ms=MINUTE_MS)


class Evening:
    """A tournament that is driven by hand or by lot."""

    def __init__(self, format: str = "league", *, seed: int = 7, **changed: Any) -> None:
        created = machine.create(
            START_MS, TournamentId("TTTTTTTTTT"), "TTTTT", options(format, **changed), PlayerId("host"), seed
        )
        assert not isinstance(created, Refusal), created
        self.log: list[log.TournamentEvent] = created
        self.state: TournamentState = machine.fold(created)
        self.now_ms = START_MS
        self.lot = random.Random(seed)
        self._rooms = 0

    # ------------------------------------------------------------ the shell's loop

    def add(self, events: Sequence[log.TournamentEvent]) -> None:
        """Append and apply."""
        for event in events:
            self.log.append(log.decode(log.encode(event)))
            machine.apply(self.state, event)

    def ask(self, command: inputs.TournamentInput) -> str:
        """Hand an input in; the refusal's code, or empty."""
        answer = machine.decide(self.state, self.now_ms, SERVER, command)
        if isinstance(answer, Refusal):
            return str(answer.code)
        self.add(answer)
        return ""

    def host(self, action: str, key: str = "", value: int = 0) -> str:
        """An action of the host."""
        return self.ask(inputs.HostAction("host", action, key, value))

    def enter(self, *names: str) -> None:
        """People come in; their ids are their names."""
        for name in names:
            assert self.ask(inputs.Enter(EntrantId(name), name, "0000")) == ""

    def crowd(self, count: int) -> list[str]:
        """So many people come in."""
        names = [f"p{at:02}" for at in range(count)]
        self.enter(*names)
        return names

    def tick(self) -> bool:
        """Do one thing that is due; False when nothing is."""
        events = machine.decide_due(self.state, self.now_ms)
        if events:
            self.add(events)
            return True
        for number in machine.wants_opening(self.state):
            self.ask(inputs.DealOpened(number.number, f"code {number.number}", "nonce"))
            return True
        if machine.wants_round(self.state, self.now_ms):
            draw = self.state.format.draw(table.field(self.state, self.now_ms))
            before = len(self.state.rounds)
            self.ask(inputs.RoundDealt(self.state.version, draw, tuple(self._room() for _ in draw.heats)))
            assert len(self.state.rounds) == before + 1, draw
            return True
        return False

    def _room(self) -> tuple[RoomId, RoomCode]:
        self._rooms += 1
        return RoomId(f"room{self._rooms:04}"), RoomCode("RRRRR")

    def settle(self) -> None:
        """Do all that is due now."""
        for _ in range(200):
            due = machine.due(self.state)
            did = self.tick()
            assert did == (due is not None and due <= max(self.now_ms, self.state.at_ms)), (due, self.now_ms)
            if not did:
                return
        raise AssertionError("it does not come to rest")

    def wait(self, ms: int) -> None:
        """Time passes, and what is due then is done."""
        self.now_ms += ms
        self.settle()

    def wait_until_due(self) -> bool:
        """On to the next thing that time does; False when there is none."""
        due = machine.due(self.state)
        if due is None:
            return False
        self.now_ms = max(self.now_ms, due)
        self.settle()
        return True

    def start(self) -> None:
        """Start now; the first round is drawn."""
        assert self.host("start") == ""
        self.settle()

    # ------------------------------------------------------------ results

    def open_heats(self) -> list[TournamentHeat]:
        """Heats without a result."""
        return [heat for number in self.state.open_rounds() for heat in number.heats if heat.open]

    def report(self, heat: TournamentHeat, *rows: Row) -> str:
        """A room has judged, and what follows is done."""
        code = self.ask(inputs.HeatDone(heat.room, HeatId(f"heat {heat.room}"), rows))
        self.settle()
        return code

    def result(self, heat: TournamentHeat, order: Sequence[str], missing: Sequence[str] = ()) -> None:
        """The heat ends in this order, everybody won; who is missing was not there."""
        rows = [row(name, place) for place, name in enumerate(order, 1)]
        rows += [absent(name, len(order) + 1) for name in missing]
        assert self.report(heat, *rows) == ""

    def by_lot(self, heat: TournamentHeat, missing: float = 0.0) -> None:
        """The heat ends in an order drawn by lot, with ties and no-shows."""
        there = [name for name in heat.entrants if self.lot.random() >= missing]
        away = [name for name in heat.entrants if name not in there]
        self.lot.shuffle(there)
        rows: list[Row] = []
        for at, name in enumerate(there):
            tie = bool(rows) and self.lot.random() < 0.1
            place, at_ms = (rows[-1].place, rows[-1].at_ms) if tie else (at + 1, self.lot.randint(1, 500) * 1000)
            rows.append(row(name, place, at_ms=at_ms))
        rows += [absent(name, len(there) + 1) for name in away]
        self.lot.shuffle(rows)
        assert self.report(heat, *rows) == ""

    def play(self, meanwhile: Callable[[], None] = lambda: None, missing: float = 0.0) -> None:
        """To the end, by lot; `meanwhile` is called between any two steps."""
        for _ in range(5_000):
            meanwhile()
            if self.state.ended_ms is not None:
                return
            heats = self.open_heats()
            if heats and (self.state.format.overlapping is False or self.lot.random() < 0.5):
                self.now_ms += self.lot.randint(1_000, 60_000)
                self.by_lot(self.lot.choice(heats), missing)
            elif not self.wait_until_due():
                if not heats:
                    assert self.state.paused, "nothing would ever happen again"
                    self.host("resume")
                    continue
                self.by_lot(self.lot.choice(heats), missing)
        raise AssertionError("it does not end")

    def places(self) -> dict[str, int]:
        """Everybody's place."""
        return {line.entrant: line.place for line in table.standings(self.state)}

    def points(self) -> dict[str, int]:
        """Everybody's points."""
        return {line.entrant: line.points for line in table.standings(self.state)}

    def status(self, name: str) -> str:
        """How an entrant stands to the tournament."""
        return self.state.entrants[EntrantId(name)].status.value
