"""What has ended reaches leaderboards and histories once, and only what may (architecture A5, findings L4, L12)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.moves import RESIGN, pack_entry
from server.core import boards, daily
from server.core.boards import Period, Tab
from server.core.closed_heat import ClosedHeat
from server.core.ids import PlayerId
from server.services.attempts import Entry
from server.store import keys
from server.store.connect import Store
from server.store.ids import new_id
from server.wire.messages import RoomOptions
from tests.server.services.daily_kit import comes_true
from tests.server.services.ended import ANN, BOB, DAY, GAME, NOON_MS, RACES, attempt, projector, race
from tests.server.services.kit import Servers
from tests.server.services.won import won

# ---------------------------------------------------------------- attempts


async def row(store: Store, board: str, player: str) -> boards.Row | None:
    found = await store.boards.row(board, player)
    return None if found is None else found.row


async def test_a_won_attempt_stands_everywhere(store: Store) -> None:
    begun = await attempt(store, ANN, won().entries(1_000))
    assert await projector(store).sweep() == 1
    took = won().takes_ms(1_000)
    stands = boards.Row(won().score, took, 1, 104, won().counted, 1, begun.id)
    for tab in Tab:
        assert await row(store, boards.name(Period.DAY, DAY, GAME, tab), ANN) == stands
    for period in boards.SUMS:
        by_score = await row(store, boards.name(period, DAY, GAME, Tab.SCORE), ANN)
        by_time = await row(store, boards.name(period, DAY, GAME, Tab.TIME), ANN)
        assert by_score == boards.Row(won().score, 0, 1, 0, 0, 1)
        assert by_time == boards.Row(won().score, took, 1, 0, 0, 1)
    (played,) = await store.history.latest(ANN, 9)
    assert (played.kind, played.game, played.date, played.ended) == ("daily", begun.id, DAY, "won")
    assert await store.unprojected.waiting(keys.attempt_member(DAY, GAME, ANN)) is None
    assert await projector(store).sweep() == 0


async def test_an_attempt_that_is_played_is_looked_at_again(store: Store) -> None:
    begun = await attempt(store, ANN, won().entries(1_000)[:40])
    assert await projector(store).sweep() == 1
    assert await store.boards.players(boards.name(Period.DAY, DAY, GAME, Tab.SCORE)) == 0
    assert await store.unprojected.waiting(keys.attempt_member(DAY, GAME, ANN)) == NOON_MS + 10_000
    assert await store.logs.board_state(begun.log) == (1, False)


async def test_when_the_day_is_final_what_was_reached_counts(store: Store) -> None:
    begun = await attempt(store, ANN, won().entries(1_000)[:40])
    over_ms = Entry(DAY, GAME, ANN).over_ms
    await projector(store, over_ms - 1).sweep()
    assert await store.boards.players(boards.name(Period.DAY, DAY, GAME, Tab.SCORE)) == 0
    await store.unprojected.put(keys.attempt_member(DAY, GAME, ANN), 1)
    await projector(store, over_ms).sweep()
    stands = await row(store, boards.name(Period.DAY, DAY, GAME, Tab.SCORE), ANN)
    assert stands is not None
    assert (stands.won, stands.moves, stands.score > 0, stands.time_ms <= 40_000) == (0, 40, True, True)
    assert await row(store, boards.name(Period.DAY, DAY, GAME, Tab.TIME), ANN) is None
    assert await store.logs.board_state(begun.log) == (1, True)


async def test_projecting_again_adds_nothing(store: Store) -> None:
    await attempt(store, ANN, [pack_entry(RESIGN, 5_000)])
    for _ in range(3):
        await store.unprojected.put(keys.attempt_member(DAY, GAME, ANN), 1)
        assert await projector(store).sweep() == 1
    totals = await store.history.totals(ANN)
    assert totals.rulesets[GAME].results == 1
    stands = await row(store, boards.name(Period.WEEK, DAY, GAME, Tab.SCORE), ANN)
    assert stands is not None
    assert stands.days == 1


async def test_sums_grow_with_the_days(store: Store) -> None:
    monday = daily.week_days(DAY)[0]
    for at in range(7):
        day = daily.nth(daily.number(monday) + at)
        entries = won().entries(1_000) if at % 2 else [pack_entry(RESIGN, 9_000)]
        await attempt(store, ANN, entries, day, daily.start_ms(day))
    assert await projector(store, NOON_MS + 7 * daily.DAY_MS).sweep() == 7
    by_score = await row(store, boards.name(Period.WEEK, DAY, GAME, Tab.SCORE), ANN)
    by_time = await row(store, boards.name(Period.WEEK, DAY, GAME, Tab.TIME), ANN)
    assert by_score == boards.Row(3 * won().score, 0, 3, 0, 0, 7)
    assert by_time == boards.Row(3 * won().score, 3 * won().takes_ms(1_000), 3, 0, 0, 3)


class Died(BaseException):
    """The process is gone."""


class Mortal:
    """A process that dies at its write number `step`."""

    def __init__(self, step: int) -> None:
        self._left = step

    def dying(self, call: Any) -> Any:
        async def each(*args: object, **kwargs: object) -> object:
            if not self._left:
                raise Died
            self._left -= 1
            return await call(*args, **kwargs)

        return each

    async def sweeps(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> bool:
        """Whether it died."""
        writes = [
            (store.boards, "put"),
            (store.history, "add"),
            (store.history, "add_day"),
            (store.unprojected, "done"),
        ]
        with monkeypatch.context() as patch:
            for part, name in writes:
                patch.setattr(part, name, self.dying(getattr(part, name)))
            try:
                await projector(store).sweep()
            except Died:
                return True
        return False


async def test_a_crash_after_any_step_loses_and_doubles_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process dies at each write in turn; the next one goes on, and all is as if nothing had happened."""
    died, step = True, 0
    while died:
        player = PlayerId(new_id())
        await attempt(store, player, won().entries(1_000))
        died = await Mortal(step).sweeps(store, monkeypatch)
        await projector(store, NOON_MS + 20_000).sweep()
        for period in (Period.DAY, *boards.SUMS):
            for tab in Tab:
                stands = await row(store, boards.name(period, DAY, GAME, tab), player)
                assert stands is not None, step
                assert stands.days == 1
        assert (await store.history.totals(player)).rulesets[GAME].results == 1
        assert await store.unprojected.waiting(keys.attempt_member(DAY, GAME, player)) is None
        step += 1
    assert step == 2 + 8 + 1 + 1, "history, eight boards, the note, and once without dying"


