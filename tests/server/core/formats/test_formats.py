"""League, Cup, Swiss and Arena: who races whom, and what it is worth."""

from __future__ import annotations

from typing import Any

import pytest

from server.core.formats import FORMATS, Format
from server.core.formats.cup import _shape
from server.core.ids import EntrantId
from server.core.tiebreaks import TIEBREAKS, TieBreak
from server.core.tournament import table
from tests.server.core.tournament.driver import MINUTE_MS, Evening, absent, row


def begun(format: str, count: int, **changed: Any) -> Evening:
    """The first round is drawn."""
    evening = Evening(format, **changed)
    evening.crowd(count)
    evening.start()
    return evening


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
def test_a_formats_tie_breaks_are_in_the_table(format: Format) -> None:
    assert set(format.tie_breaks) <= set(TIEBREAKS)


@pytest.mark.parametrize("one", TIEBREAKS.values(), ids=TIEBREAKS)
def test_a_tie_break_has_a_name_and_a_rule_in_words(one: TieBreak) -> None:
    assert one.name[0].isupper()
    assert one.rule.endswith(".")


# ---------------------------------------------------------------- league


def test_in_a_league_everybody_plays_every_rounds_deal() -> None:
    evening = begun("league", 7, rounds=3)
    evening.play()
    assert [len(number.heats) for number in evening.state.rounds] == [1, 1, 1]
    assert all(len(number.entrants()) == 7 for number in evening.state.rounds)


def test_a_first_place_is_worth_the_same_in_every_round() -> None:
    evening = begun("league", 4, rounds=2)
    evening.result(evening.open_heats()[0], ["p00", "p01", "p02", "p03"])
    evening.host("drop", "p03")
    evening.wait(MINUTE_MS)
    evening.result(evening.open_heats()[0], ["p01", "p02", "p00"])
    assert evening.points() == {"p00": 4 + 2, "p01": 3 + 4, "p02": 2 + 3, "p03": 1}


def test_equals_in_a_round_have_equal_points() -> None:
    evening = begun("league", 3, rounds=1)
    heat = evening.open_heats()[0]
    evening.report(heat, row("p00", 1, at_ms=5), row("p01", 1, at_ms=5), row("p02", 3, at_ms=9))
    evening.settle()
    assert evening.points() == {"p00": 3, "p01": 3, "p02": 1}
    assert evening.places() == {"p00": 1, "p01": 1, "p02": 3}


def test_a_league_by_score_adds_up_the_scores() -> None:
    evening = begun("league", 2, rounds=2, points="score", goal="score")
    for scores in ((100, 250), (200, 20)):
        heat = evening.open_heats()[0]
        rows = [row(name, 1, score=score, ended="time_up") for name, score in zip(("p00", "p01"), scores, strict=True)]
        evening.report(heat, *rows)
        evening.wait(MINUTE_MS)
    assert evening.points() == {"p00": 300, "p01": 270}


def test_who_was_not_there_has_nothing_for_the_round() -> None:
    evening = begun("league", 3, rounds=1)
    evening.result(evening.open_heats()[0], ["p01", "p02"], ["p00"])
    assert evening.points() == {"p01": 3, "p02": 2, "p00": 0}


# ---------------------------------------------------------------- cup


@pytest.mark.parametrize(
    ("count", "heat", "advance", "byes", "heats"),
    [
        (2, 2, 1, 0, 1), (3, 2, 1, 1, 1), (5, 2, 1, 3, 1), (6, 2, 1, 2, 2), (8, 2, 1, 0, 4), (33, 2, 1, 31, 1),
        (4, 4, 2, 0, 1), (5, 4, 2, 1, 1), (6, 4, 2, 0, 2), (9, 4, 2, 0, 3), (16, 4, 2, 0, 4), (9, 4, 3, 1, 2),
    ],
)  # fmt: skip
def test_the_shape_of_a_cups_round(count: int, heat: int, advance: int, byes: int, heats: int) -> None:
    assert _shape(count, heat, advance) == (byes, heats)


