"""What makes a result worth a look by a person: undos that showed cards, superhuman play, seats of one address.

Lives here: pure functions from logs to counts and flags. Lives elsewhere: the pace of a log (`pace`), where flags are
kept (store.flags). A flag never refuses, never bans and changes no result (reliability S19, S20, ruling 12).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from engine.board import Board, UndoPolicy
from engine.cards import Card
from engine.moves import Kind, unpack_entry
from engine.ruleset import Ruleset
from server.core import pace

SAME_ADDRESS: Final = "same_address"
"""Seats of one heat were taken from one address: one person with two identities, or a family, or a hall."""


class Undone(NamedTuple):
    """What a player took back."""

    undos: int
    """Actions that were taken back."""
    peeks: int
    """Of these, how many had first shown this seat a card (ruling 6)."""


class Flag(msgspec.Struct, array_like=True, frozen=True):
    """Something for the operator to look at. Its bytes follow from the logs alone, so that repeating adds nothing."""

    at_ms: int
    """When the heat or attempt was over."""
    kind: str
    """One of `pace`, or `SAME_ADDRESS`."""
    player: str
    game: str
    """Id of the heat or the attempt."""
    room: str = ""
    """Of a heat."""
    others: tuple[str, ...] = ()
    """The other players of the same address."""


# ---------------------------------------------------------------- undos


def undone(ruleset: Ruleset, deal: Sequence[Card], entries: Sequence[bytes], undo: UndoPolicy) -> Undone:
    """What was taken back in a log that replays (see `Board.replay`)."""
    moves = [unpack_entry(entry)[0] for entry in entries]
    if all(move.kind != Kind.UNDO for move in moves):
        return Undone(0, 0)
    board = Board(ruleset, deal, ranked=True, undo=undo)
    least = [len(board.stock), *board.down]
    """The fewest unseen cards there have been: of the stock, of each column."""
    shown: deque[bool] = deque(maxlen=ruleset.undo_limit)
    undos = peeks = 0
    for move in moves:
        board.apply(move, 0)
        if move.kind == Kind.UNDO:
            undos += 1
            peeks += shown.pop()
            continue
        # The stock is unseen in its first pass only; that it is turned over means that all of it was seen.
        now = [least[0] if board.recycles else len(board.stock), *board.down]
        shown.append(any(after < before for after, before in zip(now, least, strict=True)))
        least = [min(pair) for pair in zip(now, least, strict=True)]
    return Undone(undos, peeks)


# ---------------------------------------------------------------- flags


def of_pace(at_ms: int, player: str, game: str, entries: Sequence[bytes], room: str = "") -> list[Flag]:
    """Flags of a player's log by how fast it was played. Entries that the server wrote are left out."""
    read = [unpack_entry(entry) for entry in entries]
    times = [at for move, at in read if move.kind != Kind.AUTO and not (move.kind == Kind.RESIGN and move.count)]
    return [Flag(at_ms, kind, player, game, room) for kind in pace.flags(times)]


def of_addresses(at_ms: int, heat: str, room: str, addresses: Mapping[str, str]) -> list[Flag]:
    """Flags of the people of a heat who came from one address; `addresses` by player, an empty one is not known."""
    flags = []
    for player, address in sorted(addresses.items()):
        others = tuple(sorted(one for one, other in addresses.items() if other == address and one != player))
        if address and others:
            flags.append(Flag(at_ms, SAME_ADDRESS, player, heat, room, others))
    return flags
