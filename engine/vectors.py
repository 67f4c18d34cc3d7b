"""`python -m engine.vectors FILE…`: hold the engine to recorded games and deals.

What lives here: reading the two kinds of vector files (plain or .gz), translating their actions into
moves, comparing. A rules file has one game a line: `{id, variant, draw, scoring, ranked?, deal,
start, steps}`; a deals file is a list of `{family, letters, deal}`. Prints every mismatch and last
`N passed, M failed`, where a game and a deal count one each. Exit status 1 if any failed, 2 with one
line on stderr if the input cannot be used.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from engine import notation, rules
from engine.board import Board, Termination
from engine.cards import SUITS
from engine.deal_code import DealCode, deal
from engine.errors import ErrorCode
from engine.moves import AUTO, COLUMN0, DRAW, FOUNDATIONS, RECYCLE, SLOT0, UNDO, WASTE, Move, transfer
from engine.ruleset import RULESETS

FAMILIES: Final = {"double": "DS1", "single": "SS1"}


class UnusableError(ValueError):
    """The input is no vector file."""


# ---------------------------------------------------------------- actions


def move_of(board: Board, action: Sequence[object]) -> Move | ErrorCode:
    """The move a recorded action stands for on this board, or the refusal that stands before it."""
    name, args = (action[0], action[1:]) if action else ("", ())
    reader = _READERS.get(name) if isinstance(name, str) else None
    if reader is None:
        return ErrorCode.BAD_ACTION
    try:
        return reader(board, *args)
    except (TypeError, _BadArgumentError):
        # A wrong number of arguments is a TypeError of the call.
        return ErrorCode.BAD_ACTION


class _BadArgumentError(ValueError):
    pass


def _number(value: object, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise _BadArgumentError
    return value


def _column(board: Board, value: object) -> int:
    return COLUMN0 + _number(value, 1, len(board.columns)) - 1


def _slot(board: Board, suit: object, copy: object) -> int:
    if not isinstance(suit, str) or suit not in SUITS or not suit:
        raise _BadArgumentError
    decks = board.ruleset.decks
    return SLOT0 + SUITS.index(suit) * decks + _number(copy, 1, decks) - 1


def _draw(board: Board) -> Move:
    return DRAW if board.stock or rules.no_stock(board) else RECYCLE


def _waste_up(board: Board) -> Move:
    return transfer(WASTE, FOUNDATIONS)


def _waste_to(board: Board, column: object) -> Move:
    return transfer(WASTE, _column(board, column))


def _column_up(board: Board, column: object) -> Move:
    return transfer(_column(board, column), FOUNDATIONS)


def _column_to(board: Board, source: object, target: object, count: object) -> Move:
    return transfer(_column(board, source), _column(board, target), _number(count, 1, 2**31))


def _foundation_to(board: Board, suit: object, copy: object, column: object) -> Move:
    return transfer(_slot(board, suit, copy), _column(board, column))


def _foundation_up(board: Board, suit: object, copy: object, suit2: object, copy2: object) -> Move:
    _slot(board, suit2, copy2)
    return transfer(_slot(board, suit, copy), FOUNDATIONS)


def _gesture(play: Callable[[Board, int], Move | ErrorCode]) -> Callable[[Board, object], Move | ErrorCode]:
    def reader(board: Board, source: object) -> Move | ErrorCode:
        pile = WASTE if source == "w" else _column(board, source)
        if not board.ruleset.taps:
            return ErrorCode.NOT_IN_THIS_GAME
        return ErrorCode.GAME_WON if board.ended else play(board, pile)

    return reader


def _undo(board: Board) -> Move:
    return UNDO


def _auto(board: Board) -> Move:
    return AUTO


_READERS: Final[dict[str, Callable[..., Move | ErrorCode]]] = {
    "draw": _draw, "wf": _waste_up, "wc": _waste_to, "cf": _column_up, "cc": _column_to, "fc": _foundation_to,
    "ff": _foundation_up, "tap": _gesture(rules.tap), "tap2": _gesture(rules.double_tap), "undo": _undo, "auto": _auto,
}  # fmt: skip


# ---------------------------------------------------------------- comparing


def play_game(game: dict[str, Any]) -> str | None:
    """The first mismatch of a recorded game, or None. Raises `UnusableError` for no such record."""
    try:
        ruleset = RULESETS[f"{FAMILIES[game['variant']]}-D{game['draw']}{game['scoring']}"]
        board = Board(ruleset, notation.parse_cards(game["deal"]), ranked=bool(game.get("ranked", False)))
        if (found := _state(board)) != game["start"]:
            return f"{game['id']} start: {found}, not {game['start']}"
        for number, (action, result, *state) in enumerate(game["steps"]):
            move = move_of(board, action)
            refusal = move if isinstance(move, ErrorCode) else board.check(move)
            if refusal is None and isinstance(move, Move):
                board.apply(move, number)
            found = [str(refusal or "ok"), *_state(board)]
            if found != [result, *state]:
                return f"{game['id']} step {number} {json.dumps(action)}: {found}, not {[result, *state]}"
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableError(f"not a recorded game: {error!r}") from error
    return None


def _state(board: Board) -> list[object]:
    return [board.score, board.moves, notation.digest(board), board.ended is Termination.WON]


def check_deal(record: dict[str, Any]) -> str | None:
    """The mismatch of a recorded deal, or None. Raises `UnusableError` for no such record."""
    try:
        family, letters, expected = record["family"], record["letters"], record["deal"]
        ruleset = next(rules for rules in RULESETS.values() if rules.family == family)
        found = notation.cards_text(deal(DealCode(ruleset, letters)))
    except (KeyError, TypeError, ValueError, StopIteration) as error:
        raise UnusableError(f"not a recorded deal: {error!r}") from error
    return None if found == expected else f"{family} {letters}: {found}, not {expected}"


def mismatches(path: Path) -> Iterator[str | None]:
    """For each record of a file its mismatch, or None. Raises `UnusableError`."""
    try:
        text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode("utf-8")
        lines = text.splitlines()
        if text.lstrip().startswith("["):
            for record in json.loads(text):
                yield check_deal(record)
        elif not lines:
            raise UnusableError("nothing in it")
        else:
            for line in lines:
                yield play_game(json.loads(line))
    except UnusableError as error:
        raise UnusableError(f"{path}: {error}") from error
    except (OSError, EOFError, ValueError) as error:
        raise UnusableError(f"{path}: {error}") from error


def main(arguments: Sequence[str]) -> int:
    """Check the files named by the arguments; returns the exit status."""
    passed = failed = 0
    try:
        if not arguments:
            raise UnusableError("usage: python -m engine.vectors FILE…")
        for name in arguments:
            for mismatch in mismatches(Path(name)):
                if mismatch is None:
                    passed += 1
                else:
                    failed += 1
                    print(mismatch)
    except UnusableError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
