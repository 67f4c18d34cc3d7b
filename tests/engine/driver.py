"""Sets tables up and plays games, so that tests can be written like sentences of the rule book."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.board import Board, UndoPolicy
from engine.cards import KING, SUITS, Card, pack
from engine.deal_code import ALPHABET, SHORT, Deal, DealCode, deal
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
    pack_entry,
    parse_move,
    transfer,
)
from engine.notation import cards_text, parse_cards, parse_position
from engine.ruleset import RULESETS, Ruleset


def table(
    ruleset: str,
    columns: Mapping[int, str],
    *,
    waste: str = "",
    stock: str = "",
    foundations: Mapping[str, Sequence[int]] | None = None,
    rest: str = "stock",
    ranked: bool = False,
    undo: UndoPolicy = UndoPolicy.ALL,
) -> Board:
    """A board at a table of one's own: columns by number from 1 as `face down|face up`, foundations by
    suit. Cards not named go beneath the `rest`: `stock`, `waste` or the number of a column, face down.
    """
    game = RULESETS[ruleset]
    heights = [height for suit in SUITS for height in (foundations or {}).get(suit, (0,) * game.decks)]
    left = Counter(pack(game.decks))
    left -= Counter(parse_cards("".join(columns.values()).replace("|", "") + waste + stock))
    left -= Counter(Card(slot // game.decks * 13 + r) for slot, height in enumerate(heights) for r in range(height))
    others = cards_text(sorted(left.elements()))
    piles = {number: columns.get(number, "|") for number in range(1, game.columns + 1)}
    if rest.isdecimal():
        piles[int(rest)] = others + piles[int(rest)]
    lines = [f"C{number} {pile}" for number, pile in piles.items()]
    lines.append(f"S {stock}{others if rest == 'stock' else ''}")
    lines.append(f"W {others if rest == 'waste' else ''}{waste}")
    lines.append(f"F {','.join(map(str, heights))}")
    return Board.at(parse_position(game, "\n".join(lines)), ranked=ranked, undo=undo)


def play(board: Board, *texts: str) -> Board:
    """Play moves in text form, each of which must be accepted."""
    for text in texts:
        move = parse_move(text)
        refusal = board.check(move)
        assert refusal is None, f"{text}: {refusal}"
        board.apply(move, board.elapsed_ms + 1000)
    return board


def refusal(board: Board, text: str) -> ErrorCode | None:
    """Why this move is refused, or None."""
    return board.check(parse_move(text))


def full_state(board: Board) -> tuple[object, ...]:
    """Everything that undo must bring back: the table, the score and the marks."""
    piles: list[Iterable[int]] = [board.stock, board.waste, board.down, board.heights, board.marks, *board.columns]
    return (tuple(tuple(pile) for pile in piles), board.recycles, board.score, board.out)


def possible_moves(ruleset: Ruleset) -> list[Move]:
    """Every move that has a text form and names piles of this game, all kinds, legal or not."""
    columns = [COLUMN0 + index for index in range(ruleset.columns)]
    singles = [WASTE, *(SLOT0 + slot for slot in range(ruleset.slots))]
    targets = [FOUNDATIONS, *columns]
    moves = [DRAW, RECYCLE, UNDO, AUTO, RESIGN, ABANDON]
    moves += [transfer(source, target) for source in singles for target in targets]
    moves += [
        transfer(source, target, count) for source in columns for target in targets for count in range(1, KING + 1)
    ]
    return moves


def random_deal(ruleset: Ruleset, chance: random.Random) -> Deal:
    """A deal like those of seven-letter codes."""
    return deal(DealCode(ruleset, "".join(chance.choices(ALPHABET, k=SHORT))))


def choose(board: Board, chance: random.Random, *, undos: float = 0.1, eagerness: float = 0.5) -> Move | None:
    """A random legal move that does not resign: an undo with one probability, with another the best looking."""
    moves = [move for move in board.legal_moves() if move.kind != Kind.RESIGN]
    if not moves:
        return None
    if UNDO in moves:
        if chance.random() < undos:
            return UNDO
        moves.remove(UNDO)
    forward = [move for move in moves if move.target == FOUNDATIONS or move.source == WASTE or move == AUTO]
    forward += [move for move in moves if move.source >= COLUMN0 and _turns(board, move)]
    if forward and chance.random() < eagerness:
        return chance.choice(forward)
    if moves and moves[0].kind in (Kind.DRAW, Kind.RECYCLE) and chance.random() < eagerness:
        return moves[0]
    return chance.choice(moves) if moves else None


def _turns(board: Board, move: Move) -> bool:
    index = move.source - COLUMN0
    return board.down[index] > 0 and len(board.columns[index]) - move.count == board.down[index]


def random_play(board: Board, chance: random.Random, length: int) -> Iterator[tuple[Move, bytes, bytes]]:
    """Play on for up to `length` moves; yields each move, its entry and the cards it turned."""
    for ply in range(length):
        move = choose(board, chance)
        if move is None:
            return
        at_ms = ply * 700
        turned = board.apply(move, at_ms)
        yield move, pack_entry(move, at_ms), turned
