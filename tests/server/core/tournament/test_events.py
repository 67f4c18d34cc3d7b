"""A tournament's log: its events and their bytes."""

from __future__ import annotations

import typing

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core import events as room_log
from server.core.events import LogError
from server.core.ids import EntrantId
from server.core.tournament import events as log
from server.core.tournament import machine
from server.core.tournament.state import TournamentState
from tests.server.core.tournament.driver import Evening

EVENTS = typing.get_args(log.TournamentEvent)


def test_tags_count_from_101_without_a_gap() -> None:
    assert [kind.__struct_config__.tag for kind in EVENTS] == list(range(101, 101 + len(EVENTS)))


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_begins_with_its_time(kind: type[msgspec.Struct]) -> None:
    assert kind.__struct_fields__[0] == "at_ms"


def test_no_entry_of_a_tournaments_log_can_be_taken_for_one_of_a_rooms() -> None:
    room_tags = {kind.__struct_config__.tag for kind in typing.get_args(room_log.RoomEvent)}
    assert room_tags.isdisjoint(kind.__struct_config__.tag for kind in EVENTS)


def test_the_first_entry_tells_a_tournament_from_a_room() -> None:
    assert log.is_tournament([log.encode(event) for event in Evening().log])
    assert not log.is_tournament([log.encode(log.Ended(5))])
    assert not log.is_tournament([b"\xc1"])
    assert not log.is_tournament([])


@given(st.binary(max_size=60))
def test_any_bytes_are_an_event_or_an_error_of_the_log(entry: bytes) -> None:
    try:
        event = log.decode(entry)
    except LogError:
        return
    assert isinstance(event, EVENTS)


def test_a_damaged_log_names_the_entry() -> None:
    with pytest.raises(LogError, match="entry 1"):
        log.decode_log([log.encode(log.Ended(5)), b"\xc1"])


def test_fields_that_a_later_version_appends_are_skipped() -> None:
    entry = msgspec.msgpack.encode([103, 5, "ada", "news from the future"])
    assert log.decode(entry) == log.CheckedIn(5, EntrantId("ada"))


def test_a_log_begins_with_the_creation_and_has_no_other() -> None:
    created = Evening().log[0]
    with pytest.raises(LogError):
        machine.fold([])
    with pytest.raises(LogError):
        machine.fold([log.Ended(5)])
    with pytest.raises(LogError):
        machine.fold([created, created])


def test_the_tournament_has_the_verbs_of_a_machine() -> None:
    from server.core.machine import Machine
    from server.core.tournament import inputs

    tournament: Machine[TournamentState, inputs.TournamentInput, log.TournamentEvent] = machine
    assert all(callable(getattr(tournament, verb)) for verb in vars(Machine) if not verb.startswith("_"))
