"""Appending to logs: verdicts, claims, closing, against a real store."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from server.store import keys
from server.store.connect import Store, open_store
from server.store.lane import Append, Verdict

ROOM, HEAT = "ABCDEFGHJK", "KJHGFEDCBA"
LOG = keys.room_log(ROOM)
BOARD = keys.board_log(ROOM, HEAT, 0)
BELL = keys.bell(ROOM)


def entry(n: int) -> bytes:
    """An eight-byte entry."""
    return n.to_bytes(8, "big")


async def test_an_append_lands_at_the_expected_length(store: Store) -> None:
    assert await store.logs.append(LOG, 0, [b"a", b"b"]) == (Verdict.OK, 2)
    assert await store.logs.append(LOG, 2, [b"c"]) == (Verdict.OK, 3)
    assert await store.logs.load(LOG) == [b"a", b"b", b"c"]
    assert await store.logs.load(LOG, 2) == [b"c"]
    assert await store.logs.length(LOG) == 3


async def test_the_same_bytes_again_are_recognised(store: Store) -> None:
    await store.logs.append(LOG, 0, [b"a", b"b"])
    await store.logs.append(LOG, 2, [b"c"])
    assert await store.logs.append(LOG, 0, [b"a", b"b"]) == (Verdict.DUP, 3)
    assert await store.logs.append(LOG, 0, [b"a", b"x"]) == (Verdict.CONFLICT, 3)
    assert await store.logs.append(LOG, 2, [b"c", b"d"]) == (Verdict.CONFLICT, 3)
    assert await store.logs.load(LOG) == [b"a", b"b", b"c"]


async def test_a_log_shorter_than_expected_says_so(store: Store) -> None:
    assert await store.logs.append(LOG, 1, [b"a"]) == (Verdict.SHORT, 0)


@pytest.mark.parametrize(("at", "entries"), [(0, []), (-1, [b"a"])])
async def test_an_append_needs_entries_and_a_length(store: Store, at: int, entries: list[bytes]) -> None:
    with pytest.raises(ValueError, match="needs entries and an expected length"):
        store.logs.push(Append(LOG, at, entries, lambda *_: None))


async def test_a_claim_fences_the_one_before(store: Store) -> None:
    first = await store.logs.claim(BOARD, "n1")
    assert (first.epoch, first.length, first.sealed) == (1, 0, False)
    assert await store.logs.append(BOARD, 0, [entry(1)], epoch=1) == (Verdict.OK, 1)
    second = await store.logs.claim(BOARD, "n2")
    assert (second.epoch, second.length) == (2, 1)
    assert await store.logs.append(BOARD, 1, [entry(2)], epoch=1) == (Verdict.FENCED, 1)
    assert await store.logs.append(BOARD, 0, [entry(1)], epoch=1) == (Verdict.DUP, 1)
    assert await store.logs.append(BOARD, 1, [entry(3)], epoch=2) == (Verdict.OK, 2)
    assert await store.logs.board_state(BOARD) == (2, False)


async def test_a_claim_the_store_has_lost_is_not_healed_from_memory(store: Store) -> None:
    assert await store.logs.append(BOARD, 0, [entry(1)], epoch=4) == (Verdict.SHORT, 0)


async def test_a_refused_append_leaves_everything_as_it_was(store: Store) -> None:
    """The script pushes first and looks then: what it takes back must not be seen anywhere."""
    hash_key = keys.progress(ROOM)
    row = (hash_key, f"{HEAT}:0", b"row")
    assert await store.logs.append(LOG, 5, [b"a", b"b"], progress=row) == (Verdict.SHORT, 0)
    assert await store.client.execute_command("EXISTS", LOG, hash_key) == 0
    await store.logs.append(LOG, 0, [b"a", b"b", b"c"])
    await store.client.execute_command("PEXPIRE", LOG, 600_000)
    for at, entries in ((0, [b"x", b"y", b"z", b"w"]), (2, [b"d", b"e"]), (4, [b"d"])):
        verdict, length = await store.logs.append(LOG, at, entries, progress=row)
        assert verdict is (Verdict.SHORT if at > 3 else Verdict.CONFLICT)
        assert length == 3
    assert await store.logs.load(LOG) == [b"a", b"b", b"c"]
    assert await store.client.execute_command("EXISTS", hash_key) == 0
    assert 0 < await store.client.execute_command("PTTL", LOG) <= 600_000


async def test_a_key_that_is_no_log_breaks_only_its_own_append(store: Store) -> None:
    await store.client.execute_command("SET", BOARD, "x")
    broken, sound = await asyncio.gather(store.logs.append(BOARD, 0, [entry(1)]), store.logs.append(LOG, 0, [b"a"]))
    assert (broken, sound) == ((Verdict.BROKEN, 0), (Verdict.OK, 1))


async def test_many_appends_of_one_turn_keep_their_order(store: Store) -> None:
    seen: list[int] = []
    verdicts: list[Verdict] = []

    def settled(append: Append, verdict: Verdict, length: int) -> None:
        seen.append(length)
        verdicts.append(verdict)

    for n in range(600):
        assert store.logs.push(Append(BOARD, n, [entry(n)], settled))
    await store.logs.append(LOG, 0, [b"last"])
    assert seen == list(range(1, 601))
    assert set(verdicts) == {Verdict.OK}
    assert await store.logs.load(BOARD) == [entry(n) for n in range(600)]


async def test_progress_and_due_go_with_the_append(store: Store) -> None:
    row = (keys.progress(ROOM), "3", b"row")
    await store.logs.append(BOARD, 0, [entry(1)], progress=row, due=(ROOM, 5000))
    assert await store.rooms.progress(ROOM) == {"3": b"row"}
    assert [(item.owner, item.at_ms) for item in await store.due.peek()] == [(ROOM, 5000)]
    await store.logs.append(BOARD, 7, [entry(1)], progress=(keys.progress(ROOM), "3", b"refused"))
    assert await store.rooms.progress(ROOM) == {"3": b"row"}


async def test_closing_seals_the_boards_and_writes_their_lengths(store: Store) -> None:
    boards = [keys.board_log(ROOM, HEAT, seat) for seat in range(3)]
    await store.logs.append(LOG, 0, [b"opened"])
    claim = await store.logs.claim(boards[1], "n1")
    await store.logs.append(boards[1], 0, [entry(1), entry(2)], epoch=claim.epoch)
    closed = await store.logs.close_heat(LOG, 1, boards, tag=19, at_ms=1_700_000_000_123, heat=HEAT, keep_ms=60_000)
    assert (closed.verdict, closed.length, closed.lengths) == (Verdict.OK, 2, (0, 2, 0))
    assert await store.logs.load(LOG, 1) == [closed.entry]
    assert msgspec.msgpack.decode(closed.entry) == [19, 1_700_000_000_123, HEAT, [0, 2, 0]]
    assert await store.logs.append(boards[1], 2, [entry(3)], epoch=claim.epoch) == (Verdict.SEALED, 2)
    assert await store.logs.append(boards[1], 1, [entry(2)], epoch=claim.epoch) == (Verdict.DUP, 2)
    assert (await store.logs.claim(boards[1], "n2")).sealed
    assert 0 < await store.client.execute_command("PTTL", boards[1]) <= 60_000
    assert await store.client.execute_command("HGET", keys.meta(boards[1]), "final") == b"2"


async def test_of_two_processes_that_close_one_is_second(store: Store) -> None:
    ask = [store.logs.close_heat(LOG, 0, [BOARD], tag=19, at_ms=at_ms, heat=HEAT) for at_ms in (1000, 1001)]
    first, second = await asyncio.gather(*ask)
    assert (first.verdict, second.verdict) == (Verdict.OK, Verdict.DUP)
    assert first.entry == second.entry
    assert await store.logs.length(LOG) == 1


async def test_closing_on_a_stale_length_seals_nothing(store: Store) -> None:
    await store.logs.append(LOG, 0, [b"other"])
    closed = await store.logs.close_heat(LOG, 0, [BOARD], tag=19, at_ms=1, heat=HEAT)
    assert (closed.verdict, closed.length, closed.lengths) == (Verdict.CONFLICT, 1, ())
    closed = await store.logs.close_heat(LOG, 9, [BOARD], tag=19, at_ms=1, heat=HEAT)
    assert closed.verdict is Verdict.SHORT
    assert await store.logs.board_state(BOARD) == (0, False)


async def test_two_writers_race_and_every_entry_is_there_once(store: Store, store_url: str) -> None:
    """Append at the expected length, on CONFLICT catch up and decide again: nothing is lost, doubled or torn."""
    other = await open_store(store_url)

    async def write(writer: Store, name: bytes) -> int:
        at = conflicts = 0
        for n in range(150):
            mine = [b"%s%d.%d" % (name, n, part) for part in range(2)]
            while True:
                verdict, length = await writer.logs.append(LOG, at, mine)
                at = length
                if verdict is Verdict.OK:
                    break
                assert verdict is Verdict.CONFLICT
                conflicts += 1
        return conflicts

    conflicts = await asyncio.gather(write(store, b"a"), write(other, b"b"))
    log = await store.logs.load(LOG)
    assert [e for e in log if e[:1] == b"a"] == [b"a%d.%d" % (n, part) for n in range(150) for part in range(2)]
    assert [e for e in log if e[:1] == b"b"] == [b"b%d.%d" % (n, part) for n in range(150) for part in range(2)]
    assert all(first[:-1] == second[:-1] for first, second in zip(log[::2], log[1::2], strict=True))
    assert sum(conflicts) > 0
    await other.close()


async def test_a_finished_board_is_small(store: Store) -> None:
    """P16: 300 entries and what stands beside them take at most 4 KiB."""
    claim = await store.logs.claim(BOARD, "0123abcd")
    for n in range(300):
        move = bytes([3, 20 + n % 9, 28 - n % 9, 1 + n % 5])
        await store.logs.append(BOARD, n, [move + (n * 1234).to_bytes(4, "big")], epoch=claim.epoch)
    await store.logs.close_heat(LOG, 0, [BOARD], tag=19, at_ms=1, heat=HEAT)
    sizes = [await store.client.execute_command("MEMORY USAGE", key) for key in (BOARD, keys.meta(BOARD))]
    assert sum(sizes) <= 4096
