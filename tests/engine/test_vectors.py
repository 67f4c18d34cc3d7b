"""The recorded games and deals, and the program that holds the engine to them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from engine import vectors

GOLDEN = Path(__file__).parents[1] / "golden"
FILES = [("deal-codes.json", 26), ("rules.jsonl.gz", 400), ("rules-ranked.jsonl.gz", 80)]


@pytest.mark.parametrize(("name", "records"), FILES)
def test_the_engine_agrees_with_every_record(name: str, records: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert vectors.main([str(GOLDEN / name)]) == 0
    assert capsys.readouterr().out == f"{records} passed, 0 failed\n"


def one_game() -> dict[str, object]:
    with gzip.open(GOLDEN / "rules-ranked.jsonl.gz", "rt", encoding="utf-8") as lines:
        game = json.loads(next(lines))
    assert isinstance(game, dict)
    return game


def test_plain_files_are_read_too_and_the_sum_comes_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = tmp_path / "games.jsonl"
    plain.write_text(json.dumps(one_game()) + "\n", encoding="utf-8")
    assert vectors.main([str(plain), str(GOLDEN / "deal-codes.json")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "27 passed, 0 failed"


def test_mismatches_are_printed_and_the_status_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = one_game()
    steps = game["steps"]
    assert isinstance(steps, list)
    steps[3][1] = "no_such_reason"
    wrong = tmp_path / "games.jsonl"
    deals = json.loads((GOLDEN / "deal-codes.json").read_text(encoding="ascii"))
    deals[0]["letters"] = "BBBBBBB"
    wrong.write_text(f"{json.dumps(one_game())}\n{json.dumps(game)}\n", encoding="utf-8")
    (tmp_path / "deals.json").write_text(json.dumps(deals[:2]), encoding="ascii")
    assert vectors.main([str(wrong), str(tmp_path / "deals.json")]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith(f"{game['id']} step 3 ")
    assert printed[1].startswith("DS1 BBBBBBB: ")
    assert printed[-1] == "2 passed, 2 failed"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[1]", b'{"id": "x"}', b'[{"family": "XX1", "letters": "AAAAAAA", "deal": ""}]', b"\xff\xfe", b"7\n"],
)
def test_unusable_input_is_one_line_and_status_two(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, data in (("file.json", content), ("file.json.gz", gzip.compress(content))):
        path = tmp_path / name
        path.write_bytes(data)
        assert vectors.main([str(path)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert name in err


@pytest.mark.parametrize("arguments", [[], ["no-such-file.json"], ["no-such-file.jsonl.gz"]])
def test_no_files_or_missing_ones_are_unusable(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert vectors.main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_damaged_archive_is_unusable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for damaged in (b"not gzip", gzip.compress(b"[]")[:-9]):
        path = tmp_path / "file.json.gz"
        path.write_bytes(damaged)
        assert vectors.main([str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
