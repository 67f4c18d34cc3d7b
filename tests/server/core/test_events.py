"""A room's log: every event, and its bytes."""

from __future__ import annotations

import typing

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core import events as log
from server.core.ids import HeatId
from tests.server.core import strategies

EVENTS = typing.get_args(log.RoomEvent)


@given(strategies.room_events)
def test_an_event_is_read_as_it_was_written(event: log.RoomEvent) -> None:
    assert log.decode(log.encode(event)) == event


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_begins_with_its_time(kind: type[msgspec.Struct]) -> None:
    assert kind.__struct_fields__[0] == "at_ms"


def test_tags_count_from_one_without_a_gap_in_the_order_of_the_log_format() -> None:
    assert [kind.__struct_config__.tag for kind in EVENTS] == list(range(1, 26))


def test_the_closing_script_needs_only_a_tag_a_time_a_heat_and_lengths() -> None:
    written = msgspec.msgpack.encode([log.HEAT_CLOSED_TAG, 5, "HEAT", [3, 0]])
    assert log.decode(written) == log.HeatClosed(5, HeatId("HEAT"), [3, 0])


def test_fields_that_a_later_version_appends_are_skipped() -> None:
    assert log.decode(msgspec.msgpack.encode([21, 5, "news from the future"])) == log.RoomClosed(5)


def test_an_entry_without_the_fields_appended_since_has_their_defaults() -> None:
    joined = log.decode(msgspec.msgpack.encode([2, 5, "p", "Pat", "1234", "node"]))
    assert isinstance(joined, log.Joined)
    assert joined.waits is False


@given(st.binary(max_size=60))
def test_any_bytes_are_an_event_or_an_error_of_the_log(entry: bytes) -> None:
    try:
        event = log.decode(entry)
    except log.LogError:
        return
    assert isinstance(event, EVENTS)


def test_a_damaged_log_names_the_entry() -> None:
    with pytest.raises(log.LogError, match="entry 1"):
        log.decode_log([log.encode(log.RoomClosed(5)), b"\xc1"])


def test_a_log_is_read_in_order() -> None:
    events: list[log.RoomEvent] = [log.RoomClosed(5), log.BotRemoved(6, 1)]
    assert log.decode_log([log.encode(event) for event in events]) == events
