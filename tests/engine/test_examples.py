"""The small boards of the examples page: real deals, played by the engine, that show what their words say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine import examples
from engine.cards import Card, parse_card, rank, suit
from engine.deal_code import DealCode
from engine.examples import EXAMPLES, Example, ExampleError, frames

BY_NAME = {example.name: frames(example) for example in EXAMPLES}


def last(frame: dict[str, Any], pile: str) -> Card:
    """The card of a pile that plays."""
    return Card(frame["piles"][pile][1][-1])


def test_the_file_is_what_the_engine_plays() -> None:
    assert examples.main(["--check"]) == 0


def test_every_example_is_a_deal_with_a_short_name_of_its_own() -> None:
    codes = [DealCode.parse(example.code) for example in EXAMPLES]
    assert not any(code.is_secret for code in codes)
    assert [str(code) for code in codes] == [example.code for example in EXAMPLES]
    assert len({example.name for example in EXAMPLES}) == len({example.code for example in EXAMPLES}) == len(EXAMPLES)


def test_a_seven_is_refused_on_an_empty_column() -> None:
    _, _, refused, moved = BY_NAME["king-only"]
    assert refused["refused"] == {"move": "c4>c1", "code": "king_only", "from": "c4", "to": "c1"}
    assert refused["piles"]["c1"] == [0, []]
    assert (rank(last(refused, "c4")), suit(last(refused, "c4"))) == (7, 1)
    assert last(moved, "c8") == parse_card("7H")
    assert moved["score"] == 5


def test_the_second_ace_of_spades_takes_the_second_place_and_the_two_the_first() -> None:
    _, one, two, three = BY_NAME["second-ace"]
    ace, deuce = parse_card("AS"), parse_card("2S")
    assert (last(one, "f1"), one["piles"]["f2"]) == (ace, [0, []])
    assert (last(two, "f1"), last(two, "f2")) == (ace, ace)
    assert (last(three, "f1"), last(three, "f2")) == (deuce, ace)


def test_a_black_six_has_four_homes() -> None:
    _, lit, moved, on = BY_NAME["four-homes"]
    assert rank(last(lit, "c2")) == 6
    assert suit(last(lit, "c2")) in (0, 3)
    assert {(rank(last(lit, home)), suit(last(lit, home))) for home in lit["legal"]} == {(7, 1), (7, 2)}
    assert len(lit["legal"]) == 4
    assert (moved["score"], on["score"]) == (5, 5)


def test_a_turn_over_at_40_points_costs_40_and_undo_gives_them_back() -> None:
    assert [frame["score"] for frame in BY_NAME["turn-over"]] == [40, 40, 0, 40]
    assert [frame["moves"] for frame in BY_NAME["turn-over"]] == [63, 64, 65, 65]


def test_the_stock_of_vegas_ends_with_two_cards_and_then_for_good() -> None:
    before, drawn, refused = BY_NAME["vegas-end"]
    assert (before["piles"]["s"], drawn["piles"]["s"]) == ([2, []], [0, []])
    assert refused["refused"]["code"] == "stock_exhausted"
    assert before["score"] == -94


def test_the_last_frames_of_the_others_come_to_what_they_say() -> None:
    assert [frame["score"] for frame in BY_NAME["undo"]] == [0, 5, 0]
    assert [frame["score"] for frame in BY_NAME["take-back"]] == [60, 60, 60, 65]
    assert [frame["score"] for frame in BY_NAME["single-turn-over"]] == [15, 15, 15]
    assert BY_NAME["single-turn-over"][-1]["piles"]["s"] == [21, []]
    assert [len(frame["piles"]["w"][1]) for frame in BY_NAME["draw-three"]] == [0, 3, 2, 1, 3]
    assert BY_NAME["run"][-1]["piles"]["c3"] == [2, [parse_card(card) for card in ("7H", "6S", "5H")]]
    assert BY_NAME["king-run"][-1]["piles"]["c1"] == [0, [parse_card("KS"), parse_card("QH")]]


@pytest.mark.parametrize("beat", ["c1>c9", "!c1>c2:no_fit", "!c4>c8:no_fit"])
def test_an_example_that_says_what_the_rules_do_not_is_an_error(beat: str) -> None:
    with pytest.raises(ExampleError, match="wrong"):
        frames(Example("wrong", "DS1-D1N-SEVENOD", "c1 c2", beat))


def test_a_stale_file_is_told_and_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "PATH", tmp_path / "data" / "examples.json")
    assert examples.main(["--check"]) == 1
    assert examples.main([]) == 0
    assert examples.main(["--check"]) == 0
    assert examples.main(["--other"]) == 2
