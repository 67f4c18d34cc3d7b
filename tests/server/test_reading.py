"""Files of strangers are read no further than they make sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from server import reading
from server.core.replay import BadReplay
from server.core.replay import read as read_replay
from server.core.tournament import archive
from server.reading import NotJson, json_object


def test_what_has_no_end_is_not_read_to_it() -> None:
    with pytest.raises(NotJson, match="does not begin"):
        json_object(Path("/dev/zero"))


@pytest.mark.parametrize("data", [b"", b"\x00{", b"[]", b"\x1f\x8b\x08", b" " * 5_000 + b"{}"])
def test_what_does_not_begin_as_an_object_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(NotJson, match="does not begin"):
        json_object(tmp_path / "file")


def test_a_file_is_read_whole_up_to_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 10_000)
    whole = b" {" + b"x" * 9_998
    (tmp_path / "file").write_bytes(whole)
    assert json_object(tmp_path / "file") == whole
    (tmp_path / "file").write_bytes(whole + b"x")
    with pytest.raises(NotJson, match="larger"):
        json_object(tmp_path / "file")


def test_what_is_nested_without_end_is_no_file() -> None:
    deep = b'{"x":' + b"[" * 100_000
    with pytest.raises(BadReplay, match="no replay file"):
        read_replay(deep)
    with pytest.raises(archive.BadArchive, match="no archive of a tournament"):
        archive.read(deep)
