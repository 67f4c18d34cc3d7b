"""`kupa bot`: a client like everybody else, that sees no more than a person does."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any, cast

import msgpack
import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection

from engine import view
from engine.board import Board
from engine.moves import Move
from engine.ruleset import RULESETS, Ruleset
from server import bot_client
from server.bot_client import BotClient, CannotPlay, OwnBoard
from server.core import bots
from server.services.played_board import AUTO, board_view
from server.store.connect import Store
from server.wire.messages import EVENTS
from tests import strategies
from tests.engine.driver import random_deal
from tests.server.services.evening import Evening
from tests.server.services.kit import Servers, eventually, push
from tests.wire_client import FIELDS, OPTIONS, RESIGN, TAGS

EVENT_TAGS = {kind.__name__: kind.__struct_config__.tag for kind in EVENTS}


# ------------------------------------------------------------ its copy of the board


def shown(board: Board) -> list[Any]:
    """A `BoardView` as it comes over the wire."""
    fields = board_view(board)
    return [getattr(fields, name) for name in fields.__struct_fields__]


@settings(max_examples=settings().max_examples // 4)
@given(strategies.rulesets, strategies.seeds, st.integers(1, 70))
def test_its_board_follows_the_servers_from_what_it_was_shown(ruleset: Ruleset, seed: int, length: int) -> None:
    chance = random.Random(seed)
    board = Board(ruleset, random_deal(ruleset, chance), ranked=True)
    own, memory = OwnBoard(ruleset.id, shown(board)), bots.Memory(seed)
    for _ in range(length):
        turn = bots.next_move(own.seen(), ruleset, 3, memory)
        if turn.move is None:
            break
        memory = turn.memory
        assert board.check(turn.move) is None, "what its own board allows, the server's does"
        turned = board.apply(turn.move, 0)
        auto = board.auto_ready()
        if auto:
            board.apply(AUTO, 0)
        own.moved(turn.move, turned, auto=auto)
        assert (own.ply, own.ended) == (board.ply, board.ended is not None)
        if own.ended:
            break
        if chance.random() < 0.1:
            own = OwnBoard(ruleset.id, shown(board))
        mine, real = own.seen(), view.own(board)
        assert (mine.stock, mine.waste, mine.foundations, mine.columns) == (
            real.stock, real.waste, real.foundations, real.columns,
        )  # fmt: skip


# ------------------------------------------------------------ what it does with answers


class Line:
    """A socket that a test writes and reads at the other end."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[list[Any]] = asyncio.Queue()
        self._coming: asyncio.Queue[bytes] = asyncio.Queue()

    async def send(self, data: bytes) -> None:
        self.sent.put_nowait(msgpack.unpackb(data))

    async def recv(self) -> bytes:
        return await self._coming.get()

    def say(self, event: str, **fields: Any) -> None:
        """An event of the server."""
        values = [fields.get(name) for name in FIELDS[event]]
        self._coming.put_nowait(msgpack.packb([EVENT_TAGS[event], *values]))

    async def hears(self, command: str) -> list[Any]:
        """The next command, which must be this one; its fields."""
        async with asyncio.timeout(5):
            tag, *values = await self.sent.get()
        assert tag == TAGS[command]
        return values


async def racing(line: Line, board: Board) -> asyncio.Task[dict[str, Any]]:
    """A bot that has just been dealt this board."""
    client = BotClient(cast(ClientConnection, line), 3, 100.0)
    race = asyncio.create_task(client.race())
    (number, ready) = await line.hears("Ready")
    assert ready is True
    line.say("RoomInfo", options=list(OPTIONS.values()))
    line.say("Done", n=number)
    line.say("Dealt", heat="H", seat=0, view=shown(board))
    return race


def fresh() -> Board:
    """A board of the ruleset of `OPTIONS`."""
    ruleset = RULESETS["DS1-D1N"]
    return Board(ruleset, random_deal(ruleset, random.Random(7)), ranked=True)


