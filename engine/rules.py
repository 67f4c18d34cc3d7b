"""Which moves are legal (R3–R5, R11), for any position, its face-down cards known or not.

What lives here: the refusal of a stock press or a transfer, all legal ones, the gestures tap and
double tap, the condition of auto-complete. What does not: undo, resigning, the end of a board, the
score (`board`). No function here looks at a face-down card, so all of them also answer for the table
a player sees (`view.table`). Reasons are looked for in the order of `ErrorCode`.
"""

from __future__ import annotations

from typing import Final

from engine.cards import BASES, KING, RANK, SUIT, Card
from engine.errors import ErrorCode
from engine.moves import COLUMN0, DRAW, FOUNDATIONS, RECYCLE, SLOT0, WASTE, Move, transfer
from engine.position import Position


def draw_refusal(table: Position) -> ErrorCode | None:
    """Why a draw is refused, or None (R5.1, R5.4)."""
    return None if table.stock else no_stock(table) or ErrorCode.STOCK_EMPTY


def recycle_refusal(table: Position) -> ErrorCode | None:
    """Why turning the waste over is refused, or None (R5.3, R5.4, R11.3)."""
    return ErrorCode.STOCK_NOT_EMPTY if table.stock else no_stock(table)


def no_stock(table: Position) -> ErrorCode | None:
    """With an empty stock: why no press of it does anything, or None when the waste can be turned over."""
    passes = table.ruleset.passes
    if passes is not None and table.recycles + 1 >= passes:
        return ErrorCode.STOCK_EXHAUSTED
    return None if table.waste else ErrorCode.NOTHING_TO_DRAW


def transfer_refusal(table: Position, source: int, target: int, count: int) -> ErrorCode | None:
    """Why a transfer is refused, or None (R3.1–R3.8, R4.2). Arguments are those of `moves.transfer`.

    Flat, for speed: the server asks it for every move of every player.
    """
    columns = table.columns
    if target >= COLUMN0:
        if target - COLUMN0 >= len(columns):
            return ErrorCode.BAD_ACTION
    elif target != FOUNDATIONS:
        return ErrorCode.BAD_ACTION
    if source >= COLUMN0:
        index = source - COLUMN0
        if index >= len(columns) or count < 1:
            return ErrorCode.BAD_ACTION
        column = columns[index]
        size = len(column)
        if not size:
            return ErrorCode.EMPTY_SOURCE
        if source == target:
            return ErrorCode.SAME_COLUMN
        if count > size - table.down[index]:
            return ErrorCode.TOO_MANY if count > size else ErrorCode.FACE_DOWN
        card = column[-count]
    else:
        found = _single_card(table, source, target, count)
        if isinstance(found, ErrorCode):
            return found
        card = found
    if target == FOUNDATIONS:
        return None if count == 1 and slot_for(table, card) >= 0 else ErrorCode.NO_FOUNDATION
    onto = columns[target - COLUMN0]
    if not onto:
        return None if RANK[card] == KING else ErrorCode.KING_ONLY
    return None if onto[-1] in BASES[card] else ErrorCode.NO_FIT


def _single_card(table: Position, source: int, target: int, count: int) -> Card | ErrorCode:
    """The card a transfer takes from the waste (R3.4) or a foundation (R3.7)."""
    if count != 1:
        return ErrorCode.BAD_ACTION
    if source == WASTE:
        return table.waste[-1] if table.waste else ErrorCode.EMPTY_SOURCE
    slot = source - SLOT0
    if not 0 <= slot < len(table.heights):
        return ErrorCode.BAD_ACTION
    height = table.heights[slot]
    if not height:
        return ErrorCode.EMPTY_SOURCE
    if target == FOUNDATIONS:
        return ErrorCode.FOUNDATION_TO_FOUNDATION
    return Card(slot // table.ruleset.decks * 13 + height - 1)


def slot_for(table: Position, card: Card) -> int:
    """The first foundation slot that accepts the card, or −1 (R3.6, R4.2)."""
    decks = table.ruleset.decks
    first = SUIT[card] * decks
    return table.heights.find(RANK[card] - 1, first, first + decks)


def can_complete(table: Position) -> bool:
    """Whether auto-complete's condition holds: no card face down, stock and waste empty (R11.6)."""
    return table.ruleset.auto_completes and not table.stock and not table.waste and not any(table.down)


# ---------------------------------------------------------------- all legal moves


def table_moves(table: Position) -> list[Move]:
    """Every legal stock press and transfer: stock, then to foundations, then to columns left to right."""
    moves: list[Move] = []
    if table.stock:
        moves.append(DRAW)
    elif no_stock(table) is None:
        moves.append(RECYCLE)
    waste, columns = table.waste, table.columns
    fits = homes(table)
    if waste and slot_for(table, waste[-1]) >= 0:
        moves.append(transfer(WASTE, FOUNDATIONS))
    moves.extend(
        transfer(COLUMN0 + index, FOUNDATIONS)
        for index, column in enumerate(columns)
        if column and slot_for(table, column[-1]) >= 0
    )
    if waste:
        moves.extend(transfer(WASTE, COLUMN0 + home) for home in fits.get(waste[-1], ()))
    for index, column in enumerate(columns):
        size = len(column)
        for at in range(table.down[index], size):
            # No run's first card fits the end of its own column, which is no higher than itself.
            moves.extend(transfer(COLUMN0 + index, COLUMN0 + home, size - at) for home in fits.get(column[at], ()))
    decks = table.ruleset.decks
    for slot, height in enumerate(list(table.heights)):
        if height:
            card = slot // decks * 13 + height - 1
            moves.extend(transfer(SLOT0 + slot, COLUMN0 + home) for home in fits.get(card, ()))
    return moves


_KINGS: Final = tuple(card for card in range(52) if RANK[card] == KING)
TAKES: Final = tuple(tuple(card for card in range(52) if under in BASES[card]) for under in range(256))
"""For each card those that may lie on it (R3.1): `BASES` the other way round."""


def homes(table: Position) -> dict[int, list[int]]:
    """Which columns take which card (R3.1, R3.3): card → columns from 0, left to right; no key for a card
    that fits nowhere."""
    found: dict[int, list[int]] = {}
    for index, column in enumerate(table.columns):
        for card in TAKES[column[-1]] if column else _KINGS:
            if card in found:
                found[card].append(index)
            else:
                found[card] = [index]
    return found


# ---------------------------------------------------------------- gestures


def tap(table: Position, source: int) -> Move | ErrorCode:
    """The move a tap on the top card of the waste or a column stands for: to a foundation (R9.1)."""
    return transfer_refusal(table, source, FOUNDATIONS, 1) or transfer(source, FOUNDATIONS)


def double_tap(table: Position, source: int) -> Move | ErrorCode:
    """The move two quick taps on a top card stand for (R9.2): a foundation, else the longest column
    that accepts it (the leftmost of equals), else for a king the leftmost empty column."""
    refusal = transfer_refusal(table, source, FOUNDATIONS, 1)
    if refusal is None:
        return transfer(source, FOUNDATIONS)
    if refusal != ErrorCode.NO_FOUNDATION:
        return refusal
    pile = table.waste if source == WASTE else table.columns[source - COLUMN0]
    card = pile[-1]
    best, size = -1, 0
    for index, column in enumerate(table.columns):
        if len(column) > size and column[-1] in BASES[card]:
            best, size = index, len(column)
    lone = source != WASTE and len(pile) == 1
    if best < 0 and RANK[card] == KING and not lone and [] in table.columns:
        best = table.columns.index([])
    return transfer(source, COLUMN0 + best) if best >= 0 else ErrorCode.NO_PLACE
