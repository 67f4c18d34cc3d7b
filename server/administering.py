"""`kupa admin`: what an operator may do to players. Every verb works beside a running server.

What lives here: the verbs. What does not: how a ban is kept and asked for (store.players, services.identity).
"""

from __future__ import annotations

from server.app import store_of
from server.config import Config
from server.core.names import checked_name
from server.store import keys
from server.store.connect import Store
from server.store.players import Player
from server.store.removals import Removal


class NoSuch(Exception):
    """What was named is not there, or not allowed; the text is one line."""


async def player_of(store: Store, player_id: str) -> Player:
    """The player of this id. Raises NoSuch, also for what is no id."""
    try:
        found = await store.players.by_id(player_id)
    except keys.BadKey:
        found = None
    if found is None:
        raise NoSuch(f"there is no player {player_id!r}; ids have ten letters and stand in the address of a profile")
    return found


async def ban(config: Config, player_id: str, reason: str) -> Player:
    """Let a player in no more, from the next connection on. Raises NoSuch, CannotStart."""
    if not reason.strip():
        raise NoSuch("a ban needs a reason; give one with --reason")
    async with store_of(config) as store:
        player = await player_of(store, player_id)
        await store.players.ban(player.id, reason.strip())
        return await player_of(store, player_id)


async def unban(config: Config, player_id: str) -> Player:
    """Let a player in again. Raises NoSuch, CannotStart."""
    async with store_of(config) as store:
        player = await player_of(store, player_id)
        await store.players.unban(player.id)
        return await player_of(store, player_id)


async def rename(config: Config, player_id: str, name: str) -> Player:
    """Give a player another name; it shows everywhere from the next look on. Raises NoSuch, CannotStart."""
    allowed = checked_name(name)
    if allowed is None:
        raise NoSuch(f"{name!r} is not a name that may be borne; 2 to 20 visible characters, none reserved")
    async with store_of(config) as store:
        player = await player_of(store, player_id)
        await store.players.rename(player.id, allowed)
        return await player_of(store, player_id)


async def show(config: Config, player_id: str) -> Player:
    """What is known of a player. Raises NoSuch, CannotStart."""
    async with store_of(config) as store:
        return await player_of(store, player_id)


async def remove(config: Config, board: str, player_id: str, reason: str) -> None:
    """Take a row off a leaderboard and keep it off. Raises NoSuch, CannotStart, StoreAway."""
    await _move(config, board, player_id, reason, removed=True)


async def restore(config: Config, board: str, player_id: str, reason: str) -> None:
    """Put it back, with what came since. Raises NoSuch, CannotStart, StoreAway."""
    await _move(config, board, player_id, reason, removed=False)


async def _move(config: Config, board: str, player_id: str, reason: str, *, removed: bool) -> None:
    if not reason.strip():
        raise NoSuch("this needs a reason; give one with --reason")
    async with store_of(config) as store:
        player = await player_of(store, player_id)
        removal = Removal(store.clock.now_ms(), board, player.id, removed, reason.strip())
        try:
            done = await store.removals.note(removal)
        except keys.BadKey:
            raise NoSuch(f"{board!r} is no leaderboard; one looks like d.2026-07-29.DS1-D1N.time") from None
        if not done:
            where = "does not stand on" if removed else "was not taken off"
            raise NoSuch(f"{player.name} {where} {board}")


async def removals(config: Config) -> list[Removal]:
    """All of them, the oldest first. Raises CannotStart, StoreAway."""
    async with store_of(config) as store:
        return await store.removals.all()
