"""The words are those of the wire and of the rooms."""

from __future__ import annotations

from engine.errors import ErrorCode
from engine.terms import ReplayError, Termination, UndoPolicy


def test_policies_and_terminations_are_the_words_of_the_wire() -> None:
    assert list(UndoPolicy) == ["all", "hidden", "none"]
    assert list(Termination) == ["won", "resigned", "abandoned", "time_up"]


def test_a_replay_error_names_the_entry_and_the_reason() -> None:
    error = ReplayError(7, ErrorCode.NO_FIT)
    assert str(error) == "entry 7: no_fit"
