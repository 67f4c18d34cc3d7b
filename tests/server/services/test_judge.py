"""From sealed logs to the rows of a result (ruling 1)."""

from __future__ import annotations

import pytest

from engine.board import ReplayError
from engine.deal_code import DealCode, deal
from engine.moves import DRAW, RECYCLE, RESIGN, UNDO, pack_entry
from server.core.credits import Credit
from server.services.judge import Sealed, replayed
from server.store import keys
from server.store.connect import Store

ROOM, HEAT = "ABCDEFGHJK", "KJHGFEDCBA"
CODE = DealCode.parse("DS1-D1N-AAAAAAB")


async def sealed(
    store: Store, *logs: list[bytes], lengths: tuple[int, ...] = (), undo: str = "all", credits: tuple[Credit, ...] = ()
) -> Sealed:
    """A closed heat with these boards."""
    for seat, entries in enumerate(logs):
        if entries:
            await store.logs.append(keys.board_log(ROOM, HEAT, seat), 0, entries)
    return Sealed(
        room=ROOM, heat=HEAT, ruleset="DS1-D1N", undo=undo, seats=tuple(range(len(logs))),
        lengths=lengths or tuple(map(len, logs)), deal=deal(CODE), length_ms=180_000, credits=(credits,) * len(logs),
    )  # fmt: skip


async def test_boards_are_summed_up_from_their_logs(store: Store) -> None:
    played = [pack_entry(DRAW, 700), pack_entry(DRAW, 900), pack_entry(UNDO, 1000), pack_entry(RESIGN, 1200)]
    (board,) = await replayed(store.logs, await sealed(store, played))
    assert (board.seat, board.ended, board.moves, board.elapsed_ms) == (0, "resigned", 2, 1200)
    assert (board.undos, board.peeks) == (1, 1)


async def test_a_board_that_had_not_ended_ran_out_of_time(store: Store) -> None:
    boards = await replayed(store.logs, await sealed(store, [pack_entry(DRAW, 5)], []))
    assert [(board.ended, board.elapsed_ms) for board in boards] == [("time_up", 180_000)] * 2


async def test_what_was_given_back_is_on_no_board_s_clock(store: Store) -> None:
    """Ruling 21: Ann ends late in an outage of five seconds, Bob a moment after it."""
    ann = [pack_entry(DRAW, 900), pack_entry(RESIGN, 5_500)]
    bob = [pack_entry(DRAW, 800), pack_entry(RESIGN, 6_100)]
    boards = await replayed(store.logs, await sealed(store, ann, bob, credits=((1_000, 6_000),)))
    assert [board.elapsed_ms for board in boards] == [1_000, 1_100]


async def test_only_the_sealed_length_counts(store: Store) -> None:
    heat = await sealed(store, [pack_entry(DRAW, 5), pack_entry(RESIGN, 6)], lengths=(1,))
    (board,) = await replayed(store.logs, heat)
    assert board.ended == "time_up"


async def test_undos_after_the_sealed_length_do_not_count(store: Store) -> None:
    heat = await sealed(store, [pack_entry(DRAW, 5), pack_entry(UNDO, 6)], lengths=(1,))
    (board,) = await replayed(store.logs, heat)
    assert (board.undos, board.peeks) == (0, 0)


async def test_a_log_that_no_play_could_have_written_is_no_result(store: Store) -> None:
    with pytest.raises(ReplayError):
        await replayed(store.logs, await sealed(store, [pack_entry(RECYCLE, 5)]))


async def test_the_rooms_undo_policy_holds_in_the_replay_too(store: Store) -> None:
    heat = await sealed(store, [pack_entry(DRAW, 5), pack_entry(UNDO, 6)], undo="none")
    with pytest.raises(ReplayError):
        await replayed(store.logs, heat)
