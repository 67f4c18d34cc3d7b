"""The logs are the truth: replayed, they say what the live machines said (invariants I1–I4, I7)."""

from __future__ import annotations

from engine.board import Board, UndoPolicy
from engine.deal_code import DealCode, deal
from engine.moves import unpack_entry
from engine.ruleset import RULESETS
from server.core import events as log
from server.core import inputs, judging, projection, room
from server.core.ids import SERVER
from server.core.integrity import undone
from server.services.counts import pack_row
from server.services.judge import summary
from server.store import keys
from tests.server.services.kit import Servers
from tests.wire_client import RESIGN, UNDO, Frame, WireClient


async def replayed(servers: Servers, person: WireClient, result: Frame) -> Board:
    """The person's board as its log tells it."""
    code = DealCode.parse(result["code"])
    entries = await servers.board(person, result["heat"])
    return Board.replay(code.ruleset, deal(code), entries, ranked=True)


async def play_differently(*people: WireClient) -> None:
    """Everybody plays on in their own way, with undos."""
    for number, person in enumerate(people):
        await person.think(6 + 2 * number)
        assert person.board is not None
        await person.play(person.board.ply, UNDO)
        await person.think(3)


async def test_a_boards_log_says_what_the_live_board_said(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    await play_differently(ann, bob)
    result = await server.result(ann, bob)
    rows = {row[9]: row for row in result["rows"]}
    for person in (ann, bob):
        board = await replayed(server, person, result)
        _, _, ended, out, score, moves, *_ = rows[person.name]
        assert (board.ended, board.out, board.score, board.moves) == (ended, out, score, moves)
        assert score == person.all("Moved")[-1]["score"]
        assert board.ply == len(person.played)


async def test_the_result_recomputed_from_the_logs_is_the_result_that_was_told(server: Servers) -> None:
    """Whoever folds the room's log and replays the boards comes to the same places, for ever."""
    ann, bob, cid = [await server.person(name) for name in ("Ann", "Bob", "Cid")]
    heat = await server.race(ann, bob, cid)
    await play_differently(ann, bob, cid)
    result = await server.result(cid, ann, bob)
    entries = await server.store.logs.load(keys.room_log(await server.room_id(ann.room)))
    events = log.decode_log(entries)
    closing = next(at for at, event in enumerate(events) if isinstance(event, log.HeatClosed))
    state = room.fold(events[: closing + 1])
    assert state.heat is not None
    lengths = dict(zip((one.seat for one in state.heat.seats), state.heat.lengths or (), strict=True))
    boards = []
    for person in (ann, bob, cid):
        board = await replayed(server, person, result)
        seat = person.seen["Dealt"]["seat"]
        assert lengths[seat] == board.ply
        code = DealCode.parse(result["code"])
        entries = await server.board(person, result["heat"])
        boards.append(summary(seat, board, undone(code.ruleset, deal(code), entries, UndoPolicy.ALL)))
    rows = judging.judge(state, boards)
    answer = room.decide(
        state, state.at_ms, SERVER, inputs.Judged(state.heat.id, rows, result["code"], result["nonce"])
    )
    assert isinstance(answer, list)
    room.apply(state, answer[0])
    told = projection.heat_result(state)
    assert told is not None
    assert [[getattr(row, name) for name in row.__struct_fields__] for row in told.rows] == result["rows"]
    assert told.heat == heat["heat"]


async def test_times_of_a_log_never_go_back_and_lie_between_gun_and_end(server: Servers) -> None:
    ann = await server.person()
    heat = await server.race(ann)
    await ann.think(10)
    result = await server.result(ann)
    times = [unpack_entry(entry)[1] for entry in await server.board(ann, heat["heat"])]
    assert times == sorted(times)
    assert times[0] >= 0
    assert heat["gun_ms"] + times[-1] <= server.apps[0].store.clock.now_ms()
    assert times[-1] == (await replayed(server, ann, result)).elapsed_ms


async def test_the_row_of_the_progress_hash_is_that_of_the_log(server: Servers) -> None:
    ann = await server.person()
    heat = await server.race(ann, ruleset="SS1-D3N", undo="hidden")
    await ann.think(8)
    rows = await server.store.rooms.progress(await server.room_id(ann.room))
    stored = await server.store.rooms.get_deal(await server.room_id(ann.room), heat["heat"])
    assert stored is not None
    board = Board.replay(
        RULESETS["SS1-D3N"], deal(DealCode.parse(stored.code)), await server.board(ann), ranked=True,
        undo=UndoPolicy.HIDDEN,
    )  # fmt: skip
    assert rows[f"{heat['heat']}:0"] == pack_row(board)


async def test_every_event_of_a_room_follows_from_those_before_it(server: Servers) -> None:
    ann, bob = await server.person("Ann"), await server.person("Bob")
    await server.race(ann, bob)
    await ann.play(0, RESIGN)
    await server.result(ann, bob)
    live = await server.host(ann.room)
    entries = await server.store.logs.load(keys.room_log(live.room))
    assert room.fold(log.decode_log(entries)) == live.state
    assert live.state.version == len(entries)
    times = [event.at_ms for event in log.decode_log(entries)]
    assert times == sorted(times)