async def ends(line: Line, race: asyncio.Task[dict[str, Any]]) -> None:
    """The heat comes to its result."""
    line.say("HeatResult", heat="H", rows=[])
    async with asyncio.timeout(5):
        assert (await race)["heat"] == "H"


@pytest.mark.parametrize("code", ["busy", "slow", "early"])
async def test_a_move_that_was_refused_for_now_is_made_again(code: str) -> None:
    line, board = Line(), fresh()
    race = await racing(line, board)
    move = await line.hears("Play")
    line.say("Denied", ply=0, code=code)
    assert await line.hears("Play") == move
    await ends(line, race)


@pytest.mark.parametrize("code", ["seq", "no_fit", "internal"])
async def test_a_move_that_does_not_fit_makes_it_ask_for_its_board(code: str) -> None:
    line, board = Line(), fresh()
    race = await racing(line, board)
    move = await line.hears("Play")
    line.say("Denied", ply=0, code=code)
    await line.hears("Resync")
    line.say("Dealt", heat="H", seat=0, view=shown(board))
    assert await line.hears("Play") == move
    await ends(line, race)


async def test_a_board_dealt_twice_is_played_once() -> None:
    line, board = Line(), fresh()
    race = await racing(line, board)
    line.say("Dealt", heat="H", seat=0, view=shown(board))
    ply, *move = await line.hears("Play")
    turned = board.apply(Move(*move), 0)
    line.say("Moved", ply=ply, score=board.score, turned=turned, auto=False)
    assert (await line.hears("Play"))[0] == 1
    assert line.sent.empty()
    await ends(line, race)


async def test_after_its_board_has_ended_it_waits_for_the_result() -> None:
    line = Line()
    race = await racing(line, fresh())
    await line.hears("Play")
    line.say("Denied", ply=0, code="ended")
    await ends(line, race)
    assert line.sent.empty()


# ------------------------------------------------------------ among people


@pytest_asyncio.fixture
async def servers(store: Store, store_url: str) -> AsyncIterator[Servers]:
    """One server whose limits leave room for fast programs."""
    made = Servers(store, store_url)
    await made.start(moves=1000)
    yield made
    await made.close()


async def test_it_races_a_person_to_a_result(servers: Servers) -> None:
    lines: list[str] = []
    ann = await servers.person()
    await ann.create(seats=2)
    address = servers.url().replace("ws", "http", 1)
    playing = asyncio.create_task(
        bot_client.play(address, room=ann.room, level=3, count=1, heats=2, speed=100, say=lines.append)
    )
    await ann.hear(lambda e: e["event"] == "SeatRow" and e["seat"] == 1 and e["ready"])
    for _ in range(2):
        await servers.again(ann)
        await servers.gun(ann)
        await ann.hear(lambda e: e["event"] == "Progress" and 1 in e["rows"][::5] and e["rows"][-2] > 5)
        await ann.play(0, RESIGN)
        await servers.pass_time(3 * 60_000 + 2_100)
        result = await ann.latest("HeatResult")
        (row,) = [row for row in result["rows"] if row[0] == 1]
        assert row[5] > 5
    async with asyncio.timeout(10):
        await playing
    name = row[9]
    assert lines == [f"{name} is in room {ann.room}"] + [f"{name}: place 1 of 2"] * 2


async def test_programs_meet_by_quick_match(servers: Servers) -> None:
    lines: list[str] = []
    address = servers.url().replace("ws", "http", 1) + "/"
    playing = asyncio.create_task(
        bot_client.play(address, room="", level=1, count=2, heats=1, speed=100, say=lines.append)
    )
    wil = await servers.person("Wil")
    async with asyncio.timeout(10):
        while len(lines) < 2:
            await wil.settle()
    code = lines[0].rpartition(" ")[2]
    await wil.enter(code, watch=True)
    await wil.latest("HeatInfo")
    await servers.pass_time(3_000)
    await wil.hear(lambda e: e["event"] == "Progress")
    await servers.pass_time(10 * 60_000 + 2_100)
    async with asyncio.timeout(10):
        await playing
    assert len(lines) == 4


