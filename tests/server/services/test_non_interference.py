"""No byte a player receives depends on a card that this player has not seen (A6, ruling 11).

Two plays of the same commands on two deals that agree on every card the seat sees in the whole play: all
frames are the same, byte for byte, and so are the counts that the rivals get.
"""

from __future__ import annotations

import random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import view
from engine.board import Board, UndoPolicy
from engine.cards import Card
from engine.deal_code import Deal
from engine.moves import Move
from engine.ruleset import Ruleset
from tests import strategies
from tests.engine.driver import choose, random_deal
from tests.server.services.fakes import Table

Command = tuple[int, Move]


class Seen:
    """Which positions of the deal a seat has seen so far."""

    def __init__(self, board: Board) -> None:
        self._down = list(board.down)
        self._stock = len(board.stock)
        self._columns = len(board.columns)
        self.look(board)

    def look(self, board: Board) -> None:
        """Whatever lies open now has been seen for good."""
        self._down = [min(pair) for pair in zip(self._down, board.down, strict=True)]
        self._stock = 0 if board.recycles else min(self._stock, len(board.stock))

    def hidden(self, cards: int) -> list[int]:
        """The positions of the deal that were never seen: deepest first in columns, last in the stock."""
        found: list[int] = []
        at = 0
        for column, down in enumerate(self._down):
            found += range(at, at + down)
            at += column + 1
        return found + list(range(cards - self._stock, cards))


def permuted(deal: Deal, hidden: list[int], chance: random.Random) -> Deal:
    """The deal with what lies at these positions dealt out anew: another deal, if they hold two different cards."""
    cards = [deal[at] for at in hidden]
    chance.shuffle(cards)
    if all(deal[at] == card for at, card in zip(hidden, cards, strict=True)):
        cards = cards[1:] + cards[:1]
    other = list(deal)
    for at, card in zip(hidden, cards, strict=True):
        other[at] = Card(card)
    return tuple(other)


def some_play(board: Board, chance: random.Random, length: int, wild: list[Move]) -> tuple[list[Command], Seen]:
    """Commands as a person sends them, most of them moves, some nonsense; and what was seen in the course."""
    table, commands = Table(board), []
    seen = Seen(board)
    for _ in range(length):
        move = chance.choice(wild) if chance.random() < 0.25 else choose(board, chance)
        if move is None:
            break
        ply = board.ply if chance.random() < 0.9 else chance.randrange(board.ply + 2)
        commands.append((ply, move))
        table.play(ply, *move)
        seen.look(board)
    return commands, seen


def stream(ruleset: Ruleset, deal: Deal, undo: UndoPolicy, commands: list[Command]) -> tuple[list[bytes], list[bytes]]:
    """Everything that the seat hears, and the rows that its rivals get."""
    table = Table(Board(ruleset, deal, ranked=True, undo=undo))
    for ply, move in commands:
        table.play(ply, *move)
    return table.person.frames, table.writer.rows


@settings(max_examples=settings().max_examples // 2)
@given(
    strategies.rulesets, strategies.undo_policies, strategies.seeds, st.integers(1, 80),
    st.lists(st.one_of(strategies.moves, strategies.any_moves), min_size=1, max_size=20),
)  # fmt: skip
def test_a_seat_hears_the_same_whatever_the_cards_it_never_sees(
    ruleset: Ruleset, undo: UndoPolicy, seed: int, length: int, wild: list[Move]
) -> None:
    chance = random.Random(seed)
    deal = random_deal(ruleset, chance)
    board = Board(ruleset, deal, ranked=True, undo=undo)
    commands, seen = some_play(board, chance, length, wild)
    hidden = seen.hidden(ruleset.cards)
    assume(len({deal[at] for at in hidden}) > 1)
    other = permuted(deal, hidden, chance)
    assert other != deal, "nothing is proved by the same deal again"
    frames, rows = stream(ruleset, deal, undo, commands)
    assert len(frames) == len(commands), "one answer to each"
    assert stream(ruleset, other, undo, commands) == (frames, rows)


@given(strategies.rulesets, strategies.seeds)
def test_a_first_look_shows_the_last_card_of_each_column_and_no_other(ruleset: Ruleset, seed: int) -> None:
    chance = random.Random(seed)
    deal = random_deal(ruleset, chance)
    board = Board(ruleset, deal, ranked=True)
    other = permuted(deal, Seen(board).hidden(ruleset.cards), chance)
    assert other != deal
    assert view.own(board) == view.own(Board(ruleset, other, ranked=True))
    assert len(Seen(board).hidden(ruleset.cards)) == ruleset.cards - ruleset.columns
