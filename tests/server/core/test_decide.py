"""Who may ask what, and when: the table, and what is answered outside it."""

from __future__ import annotations

import typing

import pytest

from server.core import events as log
from server.core import inputs, room
from server.core.decide import ALWAYS, AT_THE_START, BETWEEN, RULES, Who
from server.core.heat import Phase
from server.core.ids import HeatId
from server.core.machine import Refusal, RefusalCode
from server.wire import messages as wire
from tests.server.core.driver import HERE, N, Room, player

HEAT = HeatId("HEAT1")
OPTIONS = wire.RoomOptions(minutes=3)
COMMANDS: list[inputs.PlayerCommand] = [
    wire.LeaveRoom(N), wire.Ready(N, True), wire.StartHeat(N), wire.AddBot(N, 1), wire.RemoveSeat(N, 1),
    wire.LockRoom(N, True), wire.HandOver(N, 1), wire.SetOptions(N, OPTIONS), wire.SitDown(N), wire.StandUp(N),
    wire.Rename(N, "Somebody"), wire.React(N, 0),
]  # fmt: skip
SHELL: list[inputs.ShellInput] = [
    inputs.Arrive(player("new"), "New", "0000", HERE), inputs.Drop(player("ann"), HERE), inputs.NodeLost(HERE),
    Room(ready=True).deal(), inputs.BoardDone(HEAT, 0, "won", 104, 0, 0), inputs.Credit(0, 5_000),
    inputs.Judged(HEAT, (), "", ""), inputs.Extend(1_000), inputs.Reveal("code", "nonce"),
]  # fmt: skip
HOST_COMMANDS = {
    wire.StartHeat, wire.AddBot, wire.RemoveSeat, wire.LockRoom, wire.HandOver, wire.SetOptions,
}  # fmt: skip


def in_phase(phase: Phase) -> Room:
    """ann, the host, and bob are seated; eve watches; the room is in this phase."""
    race = Room()
    race.enters("bob")
    race.enters("eve", watch=True)
    if phase is Phase.OPEN:
        return race
    race.readies("ann", "bob").draws()
    if phase is not Phase.COUNTDOWN:
        race.now = race.heat.gun_ms if phase is Phase.RUNNING else race.heat.deadline_ms
    assert race.state.phase(race.now) is phase
    return race


def test_the_table_has_every_command_of_people_in_a_room_and_every_input_of_the_shell() -> None:
    known = set(typing.get_args(inputs.PlayerCommand)) | set(typing.get_args(inputs.ShellInput))
    assert set(RULES) == known
    assert {type(command) for command in COMMANDS} | {type(command) for command in SHELL} == known


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("phase", Phase)
def test_out_of_its_phases_a_command_is_not_for_now(phase: Phase, command: inputs.PlayerCommand) -> None:
    race = in_phase(phase)
    answer = race.ask("ann", command)
    if phase not in RULES[type(command)].phases:
        assert answer is RefusalCode.NOT_NOW
    else:
        assert answer is not RefusalCode.NOT_NOW


def test_what_is_allowed_when() -> None:
    """The table once more, as the product page says it."""
    between = {kind for kind, rule in RULES.items() if rule.phases == BETWEEN}
    start = {kind for kind, rule in RULES.items() if rule.phases == AT_THE_START}
    assert between == {wire.SitDown, wire.StandUp, wire.StartHeat, wire.AddBot, wire.RemoveSeat, wire.SetOptions}
    assert start == {wire.Ready}
    assert all(rule.phases == ALWAYS for kind, rule in RULES.items() if kind not in between | start)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_the_hosts_commands_are_the_hosts(command: inputs.PlayerCommand) -> None:
    answer = in_phase(Phase.OPEN).ask("bob", command)
    assert (answer is RefusalCode.HOST_ONLY) == (type(command) in HOST_COMMANDS)
    assert (RULES[type(command)].who is Who.HOST) == (type(command) in HOST_COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_who_is_not_in_the_room_has_nothing_to_say_in_it(command: inputs.PlayerCommand) -> None:
    answer = in_phase(Phase.OPEN).ask("stranger", command)
    assert answer == [] if isinstance(command, wire.LeaveRoom) else answer is RefusalCode.NOROOM


@pytest.mark.parametrize("command", [*COMMANDS, *SHELL], ids=lambda command: type(command).__name__)
def test_in_a_closed_room_nothing_happens(command: inputs.RoomInput) -> None:
    race = in_phase(Phase.OPEN)
    for name in ("ann", "bob", "eve"):
        race.drops(name)
    race.passes(600_000).upkeep()
    answer = room.decide(race.state, race.now, player("ann"), command)
    quiet = isinstance(command, wire.LeaveRoom) or (command in SHELL and not isinstance(command, inputs.Arrive))
    assert answer == ([] if quiet else Refusal(RefusalCode.NOROOM))


@pytest.mark.parametrize("command", [wire.Ping(5), wire.EnterRoom(N, "ABCDE", False), wire.Resync(N), "junk", None])
def test_what_is_not_for_a_room_is_refused_by_type(command: object) -> None:
    answer = room.decide(in_phase(Phase.OPEN).state, 0, player("ann"), command)  # type: ignore[arg-type]
    assert answer == Refusal(RefusalCode.TYPE)


def test_deciding_changes_nothing() -> None:
    for phase in Phase:
        race = in_phase(phase)
        before = room.fold(log.decode_log(race.log))
        for command in [*COMMANDS, *SHELL]:
            room.decide(race.state, race.now, player("ann"), command)
        room.decide_due(race.state, race.now + 10**9)
        assert race.state == before
