"""Bots at the table: seats like others, at a pace that follows from their seed, whoever plays them (ruling 4)."""

from __future__ import annotations

import dataclasses

import pytest

from engine import view
from engine.board import Board
from engine.deal_code import DealCode, deal
from engine.moves import Kind, Move, unpack_entry
from engine.ruleset import RULESETS
from server.core import bots
from server.core import events as log
from server.services.bot_driver import longest_pause_ms
from server.services.heat_host import BOT_OVERDUE_MS, BOTS_STOP_MS
from server.store import keys
from tests.server.services.evening import Evening, ended
from tests.server.services.kit import Servers, settled
from tests.wire_client import DRAW, RESIGN, WireClient, options

OVERDUE_MS = BOT_OVERDUE_MS + longest_pause_ms(3)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of level 3 take 40 ms for a move."""
    monkeypatch.setitem(bots.LEVELS, 3, dataclasses.replace(bots.LEVELS[3], pace_ms=40))


async def bots_log(servers: Servers, person: WireClient, seat: int) -> list[tuple[Move, int]]:
    """The moves of the bot in this seat and their times."""
    heat = person.all("HeatInfo")[-1]["heat"]
    entries = await servers.store.logs.load(keys.board_log(await servers.room_id(person.room), heat, seat))
    return [unpack_entry(entry) for entry in entries]


async def drawn(servers: Servers, person: WireClient) -> log.HeatDrawn:
    """The draw of the room's last heat."""
    entries = await servers.store.logs.load(keys.room_log(await servers.room_id(person.room)))
    return [event for event in log.decode_log(entries) if isinstance(event, log.HeatDrawn)][-1]


async def moves_of(servers: Servers, person: WireClient, seat: int, count: int) -> list[tuple[Move, int]]:
    """Wait until the bot has made so many moves."""
    found: list[tuple[Move, int]] = []
    while len(found) < count:
        await person.hear(lambda e: e["event"] == "Progress" and seat in e["rows"][::5], 20)
        found = await bots_log(servers, person, seat)
    return found


async def plays_by_its_seed(servers: Servers, person: WireClient, seat: int) -> int:
    """The bot's log is what its policy makes of its seed and of nothing else; returns how many moves."""
    event = await drawn(servers, person)
    stored = await servers.store.rooms.get_deal(await servers.room_id(person.room), event.heat)
    assert stored is not None
    (taken,) = [one for one in event.seats if one.seat == seat]
    ruleset = RULESETS[event.ruleset]
    board, memory = Board(ruleset, deal(DealCode.parse(stored.code)), ranked=True), bots.Memory(taken.bot_seed)
    entries = await bots_log(servers, person, seat)
    for move, at_ms in entries:
        turn = bots.next_move(view.own(board), ruleset, taken.bot_level, memory)
        if move.kind == Kind.RESIGN:
            break
        assert turn.move == move
        assert at_ms >= board.elapsed_ms + turn.delay_ms
        memory = turn.memory
        board.apply(move, at_ms)
    return len(entries)


@pytest.mark.usefixtures("quick")
async def test_a_bot_plays_from_the_gun_on_as_its_seed_has_it(server: Servers) -> None:
    ann = await server.person()
    await ann.create(3)
    await server.again(ann)
    await server.gun(ann)
    assert await ann.play(0, DRAW)
    await moves_of(server, ann, 1, 6)
    assert await plays_by_its_seed(server, ann, 1) >= 6
    await server.result(ann)


async def test_with_bots_alone_the_countdown_starts_when_the_room_is_made(server: Servers) -> None:
    ann = await server.person()
    entered = await ann.ask("CreateRoom", options(), [1, 2, 3], True, answer="Entered")
    ann.room = entered["code"]
    heat = await ann.latest("HeatInfo")
    assert heat["seats"] == [0, 1, 2, 3]
    rows = [event for event in ann.all("SeatRow") if event["bot"]]
    assert {(row["seat"], row["bot"], row["ready"]) for row in rows} == {(1, 1, True), (2, 2, True), (3, 3, True)}
    assert all(row["player"] == "" for row in rows)


@pytest.mark.usefixtures("quick")
async def test_bots_give_up_when_nobody_waits_for_them(server: Servers) -> None:
    ann = await server.person()
    await ann.create(3, 3)
    await server.again(ann)
    await server.gun(ann)
    await ann.play(0, RESIGN)
    gone_ms = server.apps[0].store.clock.now_ms()
    result = await ann.latest("HeatResult")
    assert {row[2] for row in result["rows"]} == {"resigned"}
    assert server.apps[0].store.clock.now_ms() - gone_ms >= BOTS_STOP_MS - 100


