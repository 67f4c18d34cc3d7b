"""`kupa solve` and `kupa certify` as they are typed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest

from engine import deal_code, solver
from engine.board import Termination
from engine.deal_code import DealCode
from engine.moves import parse_move
from engine.solver import CERTIFIABLE, unpack
from server import cli
from server.services import certifier_process
from server.store.connect import Store
from tests.store_fixture import store, store_url

__all__ = ["store", "store_url"]

EASY, HARD = "DS1-D1N-AAAAAAB", "DS1-D3V-AAAAAAB"
Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Type a command: status, stdout, stderr."""

    def type_(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["kupa", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return type_


# ---------------------------------------------------------------- solve


def test_a_deal_that_is_won_says_in_how_many_moves(typed: Typed) -> None:
    status, out, err = typed("solve", EASY)
    assert (status, err) == (0, "")
    assert out.startswith("won in ")
    assert len(out.splitlines()) == 1


def test_the_solution_is_printed_move_by_move_and_wins(typed: Typed) -> None:
    _, out, _ = typed("solve", EASY, "--moves")
    first, *moves = out.splitlines()
    assert first.startswith(f"won in {len(moves)} moves")
    code = DealCode.parse(EASY)
    board = solver.replay(code.ruleset, deal_code.deal(code), [parse_move(text) for text in moves])
    assert board.ended is Termination.WON


def test_a_deal_that_resists_is_not_found_within_the_budget(typed: Typed) -> None:
    status, out, err = typed("solve", HARD, "--budget", "60")
    assert (status, out, err) == (1, "not found within the budget (60 positions)\n", "")


def test_a_program_reads_the_same_as_json(typed: Typed) -> None:
    status, out, _ = typed("solve", EASY, "--json")
    answer = json.loads(out)
    assert status == 0
    assert (answer["code"], answer["found"], answer["moves"]) == (EASY, True, len(answer["solution"]))
    assert answer["difficulty"] in ("easy", "medium", "hard")
    status, out, _ = typed("solve", HARD, "--budget", "60", "--json")
    assert status == 1
    assert json.loads(out) == {"code": HARD, "budget": 60, "looked": 60, "found": False}


def test_the_moves_that_a_single_game_makes_by_itself_are_counted(typed: Typed) -> None:
    _, out, _ = typed("solve", "SS1-D1N-AAAAAAC", "--json")
    answer = json.loads(out)
    assert answer["solution"][-1] == "auto"
    assert answer["moves"] > len(answer["solution"])


@pytest.mark.parametrize("code", ["", "DS1", "DS1-D9N-AAAAAAB", "DS1-D1N-AAAAAA", "DS1-D1N-AAAAAA*"])
def test_a_code_that_is_none_is_one_line_and_status_2(typed: Typed, code: str) -> None:
    status, out, err = typed("solve", code)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "is not a deal code" in err


def test_a_budget_is_at_least_one_position(typed: Typed) -> None:
    status, _, err = typed("solve", EASY, "--budget", "0")
    assert status == 2
    assert len(err.splitlines()) == 1


# ---------------------------------------------------------------- certify


@pytest.fixture
def on_store(typed: Typed, store_url: str, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Type a command on the test's store."""
    monkeypatch.setenv("REDIS_URL", store_url)
    return typed


def test_deals_are_made_ahead_and_lie_in_the_pool(on_store: Typed, store_url: str) -> None:
    status, out, err = on_store("certify", "--ruleset", "SS1-D1N", "--count", "2", "--json")
    assert (status, err) == (0, "")
    first = json.loads(out)
    assert (first["ruleset"], first["certified"]) == ("SS1-D1N", 2)
    status, out, _ = on_store("certify", "--ruleset", "SS1-D1N", "--count", "1", "--workers", "2")
    assert status == 0
    assert out == f"1 deal of SS1-D1N certified; {first['pool'] + 1} are ready\n"


async def test_they_are_proved(store: Store, store_url: str) -> None:
    from server import solving
    from server.config import read_config

    tried: list[bool] = []
    config = read_config({"REDIS_URL": store_url})
    assert await solving.certify(config, "SS1-D1N", 1, 1, lambda answer: tried.append(bool(answer.code))) == (1, 1)
    assert tried[-1]
    deal = await store.deals.take("SS1-D1N")
    assert deal is not None
    code = DealCode.parse(deal.code)
    assert solver.replay(code.ruleset, deal_code.deal(code), unpack(deal.solution)).ended is Termination.WON


@pytest.mark.parametrize("ruleset", ["DS1-D3V", "nonsense"])
def test_a_ruleset_whose_deals_are_not_certified_is_one_line_and_status_2(on_store: Typed, ruleset: str) -> None:
    assert ruleset not in CERTIFIABLE
    status, out, err = on_store("certify", "--ruleset", ruleset)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_a_store_that_cannot_be_reached_is_one_line_and_status_2(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1")
    status, out, err = typed("certify", "--count", "1")
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_workers_that_die_are_one_line_and_status_2(on_store: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(self: certifier_process.Worker, job: object) -> None:
        raise certifier_process.WorkerLost("killed by SIGKILL")

    monkeypatch.setattr(certifier_process.Worker, "ask", lost)
    status, out, err = on_store("certify", "--count", "1")
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "killed by SIGKILL" in err
