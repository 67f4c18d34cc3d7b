"""`python -m engine.golden [--check]`: the golden file of the browser's rules, tests/golden/client-rules.json.

What lives here: choosing the positions, all from plain games of known codes, and writing what the engine
answers to them. What does not: reading the file; that is `tests/js`. With `--check` nothing is written
and the status is 1 if the file is not what would be written.

The file is one JSON object, one position a line:

    {"codes": {".": null, "a": "bad_action", …},      letters for refusals; "." is accepted
     "positions": [{
       "ruleset": "DS1-D3N", "ranked": true, "undo": "all",
       "view": {"ply", "score", "moves", "stock", "waste": […], "foundations": […],
                "columns": [[face-down count, [cards, deepest first]], …], "undoable", "ended",
                "marks": [S, H, D, C], "known": [cards]},
       "refusals": "3.a12b…",
       "legal": [{"move": [kind, source, target, count], "turned": [cards], "after": {…} or null}]}]}

`refusals` has one letter for every move in the order of `every_move`, equal letters in a row written as
their number and the letter (`12b`; one alone without number): draw, recycle, undo, auto, resign,
abandon; then for each source of waste, slots, and columns, for each target of foundations and columns,
a count of 1, from columns of 1 to 13. `?` stands where the view does not tell: whether an undo that is
refused under `hidden` would have gone behind a revealed card.

`legal` has every accepted move. `turned` are the cards that come with the server's answer. `after` holds
the fields of the view that then differ, each whole, so that `{...view, ...after}` is the view after the
move; null for an undo, which needs the views before.

`marks` are the highest totals of the suits on the foundations, on which ranked scoring depends; empty
where the scoring is not ranked. `known` are the cards at the front of the stock that the player has seen,
next first: under `hidden` it depends on them whether a draw can be undone.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from engine import view
from engine.board import Board, Termination, UndoPolicy
from engine.cards import KING
from engine.deal_code import DealCode, deal
from engine.errors import ErrorCode
from engine.moves import (
    ABANDON,
    AUTO,
    COLUMN0,
    DRAW,
    FOUNDATIONS,
    RECYCLE,
    RESIGN,
    SLOT0,
    UNDO,
    WASTE,
    Kind,
    Move,
    transfer,
)
from engine.ruleset import RULESETS, Ruleset

PATH: Final = Path(__file__).resolve().parents[1] / "tests" / "golden" / "client-rules.json"
ACCEPTED: Final = "."
UNDECIDED: Final = "?"
_LETTERS: Final = dict(zip(list(ErrorCode), "abcdefghijklmnopqrstuvwxyz", strict=False))
_SHOWN_AT: Final = (0, 30, 90, 160, 240)
"""Plies at which a game's position is taken; its last one is taken too, and the first that completes itself."""
_LONGEST: Final = 320


def every_move(ruleset: Ruleset) -> list[Move]:
    """Every move that has a text form and names piles of this game, in the order of `refusals`."""
    columns = [COLUMN0 + index for index in range(ruleset.columns)]
    moves = [DRAW, RECYCLE, UNDO, AUTO, RESIGN, ABANDON]
    for source in (WASTE, *range(SLOT0, SLOT0 + ruleset.slots), *columns):
        most = KING if source >= COLUMN0 else 1
        moves += [transfer(source, target, count) for target in (FOUNDATIONS, *columns) for count in range(1, most + 1)]
    return moves


# ---------------------------------------------------------------- one position


def _fields(board: Board) -> dict[str, Any]:
    """The view, its bytes as lists."""
    fields = asdict(view.own(board))
    fields |= {name: list(value) for name, value in fields.items() if isinstance(value, bytes)}
    fields["columns"] = [[down, list(up)] for down, up in fields["columns"]]
    return fields


def _letter(board: Board, move: Move) -> str:
    refusal = board.check(move)
    if refusal in (ErrorCode.UNDO_REVEALED, ErrorCode.NOTHING_TO_UNDO) and board.undo is UndoPolicy.HIDDEN:
        return UNDECIDED
    return ACCEPTED if refusal is None else _LETTERS[refusal]