@pytest.mark.usefixtures("quick")
async def test_bots_among_themselves_play_to_the_end_and_fast(server: Servers) -> None:
    """A heat of bots only, as tournaments have: the place is played for, not given."""
    evening = Evening(server)
    await evening.create(rounds=1, minutes=3)
    await evening.act("bots", "3", 2)
    await evening.act("start")
    watcher = await server.person("Watcher")
    await watcher.ask("OpenTournament", evening.code, False)
    rooms = server.apps[0].services.lobby.hub.rooms
    await settled(lambda: any(room.heat is not None for room in rooms.values()))
    await server.pass_time(10_000)
    await ended(watcher)
    (heat,) = (await evening.state()).rounds[0].heats
    entries = await server.store.logs.load(keys.room_log(heat.room))
    (event,) = [each for each in log.decode_log(entries) if isinstance(each, log.HeatDrawn)]
    stored = await server.store.rooms.get_deal(heat.room, event.heat)
    assert stored is not None
    for taken in event.seats:
        board = Board(RULESETS[event.ruleset], deal(DealCode.parse(stored.code)), ranked=True)
        own = keys.board_log(heat.room, event.heat, taken.seat)
        played = [unpack_entry(entry) for entry in await server.store.logs.load(own)]
        resigned = played[-1][0].kind == Kind.RESIGN
        memory = bots.recall(taken.bot_seed, board, [move for move, _ in (played[:-1] if resigned else played)])
        assert resigned or board.ended == "won"
        if resigned:
            assert bots.next_move(view.own(board), board.ruleset, taken.bot_level, memory).move is None
        assert len(played) > 20


@pytest.mark.usefixtures("quick")
async def test_bots_play_on_while_their_rival_is_only_cut_off(server: Servers) -> None:
    ann = await server.person()
    await ann.create(3)
    await server.again(ann)
    await server.gun(ann)
    await ann.go()
    await ann.back()
    before = len(await bots_log(server, ann, 1))
    await moves_of(server, ann, 1, before + 3)
    moves = [move for move, _ in await bots_log(server, ann, 1)]
    assert all(move.kind != Kind.RESIGN for move in moves)


@pytest.mark.usefixtures("quick")
async def test_a_bot_plays_on_after_its_server_ended_where_it_had_stopped(servers: Servers) -> None:
    """Another process takes it over from its log: same seed, same moves, none lost and none doubled."""
    await servers.start()
    await servers.start()
    ann = await servers.person("Ann", at=0)
    await ann.create(3)
    await servers.again(ann)
    await servers.gun(ann)
    await moves_of(servers, ann, 1, 3)
    await servers.stop(servers.apps[0])
    ann.url = servers.url(1)
    await ann.back()
    before = len(await bots_log(servers, ann, 1))
    hub = servers.apps[1].services.lobby.hub
    await hub._mind()
    await servers.pass_time(OVERDUE_MS + 1_000)
    await hub._mind()
    await moves_of(servers, ann, 1, before + 3)
    assert await plays_by_its_seed(servers, ann, 1) >= before + 3


@pytest.mark.usefixtures("quick")
async def test_a_bot_that_is_minded_elsewhere_is_not_taken_over(servers: Servers) -> None:
    await servers.start()
    await servers.start()
    ann, bob = await servers.person("Ann", at=0), await servers.person("Bob", at=1)
    await ann.create(3)
    await bob.enter(ann.room)
    await servers.again(ann, bob)
    await servers.gun(ann, bob)
    await moves_of(servers, ann, 1, 2)
    owner = [at for at in (0, 1) if (await servers.heat(ann.room, at))._bots]
    assert len(owner) == 1
    epoch, _ = await servers.store.logs.board_state(
        keys.board_log(await servers.room_id(ann.room), ann.seen["Dealt"]["heat"], 1)
    )
    for _ in range(3):
        for app in servers.apps:
            await app.services.lobby.hub._mind()
        await servers.pass_time(4_000)
        await moves_of(servers, ann, 1, len(await bots_log(servers, ann, 1)) + 1)
    assert [at for at in (0, 1) if (await servers.heat(ann.room, at))._bots] == owner
    board = keys.board_log(await servers.room_id(ann.room), ann.seen["Dealt"]["heat"], 1)
    assert (await servers.store.logs.board_state(board))[0] == epoch


async def test_a_bots_seed_leaves_the_server_never(server: Servers) -> None:
    ann = await server.person()
    await ann.create(1)
    await server.again(ann)
    await server.gun(ann)
    event = await drawn(server, ann)
    seed = event.seats[1].bot_seed
    await ann.play(0, RESIGN)
    host = await server.host(ann.room)
    await settled(lambda: len(host.state.heat.ended if host.state.heat else {}) >= 1)
    assert seed > 2**32, "else it could be found by chance"
    assert seed.to_bytes(7, "big") not in b"".join(ann.raw)
