"""What people are shown of a tournament."""

from __future__ import annotations

from server.core.ids import EntrantId, RoomId
from server.core.tournament import export, inputs, projection, table
from server.wire import messages as wire
from tests.server.core.tournament.driver import START_MS, Evening


def seen(evening: Evening, name: str, there: bool = True) -> wire.TournamentYou:
    """How a person stands to it."""
    lines = {line.entrant: line for line in table.standings(evening.state)}
    entrant = EntrantId(name)

    def is_there(_: RoomId) -> bool:
        return there

    return projection.you(evening.state, entrant, lines.get(entrant), is_there)


def info(evening: Evening) -> wire.TournamentInfo:
    """The tournament as a whole."""
    return projection.info(evening.state, evening.now_ms)


def test_who_takes_no_part_is_told_so() -> None:
    assert seen(Evening(), "eve").status == ""


def test_the_waiting_list_is_counted_from_one() -> None:
    evening = Evening(places=2)
    evening.enter("a", "b", "c", "d")
    assert [seen(evening, name).queue for name in "abcd"] == [0, 0, 1, 2]
    assert (info(evening).entrants, info(evening).waiting) == (2, 2)


def test_the_room_of_ones_heat_is_named_once_it_is_there_and_until_it_has_a_result() -> None:
    evening = Evening("swiss")
    evening.crowd(3)
    evening.start()
    heat = evening.open_heats()[0]
    name, resting = heat.entrants[0], evening.state.rounds[0].byes[0]
    assert seen(evening, name, there=False).room == ""
    assert seen(evening, name).room == heat.code
    assert seen(evening, resting).bye
    assert seen(evening, resting).room == ""
    evening.result(heat, heat.entrants)
    assert seen(evening, name).room == ""
    assert (seen(evening, name).place > 0, seen(evening, name).points) == (True, 2)


def test_phases_as_a_host_sees_them() -> None:
    evening = Evening(check_in_s=300, start_ms=START_MS + 600_000, rounds=2)
    evening.crowd(2)
    assert info(evening).phase == "entry"
    evening.wait(300_000)
    assert (info(evening).phase, info(evening).check_in_ms) == ("check_in", evening.now_ms)
    for name in ("p00", "p01"):
        evening.ask(inputs.CheckIn(EntrantId(name)))
    assert info(evening).next_ms == evening.now_ms + 300_000
    evening.wait(300_000)
    assert (info(evening).phase, info(evening).round, info(evening).heats) == ("round", 1, 1)
    evening.result(evening.open_heats()[0], ["p00", "p01"])
    assert (info(evening).phase, info(evening).next_ms) == ("break", evening.now_ms + 60_000)
    evening.host("pause")
    assert (info(evening).phase, info(evening).next_ms) == ("paused", 0)


def test_an_arena_shows_when_no_more_heats_are_drawn() -> None:
    evening = Evening("arena", arena_minutes=30)
    evening.crowd(2)
    evening.start()
    assert info(evening).deadline_ms == evening.now_ms + 30 * 60_000
    assert info(evening).rounds == 0


def test_nobody_has_a_place_before_anything_has_counted() -> None:
    evening = Evening(rounds=2)
    names = evening.crowd(3)
    for _ in ("at the entry", "in the first round"):
        rows = projection.rows(evening.state, table.standings(evening.state))
        assert [(row.place, row.values) for row in rows] == [(0, [])] * 3
        assert [seen(evening, name).place for name in names] == [0, 0, 0]
        assert [line.split(",")[0] for line in export.standings_csv(evening.state).splitlines()[1:]] == [""] * 3
        if not evening.state.rounds:
            evening.start()
    evening.result(evening.open_heats()[0], names)
    assert [row.place for row in projection.rows(evening.state, table.standings(evening.state))] == [1, 2, 3]
    assert [seen(evening, name).place for name in names] == [1, 2, 3]


def test_a_page_of_standings_has_oneself_in_the_middle_if_asked() -> None:
    evening = Evening(rounds=1)
    names = evening.crowd(70)
    evening.start()
    evening.result(evening.open_heats()[0], names)
    lines = table.standings(evening.state)
    page = projection.page(evening.state, lines, 7, -1, EntrantId("p40"))
    assert (page.n, page.start, page.total, len(page.rows)) == (7, 30, 70, 20)
    assert projection.page(evening.state, lines, 7, -1, EntrantId("p69")).start == 50
    assert projection.page(evening.state, lines, 7, 60, EntrantId("p00")).rows[0].entrant == "p60"
    assert page.rows[0].played == 1
