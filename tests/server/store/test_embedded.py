"""The embedded store: data is kept, there is never a second writer, and an orphan is ended."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote

import pytest

from server.store import keys
from server.store.connect import open_store
from server.store.embedded import LOOK_S, SOCKET_PATH_MAX, Embedded
from server.store.errors import StoreUnusable
from server.store.logs import Durability, Verdict
from tests.store_fixture import until

LOG = keys.room_log("ABCDEFGHJK")
ROOT = Path(__file__).parents[3]
PARENT = """
import asyncio, sys
from pathlib import Path
from urllib.parse import unquote
from server.store.embedded import Embedded
async def main():
    store = Embedded(Path(sys.argv[1]))
    await store.start()
    print(store.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


def gone(pid: int) -> bool:
    """Whether a process has ended (a zombie counts as ended)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def test_it_starts_fast_and_keeps_its_data(tmp_path: Path) -> None:
    for n in range(2):
        embedded = Embedded(tmp_path)
        began = time.monotonic()
        await embedded.start()
        assert time.monotonic() - began < 1
        store = await open_store(embedded.url)
        assert await store.logs.append(LOG, n, [b"a"]) == (Verdict.OK, n + 1)
        info = await store.client.execute_command("CONFIG", "GET", "appendfsync", "port")
        assert "always" in str(info)
        await store.close()
        await embedded.stop()


async def test_level_second_syncs_every_second(tmp_path: Path) -> None:
    embedded = Embedded(tmp_path, "second")
    await embedded.start()
    store = await open_store(embedded.url, durability=Durability.SECOND)
    assert "everysec" in str(await store.client.execute_command("CONFIG", "GET", "appendfsync"))
    await store.close()
    await embedded.stop()


async def test_nobody_else_can_reach_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    embedded = Embedded(folder)
    await embedded.start()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "valkey.sock").stat().st_mode) == 0o700
    store = await open_store(embedded.url)
    assert "'0'" in str(await store.client.execute_command("CONFIG", "GET", "port")).replace("b", "")
    await store.close()
    await embedded.stop()


async def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    first = Embedded(tmp_path)
    await first.start()
    with pytest.raises(StoreUnusable, match="another server uses the data folder"):
        await Embedded(tmp_path).start()
    await first.stop()
    second = Embedded(tmp_path)
    await second.start()
    await second.stop()


async def test_it_ends_with_its_parent_and_its_folder_can_be_used_at_once(tmp_path: Path) -> None:
    """F23: the parent is killed; whether its child is still ending or not, the next start succeeds."""
    words = [sys.executable, "-c", PARENT, str(tmp_path)]
    parent = await asyncio.to_thread(subprocess.Popen, words, stdout=subprocess.PIPE, cwd=ROOT)
    assert parent.stdout is not None
    child = int(await asyncio.to_thread(parent.stdout.readline))
    parent.stdout.close()
    parent.kill()
    parent.wait()
    embedded = Embedded(tmp_path)
    await embedded.start()
    assert embedded.pid != child
    await until(lambda: gone(child))
    store = await open_store(embedded.url)
    await store.ping()
    await store.close()
    await embedded.stop()


async def test_an_orphan_is_ended_before_a_new_one_starts(tmp_path: Path) -> None:
    """Where the system does not end the child with its parent, it is found by its socket."""
    first = Embedded(tmp_path)
    await first.start()
    store = await open_store(first.url)
    await store.logs.append(LOG, 0, [b"a"])
    await store.close()
    orphan, first_child = first.pid, first._child
    assert orphan is not None
    assert first_child is not None
    assert first._keeper is not None
    first._keeper.cancel()
    first._unlock()
    second = Embedded(tmp_path)
    await second.start()
    assert first_child.wait(5) == 0
    store = await open_store(second.url)
    assert await store.logs.load(LOG) == [b"a"]
    await store.close()
    await second.stop()


async def test_an_orphan_that_does_not_answer_is_never_joined_by_a_second_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.embedded.STOP_S", 0.1)
    monkeypatch.setattr("server.store.probe.PATIENCE_S", 0.1)
    first = Embedded(tmp_path)
    await first.start()
    assert first.pid is not None
    os.kill(first.pid, signal.SIGSTOP)
    first._unlock()
    with pytest.raises(StoreUnusable, match="does not finish; end its process"):
        await Embedded(tmp_path).start()
    assert (tmp_path / "valkey.sock").exists()
    os.kill(first.pid, signal.SIGCONT)
    await first.stop()


async def test_a_stale_socket_is_no_obstacle(tmp_path: Path) -> None:
    first = Embedded(tmp_path)
    await first.start()
    assert first.pid is not None
    assert first._keeper is not None
    first._keeper.cancel()
    os.kill(first.pid, signal.SIGKILL)
    assert first._child is not None
    first._child.wait()
    assert (tmp_path / "valkey.sock").exists()
    first._unlock()
    second = Embedded(tmp_path)
    await second.start()
    await second.stop()


async def test_the_store_of_another_folder_behind_the_socket_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    other = Embedded(tmp_path / "one")
    await other.start()
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "valkey.sock").symlink_to(tmp_path / "one" / "valkey.sock")
    with pytest.raises(StoreUnusable, match="belongs to a store on"):
        await Embedded(tmp_path / "two").start()
    store = await open_store(other.url)
    await store.ping()
    await store.close()
    await other.stop()


async def test_it_is_started_again_when_it_ends_by_itself(tmp_path: Path) -> None:
    embedded = Embedded(tmp_path)
    await embedded.start()
    store = await open_store(embedded.url)
    await store.logs.append(LOG, 0, [b"a"])
    assert embedded.pid is not None
    os.kill(embedded.pid, signal.SIGKILL)
    assert await asyncio.wait_for(store.logs.append(LOG, 1, [b"b"]), 5) == (Verdict.OK, 2)
    assert embedded.restarts == 1
    await store.close()
    await embedded.stop()


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (signal.SIGKILL, "(killed by SIGKILL)"),
        (signal.SIGTERM, "(exit status 0; its log ends with: Valkey is now ready to exit, bye bye...)"),
    ],
)
async def test_who_reads_that_it_ended_reads_how(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, sent: signal.Signals, told: str
) -> None:
    embedded = Embedded(tmp_path)
    await embedded.start()
    assert embedded.pid is not None
    os.kill(embedded.pid, sent)

    def said() -> list[str]:
        return [record.getMessage() for record in caplog.records if record.name == "server.store.embedded"]

    await until(lambda: bool(said()))
    assert said() == [f"the embedded store has ended {told}; starting it again"]
    await embedded.stop()


async def test_one_that_ends_soon_after_each_start_is_started_once_a_second_and_told_once_each(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk."""
    pauses: list[float] = []
    embedded = Embedded(tmp_path)
    await embedded.start()
    assert embedded.pid is not None
    embedded._binary = Path("/bin/false")
    asleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        pauses.append(seconds)
        await asleep(seconds / 20)

    monkeypatch.setattr("server.store.embedded.asyncio.sleep", noted)
    os.kill(embedded.pid, signal.SIGKILL)
    await until(lambda: embedded.restarts == 7)
    await embedded.stop()
    waited = [seconds for seconds in pauses if seconds > LOOK_S]
    assert waited[:5] == [0.2, 0.4, 0.8, 1.0, 1.0]
    said = [record.getMessage() for record in caplog.records if record.name == "server.store.embedded"]
    assert said[0] == "the embedded store has ended (killed by SIGKILL); starting it again"
    assert all("does not start: exit status 1" in words for words in said[1:])
    assert len(said) in (7, 8)


async def test_what_an_earlier_one_wrote_into_the_log_is_not_told_of_this_one(tmp_path: Path) -> None:
    first = Embedded(tmp_path)
    await first.start()
    await first.stop()
    said = "the embedded store on .* does not start: exit status 1$"
    with pytest.raises(StoreUnusable, match=said):
        await Embedded(tmp_path, binary=Path("/bin/false")).start()
    (tmp_path / "valkey.log").unlink()
    with pytest.raises(StoreUnusable, match=said):
        await Embedded(tmp_path, binary=Path("/bin/false")).start()


async def test_a_folder_with_a_long_path_gets_a_short_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    embedded = Embedded(deep)
    await embedded.start()
    assert len(embedded.url) < SOCKET_PATH_MAX + 10
    assert str(deep) not in embedded.url
    with pytest.raises(StoreUnusable, match="another server"):
        await Embedded(deep).start()
    store = await open_store(embedded.url)
    await store.ping()
    await store.close()
    assert len(os.listdir(tmp_path)) == 2
    await embedded.stop()
    assert os.listdir(tmp_path) == ["d" * 60], "the folder of the short socket goes with it"


async def test_no_short_path_anywhere_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    with pytest.raises(StoreUnusable, match="too long for a socket"):
        await Embedded(deep).start()


async def test_a_runtime_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    embedded = Embedded(deep)
    await embedded.start()
    await embedded.stop()
    Path(unquote(embedded.url.removeprefix("unix://"))).parent.mkdir(mode=0o755)
    with pytest.raises(StoreUnusable, match="not a private folder"):
        await Embedded(deep).start()


async def test_what_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(StoreUnusable, match="does not start: exit status 1; its log ends with: Invalid AOF manifest"):
        await Embedded(tmp_path).start()
    with pytest.raises(StoreUnusable, match="does not start"):
        await Embedded(tmp_path).start()


async def test_a_missing_program_or_folder_says_why(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="set REDIS_URL"):
        await Embedded(tmp_path, binary=tmp_path / "none").start()
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnusable, match="cannot use the data folder"):
        await Embedded(tmp_path / "file").start()


def test_an_embedded_store_has_no_replicas(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="choose disk or second"):
        Embedded(tmp_path, "replica")
