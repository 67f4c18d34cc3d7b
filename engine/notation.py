"""Text forms of cards in order, positions, views and entries: one line or a few, for tests and reports.

What lives here: printing and reading, each the inverse of the other. Cards have theirs in `cards`,
moves in `moves`, deal codes in `deal_code`; rulesets, policies and terminations are their ids.
What does not: anything a client is sent.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from engine.cards import BASES, Card, CardError, card_text, pack, parse_card
from engine.moves import Move, MoveError, move_text, parse_move
from engine.position import Position
from engine.ruleset import Ruleset
from engine.view import View


class NotationError(ValueError):
    """A text that is no card list, position, view or entry."""


# ---------------------------------------------------------------- cards in order


def cards_text(cards: Iterable[int]) -> str:
    """Cards in order, two characters each, nothing between; also the text of a deal."""
    return "".join(card_text(Card(card)) for card in cards)


def parse_cards(text: str) -> list[Card]:
    """The cards that `cards_text` wrote. Raises `NotationError`."""
    try:
        return [parse_card(text[at : at + 2]) for at in range(0, len(text), 2)]
    except CardError as error:
        raise NotationError(str(error)) from None


# ---------------------------------------------------------------- entries


def entry_text(move: Move, at_ms: int) -> str:
    """A log entry, e.g. `c2>c5*3 @1250`. Raises `MoveError` for a move without text."""
    return f"{move_text(move)} @{at_ms}"


def parse_entry(text: str) -> tuple[Move, int]:
    """Move and ms since the gun that `entry_text` wrote. Raises `NotationError`."""
    found = re.fullmatch(r"(\S+) @(0|[1-9][0-9]*)", text)
    try:
        if found:
            return parse_move(found[1]), int(found[2])
    except MoveError as error:
        raise NotationError(str(error)) from None
    raise NotationError(f"not an entry: {text!r}")


# ---------------------------------------------------------------- positions


def position_text(position: Position) -> str:
    """The whole table, hidden cards too, in the lines the test vectors are digested from: `C<k>
    <face down>|<face up>` a column, `S <stock, next first>`, `W <waste, top last>`, `F <heights>`."""
    lines = [
        f"C{index} {cards_text(column[:down])}|{cards_text(column[down:])}"
        for index, (column, down) in enumerate(zip(position.columns, position.down, strict=True), 1)
    ]
    lines.append(f"S {cards_text(reversed(position.stock))}")
    lines.append(f"W {cards_text(position.waste)}")
    lines.append(f"F {','.join(str(height) for height in position.heights)}")
    return "\n".join(lines)


def digest(position: Position) -> str:
    """First 16 hex digits of SHA-256 over `position_text`, as the test vectors have it."""
    return hashlib.sha256(position_text(position).encode("ascii")).hexdigest()[:16]


def parse_position(ruleset: Ruleset, text: str) -> Position:
    """The position that `position_text` wrote, no recycle made yet.

    Raises `NotationError` when it is none of this ruleset: wrong lines, not exactly the whole pack,
    a column that ends face down or whose face-up cards are no run.
    """
    lines = text.split("\n")
    if len(lines) != ruleset.columns + 3:
        raise NotationError(f"{ruleset} has {ruleset.columns + 3} lines, not {len(lines)}")
    position = Position(ruleset, pack(ruleset.decks))
    for index, line in enumerate(lines[: ruleset.columns]):
        down, bar, up = _after(line, f"C{index + 1} ").partition("|")
        column = parse_cards(up)
        if not bar or (down and not up) or not _is_run(column):
            raise NotationError(f"not a column: {line!r}")
        position.columns[index] = parse_cards(down) + column
        position.down[index] = len(down) // 2
    position.stock = parse_cards(_after(lines[-3], "S "))[::-1]
    position.waste = parse_cards(_after(lines[-2], "W "))
    position.heights = _heights(_after(lines[-1], "F "), ruleset)
    if Counter(position.all_cards()) != Counter(pack(ruleset.decks)):
        raise NotationError("not exactly the whole pack")
    return position


def _after(line: str, head: str) -> str:
    if not line.startswith(head):
        raise NotationError(f"not a line that begins with {head!r}: {line!r}")
    return line[len(head) :]


def _is_run(cards: Sequence[Card]) -> bool:
    return all(base in BASES[card] for base, card in pairwise(cards))


def _heights(text: str, ruleset: Ruleset) -> bytearray:
    if not re.fullmatch(r"[0-9]+(,[0-9]+)*", text):
        raise NotationError(f"not foundations: {text!r}")
    heights = [int(height) for height in text.split(",")]
    if len(heights) != ruleset.slots or max(heights) > 13:
        raise NotationError(f"not foundations of {ruleset}: {text!r}")
    return bytearray(heights)


# ---------------------------------------------------------------- views

_VIEW = re.compile(
    r"(?P<ply>[0-9]+) (?P<score>-?[0-9]+) (?P<moves>[0-9]+) (?P<undoable>[0-9]+) (?P<ended>[a-z_]+|-) "
    r"S(?P<stock>[0-9]+)(?:\+(?P<known>\w+))? W(?P<waste>\w*) F(?P<foundations>[0-9]+(?:,[0-9]+)*)"
    r"(?: M(?P<marks>[0-9]+(?:,[0-9]+)*))? (?P<columns>\S+(?: \S+)*)"
)


def view_text(view: View) -> str:
    """A view in one line: ply, score, moves, undoable, how it ended or `-`, then `S<cards left>` (with
    `+<known cards>` where there are such), `W<waste>`, `F<heights>`, `M<marks>` where it is ranked, and for each
    column `<face-down cards>|<face up>`."""
    known = f"+{cards_text(view.known)}" if view.known else ""
    marks = f" M{_numbers(view.marks)}" if view.marks else ""
    columns = " ".join(f"{down}|{cards_text(up)}" for down, up in view.columns)
    return (
        f"{view.ply} {view.score} {view.moves} {view.undoable} {view.ended or '-'} S{view.stock}{known} "
        f"W{cards_text(view.waste)} F{_numbers(view.foundations)}{marks} {columns}"
    )


def _numbers(values: bytes) -> str:
    return ",".join(str(value) for value in values)


def parse_view(text: str) -> View:
    """The view that `view_text` wrote. Raises `NotationError`."""
    found = _VIEW.fullmatch(text)
    if not found:
        raise NotationError(f"not a view: {text!r}")
    columns = []
    for part in found["columns"].split(" "):
        down, bar, up = part.partition("|")
        if not bar or not down.isdecimal():
            raise NotationError(f"not a column of a view: {part!r}")
        columns.append((int(down), bytes(parse_cards(up))))
    return View(
        ply=int(found["ply"]),
        score=int(found["score"]),
        moves=int(found["moves"]),
        stock=int(found["stock"]),
        waste=bytes(parse_cards(found["waste"])),
        foundations=bytes(int(height) for height in found["foundations"].split(",")),
        columns=tuple(columns),
        undoable=int(found["undoable"]),
        ended="" if found["ended"] == "-" else found["ended"],
        marks=bytes(int(mark) for mark in found["marks"].split(",")) if found["marks"] else b"",
        known=bytes(parse_cards(found["known"])) if found["known"] else b"",
    )
