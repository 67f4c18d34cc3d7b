"""An evening as hosts and players know it, and what went wrong elsewhere (findings, Tournaments)."""

from __future__ import annotations

from typing import Any

import pytest

from server.core.ids import EntrantId, PlayerId, TournamentId
from server.core.machine import Refusal
from server.core.tournament import inputs, machine, table
from server.core.tournament.options import checked
from tests.server.core.tournament.driver import START_MS, Evening, options, row


def begun(format: str = "league", count: int = 4, **changed: Any) -> Evening:
    """Everybody is in and the first round is drawn."""
    evening = Evening(format, **changed)
    evening.crowd(count)
    evening.start()
    return evening


# ---------------------------------------------------------------- coming in


def test_a_tournament_starts_by_itself_at_its_time() -> None:
    evening = Evening(start_ms=START_MS + 60_000)
    evening.crowd(3)
    evening.wait(59_999)
    assert evening.state.started_ms is None
    evening.wait(1)
    assert len(evening.open_heats()) == 1


def test_a_tournament_for_which_too_few_came_waits_an_hour_and_ends() -> None:
    evening = Evening(start_ms=START_MS + 60_000)
    evening.crowd(1)
    evening.wait(60_000)
    assert evening.state.started_ms is None
    evening.wait(3_600_000)
    assert evening.state.ended_ms is not None


def test_the_second_to_come_late_starts_a_tournament_whose_time_is_over() -> None:
    evening = Evening(start_ms=START_MS + 60_000)
    evening.crowd(1)
    evening.wait(120_000)
    evening.enter("late")
    evening.settle()
    assert evening.state.started_ms == evening.now_ms


def test_who_signs_up_and_never_shows_is_dropped_and_the_waiting_list_moves_up() -> None:
    """T16."""
    evening = Evening(places=3, check_in_s=300, start_ms=START_MS + 600_000)
    evening.enter("a", "b", "c", "d", "e")
    assert [evening.status(name) for name in "abcde"] == ["in", "in", "in", "waiting", "waiting"]
    assert evening.ask(inputs.CheckIn(EntrantId("a"))) == "too_early"
    evening.wait(300_000)
    for name in "ace":
        assert evening.ask(inputs.CheckIn(EntrantId(name))) == ""
    evening.wait(300_000)
    assert [evening.status(name) for name in "abcde"] == ["in", "unchecked", "in", "unchecked", "in"]
    assert set(evening.open_heats()[0].entrants) == {"a", "c", "e"}


def test_who_comes_in_while_the_check_in_is_open_has_checked_in() -> None:
    evening = Evening(check_in_s=300, start_ms=START_MS + 600_000)
    evening.wait(400_000)
    evening.crowd(2)
    evening.wait(200_000)
    assert evening.status("p00") == "in"


def test_starting_at_once_asks_nobody_to_check_in() -> None:
    evening = Evening(check_in_s=300)
    evening.crowd(2)
    evening.start()
    assert len(evening.open_heats()) == 1


def test_a_place_that_is_free_before_the_start_goes_to_who_waits_longest() -> None:
    evening = Evening(places=2)
    evening.enter("a", "b", "c", "d")
    evening.ask(inputs.Withdraw(EntrantId("a")))
    evening.settle()
    assert [evening.status(name) for name in "abcd"] == ["out", "in", "in", "waiting"]


def test_nobody_comes_in_after_the_start_unless_the_host_allows_it_and_up_to_which_round() -> None:
    evening = begun(rounds=3)
    assert evening.ask(inputs.Enter(EntrantId("x"), "x", "")) == "locked"
    assert evening.host("late", value=2) == ""
    assert evening.ask(inputs.Enter(EntrantId("x"), "x", "")) == ""
    evening.result(evening.open_heats()[0], ["p00", "p01", "p02", "p03"])
    evening.wait(60_000)
    assert evening.ask(inputs.Enter(EntrantId("y"), "y", "")) == "locked"


def test_who_comes_late_during_a_round_has_nothing_to_start_before_the_next_one() -> None:
    """T10."""
    evening = begun("swiss", 4, late_round=2)
    evening.enter("late")
    assert evening.state.racing(EntrantId("late")) is None
    for heat in evening.open_heats():
        evening.result(heat, heat.entrants)
    evening.wait(60_000)
    second = evening.state.rounds[1]
    assert "late" in second.entrants() | set(second.byes)


def test_a_cup_takes_nobody_in_once_it_is_drawn() -> None:
    evening = begun("cup", 4)
    assert evening.ask(inputs.Enter(EntrantId("x"), "x", "")) == "locked"
    assert evening.host("late", value=2) == "bad_options"


