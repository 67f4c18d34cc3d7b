"""The protocol of machines, and the words of refusals."""

from __future__ import annotations

import dataclasses
import typing

import pytest

from engine.errors import ErrorCode
from server.core import events, inputs, room
from server.core.machine import Machine, Refusal, RefusalCode
from server.core.state import RoomState

ROOM: Machine[RoomState, inputs.RoomInput, events.RoomEvent] = room
"""mypy checks that the room's module has the verbs of a machine."""


def test_the_room_is_a_machine() -> None:
    verbs = [name for name in vars(Machine) if not name.startswith("_")]
    assert verbs == ["fold", "apply", "decide", "due", "decide_due"]
    assert all(callable(getattr(ROOM, verb)) for verb in verbs)


def test_a_refusal_is_told_by_its_code() -> None:
    assert str(RefusalCode.HOST_ONLY) == "host_only"
    assert Refusal(RefusalCode.FULL) == Refusal(RefusalCode("full"))


def test_a_code_that_moves_are_refused_with_too_means_the_same_there() -> None:
    assert {code.value for code in RefusalCode} & {code.value for code in ErrorCode} <= {"slow", "busy", "internal"}


@pytest.mark.parametrize("kind", typing.get_args(inputs.ShellInput))
def test_inputs_are_values(kind: type) -> None:
    assert dataclasses.is_dataclass(kind)
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert not hasattr(kind, "__dict__") or "__slots__" in vars(kind)
