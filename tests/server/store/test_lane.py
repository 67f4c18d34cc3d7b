"""What a lane sends is what append.lua reads: made by hand for speed, so compared with what a packer makes."""

from __future__ import annotations

import asyncio

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store.lane import BATCH, Append, Ask, Lane, packed_append, packed_head, word_of
from server.store.lua import APPEND
from server.store.resp import pack

keys = st.text(max_size=60)
raw = st.binary(max_size=40)
plies = st.integers(0, 2**32 - 1)


def unpacked(packed: bytes) -> object:
    return msgpack.unpackb(packed, raw=True)


@given(plies, keys, keys, plies, st.lists(raw, min_size=1, max_size=20), st.none() | raw, st.none() | raw)
def test_an_append_is_packed_in_the_order_the_script_reads(
    epoch: int, key: str, field: str, at: int, entries: list[bytes], row: bytes | None, payload: bytes | None
) -> None:
    bell = None if payload is None else ("bell", payload)
    packed = packed_append(packed_head(epoch, key, field), at, entries, row, bell)
    told = None if payload is None else [b"bell", payload]
    assert unpacked(packed) == [epoch, key.encode(), field.encode(), at, entries, row, told]


@given(st.lists(st.tuples(keys, st.integers(0, 10**6), raw), min_size=1, max_size=BATCH), st.booleans())
def test_the_call_is_the_one_a_packer_of_commands_makes(logs: list[tuple[str, int, bytes]], touch: bool) -> None:
    lane = Lane(0)
    for log, at, entry in logs:
        lane.waiting.append(Append(log, at, [entry], lambda *_: None))
    lane.load()
    values = b"".join(packed_append(packed_head(0, None, None), at, [entry], None, None) for _, at, entry in logs)
    packed = b"\xdc" + len(logs).to_bytes(2, "big") + values
    names = [log for log, *_ in logs]
    assert lane.call(touch) == pack([("EVALSHA", APPEND.sha, len(logs), *names, int(touch), packed)])
    assert len(unpacked(packed)) == len(logs)  # type: ignore[arg-type]  # a list


@given(keys)
def test_a_word_counts_bytes(key: str) -> None:
    assert pack([(key,)]) == b"*1\r\n" + word_of(key)


def test_an_append_without_entries_or_before_the_beginning_is_a_fault_of_ours() -> None:
    with pytest.raises(ValueError, match="entries"):
        Append("log", 0, [], lambda *_: None)
    with pytest.raises(ValueError, match="length"):
        Append("log", -1, [b"x"], lambda *_: None)


async def test_no_more_than_a_batch_fly_at_once_and_never_past_an_ask() -> None:
    lane = Lane(0)
    appends = [Append("log", at, [b"x"], lambda *_: None) for at in range(BATCH + 2)]
    lane.waiting.extend(appends)
    lane.load()
    assert lane.flying == appends[:BATCH]
    lane.load()
    assert lane.flying == appends[:BATCH]  # what flies comes first
    ask = Ask(APPEND, [], [], asyncio.get_running_loop().create_future())
    lane.waiting.extend([ask, appends[0]])
    lane.flying = None
    lane.load()
    assert lane.flying == appends[BATCH:]
    lane.flying = None
    lane.load()
    assert lane.flying is ask