def _after(game: _Game, move: Move) -> dict[str, Any]:
    """A legal move with what it turns and changes, played on a board of its own."""
    twin = game.replayed()
    before = _fields(twin)
    turned = twin.apply(move, 0)
    now = _fields(twin)
    changed = {name: value for name, value in now.items() if value != before[name]}
    return {"move": list(move), "turned": list(turned), "after": None if move == UNDO else changed}


def _position(game: _Game) -> dict[str, Any]:
    board = game.board
    letters = [_letter(board, move) for move in every_move(board.ruleset)]
    runs = ((letter, len(list(run))) for letter, run in groupby(letters))
    return {
        "ruleset": board.ruleset.id,
        "ranked": board.ranked,
        "undo": str(board.undo),
        "view": _fields(board),
        "refusals": "".join(f"{length}{letter}" if length > 1 else letter for letter, length in runs),
        "legal": [_after(game, move) for move in board.legal_moves()],
    }


# ---------------------------------------------------------------- games


class _Game:
    """A game of a known code, played by a hash; it remembers its moves."""

    def __init__(self, ruleset: Ruleset, number: int) -> None:
        self.code = DealCode(ruleset, "GOLDEN" + "ABCDEFG"[number])
        self.ranked = number % 2 == 0
        self.undo = (UndoPolicy.ALL, UndoPolicy.ALL, UndoPolicy.HIDDEN, UndoPolicy.NONE)[number % 4]
        self.moves: list[Move] = []
        self.board = self.replayed()

    def replayed(self) -> Board:
        board = Board(self.code.ruleset, deal(self.code), ranked=self.ranked, undo=self.undo)
        for move in self.moves:
            board.apply(move, 0)
        return board

    def play(self) -> bool:
        """One move further; False when there is none."""
        board = self.board
        digest = hashlib.sha256(f"{self.code} {len(self.moves)}".encode()).digest()
        moves = [move for move in board.legal_moves() if move.kind != Kind.RESIGN]
        if UNDO in moves and len(moves) > 1 and digest[0] > 20:
            moves.remove(UNDO)
        forward = [move for move in moves if move.target == FOUNDATIONS or move == AUTO or self._turns(move)]
        if digest[1] < 140:
            moves = forward or [move for move in moves if move.source == WASTE] or moves
        if not moves:
            return False
        # The stock's press comes first; it is taken more often than one of many.
        move = moves[0] if digest[2] < 90 else moves[digest[3] % len(moves)]
        board.apply(move, 0)
        self.moves.append(move)
        return True

    def _turns(self, move: Move) -> bool:
        index = move.source - COLUMN0
        board = self.board
        return index >= 0 and 0 < board.down[index] == len(board.columns[index]) - move.count


def _positions() -> Iterator[dict[str, Any]]:
    for ruleset in RULESETS.values():
        for number in range(3 if ruleset.decks == 2 else 4):
            game, ready = _Game(ruleset, number), False
            for ply in range(_LONGEST):
                if ply in _SHOWN_AT or (game.board.auto_ready() and not ready):
                    ready = game.board.auto_ready()
                    yield _position(game)
                if not game.play():
                    break
            if game.board.ended is None and number == 0:
                game.board.end(Termination.TIME_UP, 0)
            yield _position(game)


def golden() -> str:
    """The text of the golden file."""
    codes = json.dumps({ACCEPTED: None, **{letter: str(code) for code, letter in _LETTERS.items()}})
    lines = ",\n".join(json.dumps(position, separators=(",", ":")) for position in _positions())
    return f'{{"codes":{codes},\n"positions":[\n{lines}\n]}}\n'


def main(arguments: Sequence[str]) -> int:
    """Write the file, or with `--check` compare it; returns the exit status."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m engine.golden [--check]", file=sys.stderr)
        return 2
    text = golden()
    if not arguments:
        PATH.write_text(text, encoding="ascii")
        return 0
    if PATH.is_file() and PATH.read_text(encoding="ascii") == text:
        return 0
    print(f"{PATH.name} is stale: run python -m engine.golden", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
