"""A room under whatever several people, several processes and the clock do to it."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.core import events as log
from server.core import inputs, projection, room
from server.core.heat import Phase
from server.core.ids import SERVER, NodeId
from server.core.machine import RefusalCode
from server.core.standings import BoardSummary
from server.wire import messages as wire
from tests.server.core import strategies
from tests.server.core.driver import HERE, THERE, N, Room, player, summary

PEOPLE = ("ann", "bob", "cem", "dee", "eve")
people = st.sampled_from(PEOPLE)
nodes: st.SearchStrategy[NodeId] = st.sampled_from([HERE, THERE])
seats = st.integers(0, 4)
commands: st.SearchStrategy[inputs.PlayerCommand] = st.one_of(
    st.builds(wire.Ready, st.just(N), st.booleans()),
    st.builds(wire.Ready, st.just(N), st.just(True)),
    st.sampled_from([wire.LeaveRoom(N), wire.StartHeat(N), wire.SitDown(N), wire.StandUp(N), wire.React(N, 0)]),
    st.builds(wire.AddBot, st.just(N), st.integers(1, 3)),
    st.builds(wire.RemoveSeat, st.just(N), seats),
    st.builds(wire.HandOver, st.just(N), seats),
    st.builds(wire.LockRoom, st.just(N), st.booleans()),
    st.builds(wire.SetOptions, st.just(N), strategies.room_options),
    st.builds(wire.Rename, st.just(N), st.text(max_size=6)),
)
pauses = st.sampled_from([0, 1, 50, 900, 3_000, 10_000, 20_000, 61_000, 300_000])


class Rooms(RuleBasedStateMachine):
    """Everything that can be asked, in any order; the driver folds the log again after every step."""

    @initialize(
        options=strategies.room_options,
        ready=st.booleans(),
        bots=st.lists(st.integers(1, 3), max_size=2),
        others=st.lists(people, max_size=4, unique=True),
    )
    def create(self, options: wire.RoomOptions, ready: bool, bots: list[int], others: list[str]) -> None:
        chosen = {name: getattr(options, name) for name in options.__struct_fields__}
        self.room = Room(bots=bots[: options.seats - 1], ready=ready, **chosen)
        for name in others:
            self.room.enters(name)

    @rule(who=people, command=commands)
    def says(self, who: str, command: inputs.PlayerCommand) -> None:
        answer = self.room.ask(who, command)
        assert isinstance(answer, list | RefusalCode)

    @rule(who=people, node=nodes, watch=st.booleans(), seat_only=st.booleans())
    def enters(self, who: str, node: NodeId, watch: bool, seat_only: bool) -> None:
        answer = self.room.enters(who, node, watch=watch, seat_only=seat_only)
        if isinstance(answer, list):
            assert self.room.state.members[player(who)].node == node
        else:
            assert answer in (RefusalCode.FULL, RefusalCode.LOCKED, RefusalCode.NOROOM)

    @precondition(lambda self: self.room.state.members)
    @rule(who=people, node=nodes)
    def drops(self, who: str, node: NodeId) -> None:
        self.room.drops(who, node)

    @rule(node=nodes)
    def loses_a_process(self, node: NodeId) -> None:
        self.room.tell(inputs.NodeLost(node))
        assert all(member.node != node for member in self.room.state.members.values())

    @rule(ms=pauses)
    def passes(self, ms: int) -> None:
        self.room.passes(ms)

    @rule(command=commands)
    def the_host_says(self, command: inputs.PlayerCommand) -> None:
        self.says(self.room.state.host, command)

    @rule()
    def everybody_gets_ready(self) -> None:
        for _, seat, _ in self.room.state.people():
            self.room.ask(seat.player, wire.Ready(N, True))

    @rule(data=st.data())
    def the_shell_does_what_is_due(self, data: st.DataObject) -> None:
        state, due = self.room.state, room.due(self.room.state)
        if due is None:
            return
        self.room.now = max(self.room.now, due)
        if room.wants_deal(state, self.room.now):
            self.draws()
        elif room.wants_judging(state, self.room.now):
            self.judges(data)
        elif room.wants_close(state, self.room.now):
            self.closes()
        elif endings := room.wants_endings(state, self.room.now):
            assert all(self.room.heat.gun_ms <= each.at_ms < self.room.heat.deadline_ms for each in endings)
            for each in endings:
                assert len(self.room.ends(each.seat, "resigned")) == 1
        else:
            assert self.room.upkeep()

    @rule()
    def does_the_upkeep(self) -> None:
        self.room.upkeep()

    @rule()
    def draws(self) -> None:
        wanted = self.room.wants_deal()
        events = self.room.tell(self.room.deal())
        assert bool(events) == wanted
        self.room.heats += wanted
        if wanted:
            assert all(seat.ready_ms is None for seat in self.room.state.seats.values()), "N29"
            assert any(taken.player for taken in self.room.heat.seats), "somebody races"
            assert self.room.state.phase(self.room.now) is Phase.COUNTDOWN

    @precondition(lambda self: self.room.state.heat is not None)
    @rule(seat=seats, ended=st.sampled_from(["won", "resigned", "abandoned"]))
    def a_board_ends(self, seat: int, ended: str) -> None:
        news = self.room.heat.taken(seat) is not None and seat not in self.room.heat.ended
        assert len(self.room.ends(seat, ended)) == (news and not self.room.heat.closed)

    @rule(from_ms=pauses, ms=pauses)
    def the_store_was_away(self, from_ms: int, ms: int) -> None:
        self.room.tell(inputs.Credit(self.room.now - from_ms - ms, self.room.now - from_ms))

    @precondition(lambda self: room.wants_close(self.room.state, self.room.now))
    @rule()
    def closes(self) -> None:
        self.room.closes()

    @precondition(lambda self: room.wants_judging(self.room.state, self.room.now))
    @rule(data=st.data())
    def judges(self, data: st.DataObject) -> None:
        boards: list[BoardSummary] = [
            summary(one.seat, data.draw(st.sampled_from(["won", "time_up"])), at_ms=data.draw(st.integers(1, 3)))
            for one in self.room.heat.seats
        ]
        rows = self.room.judges(*boards).rows
        assert sorted(row.seat for row in rows) == [board.seat for board in boards]

    # ------------------------------------------------------------ what always holds

    @invariant()
    def nobody_is_both_seated_and_watching(self) -> None:
        state = self.room.state
        seated = {no: seat.player for no, seat in state.seats.items() if not seat.bot}
        assert seated == {member.seat: who for who, member in state.members.items() if member.seat != room.WATCHES}
        assert not any(member.waits for member in state.members.values() if member.seat != room.WATCHES)

    @invariant()
    def seats_are_within_the_options(self) -> None:
        assert all(0 <= no < self.room.state.options.seats for no in self.room.state.seats)

    @invariant()
    def there_is_one_host_and_the_host_is_in_the_room(self) -> None:
        state = self.room.state
        assert (state.host in state.members) if state.members else (state.host == SERVER)

    @invariant()
    def nobody_wins_more_heats_than_were_played(self) -> None:
        """R32; with more than two racers points are not wins."""
        state = self.room.state
        total = state.points()
        assert sum(total.values()) <= len(state.match) or len(total) > 2
        assert len(state.match) <= state.options.best_of
        assert len(state.match) <= state.heats

    @invariant()
    def something_is_to_do_exactly_from_the_due_time_on(self) -> None:
        state, due = self.room.state, room.due(self.room.state)
        instants = {state.at_ms, self.room.now, state.at_ms + 10**8}
        if due is not None:
            instants |= {due - 1, due, due + 1}
        for at_ms in instants:
            if at_ms >= state.at_ms:
                assert something_to_do(state, at_ms) == (due is not None and at_ms >= due)

    @invariant()
    def it_can_be_shown_at_any_time(self) -> None:
        state = self.room.state
        info = projection.room_info(state, self.room.now)
        assert info.phase == state.phase(self.room.now)
        rows = projection.seat_rows(state, player("ann"))
        assert [row.seat for row in rows] == sorted(state.seats)
        assert info.host in {-1, *(row.seat for row in rows if not row.bot)}
        assert (projection.heat_info(state) is None) == (state.heat is None)


def something_to_do(state: room.RoomState, at_ms: int) -> bool:
    """By the questions that the shell asks."""
    return bool(
        room.decide_due(state, at_ms)
        or room.wants_deal(state, at_ms)
        or room.wants_endings(state, at_ms)
        or room.wants_close(state, at_ms)
        or room.wants_judging(state, at_ms)
    )


TestRooms = Rooms.TestCase
TestRooms.settings = settings(stateful_step_count=60, suppress_health_check=[HealthCheck.too_slow])


def test_whatever_people_do_around_the_start_each_is_a_player_or_a_watcher() -> None:
    """N31: a thousand changes of role within 50 ms around the draw and around the gun."""
    random = Random(31)
    race = Room(ready=True, seats=3)
    changes = 0
    while changes < 1_000:
        _get_ready(race)
        drawn = race.draws()
        _change_roles(race, random, drawn.at_ms)
        race.now = drawn.gun_ms - 50
        changes += _change_roles(race, random, drawn.gun_ms)
        racers = [taken.player for taken in drawn.seats if taken.player]
        assert len(racers) == len(set(racers)) <= 3
        for who, member in race.state.members.items():
            board = race.heat.board_of(who)
            assert board is None or board == member.seat, "who may play the board holds the seat"
        race.now = race.heat.deadline_ms + 2_000
        race.closes()
        race.judges(*(summary(taken.seat) for taken in drawn.seats))
        race.upkeep()
    assert race.state.heats > 5


def _get_ready(race: Room) -> None:
    """Whoever is gone comes back, whoever is seated gets ready; role changes go on meanwhile."""
    for name in PEOPLE:
        race.enters(name)
    race.upkeep()
    while not race.state.seats:
        race.ask(PEOPLE[0], wire.SitDown(N))
    race.readies(*(seat.player for seat in race.state.seats.values()))


def _change_roles(race: Room, random: Random, around_ms: int) -> int:
    """Thirty changes from 50 ms before to 50 ms after an instant."""
    asked: list[Any] = [wire.SitDown(N), wire.StandUp(N), wire.LeaveRoom(N), wire.Ready(N, True), wire.Ready(N, False)]
    for step in range(30):
        race.now = max(race.now, around_ms - 50 + step * 100 // 30)
        who = random.choice(PEOPLE)
        if random.random() < 0.3:
            race.enters(who, random.choice([HERE, THERE]))
        else:
            race.ask(who, random.choice(asked))
        seated = [seat.player for seat in race.state.seats.values()]
        assert len(seated) == len(set(seated)) <= 3
    return 30


def test_a_whole_log_is_the_same_room_on_every_process() -> None:
    race = Room(ready=True, best_of=3, bots=[1])
    race.enters("bob")
    race.readies("bob").plays(0, 2, 1)
    race.drops("bob")
    entries = list(race.log)
    assert room.fold(log.decode_log(entries)) == room.fold(log.decode_log(entries)) == race.state