def test_another_name_or_device_in_the_middle_is_the_same_entrant() -> None:
    """T14."""
    evening = begun()
    assert evening.ask(inputs.Rename(EntrantId("p01"), "Mallory")) == ""
    assert evening.ask(inputs.Enter(EntrantId("p01"), "Mallory", "")) == ""
    assert len(evening.state.entrants) == 4
    evening.result(evening.open_heats()[0], ["p01", "p00", "p02", "p03"])
    assert evening.places()["p01"] == 1
    assert evening.state.entrants[EntrantId("p01")].name == "Mallory"


def test_leaving_and_coming_back_again_and_again_gives_no_points() -> None:
    """T2."""
    evening = begun("swiss", 5, late_round=3)
    for _ in range(10):
        assert evening.ask(inputs.Withdraw(EntrantId("p00"))) == ""
        assert evening.ask(inputs.Enter(EntrantId("p00"), "p00", "")) == ""
    before = evening.points()
    for heat in evening.open_heats():
        evening.result(
            heat, [name for name in heat.entrants if name != "p00"], [n for n in heat.entrants if n == "p00"]
        )
    for _ in range(10):
        evening.ask(inputs.Withdraw(EntrantId("p00")))
        evening.ask(inputs.Enter(EntrantId("p00"), "p00", ""))
        evening.settle()
    assert evening.points()["p00"] == before["p00"]
    assert sum(table.record(evening.state).byes().values()) == 1


def test_who_drops_out_keeps_results() -> None:
    evening = begun("league", 4)
    evening.result(evening.open_heats()[0], ["p02", "p00", "p01", "p03"])
    evening.ask(inputs.Withdraw(EntrantId("p02")))
    evening.wait(60_000)
    assert "p02" not in evening.open_heats()[0].entrants
    assert evening.points()["p02"] == 4


# ---------------------------------------------------------------- rounds


def test_a_missed_heat_pauses_the_player_until_they_are_there_again() -> None:
    """T8: not several losses in a row of somebody who is not there."""
    evening = begun("league", 4, rounds=3)
    evening.result(evening.open_heats()[0], ["p00", "p01", "p02"], ["p03"])
    assert evening.status("p03") == "absent"
    evening.wait(60_000)
    assert "p03" not in evening.open_heats()[0].entrants
    assert evening.ask(inputs.CheckIn(EntrantId("p03"))) == ""
    evening.result(evening.open_heats()[0], ["p00", "p01", "p02"])
    evening.wait(60_000)
    assert "p03" in evening.open_heats()[0].entrants


def test_a_round_needs_nobody_to_go_on() -> None:
    """T4: a result closes the round, the pause passes, the next one is drawn; the host does nothing."""
    evening = begun("league", 3, rounds=2, break_s=30)
    evening.result(evening.open_heats()[0], ["p00", "p01", "p02"])
    evening.wait(29_999)
    assert evening.open_heats() == []
    evening.wait(1)
    assert evening.state.rounds[1].gun_ms == evening.now_ms + 10_000


def test_a_host_can_close_a_round_and_then_give_up_a_heat_that_has_no_result() -> None:
    """T4: no ghost of a race blocks the next round."""
    evening = begun("swiss", 4)
    evening.result(evening.open_heats()[0], evening.open_heats()[0].entrants)
    assert evening.host("close_round") == ""
    assert evening.host("close_round") == "too_early"
    evening.wait(33_000)
    assert evening.host("close_round") == ""
    evening.settle()
    assert not evening.state.rounds[0].open
    assert sorted(evening.points().values()) == [0, 0, 0, 2]


def test_a_result_counts_once() -> None:
    evening = begun("swiss", 2)
    heat = evening.open_heats()[0]
    evening.result(heat, heat.entrants)
    assert evening.report(heat, row(heat.entrants[1]), row(heat.entrants[0], 2)) == ""
    assert evening.points()[heat.entrants[0]] == 2


def test_rows_of_others_than_the_heats_entrants_are_refused() -> None:
    evening = begun("swiss", 2)
    assert evening.report(evening.open_heats()[0], row("p00"), row("p99", 2)) == "internal"


def test_a_deal_is_open_only_when_the_last_heat_of_its_round_is_reported() -> None:
    """Ruling 9."""
    evening = begun("swiss", 4)
    first, second = evening.open_heats()
    assert evening.report(first, row(first.entrants[0]), row(first.entrants[1], 2)) == ""
    assert evening.ask(inputs.DealOpened(1, "code", "nonce")) == ""
    assert evening.state.rounds[0].code == ""
    evening.result(second, second.entrants)
    assert evening.state.rounds[0].code == "code 1"


def test_a_tournament_waits_ten_minutes_for_people_who_are_absent_and_then_ends() -> None:
    evening = begun("league", 2, rounds=3)
    evening.result(evening.open_heats()[0], ["p00"], ["p01"])
    evening.wait(599_000)
    assert evening.state.ended_ms is None
    evening.wait(1_000)
    assert evening.state.ended_ms is not None
    assert evening.places() == {"p00": 1, "p01": 2}


# ---------------------------------------------------------------- hosts


