"""Frames in the field: what was once agreed reads for ever, by us and by an independent decoder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest

from server.wire.codec import MAX_FRAME, TAG_OF, decode, decode_event, encode
from server.wire.messages import COMMANDS, EVENTS

ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "frames.json").read_text(encoding="utf-8")
)
BY_NAME: dict[str, type[msgspec.Struct]] = {m.__name__: m for m in (*COMMANDS, *EVENTS)}


def plain(value: Any) -> Any:
    """A field of the golden file as what a decoder that knows no messages sees."""
    match value:
        case {"bytes": text}:
            return bytes.fromhex(text)
        case dict():
            return [plain(item) for item in value.values()]
        case list():
            return [plain(item) for item in value]
    return value


def within(value: Any, old: Any) -> Any:
    """What of a field the golden file has, lists for tuples: parts may have got more fields since."""
    if isinstance(old, dict) and "bytes" not in old:
        return [within(item, each) for item, each in zip(value, old.values(), strict=False)]
    if isinstance(old, list):
        assert len(value) == len(old)
        return [within(item, each) for item, each in zip(value, old, strict=True)]
    return value


def identify(row: dict[str, Any]) -> str:
    return f"{row['message']}-{row['name']}"


@pytest.mark.parametrize("row", ROWS, ids=identify)
def test_a_golden_frame_reads_as_the_message_it_was(row: dict[str, Any]) -> None:
    payload = bytes.fromhex(row["hex"])
    message = decode(payload) if row["tag"] < 64 else decode_event(payload)
    assert type(message) is BY_NAME[row["message"]]
    tag, *fields = msgspec.to_builtins(message, builtin_types=(bytes,))
    assert tag == row["tag"]
    # Fields may have been appended since; the old ones are as they were.
    assert within(fields, row["fields"]) == plain(row["fields"])
    assert list(row["fields"]) == list(message.__struct_fields__)[: len(row["fields"])]


@pytest.mark.parametrize("row", ROWS, ids=identify)
def test_an_independent_decoder_reads_the_same(row: dict[str, Any]) -> None:
    payload = bytes.fromhex(row["hex"])
    assert msgpack.unpackb(payload, raw=False) == [row["tag"], *plain(row["fields"])]


@pytest.mark.parametrize("row", ROWS, ids=identify)
def test_an_independent_encoder_writes_the_same_bytes(row: dict[str, Any]) -> None:
    assert msgpack.packb([row["tag"], *plain(row["fields"])], use_bin_type=True).hex() == row["hex"]


@pytest.mark.parametrize("row", [row for row in ROWS if row["tag"] < 64], ids=identify)
def test_the_largest_command_fits_a_frame(row: dict[str, Any]) -> None:
    assert len(row["hex"]) // 2 <= MAX_FRAME


def test_every_message_has_its_golden_frames() -> None:
    present = {(row["message"], row["name"]) for row in ROWS}
    assert present >= {(m, name) for m in BY_NAME for name in ("typical", "least", "most")}


def test_encoding_again_gives_the_same_bytes_unless_fields_were_appended() -> None:
    for row in ROWS:
        payload = bytes.fromhex(row["hex"])
        message = decode(payload) if row["tag"] < 64 else decode_event(payload)
        again, old = encode(message), plain(row["fields"])
        tag, *fields = msgpack.unpackb(again)
        assert tag == row["tag"]
        assert within(fields, row["fields"]) == old
        assert again == payload or fields != old


def test_no_tag_is_used_twice_and_each_side_keeps_to_its_range() -> None:
    tags = list(TAG_OF.values())
    assert len(set(tags)) == len(tags)
    assert all(1 <= TAG_OF[command] <= 63 for command in COMMANDS)
    assert all(64 <= TAG_OF[event] <= 127 for event in EVENTS)