async def test_a_fault_in_one_log_stops_no_other(store: Store) -> None:
    await attempt(store, ANN, [b"\xff" * 8])
    await attempt(store, BOB, [pack_entry(RESIGN, 1)])
    assert await projector(store).sweep() == 2
    board = boards.name(Period.DAY, DAY, GAME, Tab.SCORE)
    assert [row.player for row in (await store.boards.page(board, 0, 9)).rows] == [BOB]
    assert await store.unprojected.waiting(keys.attempt_member(DAY, GAME, ANN)) == NOON_MS + 300_000


async def test_a_note_without_an_attempt_goes(store: Store) -> None:
    await store.unprojected.put(keys.attempt_member(DAY, GAME, ANN), 1)
    await projector(store).sweep()
    assert await store.unprojected.waiting(keys.attempt_member(DAY, GAME, ANN)) is None


async def test_a_program_at_50_ms_a_move_is_marked_on_the_board(store: Store) -> None:
    await attempt(store, ANN, won().entries(50))
    await projector(store).sweep()
    stands = await row(store, boards.name(Period.DAY, DAY, GAME, Tab.TIME), ANN)
    assert stands is not None
    assert "quick" in stands.flags


# ---------------------------------------------------------------- heats of rooms


async def test_the_best_time_of_a_person_in_races_stands_and_bots_do_not(store: Store) -> None:
    first, faster, slower = race(), race(), race()
    for each, pace_ms in ((first, 400), (faster, 350), (slower, 500)):
        await each.played(store, pace_ms)
        await projector(store).sweep()
        assert await store.unprojected.waiting(each.member) is None
    page = await store.boards.page(RACES, 0, 9)
    assert [(each.player, each.row.time_ms, each.row.game) for each in page.rows] == [
        (ANN, won().takes_ms(350), faster.heat)
    ]
    assert page.rows[0].row.where == f"{faster.room}:0:all"
    assert [played.place for played in await store.history.latest(ANN, 9)] == [2, 2, 2]
    totals = await store.history.totals(ANN)
    assert (totals.races, totals.firsts, totals.rulesets[GAME].won) == (3, 0, 3)


