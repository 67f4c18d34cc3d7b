"""Who somebody is: the device's token, the name, the one-time code for another device (ruling 14).

Lives here: making and finding identities, with their limits. Lives elsewhere: where they are kept
(store.players), which names are allowed (core.names), the connection (session).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from server.clock import Clock
from server.core import names
from server.core.limits import Keyed, Rate
from server.store.ids import new_token
from server.store.players import Player, Players
from server.wire.errors import RefusalCode

RENAMES = Rate(3 / 600, 3)
"""Three names in ten minutes."""
BAD_TOKENS = Rate(10 / 60, 10)
DEVICE_CODES = Rate(10 / 60, 10)
"""Tries with one-time codes, for each address."""


class NotKnown(Exception):
    """The token belongs to nobody (any more)."""


class Banned(Exception):
    """The operator lets this player in no more."""


class TooMany(Exception):
    """A limit of this address or player is reached."""


class NotAllowed(Exception):
    """The name is not one that may be borne now."""

    def __init__(self, code: RefusalCode) -> None:
        """`code`: why."""
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Known:
    """An identity, and the new secret of the device if it got one."""

    player: Player
    token: str = ""


class Identity:
    """Identities of one process's connections. Every method raises StoreAway when the store is."""

    def __init__(self, players: Players, clock: Clock, new_identities: Rate) -> None:
        """`new_identities`: how many an address may make."""
        self._players = players
        self._clock = clock
        self._new = Keyed(new_identities)
        self._renames = Keyed(RENAMES)
        self._bad_tokens = Keyed(BAD_TOKENS)
        self._codes = Keyed(DEVICE_CODES)

    async def enter(self, token: str, wanted: str, address: str, lang: str) -> Known:
        """Whose device this is; a new player where there is no token.

        `wanted`: the name for a new player; one that is not allowed is replaced by a proposal in `lang`, a
        language tag, since nobody should fail at the door. Raises NotKnown, Banned, TooMany.
        """
        if token:
            found = await self._players.by_token(token)
            if found is not None and found.banned:
                raise Banned
            if found is not None:
                return Known(found)
            if not self._bad_tokens.take(address, self._clock.now_ms()):
                raise TooMany
            raise NotKnown
        if not self._new.take(address, self._clock.now_ms()):
            raise TooMany
        name = names.checked_name(wanted) or names.proposal(secrets.randbelow(2**32), lang)
        made = new_token()
        return Known(await self._players.new_player(name, made, self._clock.now_ms()), made)

    async def rename(self, player: str, wanted: str) -> str:
        """Change the name; answers its canonical form. Raises NotAllowed (also for too many changes)."""
        name = names.checked_name(wanted)
        if name is None:
            raise NotAllowed(names.name_fault(wanted) or RefusalCode.NAME)
        if not self._renames.take(player, self._clock.now_ms()):
            raise NotAllowed(RefusalCode.NAME_OFTEN)
        await self._players.rename(player, name)
        return name

    async def use_code(self, typed: str, address: str) -> Known | None:
        """The identity behind a one-time code; None for one that is used, too old or unknown.

        Raises TooMany.
        """
        if not self._codes.take(address, self._clock.now_ms()):
            raise TooMany
        found = await self._players.use_device_code(typed, self._clock.now_ms())
        return None if found is None or found[0].banned else Known(found[0], found[1])
