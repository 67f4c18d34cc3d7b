"""What a connection asks about tournaments, and its answers.

Lives here: from commands to calls of `Tournaments`, and which tournament the connection is told of. Lives
elsewhere: the queue of a connection (session).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from server.core.ids import EntrantId
from server.core.machine import Refusal, RefusalCode
from server.core.tournament import inputs, projection
from server.services.audience import Viewer
from server.services.tournament_host import TournamentHost
from server.services.tournaments import Tournaments
from server.store.players import Player
from server.wire import messages as wire

Answer: TypeAlias = wire.Event | Refusal | None


class Desk:
    """One connection, as tournaments see it. `answer` raises StoreAway, StoreBusy."""

    def __init__(self, tournaments: Tournaments, viewer: Viewer, address: str) -> None:
        self._tournaments = tournaments
        self._viewer = viewer
        self._address = address
        self._host: TournamentHost | None = None
        self._gone = False

    async def answer(self, player: Player, command: wire.Command) -> Answer:
        """The typed answer, a refusal, or None for `Done`."""
        return await COMMANDS[type(command)](self, player, command)

    def leave(self) -> None:
        """The connection is gone."""
        self._gone = True
        self._close()

    async def renamed(self, player: Player) -> None:
        """The identity has another name: so has the entrant (T14)."""
        if self._host is not None:
            await self._host.submit(inputs.Rename(EntrantId(player.id), player.name))

    def _close(self) -> None:
        if self._host is not None:
            self._host.leave(self._viewer)
            self._host = None

    async def _create(self, player: Player, command: wire.CreateTournament) -> Answer:
        made = await self._tournaments.create(player, command.options, self._address)
        return made if isinstance(made, Refusal) else wire.TournamentMade(command.n, *made)

    async def _open(self, player: Player, command: wire.OpenTournament) -> Answer:
        self._close()
        found = await self._tournaments.open(player, self._viewer, command.code, enter=command.enter)
        if isinstance(found, Refusal):
            return found
        self._host = found
        if self._gone:
            self._close()
        return None

    async def _closed(self, _: Player, __: wire.CloseTournament) -> Answer:
        self._close()
        return None

    async def _ask(self, command: inputs.TournamentInput) -> Answer:
        return Refusal(RefusalCode.NOROOM) if self._host is None else await self._host.submit(command)

    async def _check_in(self, player: Player, _: wire.CheckIn) -> Answer:
        return await self._ask(inputs.CheckIn(EntrantId(player.id)))

    async def _withdraw(self, player: Player, _: wire.Withdraw) -> Answer:
        return await self._ask(inputs.Withdraw(EntrantId(player.id)))

    async def _act(self, _: Player, command: wire.HostTournament) -> Answer:
        return await self._tournaments.act(command.code, command.token, command.action, command.key, command.value)

    async def _share(self, _: Player, command: wire.ShareHost) -> Answer:
        made = await self._tournaments.share(command.code, command.token, command.name)
        return made if isinstance(made, Refusal) else wire.TournamentMade(command.n, *made)

    async def _revoke(self, _: Player, command: wire.RevokeHost) -> Answer:
        return await self._tournaments.revoke(command.code, command.token, command.name)

    async def _hosts(self, _: Player, command: wire.ListHosts) -> Answer:
        names = await self._tournaments.holders(command.code, command.token)
        return names if isinstance(names, Refusal) else wire.Hosts(command.n, names)

    async def _standings(self, player: Player, command: wire.ListStandings) -> Answer:
        host = self._host
        if host is None:
            return Refusal(RefusalCode.NOROOM)
        return projection.page(host.state, host.standings(), command.n, command.start, EntrantId(player.id))


COMMANDS: dict[type[wire.Command], Callable[[Desk, Player, Any], Awaitable[Answer]]] = {
    wire.CreateTournament: Desk._create,
    wire.OpenTournament: Desk._open,
    wire.CloseTournament: Desk._closed,
    wire.CheckIn: Desk._check_in,
    wire.Withdraw: Desk._withdraw,
    wire.HostTournament: Desk._act,
    wire.ShareHost: Desk._share,
    wire.RevokeHost: Desk._revoke,
    wire.ListHosts: Desk._hosts,
    wire.ListStandings: Desk._standings,
}
