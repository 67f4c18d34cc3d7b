"""What an operator is shown: superhuman play and seats of one address; nothing follows from it (S19, S20)."""

from __future__ import annotations

from dataclasses import replace

from engine.moves import DRAW, pack_entry
from server.core.ids import HeatId
from server.core.integrity import SAME_ADDRESS, Flag
from server.services.flagging import Flagger
from server.services.replays import Replays
from server.store import keys
from server.store.connect import Store
from server.store.ids import new_id
from tests.server.services.ended import ANN, DAY, GAME, attempt, projector
from tests.server.services.kit import Servers
from tests.server.services.won import won


async def test_people_who_raced_from_one_address_are_flagged(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = (await server.race(ann, bob))["heat"]
    await server.result(ann, bob)
    found = await Replays(server.store).heat(heat)
    assert found is not None
    for _ in range(2):
        await Flagger(server.store)(found)
    flags = await server.store.flags.latest(10)
    assert {(flag.kind, flag.player, flag.others, flag.game) for flag in flags} == {
        (SAME_ADDRESS, ann.player, (bob.player,), heat), (SAME_ADDRESS, bob.player, (ann.player,), heat),
    }  # fmt: skip
    assert len(flags) == 2
    await Flagger(server.store)(replace(found, heat=HeatId(new_id()), open=True))
    assert len(await server.store.flags.latest(10)) == 2, "an open deal counts for nothing"


async def test_a_board_played_faster_than_a_hand_can_is_flagged(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = (await server.race(ann, bob))["heat"]
    await server.result(ann, bob)
    found = await Replays(server.store).heat(heat)
    assert found is not None
    log = keys.board_log(found.room, heat, 0)
    await server.store.client.execute_command("DEL", log)
    entries = [pack_entry(DRAW, 40 * at + at % 7) for at in range(50)]
    await server.store.client.execute_command("RPUSH", log, *entries)
    lengths = (50, *found.lengths[1:])
    await Flagger(server.store)(replace(found, lengths=lengths))
    kinds = [flag.kind for flag in await server.store.flags.latest(10, player=found.seats[0].player)]
    assert {"quick", "rapid"} < set(kinds)


async def test_flags_come_by_themselves_with_what_else_follows_from_a_heat(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob, public=True)
    await server.result(ann, bob)
    await server.pass_time(2_000)
    await ann.latest("RatingChanged")
    assert {flag.player for flag in await server.store.flags.latest(10)} == {ann.player, bob.player}


async def test_a_daily_attempt_played_faster_than_a_hand_can_is_flagged_once(store: Store) -> None:
    begun = await attempt(store, ANN, won().entries(50))
    await projector(store).sweep()
    await store.unprojected.put(keys.attempt_member(DAY, GAME, ANN), 1)
    await projector(store).sweep()
    flags = await store.flags.latest(10)
    assert {(flag.player, flag.game, flag.at_ms) for flag in flags} == {
        (ANN, begun.id, begun.gun_ms + won().takes_ms(50))
    }
    assert {flag.kind for flag in flags} >= {"quick", "rapid"}
    assert len(flags) == len({flag.kind for flag in flags})


async def test_a_daily_attempt_at_human_speed_is_not_flagged(store: Store) -> None:
    await attempt(store, ANN, won().entries(700))
    await projector(store).sweep()
    assert await store.flags.latest(10) == []


async def test_addresses_are_kept_as_digests_that_mean_nothing_elsewhere(store: Store) -> None:
    one, other = new_id(), new_id()
    for room in (one, other):
        await store.rooms.note_address(room, "ann", "192.0.2.7")
    await store.rooms.note_address(one, "bob", "192.0.2.7")
    await store.rooms.note_address(one, "cat", "192.0.2.8")
    await store.rooms.note_address(one, "dan", "")
    here, there = await store.rooms.addresses(one), await store.rooms.addresses(other)
    assert here["ann"] == here["bob"] != here["cat"]
    assert here["dan"] == ""
    assert here["ann"] != there["ann"]
    assert "192" not in str(here)


async def test_only_the_newest_flags_stay(store: Store) -> None:
    await store.flags.add([])
    await store.flags.add([Flag(at_ms, "quick", f"P{at_ms}", "G") for at_ms in range(12)])
    assert [flag.at_ms for flag in await store.flags.latest(3)] == [11, 10, 9]
    assert [flag.at_ms for flag in await store.flags.latest(3, player="P4")] == [4]
