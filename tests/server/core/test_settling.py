"""What the shell reports about a heat, each thing once (rulings 1, 3, 21)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from server.core import events as log
from server.core import judging, room
from server.core.credits import raced_ms
from server.core.ids import HeatId
from server.core.inputs import BoardDone, Credit, Judged
from server.core.machine import RefusalCode
from server.wire.messages import Ready
from tests.server.core.driver import N, Room, player, summary


def duel(**options: Any) -> Room:
    race = Room(ready=True, **options)
    race.enters("bob")
    return race.readies("bob")


# ---------------------------------------------------------------- the draw


def test_a_draw_fixes_the_heat() -> None:
    race = duel(minutes=5)
    drawn = race.draws()
    assert drawn == log.HeatDrawn(
        race.now, HeatId("HEAT1"), 1, "DS1-D1N", "c0ffee", race.now + 3_000, race.now + 303_000,
        [log.SeatTaken(0, player("ann"), "ann", 0, 0), log.SeatTaken(1, player("bob"), "bob", 0, 0)], False,
        as_drawn=True,
    )  # fmt: skip


def test_a_certified_deal_is_said_to_be_so_and_how_hard_it_was_is_kept_for_the_end() -> None:
    race = duel()
    race.tell(replace(race.deal(), difficulty="hard"))
    assert race.state.heat is not None
    assert race.state.heat.certified
    assert race.state.drawn is not None
    assert race.state.drawn.difficulty == "hard"


def test_a_second_draw_changes_nothing() -> None:
    race = duel()
    race.draws()
    assert race.tell(race.deal()) == []


def test_a_draw_that_is_no_longer_wanted_changes_nothing() -> None:
    race = duel()
    deal = race.deal()
    race.must("bob", Ready(N, False))
    assert race.tell(deal) == []


def test_a_deal_drawn_for_other_options_is_not_used() -> None:
    race = duel()
    deal = race.deal()
    race.sets(ruleset="SS1-D1N")
    race.readies("ann", "bob")
    assert race.tell(deal) == []
    race.sets(ruleset="DS1-D1N", code="DS1-D1N-ABCDEFG")
    race.readies("ann", "bob")
    assert race.tell(deal) == []


def test_a_draw_with_too_few_seeds_changes_nothing() -> None:
    race = Room(ready=True, bots=[1, 2])
    assert room.bots_racing(race.state) == 2
    assert race.tell(replace(race.deal(), bot_seeds=(1,))) == []


def test_a_given_code_makes_the_deal_open_and_needs_no_commitment() -> None:
    race = Room(ready=True, code="DS1-D1N-ABCDEFG")
    drawn = race.draws()
    assert (drawn.open, drawn.commitment) == (True, "")


def test_deals_of_a_match_are_counted_and_a_rematch_begins_with_one() -> None:
    race = duel(best_of=3)
    assert race.plays(0, 1).rows[0].tally == 1
    assert race.readies("ann", "bob").plays(0, 1).rows[0].tally == 2
    assert race.state.decided()
    race.readies("ann", "bob").begins()
    assert race.heat.number == 1
    assert race.state.points() == {}


# ---------------------------------------------------------------- boards


def test_a_boards_end_is_news_once() -> None:
    race = duel()
    race.begins()
    assert len(race.passes(9_000).ends(0)) == 1
    assert race.ends(0) == []
    assert race.ends(0, "resigned") == []
    assert race.heat.ended[0].ended == "won"


def test_the_end_of_a_board_that_is_none_is_no_news() -> None:
    race = duel()
    assert race.tell(BoardDone(HeatId("HEAT1"), 0, "won", 104, 0, 0)) == []
    race.begins()
    assert race.ends(5) == []
    assert race.tell(BoardDone(HeatId("OTHER"), 0, "won", 104, 0, 0)) == []


def test_after_the_closing_there_is_no_news() -> None:
    race = duel()
    race.begins()
    race.closes()
    assert race.ends(0) == []


# ---------------------------------------------------------------- outages


def test_an_outage_shifts_the_gun_and_the_deadline() -> None:
    race = duel()
    race.begins()
    gun_ms, deadline_ms = race.heat.gun_ms, race.heat.deadline_ms
    race.passes(60_000).tell(Credit(race.now - 8_000, race.now - 1_000))
    assert (race.heat.gun_ms, race.heat.deadline_ms) == (gun_ms + 7_000, deadline_ms + 7_000)


def test_the_time_that_entries_bear_counts_from_the_gun_as_it_was_drawn_all_the_same() -> None:
    race = duel()
    gun_ms = race.begins().gun_ms
    race.passes(60_000).tell(Credit(race.now - 8_000, race.now - 1_000))
    assert race.heat.zero_ms == gun_ms
    assert race.heat.credits == [(race.now - 8_000 - gun_ms, race.now - 1_000 - gun_ms)]
    assert raced_ms(race.heat.credits, race.now - gun_ms) == race.now - race.heat.gun_ms


def test_an_outage_is_credited_once_though_two_processes_saw_it() -> None:
    race = duel()
    race.begins()
    race.passes(60_000).tell(Credit(race.now - 8_000, race.now - 2_000))
    gun_ms = race.heat.gun_ms
    assert race.tell(Credit(race.now - 8_100, race.now - 1_900)) == []
    assert race.heat.gun_ms == gun_ms


def test_what_a_process_saw_of_an_outage_before_others_noticed_it_is_credited_too() -> None:
    """The one that noticed last may be the first to say so."""
    race = duel()
    race.begins()
    gun_ms = race.heat.gun_ms
    race.passes(60_000).tell(Credit(race.now - 3_000, race.now))
    told = race.tell(Credit(race.now - 8_000, race.now))
    assert [(event.from_ms, event.to_ms) for event in told if isinstance(event, log.Credited)] == [
        (race.now - 8_000, race.now - 3_000)
    ]
    assert race.heat.gun_ms == gun_ms + 8_000


def test_of_two_overlapping_outages_every_instant_is_credited_once() -> None:
    race = duel()
    race.begins()
    from_ms = race.now
    race.passes(60_000).tell(Credit(from_ms + 10_000, from_ms + 15_000))
    race.tell(Credit(from_ms + 12_000, from_ms + 20_000))
    assert race.heat.gun_ms == from_ms + 10_000


def test_a_second_is_not_worth_a_credit() -> None:
    race = duel()
    race.begins()
    race.passes(60_000)
    assert race.tell(Credit(race.now - 1_000, race.now)) == []
    assert len(race.tell(Credit(race.now - 1_001, race.now))) == 1


def test_an_outage_in_the_countdown_gives_the_rest_of_the_countdown_back() -> None:
    race = duel()
    race.draws()
    drawn_ms = race.now
    race.passes(1_000 + 30_000).tell(Credit(drawn_ms + 1_000, drawn_ms + 31_000))
    assert race.heat.gun_ms == race.now + 2_000
    assert race.state.phase(race.now) is room.Phase.COUNTDOWN


def test_what_lies_before_the_draw_or_in_the_future_is_not_credited() -> None:
    race = duel()
    drawn_ms = race.draws().at_ms
    gun_ms = race.heat.gun_ms
    race.passes(5_000).tell(Credit(drawn_ms - 60_000, race.now + 60_000))
    assert race.heat.gun_ms == gun_ms + 5_000


def test_an_outage_after_the_deadline_or_between_heats_earns_nothing() -> None:
    race = duel()
    assert race.tell(Credit(race.now - 9_000, race.now)) == []
    race.begins()
    race.now = race.heat.deadline_ms + 9_000
    assert race.tell(Credit(race.heat.deadline_ms, race.now)) == []
    assert len(race.tell(Credit(race.heat.deadline_ms - 1, race.now))) == 1


# ---------------------------------------------------------------- judging


def test_a_heat_is_judged_once() -> None:
    """R34: looking again at a finished race adds nothing."""
    race = duel()
    judged = race.plays(0, 1)
    for _ in range(10):
        assert race.tell(Judged(judged.heat, tuple(judged.rows), judged.code, judged.nonce)) == []
    assert race.state.heats == 1
    assert race.state.points() == {"ann": 1, "bob": 0}


def test_a_heat_is_not_judged_before_it_is_closed() -> None:
    race = duel()
    race.begins()
    assert race.ask("", Judged(race.heat.id, (), "", "")) is RefusalCode.INTERNAL


@pytest.mark.parametrize("seats", [(0,), (0, 1, 2), (0, 0), (0, 2)])
def test_the_rows_are_those_of_the_seats(seats: tuple[int, ...]) -> None:
    race = duel()
    race.begins()
    race.closes()
    row = judging.judge(race.state, [summary(0), summary(1)])[0]
    rows = tuple(msgspec.structs.replace(row, seat=seat) for seat in seats)
    assert race.ask("", Judged(race.heat.id, rows, "", "")) is RefusalCode.INTERNAL


def test_abandoning_rematches_and_returns_never_make_more_wins_than_heats() -> None:
    """R32."""
    race = duel(best_of=5)
    for _ in range(12):
        race.plays(0, 1)
        race.drops("bob")
        race.enters("bob")
        race.readies("ann", "bob")
        assert sum(race.state.points().values()) <= race.state.heats