@pytest.mark.parametrize(("room", "why"), [("ZZZZZ", "--room ZZZZZ: there is no such room"), ("*", "noroom")])
async def test_a_room_that_is_not_there_is_said_in_one_line(servers: Servers, room: str, why: str) -> None:
    address = servers.url().replace("ws", "http", 1)
    with pytest.raises(CannotPlay, match=why):
        await bot_client.play(address, room=room, level=1, count=1, heats=1, speed=1, say=print)


async def test_a_server_that_closes_in_the_middle_is_said_in_one_line(servers: Servers) -> None:
    ann = await servers.person()
    await ann.create(seats=2)
    address = servers.url().replace("ws", "http", 1)
    playing = asyncio.create_task(
        bot_client.play(address, room=ann.room, level=1, count=1, heats=1, speed=1, say=lambda _: None)
    )
    await ann.hear(lambda e: e["event"] == "SeatRow" and e["seat"] == 1 and e["ready"])
    await servers.stop(servers.apps[0])
    with pytest.raises(CannotPlay, match=r"stops \(1001\)") as refused:
        await playing
    assert "\n" not in str(refused.value)


async def test_options_of_other_rulesets_are_followed(servers: Servers) -> None:
    ann = await servers.person()
    await ann.create(ruleset="SS1-D3N", seats=2)
    address = servers.url().replace("ws", "http", 1)
    playing = asyncio.create_task(
        bot_client.play(address, room=ann.room, level=2, count=1, heats=1, speed=100, say=lambda _: None)
    )
    await ann.hear(lambda e: e["event"] == "SeatRow" and e["seat"] == 1 and e["ready"])
    await servers.again(ann)
    await servers.gun(ann)
    await ann.hear(lambda e: e["event"] == "Progress" and 1 in e["rows"][::5] and e["rows"][-2] > 3)
    await ann.play(0, RESIGN)
    await servers.pass_time(3 * 60_000 + 2_100)
    async with asyncio.timeout(10):
        await playing
    # On some deals nobody has a card out by then, and both are equal
    moves = {row[0]: row[5] for row in (await ann.latest("HeatResult"))["rows"]}
    assert (moves[0], moves[1] > 3) == (0, True)


def moves_of(event: dict[str, Any], seat: int) -> int:
    """Moves of a seat in a frame of progress, −1 when it is not in it."""
    seats, rows = event["rows"][::5], event["rows"]
    return rows[seats.index(seat) * 5 + 3] if seat in seats else -1


async def test_in_a_tournament_a_bot_comes_again_with_its_server_and_plays_its_board_on(servers: Servers) -> None:
    await servers.start(moves=1000)
    evening, lines = Evening(servers), list[str]()
    await evening.create(at=1, rounds=1)
    ann = await servers.person("Ann", 1)
    await ann.ask("OpenTournament", evening.code, True)
    address = servers.url().replace("ws", "http", 1)
    playing = asyncio.create_task(
        bot_client.play(
            address, room="", level=1, count=1, heats=1, speed=20, say=lines.append, tournament=evening.code
        )
    )

    async def both_are_in() -> bool:
        return len((await evening.state()).entrants) == 2

    await eventually(both_are_in)
    await evening.act("start")
    await evening.race(ann)
    bot = 1 - next(row["seat"] for row in ann.all("SeatRow") if row["you"])
    await ann.hear(lambda e: e["event"] == "Progress" and moves_of(e, bot) > 3, 20)
    port = servers.apps[0].port
    await servers.stop(servers.apps[0])
    made = moves_of(await ann.latest("Progress"), bot)
    push(await servers.start(moves=1000, port=port), 10_000)
    await ann.hear(lambda e: e["event"] == "Progress" and moves_of(e, bot) > made + 3, 20)
    assert len((await evening.state()).entrants) == 2
    await ann.play(0, RESIGN)
    await servers.pass_time(3 * 60_000 + 2_100)
    async with asyncio.timeout(20):
        await playing
    assert len(lines) == 1
    assert "place 1" in lines[0]