def test_paused_between_rounds_it_waits_for_its_host() -> None:
    evening = begun("league", 3, rounds=2)
    assert evening.host("pause") == ""
    evening.result(evening.open_heats()[0], ["p00", "p01", "p02"])
    evening.wait(3_600_000)
    assert evening.state.phase(evening.now_ms) == "paused"
    assert evening.host("resume") == ""
    evening.settle()
    assert len(evening.state.rounds) == 2


def test_the_next_round_can_be_drawn_at_once() -> None:
    evening = begun("league", 3, rounds=2, break_s=3600)
    evening.result(evening.open_heats()[0], ["p00", "p01", "p02"])
    assert evening.host("next", value=20) == ""
    evening.wait(19_999)
    assert len(evening.state.rounds) == 1
    evening.wait(1)
    assert len(evening.state.rounds) == 2


def test_a_round_can_be_given_more_time_but_not_be_put_into_the_past() -> None:
    evening = begun(minutes=10)
    assert evening.host("extend", value=300) == ""
    assert evening.host("extend", value=-3600) == "bad_options"
    assert evening.state.rounds[0].extra_ms == 300_000
    assert evening.host("undo") == ""
    assert evening.state.rounds[0].extra_ms == 0


def test_ending_early_lets_the_running_round_count_and_can_be_taken_back() -> None:
    evening = begun("league", 2, rounds=3)
    assert evening.host("end") == ""
    evening.result(evening.open_heats()[0], ["p01", "p00"])
    assert evening.state.phase(evening.now_ms) == "ended"
    assert evening.places() == {"p01": 1, "p00": 2}
    assert evening.host("undo") == ""
    evening.wait(60_000)
    assert len(evening.state.rounds) == 2


def test_what_a_host_has_taken_out_does_not_come_back_by_itself() -> None:
    evening = begun()
    assert evening.host("drop", "p01") == ""
    assert evening.ask(inputs.Enter(EntrantId("p01"), "p01", "")) == "locked"
    assert evening.host("restore", "p01") == ""
    assert evening.status("p01") == "in"


def test_an_edit_can_be_taken_back_only_after_later_ones_of_the_same_thing() -> None:
    evening = begun()
    evening.host("points", "p01", 3)
    evening.host("points", "p01", 2)
    evening.host("points", "p02", 1)
    assert evening.points()["p01"] == 5
    first = len(evening.state.edits) - 2
    assert evening.host("undo", value=first) == "not_now"
    assert evening.host("undo", value=first + 1) == ""
    assert evening.host("undo", value=first) == ""
    assert (evening.points()["p01"], evening.points()["p02"]) == (0, 1)


@pytest.mark.parametrize(
    ("action", "key", "value", "code"),
    [
        ("nonsense", "", 0, "type"),
        ("drop", "nobody", 0, "no_seat"),
        ("start", "", 0, "not_now"),
        ("start_at", "", START_MS + 1, "not_now"),
        ("rounds", "", 0, "bad_options"),
        ("announce", "", 99, "bad_options"),
        ("next", "", 0, "not_now"),
        ("seed", "p01", 1, "not_now"),
        ("points", "p01", 10**6, "bad_options"),
        ("bots", "4", 1, "bad_options"),
        ("undo", "", 77, "not_now"),
    ],
)
def test_what_makes_no_sense_is_refused(action: str, key: str, value: int, code: str) -> None:
    assert begun().host(action, key, value) == code


def test_bots_take_part_like_everybody_else() -> None:
    evening = Evening("cup")
    assert evening.host("bots", "2", 3) == ""
    evening.crowd(1)
    evening.start()
    evening.play()
    assert len(evening.places()) == 4
    assert evening.state.entrants[EntrantId("bot-1")].name == "Bot 1"


def test_an_announcement_is_from_the_fixed_set() -> None:
    evening = begun()
    assert evening.host("announce", value=3) == ""
    assert evening.state.announced == (3, evening.now_ms)


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("format", "changed", "code"),
    [
        ("league", {"name": "\u202e"}, "name"),
        ("knockout", {}, "bad_options"),
        ("league", {"ruleset": "XX"}, "bad_options"),
        ("league", {"minutes": 7}, "bad_options"),
        ("league", {"points": "luck"}, "bad_options"),
        ("cup", {"late_round": 2}, "bad_options"),
        ("cup", {"heat": 2, "advance": 2}, "bad_options"),
        ("swiss", {"heat": 3}, "bad_options"),
        ("arena", {"arena_minutes": 0}, "bad_options"),
    ],
)
def test_options_that_do_not_go_together_are_refused(format: str, changed: dict[str, object], code: str) -> None:
    answer = checked(options(format, **changed))
    assert isinstance(answer, Refusal)
    assert answer.code == code


def test_a_start_in_the_past_is_refused() -> None:
    old = options(start_ms=START_MS - 1)
    answer = machine.create(START_MS, TournamentId("TTTTTTTTTT"), "TTTTT", old, PlayerId("host"), 1)
    assert isinstance(answer, Refusal)
