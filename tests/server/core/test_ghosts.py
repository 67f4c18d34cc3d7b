"""Rooms of ghost races: one heat, fixed rules, recorded boards on the seats (product P8, rulings 9, 22)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from server.core import events as log
from server.core import ghosts, projection, rating
from server.core.closed_heat import ClosedHeat, closed_heat
from server.core.events import GHOST
from server.core.ids import HeatId, RoomCode, RoomId
from server.core.machine import Refusal, RefusalCode
from server.wire.messages import AddBot, Ready, RemoveSeat, RoomOptions, SetOptions, SitDown
from tests.server.core.driver import HERE, START_MS, N, Room, player


def recorded(*others: str, **options: Any) -> ClosedHeat:
    """A heat that ann won before these."""
    race = Room(ready=True, minutes=5, **options)
    for name in others:
        race.enters(name)
        race.readies(name)
    race.plays(*range(1 + len(others)))
    found = closed_heat(log.decode_log(race.log), HeatId("HEAT1"))
    assert found is not None
    return found


def begun(events: list[log.RoomEvent] | Refusal) -> Room:
    assert not isinstance(events, Refusal), events
    made = Room.__new__(Room)
    made.now = START_MS
    made.begin(events)
    return made


def chase(heat: ClosedHeat, seats: Sequence[int], name: str = "cem") -> list[log.RoomEvent] | Refusal:
    return ghosts.chase(
        START_MS, RoomId("R2"), RoomCode("FGHJK"), heat, seats, player=player(name), name=name, tag="0000", node=HERE
    )


def challenge(name: str = "ann", **options: object) -> Room:
    return begun(
        ghosts.challenge(
            START_MS, RoomId("R1"), RoomCode("ABCDE"), RoomOptions(**options),  # type: ignore[arg-type]
            player=player(name), name=name, tag="0000", node=HERE,
        )
    )  # fmt: skip


# ---------------------------------------------------------------- a chase


def test_a_chase_has_the_rules_of_the_heat_and_its_boards_as_ghosts() -> None:
    race = begun(chase(recorded("bob", undo="hidden", goal="score", best_of=3, public=True), [1, 0]))
    options = race.state.options
    assert (options.undo, options.goal, options.minutes) == ("hidden", "score", 5)
    assert (options.seats, options.best_of, options.public) == (3, 1, False)
    rows = projection.seat_rows(race.state, player("cem"))
    assert [(row.seat, row.name, row.bot, row.ready) for row in rows] == [
        (0, "cem", 0, False), (1, "bob", GHOST, True), (2, "ann", GHOST, True),
    ]  # fmt: skip
    assert projection.room_info(race.state, race.now).kind == "chase"


def test_a_chase_is_drawn_as_open_with_the_recorded_seats() -> None:
    race = begun(chase(recorded("bob"), [1]))
    race.readies("cem")
    drawn = race.draws()
    assert (drawn.open, drawn.commitment) == (True, "")
    assert [(one.seat, one.player, one.name, one.bot_level, one.bot_seed) for one in drawn.seats] == [
        (0, "cem", "cem", 0, 0), (1, "", "bob", GHOST, 1),
    ]  # fmt: skip


def test_a_chase_ranks_nowhere_and_is_not_rated() -> None:
    race = begun(chase(recorded("bob"), [0, 1]))
    race.readies("cem")
    race.plays(0, 1, 2)
    found = closed_heat(log.decode_log(race.log), HeatId("HEAT1"))
    assert found is not None
    assert (found.chase, found.ranks, rating.racers(found)) == ("HEAT1", False, [])
    assert {row.name for row in found.rows} == {"cem", "ann", "bob"}


def test_a_chase_has_one_heat() -> None:
    race = begun(chase(recorded(), [0]))
    race.readies("cem")
    race.plays(0, 1)
    assert race.ask("cem", Ready(N, True)) == RefusalCode.NOT_NOW
    race.passes(3_600_000)
    assert not race.wants_deal()


def test_its_rules_and_ghosts_are_fixed() -> None:
    race = begun(chase(recorded(), [0]))
    assert race.ask("cem", SetOptions(N, RoomOptions())) == RefusalCode.NOT_NOW
    assert race.ask("cem", RemoveSeat(N, 1)) == RefusalCode.NO_SEAT
    assert race.ask("cem", AddBot(N, 2)) == RefusalCode.NO_SEAT


def test_who_comes_by_watches() -> None:
    race = begun(chase(recorded(), [0]))
    race.enters("dan")
    assert race.ask("dan", SitDown(N)) == RefusalCode.NO_SEAT


@pytest.mark.parametrize("seats", [[], [0, 0], [7], [0, 5], list(range(8))])
def test_only_boards_of_the_heat_are_raced_against(seats: list[int]) -> None:
    assert chase(recorded("bob"), seats) == Refusal(RefusalCode.BAD_OPTIONS)


def test_who_raced_in_the_heat_knows_the_deal() -> None:
    assert chase(recorded("bob"), [0], name="bob") == Refusal(RefusalCode.NOT_NOW)


# ---------------------------------------------------------------- a challenge


def test_a_challenge_is_raced_alone_on_a_secret_deal() -> None:
    race = challenge(seats=4, public=True, best_of=3, code="DS1-D1N-AAAAAAB", goal="score")
    options = race.state.options
    assert (options.seats, options.public, options.best_of, options.code, options.goal) == (1, False, 1, "", "score")
    assert projection.room_info(race.state, race.now).kind == "challenge"
    race.readies("ann")
    drawn = race.draws()
    assert (drawn.open, drawn.commitment) == (False, "c0ffee")


def test_a_challenge_ranks_nowhere() -> None:
    race = challenge()
    race.readies("ann")
    race.plays(0)
    found = closed_heat(log.decode_log(race.log), HeatId("HEAT1"))
    assert found is not None
    assert (found.challenge, found.open, found.ranks) == (True, False, False)
    assert not race.wants_deal()


def test_a_challenge_needs_options_that_can_be_played() -> None:
    refused = ghosts.challenge(
        START_MS, RoomId("R1"), RoomCode("ABCDE"), RoomOptions(ruleset="DS9-D1N"), player=player("ann"), name="ann",
        tag="0000", node=HERE,
    )  # fmt: skip
    assert refused == Refusal(RefusalCode.BAD_OPTIONS)
