"""Whole tournaments by lot: 2 to 64 people who come late, go, stay away, and hosts who change things."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.core.formats import FORMATS
from server.core.ids import EntrantId
from server.core.tournament import events as log
from server.core.tournament import inputs, machine, table
from server.core.tournament.state import TournamentState
from tests.server.core.tournament.driver import Evening

counts = st.integers(2, 64)
seeds = st.integers(0, 2**32)
formats = st.sampled_from(sorted(FORMATS))


def held(format: str, count: int, seed: int, **changed: Any) -> Evening:
    """A tournament that has begun."""
    settings = {"late_round": 0 if format == "cup" else 3, "rounds": 4, "arena_minutes": 12}
    evening = Evening(format, seed=seed, **(settings | changed))
    evening.crowd(count)
    evening.start()
    return evening


def trouble(evening: Evening, host: bool) -> None:
    """Something that people or hosts do, by lot."""
    lot, state = evening.lot, evening.state
    name = lot.choice(sorted(state.entrants))
    what = lot.randint(0, 13 if host else 4)
    if what == 0:
        late = EntrantId(f"late{len(state.entrants)}")
        evening.ask(inputs.Enter(late, late, "0000"))
    elif what == 1:
        evening.ask(inputs.Withdraw(EntrantId(name)))
    elif what in (2, 3):
        evening.ask(inputs.Enter(EntrantId(name), name, "0000"))
    elif what == 5:
        evening.host("pause")
        evening.host("resume")
    elif what == 6:
        evening.host("extend", value=lot.randint(-300, 300))
    elif what == 7:
        evening.host("drop", name)
    elif what == 8:
        evening.host("restore", name)
    elif what == 9:
        evening.host("absent", name)
    elif what == 10:
        evening.host("undo")
    elif what == 11:
        evening.host("close_round")
    elif what == 12:
        evening.host("next")
    evening.settle()


@settings(max_examples=50, deadline=None)
@given(formats, counts, seeds, st.booleans())
def test_it_ends_whatever_people_and_hosts_do(format: str, count: int, seed: int, host: bool) -> None:
    evening = held(format, count, seed)
    steps = 60

    def meanwhile() -> None:
        nonlocal steps
        steps -= 1
        if steps > 0:
            trouble(evening, host)

    evening.play(meanwhile, missing=0.1)
    assert machine.fold(evening.log) == evening.state
    sound(evening.state)


def sound(state: TournamentState) -> None:
    """What holds for every tournament."""
    for number in state.rounds:
        drawn = [entrant for heat in number.heats for entrant in heat.entrants] + list(number.byes)
        assert len(drawn) == len(set(drawn)), "nobody meets himself, or races twice in a round"
        assert all(len(heat.entrants) >= 2 for heat in number.heats)
        assert number.reported
        assert not number.open
    lines = table.standings(state)
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    for at, line in enumerate(lines, 1):
        assert line.place == at or (line.decided_by == "tie" and line.place == lines[at - 2].place)


@settings(max_examples=25, deadline=None)
@given(counts, seeds)
def test_nobody_meets_the_same_twice_in_a_swiss_while_it_can_be_avoided(count: int, seed: int) -> None:
    evening = held("swiss", count, seed, rounds=min(6, count - 1))
    evening.play()
    # n people have n − 1 rounds without a rematch only if the early ones are well chosen: half is always safe.
    early = [heat for number in evening.state.rounds[: (count + 1) // 2] for heat in number.heats]
    assert len({frozenset(heat.entrants) for heat in early}) == len(early)
    assert all(len(number.heats) == count // 2 for number in evening.state.rounds)


@settings(max_examples=25, deadline=None)
@given(counts, seeds)
def test_nobody_has_a_second_bye_in_a_swiss_before_everybody_has_had_one(count: int, seed: int) -> None:
    evening = held("swiss", count, seed, rounds=7)
    evening.play()
    byes = table.record(evening.state).byes()
    assert sum(byes.values()) == (count % 2) * 7
    assert max(byes.values(), default=0) <= -(-7 // count)


@settings(max_examples=25, deadline=None)
@given(counts, seeds, st.integers(2, 8), st.data())
def test_a_cup_gives_byes_to_the_best_seeds_and_to_nobody_more_than_to_those_who_race(
    count: int, seed: int, heat: int, data: st.DataObject
) -> None:
    advance = data.draw(st.integers(1, heat - 1))
    evening = held("cup", count, seed, heat=heat, advance=advance)
    order = {entrant: at for at, entrant in enumerate(table.seeding(evening.state))}
    evening.play()
    first, *later = evening.state.rounds
    rested = max((order[one] for one in first.byes), default=-1)
    assert all(order[one] > rested for one in first.entrants())
    had: dict[str, int] = {}
    for number in evening.state.rounds:
        most = max((had.get(one, 0) for one in number.byes), default=0)
        assert all(had.get(one, 0) >= most for one in number.entrants())
        had |= {one: had.get(one, 0) + 1 for one in number.byes}
    if heat == 2:
        assert all(not number.byes for number in later), "later rounds are full"
    assert len(evening.state.rounds[-1].heats) == 1
    assert min(evening.places().values()) == 1


@settings(max_examples=25, deadline=None)
@given(formats, counts, seeds)
def test_standings_do_not_depend_on_the_order_of_anything(format: str, count: int, seed: int) -> None:
    evening = held(format, min(count, 24), seed)
    evening.play(missing=0.05)
    turned = copy.deepcopy(evening.state)
    entrants = list(turned.entrants.items())
    evening.lot.shuffle(entrants)
    turned.entrants = dict(entrants)
    for number in turned.rounds:
        evening.lot.shuffle(number.heats)
        for heat in number.heats:
            rows = list(heat.rows or ())
            evening.lot.shuffle(rows)
            heat.rows = tuple(rows)
    assert table.standings(turned) == table.standings(evening.state)


@settings(max_examples=25, deadline=None)
@given(formats, st.integers(3, 20), seeds)
def test_a_draw_does_not_depend_on_the_order_in_which_people_came(format: str, count: int, seed: int) -> None:
    draws = []
    for backwards in (False, True):
        evening = Evening(format, seed=seed)
        names = [f"p{at:02}" for at in range(count)]
        evening.enter(*(reversed(names) if backwards else names))
        assert evening.host("start") == ""
        evening.add(machine.decide_due(evening.state, evening.now_ms))
        draws.append(evening.state.format.draw(table.field(evening.state, evening.now_ms + 30_000)))
    assert draws[0] == draws[1]


EDITS = (
    "pause", "resume", "extend", "drop", "restore", "absent", "points", "rounds", "late", "next", "end", "seed",
    "start", "start_at",
)  # fmt: skip


def essence(state: TournamentState) -> TournamentState:
    """The state without the account of edits."""
    bare = copy.deepcopy(state)
    bare.edits.clear()
    bare.undone.clear()
    bare.version = bare.at_ms = 0
    return bare


@settings(max_examples=25, deadline=None)
@given(formats, st.integers(4, 16), seeds, st.booleans())
def test_every_edit_of_a_host_can_be_taken_back_and_nothing_of_it_stays(
    format: str, count: int, seed: int, begun: bool
) -> None:
    """T11: a hundred edits and their inverses, and everything is as before."""
    evening = held(format, count, seed) if begun else Evening(format, seed=seed)
    if begun:
        evening.wait(5_000)
        evening.by_lot(evening.open_heats()[0])
    else:
        evening.crowd(count)
    begun_with = len(evening.state.edits)
    before, standings = essence(evening.state), table.standings(evening.state)
    names = sorted(evening.state.entrants)
    for _ in range(100):
        action = evening.lot.choice(EDITS)
        value = evening.lot.choice((-120, -1, 0, 1, 2, 3, 60, evening.now_ms + 60_000))
        evening.host(action, evening.lot.choice(names) if action not in ("extend",) else "", value)
    for _ in evening.state.edits[begun_with:]:
        assert evening.host("undo") == ""
    assert essence(evening.state) == before
    assert table.standings(evening.state) == standings


@settings(max_examples=20, deadline=None)
@given(formats, st.integers(2, 20), seeds)
def test_a_restart_at_any_moment_changes_nothing(format: str, count: int, seed: int) -> None:
    """T7: points, streaks, byes and attempts follow from the log, wherever it is cut."""
    evening = held(format, count, seed)
    evening.play(missing=0.1)
    whole = evening.log
    for cut in range(1, len(whole) + 1, max(1, len(whole) // 7)):
        again = machine.fold(log.decode_log([log.encode(event) for event in whole[:cut]]))
        for event in whole[cut:]:
            machine.apply(again, event)
        assert table.standings(again) == table.standings(evening.state)
        assert again == evening.state


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_five_hundred_people_are_drawn_in_good_time(format: str) -> None:
    evening = Evening(format, rounds=2, heat=2)
    evening.enter(*(f"p{at:03}" for at in range(501)))
    assert evening.host("start") == ""
    evening.add(machine.decide_due(evening.state, evening.now_ms))
    draw = evening.state.format.draw(table.field(evening.state, evening.now_ms + 30_000))
    assert len(draw.heats) in (1, 244, 250), format
