"""A heat is found again in the log of its room, as it was when it was played."""

from __future__ import annotations

import msgspec

from server.core import events as log
from server.core import judging, room
from server.core.closed_heat import closed_heat
from server.core.ids import HeatId
from server.core.inputs import Credit, Extend, Judged, Reveal
from tests.server.core.driver import START_MS, Room, summary


def of(race: Room, heat: str) -> object:
    return closed_heat(log.decode_log(race.log), HeatId(heat))


def duel() -> Room:
    race = Room(ready=True, bots=[2], minutes=5)
    return race


def test_a_judged_heat_is_found() -> None:
    race = duel()
    judged = race.plays(1, 0)
    found = closed_heat(log.decode_log(race.log), HeatId("HEAT1"))
    assert found is not None
    assert (found.room, found.heat, found.ruleset, found.open, found.series) == ("R1", "HEAT1", "DS1-D1N", False, "")
    assert (found.gun_ms, found.deadline_ms) == (START_MS + 3_000, START_MS + 303_000)
    assert [one.seat for one in found.seats] == [0, 1]
    assert found.taken(0).player == "ann"
    assert found.taken(1).bot_level == 2
    assert found.lengths == (0, 0)
    assert list(found.rows) == judged.rows
    assert (found.code, found.nonce) == (judged.code, judged.nonce)
    assert found.judged_ms == judged.at_ms


def test_a_heat_that_is_not_over_is_not_found() -> None:
    race = duel()
    assert of(race, "HEAT1") is None
    race.begins()
    assert of(race, "HEAT1") is None
    race.passes(60_000).closes()
    assert of(race, "HEAT1") is None
    race.judges(summary(0), summary(1))
    assert of(race, "HEAT1") is not None
    assert of(race, "HEAT2") is None


def test_each_heat_has_the_options_it_was_drawn_under() -> None:
    race = duel()
    race.plays(0, 1)
    race.sets(undo="none", goal="score")
    race.readies("ann")
    race.plays(0, 1)
    race.sets(undo="hidden")
    first, second = (closed_heat(log.decode_log(race.log), HeatId(heat)) for heat in ("HEAT1", "HEAT2"))
    assert first is not None
    assert second is not None
    assert (first.options.undo, second.options.undo) == ("all", "none")
    assert (first.options.goal, second.options.goal) == ("first", "score")


def test_credits_shift_gun_and_deadline() -> None:
    race = duel()
    race.begins()
    race.passes(9_000)
    race.tell(Credit(race.now - 4_000, race.now))
    race.passes(60_000).closes()
    race.judges(summary(0), summary(1))
    found = closed_heat(log.decode_log(race.log), HeatId("HEAT1"))
    assert found is not None
    assert (found.gun_ms, found.deadline_ms) == (START_MS + 7_000, START_MS + 307_000)
    assert found.credits == ((5_000, 9_000),)


def test_what_was_said_of_the_deal_before_and_the_number_of_the_rules_are_told() -> None:
    race = duel()
    race.plays(1, 0)
    found = closed_heat(log.decode_log(race.log), HeatId("HEAT1"))
    assert found is not None
    assert (found.commitment, found.number, found.rules, found.sealed) == ("c0ffee", 1, 1, False)


def test_a_log_from_before_the_rules_had_a_number_is_read_as_played_by_the_first() -> None:
    race = duel()
    race.plays(1, 0)
    entries = [msgspec.msgpack.decode(entry) for entry in race.log]
    old = [msgspec.msgpack.encode(entry[:10] if entry[0] == 16 else entry) for entry in entries]
    found = closed_heat(log.decode_log(old), HeatId("HEAT1"))
    assert found is not None
    assert found.rules == 1


def test_a_heat_of_an_earlier_version_keeps_the_times_that_its_entries_bear() -> None:
    """They counted from where the gun had been moved to."""
    race = duel()
    race.begins()
    race.passes(9_000).tell(Credit(race.now - 4_000, race.now))
    race.passes(60_000).closes()
    race.judges(summary(0), summary(1))
    entries = [msgspec.msgpack.decode(entry) for entry in race.log]
    old = log.decode_log([msgspec.msgpack.encode(entry[:12] if entry[0] == 16 else entry) for entry in entries])
    found = closed_heat(old, HeatId("HEAT1"))
    assert found is not None
    assert (found.gun_ms, found.credits) == (START_MS + 7_000, ())
    heat = room.fold(old[:-2]).heat
    assert heat is not None
    assert (heat.zero_ms, heat.gun_ms, heat.credits) == (START_MS + 7_000, START_MS + 7_000, [])


def test_the_heat_of_a_tournament_is_sealed_until_its_deal_is_open() -> None:
    race = Room.of_tournament("ann", "bob", minutes=5)
    race.draws()
    race.passes(10_000)
    race.tell(Extend(60_000))
    race.passes(400_000).closes()
    race.tell(Judged(HeatId("HEAT1"), judging.judge(race.state, [summary(0), summary(1)]), "", ""))
    found = closed_heat(log.decode_log(race.log), HeatId("HEAT1"))
    assert found is not None
    assert (found.sealed, found.series, found.deadline_ms - found.gun_ms) == (True, "T1", 360_000)
    race.tell(Reveal("DS1-D1N-AAAAAAB", "n0nce"))
    found = closed_heat(log.decode_log(race.log), HeatId("HEAT1"))
    assert found is not None
    assert (found.sealed, found.code, found.nonce) == (False, "DS1-D1N-AAAAAAB", "n0nce")
