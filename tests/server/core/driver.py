"""A room under test, driven by sentences: `room.enters("bob")`, `room.draws()`, `room.ends(0, "won", 41_000)`.

After every step the events go through their bytes, and the state must equal the fold of the whole log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from server.core import events as log
from server.core import inputs, judging, room
from server.core.heat import Heat
from server.core.ids import SERVER, HeatId, NodeId, PlayerId, RoomCode, RoomId, TournamentId
from server.core.machine import Refusal, RefusalCode
from server.core.standings import BoardSummary
from server.wire import messages as wire

START_MS = 1_000_000
HERE, THERE = NodeId("here"), NodeId("there")
N = 1
"""A client's running number: the machine never looks at it."""


def player(name: str) -> PlayerId:
    """The id of a person called so."""
    return PlayerId(name)


def summary(seat: int, ended: str = "won", out: int = 104, at_ms: int = 60_000, score: int = 500) -> BoardSummary:
    """A sealed board that came to everything at one time."""
    return BoardSummary(seat, ended, out, score, 100, at_ms, at_ms, at_ms)


class Room:
    """The shell's loop without a store: decide, append, apply."""

    def __init__(self, host: str = "ann", bots: Sequence[int] = (), ready: bool = False, **options: Any) -> None:
        """A room that `host` created at `START_MS`; `options` are those of `RoomOptions` that matter."""
        self.now = START_MS
        events = room.create(
            self.now, RoomId("R1"), RoomCode("ABCDE"), wire.RoomOptions(**options), player=player(host), name=host,
            tag="0000", node=HERE, bots=bots, ready=ready,
        )  # fmt: skip
        assert not isinstance(events, Refusal), events
        self.begin(events)

    @classmethod
    def of_tournament(cls, *names: str, bots: int = 0, absent_ms: int = 60_000, **options: Any) -> Room:
        """A room of a tournament's round, whose gun is 10 s away; nobody has come yet."""
        made = cls.__new__(cls)
        made.now = START_MS
        seats = [log.SeatGiven(player(name), name, "0000", 0) for name in names]
        seats += [log.SeatGiven(SERVER, f"Bot {number}", "", 2) for number in range(bots)]
        slot = log.SeriesSlot(1, START_MS + 10_000, absent_ms)
        made.begin(
            room.create_for(
                START_MS, RoomId("R1"), RoomCode("ABCDE"), wire.RoomOptions(seats=len(seats), **options),
                TournamentId("T1"), slot, seats,
            )
        )  # fmt: skip
        return made

    def begin(self, events: Sequence[log.RoomEvent]) -> None:
        """The first events of the log."""
        self.log = [log.encode(event) for event in events]
        self.state = room.fold(log.decode_log(self.log))
        self.heats = 0

    # -------------------------------------------------- the loop

    def ask(self, actor: str, command: inputs.RoomInput) -> RefusalCode | list[log.RoomEvent]:
        """Decide and, unless refused, append and apply."""
        answer = room.decide(self.state, self.now, player(actor), command)
        if isinstance(answer, Refusal):
            return answer.code
        self.append(answer)
        return answer

    def append(self, events: list[log.RoomEvent]) -> None:
        """What the log holds is what has happened, and nothing else has."""
        for event in events:
            self.log.append(log.encode(event))
            room.apply(self.state, log.decode(self.log[-1]))
        again = room.fold(log.decode_log(self.log))
        assert again == self.state
        assert list(again.members) == list(self.state.members)
        assert self.state.version == len(self.log)

    def must(self, actor: str, command: inputs.RoomInput) -> list[log.RoomEvent]:
        """Ask for what is allowed."""
        answer = self.ask(actor, command)
        assert isinstance(answer, list), answer
        return answer

    def tell(self, command: inputs.ShellInput) -> list[log.RoomEvent]:
        """An input of the shell that has an answer."""
        return self.must(SERVER, command)

    def passes(self, ms: int) -> Room:
        """Time goes on and nobody looks."""
        self.now += ms
        return self

    def upkeep(self) -> list[log.RoomEvent]:
        """Do what time alone makes happen, until nothing is left."""
        done: list[log.RoomEvent] = []
        while events := room.decide_due(self.state, self.now):
            self.append(events)
            done += events
            assert len(done) < 1000, "upkeep never ends"
        return done

    # -------------------------------------------------- people

    def enters(self, name: str, node: NodeId = HERE, **how: bool) -> RefusalCode | list[log.RoomEvent]:
        return self.ask(SERVER, inputs.Arrive(player(name), name, "0000", node, **how))

    def drops(self, name: str, node: NodeId = HERE) -> list[log.RoomEvent]:
        return self.tell(inputs.Drop(player(name), node))

    def readies(self, *names: str) -> Room:
        for name in names:
            self.must(name, wire.Ready(N, True))
        return self

    def sets(self, **options: Any) -> RefusalCode | list[log.RoomEvent]:
        """The host changes some of the options."""
        changed = msgspec.structs.replace(self.state.options, **options)
        return self.ask(self.state.host, wire.SetOptions(N, changed))

    # -------------------------------------------------- heats

    @property
    def heat(self) -> Heat:
        assert self.state.heat is not None
        return self.state.heat

    def wants_deal(self) -> bool:
        return room.wants_deal(self.state, self.now)

    def deal(self) -> inputs.DealDrawn:
        """What the shell hands in for the next deal."""
        options = self.state.options
        return inputs.DealDrawn(
            HeatId(f"HEAT{self.heats + 1}"),
            options.ruleset,
            options.code,
            "c0ffee",
            tuple(range(7, 15)),
            as_drawn=True,
        )

    def draws(self) -> log.HeatDrawn:
        """A deal is wanted, and drawn."""
        assert self.wants_deal()
        (drawn,) = self.tell(self.deal())
        assert isinstance(drawn, log.HeatDrawn)
        self.heats += 1
        return drawn

    def begins(self) -> log.HeatDrawn:
        """A deal is drawn and its gun is fired."""
        drawn = self.draws()
        self.now = drawn.gun_ms
        return drawn

    def ends(self, seat: int, ended: str = "won", out: int = 104) -> list[log.RoomEvent]:
        """News: a seat has ended its board now."""
        elapsed_ms = self.now - self.heat.zero_ms
        return self.tell(inputs.BoardDone(self.heat.id, seat, ended, out, 500, elapsed_ms))

    def closes(self) -> None:
        """The closing script ran."""
        self.append([log.HeatClosed(self.now, self.heat.id, [0] * len(self.heat.seats))])

    def judges(self, *boards: BoardSummary) -> log.HeatJudged:
        """The closed heat is judged from these boards."""
        rows = judging.judge(self.state, boards)
        (judged,) = self.tell(inputs.Judged(self.heat.id, rows, "DS1-D1N-ABCDEFG-HIJKLMN", "77"))
        assert isinstance(judged, log.HeatJudged)
        return judged

    def plays(self, *order: int) -> log.HeatJudged:
        """A whole heat is played; the seats win in this order, one second apart."""
        self.begins()
        self.passes(60_000).closes()
        return self.judges(*(summary(seat, at_ms=1000 * (at + 1)) for at, seat in enumerate(order)))
