"""`python -m engine.examples [--check]`: the small boards of the examples page, client_web/data/examples.json.

What lives here: which deal each example is taken from, the moves that lead there, and the frames that are
shown of it, all as the engine plays them. What does not: the words (client_web/lang/pages.*.json) and the
drawing. With `--check` nothing is written and the status is 1 if the file is not what would be written.

An example is a real deal: whoever opens its code and plays `before` and the moves of the frames sees the
same. The file is a list, one example a line:

    {"name": "king-only", "code": "DS1-D1N-SEVENOD", "rows": [["c1", "c2", "c4", "c8"]],
     "frames": [{"piles": {"c1": [0, [24]], …}, "score": 0, "moves": 0, …}]}

`rows` are the piles that are shown: `s` stock, `w` waste, `f1`… foundation slots, `c1`… columns. A pile is
[how many cards lie face down or are covered, the open ones from deepest to last]; of the waste at most
three are open, of a slot its top. A frame may also have `played` (the move that led to it, as text),
`refused` ({"move", "code", "from", "to"}: a move that was tried and why not), `legal` (piles that take the
last card of `from`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.board import Board
from engine.deal_code import DealCode, deal
from engine.moves import COLUMN0, Kind, move_text, parse_move, transfer

PATH: Final = Path(__file__).resolve().parents[1] / "client_web" / "data" / "examples.json"
FAN: Final = 3
"""Open cards of the waste that are shown."""


class ExampleError(ValueError):
    """An example says what the rules do not: a move that is refused, or one that is not."""


@dataclass(frozen=True, slots=True)
class Example:
    """One example. `beats`, between spaces, give a frame each: `=` the position as it stands, a move
    (`c1>c2`), a move that is refused with its code (`!c4>c1:king_only`), or `?c2`, what takes the last
    card of a column."""

    name: str
    code: str
    rows: str
    """Piles between spaces, rows between bars."""
    beats: str
    before: str = ""
    """Moves before the first frame."""


EXAMPLES: Final = (
    Example("king-only", "DS1-D1N-SEVENOD", "c1 c2 c4 c8", "= c1>c2 !c4>c1:king_only c4>c8"),
    Example("second-ace", "DS1-D1N-ACESAF5", "f1 f2 | c1 c2 c4", "= c2>f c4>f c1>f"),
    Example("four-homes", "DS1-D1N-SIXKJNZ", "c2 c4 c5 c6 c9", "= ?c2 c2>c5 c5>c9"),
    Example("run", "DS1-D1N-RUNSAAO", "c3 c4 c5", "= c4>c5 c5>c3*2"),
    Example("king-run", "DS1-D1N-KINGAGL", "c1 c2 c6 c8", "= c1>c2 c8>c6 c6>c1*2"),
    Example("draw-three", "DS1-D3N-DRAWACR", "s w | c1 c3", "= draw w>c3 w>c1 draw"),
    Example(
        "turn-over", "DS1-D1N-TURNAAU", "s w", "= draw recycle undo",
        before="c1>f c9>f c2>c6 c4>c3 c9>c2 " + "draw " * 58,
    ),
    Example(
        "vegas-end", "DS1-D3V-VEGASAB", "s w", "= draw !draw:stock_exhausted",
        before="c3>f c6>f " + "draw " * 19,
    ),
    Example("undo", "DS1-D1N-UNDOABQ", "c3 c6", "= c3>c6 undo"),
    Example(
        "take-back", "DS1-D1N-BACKR2Z", "f1 f2 | c2 c6", "= !c2>c6:no_fit f1>c6 c2>c6",
        before="c5>f c5>f c7>f c6>f",
    ),
    Example("single-turn-over", "SS1-D3N-TURNAAB", "s w", "= draw recycle", before="c1>f c7>c1 " + "draw " * 7),
)  # fmt: skip


class _Stage:
    """A board being played, with what is shown of it."""

    def __init__(self, example: Example) -> None:
        code = DealCode.parse(example.code)
        self.example = example
        self.board = Board(code.ruleset, deal(code), ranked=False)
        self.rows = [row.split() for row in example.rows.split("|")]
        for text in example.before.split():
            self.play(text)

    def play(self, text: str) -> None:
        move = parse_move(text)
        refusal = self.board.check(move)
        if refusal is not None:
            raise ExampleError(f"{self.example.name}: {text} is refused with {refusal}")
        self.board.apply(move, 0)

    def frame(self, beat: str) -> dict[str, Any]:
        """What one beat shows."""
        more: dict[str, Any] = {}
        if beat.startswith("!"):
            more["refused"] = self._refused(*beat[1:].split(":"))
        elif beat.startswith("?"):
            more["from"], more["legal"] = beat[1:], self._legal(beat[1:])
        elif beat != "=":
            self.play(beat)
            more["played"] = beat
        piles = {name: self._pile(name) for row in self.rows for name in row}
        return {"piles": piles, "score": self.board.score, "moves": self.board.moves, **more}

    def _refused(self, text: str, code: str) -> dict[str, str]:
        move = parse_move(text)
        refusal = self.board.check(move)
        if refusal != code:
            raise ExampleError(f"{self.example.name}: {text} gives {refusal}, not {code}")
        if move.kind != Kind.TRANSFER:
            return {"move": text, "code": code, "from": "s", "to": "s"}
        source, target = move_text(move).partition("*")[0].split(">")
        return {"move": text, "code": code, "from": source, "to": target}

    def _legal(self, source: str) -> list[str]:
        pile = COLUMN0 + int(source[1:]) - 1
        targets = range(self.board.ruleset.columns)
        return [f"c{c + 1}" for c in targets if self.board.check(transfer(pile, COLUMN0 + c, 1)) is None]

    def _pile(self, name: str) -> list[Any]:
        board, number = self.board, int(name[1:] or 0) - 1
        if name == "s":
            return [len(board.stock), []]
        if name == "w":
            return [max(0, len(board.waste) - FAN), list(board.waste[-FAN:])]
        if name[0] == "f":
            height, suit = board.heights[number], number // board.ruleset.decks
            return [max(0, height - 1), [suit * 13 + height - 1] if height else []]
        return [board.down[number], list(board.columns[number][board.down[number] :])]


def frames(example: Example) -> list[dict[str, Any]]:
    """The frames of an example in order. Raises `ExampleError`."""
    stage = _Stage(example)
    return [stage.frame(beat) for beat in example.beats.split()]


def text() -> str:
    """The text of the file."""
    lines = [
        json.dumps(
            {
                "name": one.name,
                "code": one.code,
                "rows": [row.split() for row in one.rows.split("|")],
                "frames": frames(one),
            },
            separators=(",", ":"),
        )
        for one in EXAMPLES
    ]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main(arguments: Sequence[str]) -> int:
    """Write the file, or with `--check` compare it; returns the exit status."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m engine.examples [--check]", file=sys.stderr)
        return 2
    made = text()
    if not arguments:
        PATH.parent.mkdir(exist_ok=True)
        PATH.write_text(made, encoding="ascii")
        return 0
    if PATH.is_file() and PATH.read_text(encoding="ascii") == made:
        return 0
    print(f"{PATH.name} is stale: run python -m engine.examples", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
