"""The folder of the workers: there as long as their server is, and taken away after it however it ended."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from server.meeting import LOCK, PREFIX, meeting_place


def left(where: Path, name: str) -> Path:
    """What a server leaves that was killed."""
    folder = where / f"{PREFIX}{name}"
    folder.mkdir(mode=0o700)
    (folder / LOCK).touch()
    (folder / "0").touch()
    return folder


def test_it_is_there_as_long_as_it_is_used(tmp_path: Path) -> None:
    with meeting_place(str(tmp_path)) as folder:
        assert Path(folder).parent == tmp_path
        assert Path(folder).stat().st_mode & 0o077 == 0
        (Path(folder) / "0").touch()
    assert list(tmp_path.iterdir()) == []


def test_those_of_dead_servers_go_at_the_next_start_and_those_of_the_living_stay(tmp_path: Path) -> None:
    dead = [left(tmp_path, name) for name in ("a", "b")]
    with meeting_place(str(tmp_path)) as first, meeting_place(str(tmp_path)) as second:
        assert not any(folder.exists() for folder in dead)
        assert {str(folder) for folder in tmp_path.iterdir()} == {first, second}


def test_what_was_not_made_by_a_server_of_ours_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "precious"
    elsewhere.mkdir()
    (elsewhere / LOCK).touch()
    (tmp_path / f"{PREFIX}link").symlink_to(elsewhere)
    (tmp_path / f"{PREFIX}file").touch()
    (tmp_path / f"{PREFIX}empty").mkdir()
    others = left(tmp_path, "others")
    with monkeypatch.context() as patched:
        me = os.getuid()
        patched.setattr(os, "getuid", lambda: me + 1)
        with meeting_place(str(tmp_path)):
            assert others.exists()
    with meeting_place(str(tmp_path)):
        assert not others.exists()
        names = {path.name for path in tmp_path.iterdir()}
    assert names >= {"precious", f"{PREFIX}link", f"{PREFIX}file", f"{PREFIX}empty"}
    assert (elsewhere / LOCK).exists()