def test_a_cup_of_eight_is_the_usual_bracket() -> None:
    evening = begun("cup", 8)
    seeds = table.seeding(evening.state)
    first = [{seeds.index(one) + 1 for one in heat.entrants} for heat in evening.state.rounds[0].heats]
    assert first == [{1, 8}, {2, 7}, {3, 6}, {4, 5}]
    for heat in evening.open_heats():
        evening.result(heat, sorted(heat.entrants, key=lambda one: seeds.index(EntrantId(one))))
    evening.wait(MINUTE_MS)
    second = [{seeds.index(one) + 1 for one in heat.entrants} for heat in evening.state.rounds[1].heats]
    assert second == [{1, 4}, {2, 3}]


def test_who_beats_a_better_seed_takes_over_the_place_in_the_bracket() -> None:
    evening = begun("cup", 4)
    seeds = table.seeding(evening.state)
    for heat in evening.open_heats():
        evening.result(heat, sorted(heat.entrants, key=lambda one: seeds.index(EntrantId(one)), reverse=True))
    evening.wait(MINUTE_MS)
    assert evening.open_heats()[0].entrants == (seeds[3], seeds[2])


def test_a_host_can_seed_a_cup() -> None:
    evening = Evening("cup")
    evening.crowd(8)
    evening.host("seed", "p05", 1)
    evening.host("seed", "p02", 2)
    assert table.seeding(evening.state)[:2] == ["p05", "p02"]


def test_with_a_player_out_of_time_it_is_fixed_who_goes_on() -> None:
    """T12: by cards out, then time, in a heat of four of which two go on."""
    evening = begun("cup", 8, heat=4, advance=2)
    one, other = evening.open_heats()
    a, b, c, d = one.entrants
    evening.report(
        one,
        row(a, 1, at_ms=300_000),
        row(b, 2, ended="time_up", out=40, at_ms=599_000),
        row(c, 3, ended="time_up", out=40, at_ms=600_000),
        row(d, 4, ended="resigned", out=12, at_ms=1_000),
    )
    evening.result(other, other.entrants)
    evening.wait(MINUTE_MS)
    assert set(evening.open_heats()[0].entrants) == {a, b, *other.entrants[:2]}


def test_equal_at_the_cut_the_better_place_in_the_bracket_goes_on() -> None:
    evening = begun("cup", 4)
    seeds = table.seeding(evening.state)
    for heat in evening.open_heats():
        evening.report(heat, *[row(one, 1, at_ms=9_000) for one in heat.entrants])
    evening.wait(MINUTE_MS)
    assert evening.open_heats()[0].entrants == (seeds[0], seeds[1])


def test_a_no_show_never_goes_on() -> None:
    evening = begun("cup", 4)
    one, other = evening.open_heats()
    evening.report(one, absent(one.entrants[0], 1), absent(one.entrants[1], 1))
    evening.result(other, other.entrants)
    evening.wait(MINUTE_MS)
    assert evening.state.ended_ms is not None
    assert evening.places()[other.entrants[0]] == 1


def test_who_lost_in_the_same_round_of_a_cup_is_told_apart_by_the_deal_all_had() -> None:
    evening = begun("cup", 4)
    one, other = evening.open_heats()
    evening.report(one, row(one.entrants[0], 1, at_ms=100), row(one.entrants[1], 2, at_ms=900))
    evening.report(other, row(other.entrants[0], 1, at_ms=100), row(other.entrants[1], 2, at_ms=800))
    evening.wait(MINUTE_MS)
    final = evening.open_heats()[0]
    evening.result(final, final.entrants)
    places = evening.places()
    assert [places[final.entrants[0]], places[final.entrants[1]]] == [1, 2]
    assert [places[other.entrants[1]], places[one.entrants[1]]] == [3, 4]


# ---------------------------------------------------------------- swiss


def test_equal_points_meet_and_nobody_twice() -> None:
    evening = begun("swiss", 4, rounds=3)
    for heat in evening.open_heats():
        evening.result(heat, heat.entrants)
    winners = {heat.entrants[0] for heat in evening.state.rounds[0].heats}
    evening.wait(MINUTE_MS)
    assert winners in [set(heat.entrants) for heat in evening.state.rounds[1].heats]
    evening.play()
    met = [frozenset(heat.entrants) for number in evening.state.rounds for heat in number.heats]
    assert len(met) == len(set(met)) == 6


def test_when_everybody_has_met_a_rematch_is_better_than_no_race() -> None:
    evening = begun("swiss", 2, rounds=3)
    evening.play()
    assert len(evening.state.rounds) == 3


