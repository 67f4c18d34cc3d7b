"""The one module of Hypothesis strategies: what the tests of every part draw their values from."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.board import UndoPolicy
from engine.cards import Card
from engine.deal_code import ALPHABET, SECRET, SHORT, DealCode
from engine.moves import (
    ABANDON,
    AUTO,
    COLUMN0,
    DRAW,
    FOUNDATIONS,
    MOST_COLUMNS,
    MOST_SLOTS,
    RECYCLE,
    RESIGN,
    SLOT0,
    UNDO,
    WASTE,
    Move,
    transfer,
)
from engine.ruleset import RULESETS

rulesets = st.sampled_from(list(RULESETS.values()))
undo_policies = st.sampled_from(list(UndoPolicy))
cards = st.integers(0, 51).map(Card)

letters = st.sampled_from([SHORT, SECRET]).flatmap(lambda size: st.text(ALPHABET, min_size=size, max_size=size))
deal_codes = st.builds(DealCode, rulesets, letters)

columns = st.integers(COLUMN0, COLUMN0 + MOST_COLUMNS - 1)
slots = st.integers(SLOT0, SLOT0 + MOST_SLOTS - 1)
targets = st.one_of(st.just(FOUNDATIONS), columns)
moves = st.one_of(
    st.sampled_from([DRAW, RECYCLE, UNDO, AUTO, RESIGN, ABANDON]),
    st.builds(transfer, st.one_of(st.just(WASTE), slots), targets),
    st.builds(transfer, columns, targets, st.integers(1, 13)),
)
"""Every move that has a text form."""

byte = st.integers(0, 255)
any_moves = st.builds(Move, byte, byte, byte, byte)
"""Any four bytes, most of them no move at all."""

instants_ms = st.integers(0, 2**32 - 1)
"""Milliseconds since the gun, as an entry holds them."""

seeds = st.integers(0, 2**32 - 1)
"""For games played by a seeded generator: shrinking a game's length is then enough."""
lengths = st.integers(1, 300)
"""Moves after which such a game stops (ruling 28)."""

bot_levels = st.sampled_from([1, 2, 3])
