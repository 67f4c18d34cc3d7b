"""What time alone does: nothing is endless, and nobody has to be there for it (rulings 1, 2, 18, 21)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.moves import unpack_entry
from server.core import events as log
from server.core import room
from server.core.credits import raced
from server.core.heat import COUNTDOWN_MS
from server.store import keys
from server.store.errors import StoreAway, StoreBusy
from server.store.logs import Outage
from tests.server.services.kit import Servers, eventually, push, settled
from tests.wire_client import DRAW, RESIGN

MINUTE_MS = 60_000


async def events(servers: Servers, code: str) -> list[log.RoomEvent]:
    """The room's log."""
    return log.decode_log(await servers.store.logs.load(keys.room_log(await servers.room_id(code))))


async def test_at_the_deadline_the_time_is_up_for_everybody_who_still_plays(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = await server.race(ann, bob)
    await ann.play(0, DRAW)
    await bob.play(0, RESIGN)
    await server.pass_time(3 * MINUTE_MS + 2_100)
    result = await ann.latest("HeatResult")
    assert {(row[9], row[2]) for row in result["rows"]} == {("Ann", "time_up"), ("Bob", "resigned")}
    assert (await ann.play(1, DRAW))["code"] == "ended"
    (closed,) = [event for event in await events(server, ann.room) if isinstance(event, log.HeatClosed)]
    assert closed.at_ms >= heat["deadline_ms"] + 2_000
    assert closed.lengths == [1, 1]


async def test_between_the_deadline_and_the_closing_no_move_counts(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    await ann.play(0, DRAW)
    await server.pass_time(3 * MINUTE_MS)
    assert (await ann.play(1, DRAW))["code"] == "ended"
    assert "HeatResult" not in ann.seen
    await server.pass_time(2_000)
    assert (await ann.latest("HeatResult"))["rows"][0][5] == 1


async def test_the_room_says_at_the_deadline_that_nothing_counts_any_more(server: Servers) -> None:
    """The last half second in real time: nothing else happens in the room then."""
    ann = await server.person()
    await server.race(ann)
    await server.pass_time(3 * MINUTE_MS - 500)
    (await server.heat(ann.room)).aim()
    await ann.settle()
    assert ann.seen["RoomInfo"]["phase"] == "running"
    await ann.hear(lambda e: e["event"] == "RoomInfo" and e["phase"] == "closing", 2.0)
    assert (await ann.play(0, DRAW))["code"] == "ended"


async def test_when_all_have_ended_nobody_waits_for_the_deadline(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob, minutes=60)
    await ann.play(0, RESIGN)
    await bob.play(0, RESIGN)
    assert await ann.latest("HeatResult", 2.0) == await bob.latest("HeatResult", 2.0)


async def test_a_race_without_a_limit_ends_after_an_hour(server: Servers) -> None:
    ann = await server.person()
    heat = await server.race(ann, minutes=0)
    assert heat["deadline_ms"] - heat["gun_ms"] == 60 * MINUTE_MS
    await server.pass_time(60 * MINUTE_MS + 2_100)
    assert (await ann.latest("HeatResult"))["rows"][0][2] == "time_up"


async def test_who_stays_away_when_everybody_else_has_ended_has_abandoned_after_five_minutes(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    heat = await server.race(ann, bob, minutes=20)
    await bob.play(0, DRAW)
    await bob.go()
    await ann.hear(lambda e: e["event"] == "SeatRow" and e["name"] == "Bob" and not e["present"])
    await ann.play(0, RESIGN)
    await ann.latest("BoardEnded")
    await server.pass_time(4 * MINUTE_MS)
    assert "HeatResult" not in ann.seen
    await server.pass_time(MINUTE_MS + 1_000)
    result = await ann.latest("HeatResult")
    assert {(row[9], row[2]) for row in result["rows"]} == {("Ann", "resigned"), ("Bob", "abandoned")}
    entries = await server.store.logs.load(keys.board_log(await server.room_id(ann.room), heat["heat"], 1))
    assert [unpack_entry(entry)[0][::3] for entry in entries] == [(DRAW, 0), (RESIGN, 1)]


async def test_who_comes_back_in_time_plays_on_with_the_clock_running(server: Servers) -> None:
    """N27, N37: a cut costs the time it takes and nothing else."""
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob, minutes=20)
    await bob.play(0, DRAW)
    await bob.go()
    await ann.play(0, RESIGN)
    await server.pass_time(4 * MINUTE_MS)
    assert (await bob.back())["view"][0] == 1
    await server.pass_time(4 * MINUTE_MS)
    assert (await bob.play(1, DRAW))["event"] == "Moved"
    assert unpack_entry((await server.board(bob))[1])[1] >= 8 * MINUTE_MS


async def test_who_leaves_for_good_has_resigned(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    await bob.play(0, DRAW)
    await bob.ask("LeaveRoom")
    assert (await ann.latest("BoardEnded"))["ended"] == "resigned"
    await ann.play(0, RESIGN)
    result = await ann.latest("HeatResult")
    assert {(row[9], row[2], row[5]) for row in result["rows"]} == {("Ann", "resigned", 0), ("Bob", "resigned", 1)}


async def test_a_race_that_everybody_walked_out_of_ends_at_once(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    for person in (ann, bob):
        await person.ask("LeaveRoom")
    host = await server.host(ann.room)
    await settled(lambda: host.state.heats == 1)
    assert host.state.last is not None
    assert [row.ended for row in host.state.last.judged.rows] == ["resigned", "resigned"]


async def test_an_empty_room_closes_after_ten_minutes(server: Servers) -> None:
    ann = await server.person()
    code = await ann.create()
    await ann.go()
    host = await server.host(code)
    await settled(lambda: not host.state.anybody_present())
    await server.pass_time(9 * MINUTE_MS)
    assert not host.state.closed
    await server.pass_time(MINUTE_MS + 1_000)
    assert host.state.closed
    await ann.come()
    assert await ann.refused("EnterRoom", code, False) == "noroom"


async def test_a_heat_with_nobody_connected_is_ended_by_whoever_sweeps(servers: Servers) -> None:
    """Ruling 18: the server that held everybody is gone, and none of them comes back."""
    await servers.start()
    ann, bob = await servers.person("Ann"), await servers.person("Bob")
    await servers.race(ann, bob)
    await ann.play(0, DRAW)
    room_id = await servers.room_id(ann.room)
    await ann.go()
    await bob.go()
    await servers.stop(servers.apps[0])
    await servers.start()
    hub = servers.apps[1].services.lobby.hub
    await hub._wake_due()
    assert hub.rooms == {}, "nothing is due yet"
    await servers.pass_time(3 * MINUTE_MS + 4_000)
    await hub._wake_due()
    await settled(lambda: room_id in hub.rooms and hub.rooms[room_id].state.heats == 1)
    last = hub.rooms[room_id].state.last
    assert last is not None
    assert [row.ended for row in last.judged.rows] == ["time_up", "time_up"]
    (closed,) = [event for event in await events(servers, ann.room) if isinstance(event, log.HeatClosed)]
    assert closed.lengths == [1, 0]


async def test_an_empty_room_closes_though_the_server_that_held_it_is_gone(servers: Servers) -> None:
    await servers.start()
    ann = await servers.person()
    code = await ann.create()
    room_id = await servers.room_id(code)
    await ann.go()
    await servers.stop(servers.apps[0])
    await servers.start()
    await eventually(lambda: swept(servers, room_id))
    await eventually(lambda: code_is_free(servers, code))
    closed = (await events_of(servers, room_id))[-1]
    later = [item for item in await servers.store.due.peek(1_000) if item.id == room_id and item.at_ms > closed.at_ms]
    assert later == [], "nobody looks at a closed room again"


async def code_is_free(servers: Servers, code: str) -> bool:
    """The code leads nowhere."""
    return await servers.store.rooms.room_of_code(code) is None


async def swept(servers: Servers, room: str) -> bool:
    """Time passes and the second server looks at what is due; whether the room's log has its last event."""
    await servers.pass_time(11 * MINUTE_MS)
    await servers.apps[1].services.lobby.hub._wake_due()
    return isinstance((await events_of(servers, room))[-1], log.RoomClosed)


async def events_of(servers: Servers, room: str) -> list[log.RoomEvent]:
    """The log of a room that may have lost its code."""
    return log.decode_log(await servers.store.logs.load(keys.room_log(room)))


async def is_set_aside(servers: Servers, room: str) -> bool:
    """Nobody is to look at the room any more."""
    return all(item.owner != room for item in await servers.store.due.peek())


async def test_one_rooms_trouble_does_not_hold_up_what_is_due_in_others(servers: Servers) -> None:
    """A7: a room whose log is damaged is set aside."""
    await servers.start()
    ann = await servers.person()
    code = await ann.create()
    room_id = await servers.room_id(code)
    await ann.go()
    await servers.stop(servers.apps[0])
    await servers.store.client.execute_command("RPUSH", keys.room_log("AAAAAAAAAA"), b"no event")
    await servers.store.due.put("AAAAAAAAAA", 1)
    await servers.start()
    await eventually(lambda: swept(servers, room_id))
    await eventually(lambda: is_set_aside(servers, "AAAAAAAAAA"))


async def test_of_two_servers_one_closes_and_one_judges(servers: Servers) -> None:
    await servers.start()
    await servers.start()
    ann, bob = await servers.person("Ann", at=0), await servers.person("Bob", at=1)
    await servers.race(ann, bob)
    await servers.pass_time(3 * MINUTE_MS + 2_100)
    assert await ann.latest("HeatResult") == await bob.latest("HeatResult")
    kinds = [type(event) for event in await events(servers, ann.room)]
    assert kinds.count(log.HeatClosed) == kinds.count(log.HeatJudged) == kinds.count(log.HeatDrawn) == 1


async def test_the_host_role_passes_on_after_thirty_seconds_away(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await bob.enter(await ann.create())
    await ann.go()
    await bob.hear(lambda e: e["event"] == "SeatRow" and e["name"] == "Ann" and not e["present"])
    await server.pass_time(30_000)
    assert await bob.hear(lambda e: e["event"] == "RoomInfo" and e["host"] == 1)


async def test_the_news_of_an_end_is_told_by_others_when_its_own_server_died_with_it(servers: Servers) -> None:
    """The last entry of a board is in its log; the process that wrote it never said so to the room."""
    await servers.start()
    await servers.start()
    ann, bob = await servers.person("Ann", at=0), await servers.person("Bob", at=1)
    await servers.race(ann, bob)
    await bob.play(0, DRAW)
    host = await servers.host(ann.room, at=1)
    assert host.heat is not None
    host.heat._report = lambda seat, board: None  # type: ignore[method-assign]
    await bob.play(1, RESIGN)
    await servers.apps[0].services.lobby.hub._mind()
    news = await ann.latest("BoardEnded")
    assert (news["seat"], news["ended"]) == (1, "resigned")
    await ann.play(0, RESIGN)
    assert (await ann.latest("HeatResult")) == (await bob.latest("HeatResult"))


async def test_the_gun_is_credited_like_everything_else(server: Servers) -> None:
    """Ruling 21: an outage of the store shifts the deadline and all clocks, once."""
    ann = await server.person()
    heat = await server.race(ann)
    await server.pass_time(10_000)
    host = await server.host(ann.room)
    now_ms = server.apps[0].store.clock.now_ms()
    host.came_back(now_ms - 4_000, now_ms)
    host.came_back(now_ms - 4_000, now_ms)
    host.came_back(now_ms - 500, now_ms)
    shifted = await ann.hear(lambda e: e["event"] == "HeatInfo" and e["deadline_ms"] != heat["deadline_ms"])
    assert shifted["deadline_ms"] - heat["deadline_ms"] == shifted["gun_ms"] - heat["gun_ms"] == 4_000
    await settled(lambda: not host.tasks())
    await ann.play(0, DRAW)
    found = await server.board(ann)
    assert host.state.heat is not None
    for entries, ms in ((found, 10_000), (raced(host.state.heat.credits, found), 10_000 - 4_000)):
        at_ms = unpack_entry(entries[0])[1]
        assert ms <= at_ms + COUNTDOWN_MS < ms + 4_000
    assert len([1 for event in await events(server, ann.room) if isinstance(event, log.Credited)]) == 1


@pytest.mark.parametrize(("number", "as_drawn"), [(1, False), (2, True)])
async def test_times_count_from_the_gun_as_drawn_once_all_servers_know_of_it(
    server: Servers, number: int, as_drawn: bool
) -> None:
    """A server of the version before would stamp otherwise: its store says schema 1 until the migration is finished."""
    server.apps[0].store.schema = number
    ann = await server.person()
    heat = await server.race(ann)
    host, now_ms = await server.host(ann.room), server.apps[0].store.clock.now_ms()
    await server.pass_time(5_000)
    host.came_back(now_ms, now_ms + 5_000)
    await settled(lambda: not host.tasks())
    assert host.state.heat is not None
    assert host.state.heat.as_drawn is as_drawn
    assert host.state.heat.zero_ms - heat["gun_ms"] == (0 if as_drawn else host.state.heat.gun_ms - heat["gun_ms"])
    await ann.play(0, DRAW)
    at_ms = unpack_entry((await server.board(ann))[0])[1]
    assert (at_ms >= 5_000) is as_drawn


async def test_an_outage_that_begins_while_the_draw_is_on_its_way_is_given_back(server: Servers) -> None:
    """The process hears that the store is back before it has folded the heat."""
    ann = await server.person()
    await ann.create()
    host, (app,) = await server.host(ann.room), server.apps
    append, away_ms = app.store.logs.append, 5_000

    async def slow(key: str, at: int, entries: list[bytes], **how: Any) -> Any:
        answer = await append(key, at, entries, **how)
        if any(isinstance(event, log.HeatDrawn) for event in log.decode_log(entries)):
            began_ms = app.store.clock.now_ms()
            push(app, away_ms)
            host.came_back(began_ms, began_ms + away_ms)
        return answer

    app.store.logs.append = slow  # type: ignore[method-assign,assignment]
    await ann.ask("Ready", True)
    told = await ann.hear(lambda e: e["event"] == "HeatInfo" and bool(host.state.heat and host.state.heat.away))
    assert host.state.heat is not None
    assert host.state.heat.gun_ms == told["gun_ms"]
    assert told["gun_ms"] - host.state.heat.zero_ms >= away_ms - 50


async def test_what_could_not_be_said_while_the_store_was_away_is_said_when_it_is_back(server: Servers) -> None:
    """Else who went would be there for ever: nobody would say it again."""
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await bob.enter(await ann.create())
    host = await server.host(ann.room)
    submit, refusals = host.submit, [StoreAway("away"), StoreBusy("busy")]

    async def away(*words: Any) -> Any:
        if refusals:
            raise refusals.pop()
        return await submit(*words)

    host.submit = away  # type: ignore[method-assign,assignment]
    await bob.go()
    assert (await ann.hear(lambda e: e["event"] == "SeatRow" and not e["present"]))["name"] == "Bob"
    assert refusals == []


async def test_a_log_whose_tail_was_lost_and_written_over_is_folded_anew(server: Servers) -> None:
    """F5: after an outage the length alone does not tell; nothing is healed by adding from memory."""
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await bob.enter(await ann.create())
    await ann.ask("LockRoom", True)
    host = await server.host(ann.room)
    key = keys.room_log(host.room)
    other = log.encode(log.ReadySet(host.state.at_ms, host.state.host, True))
    await server.store.client.execute_command("RPOP", key)
    await server.store.client.execute_command("RPUSH", key, other)
    now_ms = server.apps[0].store.clock.now_ms()
    server.apps[0].services.lobby.hub._came_back(Outage(now_ms - 200, now_ms, lambda _: True))
    assert (await bob.hear(lambda e: e["event"] == "RoomInfo" and not e["locked"]))["phase"] == "open"
    assert host.state == room.fold(log.decode_log(await server.store.logs.load(key)))
    await bob.ask("Ready", True)
    assert (await bob.latest("HeatInfo"))["seats"] == [0, 1]


async def test_counts_of_past_heats_are_forgotten(server: Servers) -> None:
    ann = await server.person()
    await server.race(ann)
    await ann.play(0, DRAW)
    first = await server.result(ann)
    heat = await server.again(ann)
    await server.gun(ann)
    await ann.play(0, DRAW)
    rows = await server.store.rooms.progress(await server.room_id(ann.room))
    assert list(rows) == [f"{heat['heat']}:0"]
    assert first["heat"] != heat["heat"]