def test_a_bye_is_worth_a_win_and_goes_to_who_stands_low() -> None:
    evening = begun("swiss", 3, rounds=2)
    first = evening.state.rounds[0]
    heat = first.heats[0]
    evening.result(heat, heat.entrants)
    assert evening.points()[first.byes[0]] == 2
    evening.wait(MINUTE_MS)
    assert evening.state.rounds[1].byes == (heat.entrants[1],)


def test_in_a_duel_that_neither_came_to_nobody_has_points() -> None:
    evening = begun("swiss", 2, rounds=1)
    one, other = evening.open_heats()[0].entrants
    evening.report(evening.open_heats()[0], absent(one, 1), absent(other, 1))
    assert set(evening.points().values()) == {0}


# ---------------------------------------------------------------- arena


def test_in_an_arena_each_heat_has_a_deal_of_its_own_and_they_overlap() -> None:
    evening = begun("arena", 6)
    evening.wait(4_000)
    assert len(evening.state.open_rounds()) == 3
    assert all(len(number.heats) == 1 for number in evening.state.rounds)


def test_whoever_is_free_races_on_and_not_at_once_against_the_same() -> None:
    evening = begun("arena", 4)
    evening.wait(4_000)
    one, other = evening.open_heats()
    evening.result(one, one.entrants)
    evening.wait(4_000)
    assert len(evening.state.open_rounds()) == 1
    evening.result(other, other.entrants)
    evening.wait(4_000)
    assert all(set(heat.entrants) not in (set(one.entrants), set(other.entrants)) for heat in evening.open_heats())


def test_a_rematch_comes_after_a_while_when_nobody_else_is_free() -> None:
    evening = begun("arena", 2)
    evening.wait(4_000)
    evening.result(evening.open_heats()[0], evening.open_heats()[0].entrants)
    evening.wait(19_999)
    assert evening.open_heats() == []
    evening.wait(1)
    assert len(evening.open_heats()) == 1


def test_after_two_wins_in_a_row_a_win_counts_double_until_one_does_not_win() -> None:
    evening = begun("arena", 2, arena_minutes=600)
    for winner in (0, 0, 0, 1, 0):
        evening.wait(30_000)
        heat = evening.open_heats()[0]
        names = sorted(heat.entrants)
        evening.result(heat, [names[winner], names[1 - winner]])
    assert evening.points() == {"p00": 2 + 2 + 4 + 2, "p01": 2}


def test_a_heat_that_is_raced_when_an_arena_ends_counts_or_not_as_the_lobby_says() -> None:
    """T6."""
    for counts, points in ((True, 2), (False, 0)):
        evening = begun("arena", 2, arena_minutes=1, late_counts=counts)
        evening.wait(4_000)
        heat = evening.open_heats()[0]
        evening.wait(120_000)
        evening.result(heat, heat.entrants)
        assert evening.state.ended_ms is not None
        assert evening.points()[heat.entrants[0]] == points


# ---------------------------------------------------------------- tie-breaks


def test_who_is_equal_on_all_counts_shares_the_place() -> None:
    evening = begun("swiss", 4, rounds=1)
    for heat in evening.open_heats():
        evening.result(heat, heat.entrants)
    assert sorted(evening.places().values()) == [1, 1, 3, 3]


def test_direct_encounter_decides_only_among_people_who_have_all_met() -> None:
    evening = begun("swiss", 4, rounds=3)
    evening.play()
    record, points = table.record(evening.state), table.points(evening.state)
    group = frozenset(evening.state.entrants)
    values = TIEBREAKS["direct"].values(record, points, group)
    assert sum(values.values()) == 2 * 6
    stranger = frozenset({*group, EntrantId("nobody")})
    assert set(TIEBREAKS["direct"].values(record, points, stranger).values()) == {0}


def test_buchholz_is_the_sum_of_the_opponents_points() -> None:
    evening = begun("swiss", 4, rounds=2)
    evening.play()
    points = table.points(evening.state)
    for entrant in evening.state.entrants:
        rivals = [
            other
            for number in evening.state.rounds
            for heat in number.heats
            if entrant in heat.entrants
            for other in heat.entrants
            if other != entrant
        ]
        values = TIEBREAKS["buchholz"].values(table.record(evening.state), points, frozenset({entrant}))
        assert values == {entrant: sum(points[one] for one in rivals)}
