"""A file is there when it is whole, or as it was before."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.whole_file import whole_file


def test_a_file_appears_with_all_that_was_written(tmp_path: Path) -> None:
    with whole_file(tmp_path / "evening") as part:
        part.write_text("half")
        assert not (tmp_path / "evening").exists()
        part.write_text("whole")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("evening", "whole")]


def test_what_does_not_come_to_its_end_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "evening").write_text("last year's")

    def fail() -> None:
        with whole_file(tmp_path / "evening") as part:
            part.write_text("half")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("evening", "last year's")]