async def test_a_row_keeps_its_log_and_deal_for_ever(store: Store) -> None:
    kept, other = race(), race()
    await kept.played(store, 400)
    await other.played(store, 500)
    await projector(store).sweep()
    await projector(store).sweep()
    lives = {
        each.heat: [
            await store.client.execute_command("TTL", key)
            for key in (keys.board_log(each.room, each.heat, 0), keys.deal(each.room, each.heat))
        ]
        for each in (kept, other)
    }
    assert lives[kept.heat] == [-1, -1]
    assert all(0 < seconds <= 600 for seconds in lives[other.heat]) or lives[other.heat] == [-1, -1]
    assert await store.client.execute_command("TTL", keys.board_log(kept.room, kept.heat, 1)) == -1, "replays are whole"


async def test_a_race_on_a_known_deal_is_in_the_history_and_on_no_board(store: Store) -> None:
    known = race(options=RoomOptions(code=won().code))
    await known.played(store)
    await projector(store).sweep()
    assert await store.boards.players(RACES) == 0
    totals = await store.history.totals(ANN)
    assert (totals.races, totals.rulesets[GAME].best_time) == (1, None)


async def test_a_heat_that_is_not_judged_yet_waits(store: Store) -> None:
    early = race(judged=False)
    await early.played(store)
    await projector(store).sweep()
    assert await store.unprojected.waiting(early.member) == NOON_MS + 10_000
    assert await store.history.latest(ANN, 9) == []


async def test_a_heat_of_a_room_that_is_gone_goes(store: Store) -> None:
    gone = race()
    await store.unprojected.put(gone.member, 1)
    await projector(store).sweep()
    assert await store.unprojected.waiting(gone.member) is None


async def test_further_effects_see_every_judged_heat_until_all_have_succeeded(store: Store) -> None:
    seen: list[str] = []

    async def fails(heat: ClosedHeat) -> None:
        seen.append(heat.heat)
        if len(seen) == 1:
            raise LookupError("not yet")

    one = race()
    await one.played(store)
    await projector(store, effects=[fails]).sweep()
    assert await store.unprojected.waiting(one.member) == NOON_MS + 300_000
    await projector(store, NOON_MS + 300_000, effects=[fails]).sweep()
    assert seen == [one.heat, one.heat]
    assert await store.unprojected.waiting(one.member) is None
    assert (await store.history.totals(ANN)).races == 1


async def test_after_a_real_race_everybody_has_a_history(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = await server.race(ann, bob)
    await ann.think(3)
    await server.result(ann, bob)
    room = await server.room_id(ann.room)
    await server.pass_time(11_000)
    await comes_true(lambda: server.store.unprojected.waiting(keys.heat_member(room, heat["heat"])), None)
    for person in (ann, bob):
        (played,) = await server.store.history.latest(person.player, 9)
        assert (played.kind, played.game, played.racers, played.ended) == ("race", heat["heat"], 2, "resigned")
    totals = await server.store.history.totals(ann.player)
    assert (totals.races, totals.firsts) == (1, 1)
