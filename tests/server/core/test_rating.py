"""Ratings: who is rated, what a heat changes, and that the log alone gives all of it again (product P9)."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from server.core import rating
from server.core.closed_heat import ClosedHeat
from server.core.events import SeatTaken
from server.core.ids import HeatId, PlayerId, RoomId
from server.core.rating import Change, Racer, RatedHeat, Rating
from server.wire.messages import ResultRow, RoomOptions


def taken(seat: int, player: str) -> SeatTaken:
    return SeatTaken(seat, PlayerId(player), player, 0 if player else 2, 0)


def heat(*players: str, series: str = "", is_open: bool = False, **options: object) -> ClosedHeat:
    """A heat whose seats came in, in their order, at the places 1, 2, 3, …"""
    chosen = RoomOptions(**{"public": True, **options})  # type: ignore[arg-type]  # of the tests' own making
    rows = tuple(ResultRow(at, at + 1, "won", 104, 500, 90, 1000, "time", 0) for at in range(len(players)))
    return ClosedHeat(
        RoomId("R1"), HeatId("H1"), "DS1-D1N", chosen, series, is_open, 0, 1, 2,
        tuple(taken(at, player) for at, player in enumerate(players)), (), rows, "", "",
    )  # fmt: skip


def play(now: dict[str, Rating], *players: str, at: int = 0) -> RatedHeat:
    """A heat in which the players came in in this order."""
    changed = rating.changes([Racer(n, player, n + 1) for n, player in enumerate(players)], now)
    now.update({one.player: one.after for one in changed})
    return RatedHeat(f"H{at}", "R", at, changed)


# ---------------------------------------------------------------- which heats count


def test_two_people_in_a_public_room_with_a_secret_deal_are_rated() -> None:
    assert rating.racers(heat("ann", "bob")) == [Racer(0, "ann", 1), Racer(1, "bob", 2)]


def test_a_quick_match_is_rated_too() -> None:
    assert len(rating.racers(heat("ann", "bob", public=False, match=True))) == 2


def test_a_private_room_an_open_deal_and_a_tournament_are_not_rated() -> None:
    assert rating.racers(heat("ann", "bob", public=False)) == []
    assert rating.racers(heat("ann", "bob", is_open=True)) == []
    assert rating.racers(heat("ann", "bob", series="T1")) == []


def test_bots_are_not_rated_and_one_person_against_bots_is_not_either() -> None:
    assert rating.racers(heat("", "ann", "", "bob")) == [Racer(1, "ann", 2), Racer(3, "bob", 4)]
    assert rating.racers(heat("ann", "", "")) == []


# ---------------------------------------------------------------- what a heat changes


def test_who_wins_rises_who_loses_falls_and_both_are_surer() -> None:
    ann, bob = rating.changes([Racer(0, "ann", 1), Racer(1, "bob", 2)], {})
    assert ann.before == bob.before == Rating(1_500_000, 500_000, 0)
    assert ann.after.mu > 1_500_000 > bob.after.mu
    assert ann.after.sigma < 500_000
    assert bob.after.sigma < 500_000
    assert ann.after.games == bob.after.games == 1


def test_a_win_over_somebody_stronger_counts_for_more() -> None:
    strong, equal = Rating(1_900_000, 200_000, 20), Rating(1_500_000, 200_000, 20)
    over = [
        rating.changes([Racer(0, "ann", 1), Racer(1, "bob", 2)], {"ann": equal, "bob": other})[0].after.mu
        for other in (strong, equal)
    ]
    assert over[0] > over[1] > equal.mu


def test_equal_places_of_equals_change_nothing_but_how_sure_it_is() -> None:
    ann, bob = rating.changes([Racer(0, "ann", 1), Racer(1, "bob", 1)], {})
    assert ann.after == bob.after
    assert ann.after.mu == 1_500_000


def test_a_rating_is_shown_in_whole_points_and_is_provisional_for_ten_heats() -> None:
    shown = Rating(1_512_499, 120_500, 9)
    assert (shown.points, shown.deviation, shown.provisional) == (1512, 120, True)
    assert not Rating(1_512_499, 120_500, 10).provisional


def test_who_is_better_is_known_to_be_so_in_the_end() -> None:
    now: dict[str, Rating] = {}
    for at in range(40):
        play(now, "ann", "bob", "cat", at=at) if at % 5 else play(now, "cat", "bob", "ann", at=at)
    assert now["ann"].points > now["bob"].points > now["cat"].points
    assert now["ann"].deviation < 300


# ---------------------------------------------------------------- the log


@given(
    st.lists(st.lists(st.sampled_from(["ann", "bob", "cat", "dan"]), min_size=2, max_size=4, unique=True), max_size=25),
)
def test_the_log_gives_all_ratings_again(heats: list[list[str]]) -> None:
    now: dict[str, Rating] = {}
    log = [play(now, *players, at=at) for at, players in enumerate(heats)]
    read = [msgspec.msgpack.decode(msgspec.msgpack.encode(entry), type=RatedHeat) for entry in log]
    fold, faults = rating.folded(read)
    assert faults == []
    assert fold.now == now
    assert fold.heats == {entry.heat: at for at, entry in enumerate(log)}
    assert {player: len(curve) for player, curve in fold.curves.items()} == {
        player: kept.games for player, kept in now.items()
    }


def altered(entry: RatedHeat, **fields: object) -> RatedHeat:
    first, *others = entry.changes
    return msgspec.structs.replace(entry, changes=(msgspec.structs.replace(first, **fields), *others))


def test_a_number_altered_by_hand_is_found() -> None:
    now: dict[str, Rating] = {}
    log = [play(now, "ann", "bob", at=0), play(now, "bob", "ann", at=1)]
    better = Rating(2_000_000, 100_000, 1)
    fold, faults = rating.folded([altered(log[0], after=better), log[1]])
    assert len(faults) == 1
    assert "heat H0, player ann" in faults[0]
    assert (fold.entries, fold.now) == (log, now)


def test_a_place_altered_by_hand_is_found() -> None:
    now: dict[str, Rating] = {}
    entry = play(now, "ann", "bob", at=0)
    _, faults = rating.folded([altered(entry, place=3)])
    assert len(faults) == 2


def test_a_heat_that_is_there_twice_is_found() -> None:
    now: dict[str, Rating] = {}
    first = play(now, "ann", "bob", at=0)
    again = msgspec.structs.replace(play(now, "ann", "bob", at=1), heat="H0")
    _, faults = rating.folded([first, again])
    assert faults == ["heat H0 is rated twice"]


def test_the_places_of_the_heat_itself_come_before_those_of_the_log() -> None:
    now: dict[str, Rating] = {}
    entry = play(now, "ann", "bob", at=0)
    fold = rating.Fold()
    assert fold.add(entry, [Racer(0, "ann", 2), Racer(1, "bob", 1)]) == ["heat H0: it gives other places"]
    assert fold.now["bob"].mu > fold.now["ann"].mu
    assert rating.Fold().add(entry, [Racer(0, "ann", 1), Racer(1, "bob", 2)]) == []


def test_a_heat_that_was_not_to_be_rated_is_left_out() -> None:
    fold = rating.Fold()
    assert fold.add(play({}, "ann", "bob", at=0), []) == ["heat H0 is not to be rated"]
    assert fold.now == {}


def test_the_last_digit_may_differ_between_machines() -> None:
    now: dict[str, Rating] = {}
    entry = play(now, "ann", "bob", at=0)
    one = entry.changes[0]
    near = Rating(one.after.mu + 1, one.after.sigma - 1, one.after.games)
    _, faults = rating.folded([altered(entry, after=near)])
    assert faults == []
    assert isinstance(one, Change)
